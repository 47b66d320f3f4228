use super::cells::{Cell, CellKey};
use super::upgrade;
use crate::{ArenaError, GameRecord};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};
use std::fmt::Display;
use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The version of the program, which is stored with every result.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Marks an SQLite file as a store: "Ptre".
const APPLICATION: i32 = 0x5074_7265;
/// The version of the schema.
const SCHEMA: i32 = 2;

/// Seats and agents are counted from 0. `number` counts the games of a cell from 0; the seed of a game is that of its
/// cell plus its number, which in a one-player game is divided by the number of agents. Lists are JSON. Moves have a
/// table of their own, so that queries of results do not read them.
const TABLES: &str = "
CREATE TABLE cells (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    agents TEXT NOT NULL,
    playouts INTEGER NOT NULL,
    time_ns INTEGER NOT NULL,
    wall INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    UNIQUE (game, agents, playouts, time_ns, wall, seed)
);
CREATE TABLE games (
    cell INTEGER NOT NULL REFERENCES cells,
    number INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    seats TEXT NOT NULL,
    rewards TEXT NOT NULL,
    plies INTEGER NOT NULL,
    playouts TEXT NOT NULL,
    time_ns TEXT NOT NULL,
    unfinished INTEGER NOT NULL,
    forfeit INTEGER,
    why TEXT,
    version TEXT NOT NULL,
    PRIMARY KEY (cell, number)
) WITHOUT ROWID;
CREATE TABLE moves (
    cell INTEGER NOT NULL REFERENCES cells,
    number INTEGER NOT NULL,
    moves TEXT NOT NULL,
    PRIMARY KEY (cell, number)
) WITHOUT ROWID;
CREATE TABLE measurements (
    id INTEGER PRIMARY KEY,
    command TEXT NOT NULL,
    game TEXT NOT NULL,
    agent TEXT NOT NULL,
    quantity TEXT NOT NULL,
    playouts INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    value REAL NOT NULL,
    note TEXT NOT NULL,
    version TEXT NOT NULL,
    time TEXT NOT NULL
);
CREATE INDEX measured ON measurements (command, game, agent, quantity, playouts, seed);
";

/// Finished games and measurements in an SQLite file. A game is stored once, as soon as it is finished, so a crash
/// loses only running games.
#[derive(Debug)]
pub struct Store {
    pub(super) db: Connection,
    path: PathBuf,
    // Declared last, so that it is released after the connection is closed.
    lock: Option<Lock>,
}

/// The result of a merge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Merged {
    /// Games that were new.
    pub added: u64,
    /// Games that were already stored.
    pub known: u64,
    /// Games that were already stored with other moves: played with time budgets or by another version.
    pub different: u64,
}

impl Store {
    /// Opens a store to read it.
    pub fn open(path: &Path) -> Result<Self, ArenaError> {
        if !path.exists() {
            return Err(refuse(path, "there is no such file; `permutree experiment run` creates it"));
        }
        Self::connect(path, None)
    }

    /// Opens a store to write to it, and creates it if it does not exist. Only one program at a time may do so.
    pub fn create(path: &Path) -> Result<Self, ArenaError> {
        let lock = Lock::take(path)?;
        Self::connect(path, Some(lock))
    }

    fn connect(path: &Path, lock: Option<Lock>) -> Result<Self, ArenaError> {
        let failed = |error| sql_error(path, &error);
        let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        if lock.is_some() {
            flags |= OpenFlags::SQLITE_OPEN_CREATE;
        }
        let db = Connection::open_with_flags(path, flags).map_err(failed)?;
        let store = Self { db, path: path.to_path_buf(), lock };
        store.prepare().map_err(failed)??;
        Ok(store)
    }

