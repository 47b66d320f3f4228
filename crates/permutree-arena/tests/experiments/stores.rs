use crate::kit::{fresh, parse, run};
use permutree_arena::experiment::Store;
use std::path::Path;

/// Files that are not a store, or a store of an unknown version, are refused in one line and stay as they are.
#[test]
fn files_that_are_no_store() {
    let check = |path: &Path, part: &str| {
        for error in [Store::open(path).unwrap_err(), Store::create(path).unwrap_err()] {
            let error = error.to_string();
            assert!(error.contains(part) && !error.contains('\n'), "{error}");
        }
    };
    let text = fresh("text.db");
    std::fs::write(
        &text,
        "This is a text that is longer than the head of an SQLite file would be.\n".repeat(20),
    )
    .unwrap();
    let before = std::fs::read(&text).unwrap();
    check(&text, "not an experiment store");
    assert_eq!(std::fs::read(&text).unwrap(), before);

    let other = fresh("other.db");
    let db = rusqlite::Connection::open(&other).unwrap();
    db.execute_batch("CREATE TABLE cells (x)").unwrap();
    check(&other, "an SQLite file of another program");
    let newer = fresh("newer.db");
    drop(Store::create(&newer).unwrap());
    rusqlite::Connection::open(&newer).unwrap().pragma_update(None, "user_version", 99).unwrap();
    check(&newer, "a newer permutree wrote this store (version 99");

    let none = Store::open(&fresh("none.db")).unwrap_err().to_string();
    assert!(none.contains("there is no such file"), "{none}");
    let nowhere = Store::create(Path::new("/nowhere/at/all.db")).unwrap_err().to_string();
    assert!(nowhere.contains("cannot be written"), "{nowhere}");
}

/// Seats and rewards that are not valid in the cell are refused, and sums do not overflow.
#[test]
fn games_that_cannot_be() {
    let experiment = parse("game = 'tic-tac-toe'\nagents = ['random', 'heuristic']\ngames = 2").unwrap();
    let path = fresh("damaged.db");
    let mut store = Store::create(&path).unwrap();
    run(&experiment, &mut store, 1, "1/1");
    let cell = experiment.cells().next().unwrap();
    let raw = rusqlite::Connection::open(&path).unwrap();
    let set = |column: &str, value: &str| {
        let old: String = raw
            .query_row(&format!("SELECT coalesce({column}, '') FROM games WHERE number = 0"), [], |row| {
                Ok(match row.get_ref(0)? {
                    rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                    other => other.as_str()?.to_string(),
                })
            })
            .unwrap();
        raw.execute(&format!("UPDATE games SET {column} = nullif(?, '') WHERE number = 0"), [value]).unwrap();
        old
    };
    for (column, value) in [
        ("rewards", "[1]"),
        ("rewards", "[1,0,0]"),
        ("rewards", "[2,0]"),
        ("rewards", "[NaN,0]"),
        ("seats", "[0]"),
        ("seats", "[0,2]"),
        ("forfeit", "2"),
    ] {
        let old = set(column, value);
        let error = store.result(cell).unwrap_err().to_string();
        assert!(
            error.ends_with("the file is damaged (a game of tic-tac-toe is invalid)"),
            "{column}: {error}"
        );
        assert_eq!(store.games(cell, 0, 2).is_err(), column != "forfeit", "{column}={value}");
        set(column, &old);
    }
    let most = u64::MAX.to_string();
    set("playouts", &format!("[{most},{most}]"));
    set("plies", &i64::MAX.to_string());
    let found = store.result(cell).unwrap();
    assert_eq!((found.result.games, found.result.agents[0].playouts), (2, u64::MAX));
}

#[test]
fn one_writer_at_a_time() {
    let path = fresh("locked.db");
    let first = Store::create(&path).unwrap();
    let error = Store::create(&path).unwrap_err().to_string();
    let expected = format!("another run (process {}) is writing to it", std::process::id());
    assert!(error.contains(&expected), "{error}");
    Store::open(&path).expect("reading is possible in the meantime");
    drop(first);
    Store::create(&path).expect("the lock is released");
}

/// Agents are stored by their canonical specs, which differ in version 1 of the store: its games are found by the new
/// specs.
#[test]
fn agents_of_old_stores_get_their_new_names() {
    let path = fresh("old.db");
    drop(Store::create(&path).unwrap());
    let db = rusqlite::Connection::open(&path).unwrap();
    db.pragma_update(None, "user_version", 1).unwrap();
    let add =
        "INSERT INTO cells (game, agents, playouts, time_ns, wall, seed) VALUES ('hex:7', ?, 1, 0, 0, 0)";
    for agents in [r#"["uct:playout=mast","mcps"]"#, r#"["no-agent:x=1","grave"]"#] {
        db.execute(add, [agents]).unwrap();
    }
    Store::open(&path).unwrap();
    let read = |sql: &str| -> Vec<String> {
        db.prepare(sql).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let agents = read("SELECT agents FROM cells ORDER BY id");
    assert_eq!(agents, [r#"["uct:policy=mast","mcps"]"#, r#"["no-agent:x=1","grave"]"#]);
    assert_eq!(read("SELECT CAST(user_version AS TEXT) FROM pragma_user_version"), ["2"]);
}