    /// Creates the tables in a new file, and refuses a file that has others.
    fn prepare(&self) -> rusqlite::Result<Result<(), ArenaError>> {
        self.db.busy_timeout(Duration::from_secs(60))?;
        let pragma =
            |name: &str| self.db.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i32>(0));
        let tables: i64 = self.db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        let why = match (pragma("application_id")?, pragma("user_version")?, tables) {
            (APPLICATION, SCHEMA, _) => return Ok(Ok(())),
            (APPLICATION, 1, _) => return upgrade::rename_agents(&self.db, SCHEMA).map(Ok),
            (APPLICATION, newer, _) if newer > SCHEMA => format!(
                "a newer permutree wrote this store (version {newer}; permutree {VERSION} reads up to {SCHEMA}); use that version"
            ),
            // A new file; the lock keeps other programs from it.
            (0, 0, 0) if self.lock.is_some() => {
                self.db.pragma_update(None, "journal_mode", "wal")?;
                let mark = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA};");
                self.db.execute_batch(&format!("BEGIN IMMEDIATE; {TABLES} {mark} COMMIT"))?;
                return Ok(Ok(()));
            }
            (0, 0, 0) => "it is empty; `permutree experiment run` fills it".to_string(),
            _ => "an SQLite file of another program, not an experiment store".to_string(),
        };
        Ok(Err(refuse(&self.path, why)))
    }

    /// The id of a cell in the other tables; inserts the cell if it is new.
    pub(super) fn make_cell(&self, key: &CellKey) -> Result<i64, ArenaError> {
        let add = "INSERT OR IGNORE INTO cells (game, agents, playouts, time_ns, wall, seed) VALUES (?, ?, ?, ?, ?, ?)";
        self.db
            .prepare_cached(add)
            .and_then(|mut add| add.execute(columns(key)))
            .map_err(|e| self.failed(&e))?;
        self.find_cell(key)?.ok_or_else(|| refuse(&self.path, "a cell was not stored"))
    }

    /// The id of a cell, if it is stored.
    pub(super) fn find_cell(&self, key: &CellKey) -> Result<Option<i64>, ArenaError> {
        let find =
            "SELECT id FROM cells WHERE (game, agents, playouts, time_ns, wall, seed) = (?, ?, ?, ?, ?, ?)";
        let mut find = self.db.prepare_cached(find).map_err(|e| self.failed(&e))?;
        find.query_row(columns(key), |row| row.get(0)).optional().map_err(|e| self.failed(&e))
    }

    /// The numbers below `total` of a cell's stored games, in order.
    pub(super) fn played(&self, cell: i64, total: u64) -> Result<Vec<u64>, ArenaError> {
        let read = || -> rusqlite::Result<Vec<u64>> {
            let sql = "SELECT number FROM games WHERE cell = ? AND number < ? ORDER BY number";
            let mut query = self.db.prepare_cached(sql)?;
            query.query_map(params![cell, total as i64], |row| Ok(row.get::<_, i64>(0)? as u64))?.collect()
        };
        read().map_err(|e| self.failed(&e))
    }

    /// Adds finished games, all of them or none. A game that is already stored is kept.
    pub(super) fn add(&mut self, games: &[StoredGame]) -> Result<(), ArenaError> {
        let add = |db: &mut Connection| {
            let writing = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            for game in games {
                let StoredGame { cell, number, seed, record } = game;
                let (number, seed) = (*number as i64, *seed as i64);
                let forfeit = record.forfeit.as_ref();
                let added = writing
                    .prepare_cached(
                        "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    )?
                    .execute(params![
                        cell,
                        number,
                        seed,
                        list(&record.seating),
                        list(record.rewards.as_slice()),
                        record.plies() as i64,
                        list(&record.playouts),
                        list(&record.time.iter().map(Duration::as_nanos).collect::<Vec<_>>()),
                        record.unfinished,
                        forfeit.map(|forfeit| forfeit.agent as i64),
                        forfeit.map(|forfeit| &forfeit.why),
                        VERSION,
                    ])?;
                if added == 1 {
                    writing.prepare_cached("INSERT INTO moves VALUES (?, ?, ?)")?.execute(params![
                        cell,
                        number,
                        record.moves.join(" ")
                    ])?;
                }
            }
            writing.commit()
        };
        add(&mut self.db).map_err(|error| sql_error(&self.path, &error))
    }

    /// Adds everything from another store.
    pub fn merge(&mut self, other: &Path) -> Result<Merged, ArenaError> {
        let same = |path: &Path| path.canonicalize().ok();
        if same(other).is_some() && same(other) == same(&self.path) {
            return Err(refuse(other, "a store cannot be merged into itself"));
        }
        // Refuses a file that is not a store.
        drop(Self::open(other)?);
        let merge = || {
            self.db.execute("ATTACH ? AS other", [other.to_string_lossy()])?;
            let merged = self.merge_attached();
            if merged.is_err() {
                // The first error is the one to report.
                let _ = self.db.execute_batch("ROLLBACK");
            }
            self.db.execute_batch("DETACH other")?;
            merged
        };
        merge().map_err(|e| self.failed(&e))
    }

    fn merge_attached(&self) -> rusqlite::Result<Merged> {
        const PAIRS: &str = "JOIN other.cells o ON o.id = theirs.cell
            JOIN main.cells m ON (m.game, m.agents, m.playouts, m.time_ns, m.wall, m.seed)
                = (o.game, o.agents, o.playouts, o.time_ns, o.wall, o.seed)";
        let count = |sql: &str| self.db.query_row(sql, [], |row| Ok(row.get::<_, i64>(0)? as u64));
        self.db.execute_batch(
            "BEGIN IMMEDIATE;
            INSERT OR IGNORE INTO main.cells (game, agents, playouts, time_ns, wall, seed)
                SELECT game, agents, playouts, time_ns, wall, seed FROM other.cells;",
        )?;
        let both = "JOIN main.moves ours ON ours.cell = m.id AND ours.number = theirs.number";
        let known = count(&format!("SELECT count(*) FROM other.moves theirs {PAIRS} {both}"))?;
        let different = count(&format!(
            "SELECT count(*) FROM other.moves theirs {PAIRS} {both} WHERE ours.moves <> theirs.moves"
        ))?;
        let added = self.db.execute(
            &format!(
                "INSERT OR IGNORE INTO main.games
                SELECT m.id, theirs.number, theirs.seed, seats, rewards, plies, theirs.playouts, theirs.time_ns,
                    unfinished, forfeit, why, version
                FROM other.games theirs {PAIRS}"
            ),
            [],
        )?;
        let columns = "command, game, agent, quantity, playouts, seed, value, note, version, time";
        self.db.execute_batch(&format!(
            "INSERT OR IGNORE INTO main.moves SELECT m.id, theirs.number, moves FROM other.moves theirs {PAIRS};
            INSERT INTO main.measurements ({columns})
                SELECT {columns} FROM other.measurements EXCEPT SELECT {columns} FROM main.measurements;
            COMMIT"
        ))?;
        Ok(Merged { added: added as u64, known, different })
    }

    pub(super) fn failed(&self, error: &rusqlite::Error) -> ArenaError {
        sql_error(&self.path, error)
    }

    /// The error of a store with an invalid game in a cell.
    pub(super) fn damaged(&self, cell: &Cell) -> ArenaError {
        refuse(&self.path, format!("the file is damaged (a game of {} is invalid)", cell.key.game))
    }
}

/// A finished game on its way into the store.
pub(super) struct StoredGame {
    pub(super) cell: i64,
    pub(super) number: u64,
    pub(super) seed: u64,
    pub(super) record: GameRecord,
}

/// The columns of `cells` that make up its key. Missing playouts and times are 0.
fn columns(key: &CellKey) -> (&str, String, i64, i64, bool, i64) {
    let agents = serde_json::Value::from(key.agents.clone()).to_string();
    let time = key.time.map_or(0, |time| time.as_nanos() as i64);
    (&key.game, agents, key.playouts.unwrap_or(0) as i64, time, key.wall, key.seed as i64)
}

/// Numbers as a JSON list, each written so that it reads back as the same number.
fn list<T: Display>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(T::to_string).collect();
    format!("[{}]", items.join(","))
}

fn refuse(path: &Path, why: impl Display) -> ArenaError {
    ArenaError::File { path: path.display().to_string(), line: None, why: why.to_string() }
}

fn sql_error(path: &Path, error: &rusqlite::Error) -> ArenaError {
    let safe = "stored results are safe, and the same command continues from them";
    let why = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "not an experiment store".to_string(),
        Some(ErrorCode::DatabaseCorrupt) => format!("the file is damaged ({error})"),
        Some(ErrorCode::DiskFull) => format!("the disk is full; {safe}"),
        Some(ErrorCode::SystemIoFailure) => format!("cannot be written or read ({error}); {safe}"),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another program has locked it".to_string()
        }
        Some(ErrorCode::ReadOnly) => "it is read-only".to_string(),
        _ => error.to_string(),
    };
    refuse(path, why)
}

/// The lock for writing to a store, which the system releases when the program ends, however it ends.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    fn take(store: &Path) -> Result<Self, ArenaError> {
        let mut path = store.as_os_str().to_owned();
        path.push("-lock");
        let path = PathBuf::from(path);
        let failed = |error: std::io::Error| refuse(store, format!("cannot be written ({error})"));
        let mut file = File::options().create(true).append(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder = std::fs::read_to_string(&path).unwrap_or_default();
                let holder = holder.lines().last().map_or(String::new(), |pid| format!(" (process {pid})"));
                let why = format!(
                    "another run{holder} is writing to it; wait for it to end, or give each run a --shard and a --store of its own"
                );
                return Err(refuse(store, why));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // Only for the message above.
        let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Self { path, _file: file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
