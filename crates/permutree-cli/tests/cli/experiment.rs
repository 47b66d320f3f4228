//! Experiments in processes of their own, which may be killed.

use super::{json, keys, permutree, prints};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A new folder with an experiment in it.
fn folder(name: &str, experiment: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("x.toml"), experiment).unwrap();
    folder
}

fn start(line: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_permutree"))
        .args(line.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The stored games, times aside.
fn games(file: &Path, store: &Path) -> Vec<Value> {
    let lines =
        prints(&format!("experiment export {} --store {} --format jsonl", file.display(), store.display()));
    let game = |line: &str| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        game.as_object_mut().unwrap().remove("time_s").expect("times");
        game
    };
    lines.lines().map(game).collect()
}

const TABLE: &str = r#"
title = "MCPS and GRAVE"
games = 60
agents = ["mcps:ref={ref}", "grave"]
vary.ref = [50, 100]
playouts = 60
rows = [{ game = "hex:5,opening=b2", paper = [60, 60] }, { game = "nogo:4,players=3" }, { game = "pig" }]
"#;

/// Killed twenty times at random moments, a run ends with the games of one that was left alone, to the last move.
#[test]
fn killed_again_and_again() {
    let folder = folder("killed", &TABLE.replace("playouts = 60", "playouts = 200"));
    let (file, whole, killed) = (folder.join("x.toml"), folder.join("whole.db"), folder.join("killed.db"));
    let run = |store: &Path, threads: usize| {
        format!("experiment run {} --store {} --threads {threads}", file.display(), store.display())
    };
    let began = Instant::now();
    prints(&run(&whole, 1));
    let whole_time = began.elapsed();
    let expected = games(&file, &whole);
    assert_eq!(expected.len(), 360);

    // Moments up to an eighth of the time of the whole, so that all of them together come near to it.
    let mut state = 12_345_u64;
    let mut interrupted = 0;
    for _ in 0..20 {
        let mut child = start(&run(&killed, 2));
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        std::thread::sleep(whole_time.mul_f64((state >> 40) as f64 / (1u64 << 24) as f64 / 8.0));
        interrupted += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let left = json(&run(&killed, 2));
    assert_eq!(left["found"].as_u64().unwrap() + left["added"].as_u64().unwrap(), 360, "{left}");
    assert!(interrupted > 0 && left["found"] != 0, "{interrupted} runs were interrupted: {left}");
    assert_eq!(games(&file, &killed), expected);
}

/// Two processes, each with one half, and a merge give the same as one.
#[test]
fn shards_in_two_processes() {
    let folder = folder("shards", TABLE);
    let file = folder.join("x.toml");
    let store = |name: &str| folder.join(name);
    let run = |name: &str, more: &str| {
        format!("experiment run {} --store {} {more}", file.display(), store(name).display())
    };
    let halves = [start(&run("a.db", "--shard 1/2")), start(&run("b.db", "--shard 2/2 --threads 1"))];
    for half in halves {
        let output = half.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let (a, b) = (games(&file, &store("a.db")), games(&file, &store("b.db")));
    assert_eq!((a.len(), b.len()), (180, 180));
    let [all, a, b] = ["all.db", "a.db", "b.db"].map(|name| store(name).display().to_string());
    let merged = prints(&format!("experiment merge {all} {a} {b}"));
    assert_eq!(merged, format!("{a}: 180 games added\n{b}: 180 games added\n"));
    prints(&run("one.db", ""));
    assert_eq!(games(&file, &store("all.db")), games(&file, &store("one.db")));
}

/// Nothing is written before everything is checked.
#[test]
fn wrong_files() {
    for (wrong, right, part) in [
        ("agnets =", "agents =", "x.toml:4: unknown key 'agnets' in an experiment; did you mean 'agents'?"),
        ("gravee", "grave", "x.toml:4: unknown agent 'gravee'; did you mean 'grave'?"),
        ("hexx", "hex", "x.toml:7: unknown game 'hexx'; did you mean 'hex'?"),
        ("mcps:rf", "mcps:ref", "x.toml:4: mcps has no parameter 'rf'; did you mean 'ref'?"),
        ("'many'", "60\n", "x.toml:"),
    ] {
        let folder = folder("wrong", &TABLE.replacen(right, wrong, 1));
        let file = folder.join("x.toml");
        for command in ["run", "status", "report", "export"] {
            let run = permutree(&["experiment", command, file.to_str().unwrap()]);
            assert_eq!(
                (run.status, run.out.as_str(), run.err.lines().count()),
                (Some(2), "", 1),
                "{}",
                run.err
            );
            assert!(run.err.starts_with("error: ") && run.err.contains(part), "{}", run.err);
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing but the file");
    }
}

#[test]
fn wrong_commands() {
    let folder = folder("commands", TABLE);
    let file = folder.join("x.toml").display().to_string();
    let refused = |line: &str, part: &str| {
        let run = permutree(&line.split_whitespace().collect::<Vec<_>>());
        assert_eq!((run.status, run.err.lines().count()), (Some(2), 1), "{line}: {}", run.err);
        assert!(run.err.contains(part), "{line}: {}", run.err);
    };
    refused(&format!("experiment report {file}"), "x.db: there is no such file");
    refused(&format!("experiment run {file} --shard 3/2"), "must be a part such as 2/5");
    refused(&format!("experiment run {file} --threads 2000"), "must be a whole number 0..1024");
    refused(&format!("experiment run {file} --store {file}"), "not an experiment store");
    refused(&format!("experiment report {file} --store {file}"), "not an experiment store");
    refused(&format!("experiment history {file}"), "not an experiment store");
    refused(&format!("experiment merge {file}.out {file}"), "not an experiment store");
    refused(&format!("codes hex --playouts 10 --store {file}"), "not an experiment store");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing but the file");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), TABLE);
}

/// The second of two runs on one store names the process of the first.
#[test]
fn two_runs_on_one_store() {
    let folder = folder("two", &TABLE.replace("games = 60", "games = 1000000"));
    let line = format!("experiment run {} --threads 1", folder.join("x.toml").display());
    let mut first = start(&line);
    let lock = folder.join("x.db-lock");
    while std::fs::read_to_string(&lock).unwrap_or_default().is_empty() {
        assert_eq!(first.try_wait().unwrap(), None);
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = permutree(&line.split_whitespace().collect::<Vec<_>>());
    let said = format!("x.db: another run (process {}) is writing to it", first.id());
    assert!(second.status == Some(2) && second.err.contains(&said), "{}", second.err);
    first.kill().unwrap();
    first.wait().unwrap();
}

/// The first Ctrl-C finishes the running games.
#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_its_games() {
    let folder = folder("interrupted", &TABLE.replace("games = 60", "games = 1000000"));
    let file = folder.join("x.toml");
    let line = format!("experiment run {}", file.display());
    let stopped = [500, 3000, 10_000].into_iter().find_map(|wait| {
        let child = start(&line);
        std::thread::sleep(Duration::from_millis(wait));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let played = !said.contains(", 0 played now");
        (output.status.code() == Some(130) && played).then_some(said)
    });
    let said = stopped.expect("exit status 130 after some games");
    assert!(said.contains(" games wanted, "), "{said}");
    let status = json(&format!("experiment status {}", file.display()));
    assert!(status["games"].as_u64().unwrap() > 0, "{status}");
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "the file and its store, and nothing else: {left:?}");
}

/// If files cannot grow, the run ends with one line, and continues when there is room.
#[cfg(unix)]
#[test]
fn a_disk_without_room() {
    let folder = folder("room", TABLE);
    let line = format!("experiment run {}", folder.join("x.toml").display());
    let limited = format!("trap '' XFSZ; ulimit -f 400; exec {} {line}", env!("CARGO_BIN_EXE_permutree"));
    let output = Command::new("sh").args(["-c", &limited]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.contains("stored results are safe"), "{said}");
    let rest = json(&line);
    assert_eq!(rest["found"].as_u64().unwrap() + rest["added"].as_u64().unwrap(), 360, "{rest}");
    assert_ne!(rest["found"], 0, "{rest}");
}

#[test]
fn what_is_printed() {
    let folder = folder("printed", TABLE);
    let file = folder.join("x.toml").display().to_string();
    assert!(
        prints(&format!("experiment run {file} --quick"))
            .ends_with("x.db: 36 games wanted, 0 found, 36 played now\n")
    );
    let run = json(&format!("experiment run {file} --quick"));
    assert_eq!(keys(&run), ["store", "total", "found", "added"]);
    assert_eq!((&run["found"], &run["added"]), (&Value::from(36), &Value::from(0)));
    assert!(prints(&format!("experiment status {file}")).contains("\n36 of 360 games played.\n"));
    let report = json(&format!("experiment report {file} --quick"));
    assert_eq!(keys(&report), ["title", "source", "note", "tables"]);
    let cell = &report["tables"][0]["cells"][0];
    assert_eq!(cell["agents"][0]["spec"], "mcps");
    assert_eq!((&cell["wanted"], &cell["games"]), (&Value::from(6), &Value::from(6)));
    assert!(cell["agrees"].is_boolean() && cell["paper"]["score"] == 0.6, "{cell}");
    let page = prints(&format!("experiment report {file}"));
    assert!(page.contains("\n60 playouts; 6 of 60 games each.\n\n| game | agents | score |"), "{page}");
    let table = prints(&format!("experiment export {file}"));
    assert_eq!(table.lines().count(), 37);
    assert!(table.starts_with("game,agents,budget,number,seed,seats,rewards,plies,"), "{table}");
    let records = prints(&format!("experiment export {file} --format records"));
    assert!(
        records.starts_with("[Game \"hex:5,opening=b2\"]\n[Seat1 \"mcps\"]\n[Seat2 \"grave\"]\n"),
        "{records}"
    );
    assert_eq!(records.matches("[Game ").count(), 36);
    // Binary, so not by `prints`.
    let parquet = Command::new(env!("CARGO_BIN_EXE_permutree"))
        .args(["experiment", "export", &file, "--format", "parquet"])
        .output()
        .unwrap();
    assert!(
        parquet.status.success() && parquet.stdout.starts_with(b"PAR1") && parquet.stdout.ends_with(b"PAR1")
    );
}

/// A test ends a cell as soon as it is decided; a second run has nothing to do.
#[test]
fn a_test_ends_cells() {
    let folder =
        folder("sprt", "game = 'tic-tac-toe'\nagents = ['uct', 'random']\nplayouts = 50\ngames = 1000\n");
    let run = format!("experiment run {} --sprt 0,50", folder.join("x.toml").display());
    let said = prints(&run);
    assert!(said.contains(" not needed\n\ngame ") && said.contains(" 50 rather than 0\n"), "{said}");
    let again = json(&run);
    assert_eq!((&again["added"], &again["tests"][0]["verdict"]), (&Value::from(0), &Value::from("H1")));
    let known = again["found"].as_u64().unwrap() + again["spared"].as_u64().unwrap();
    assert_eq!(known, 1000, "{again}");
}

/// The same file with another time, or only one of its budgets.
#[test]
fn other_budgets() {
    let table = "agents = [\"uct\", [\"random\", \"uct:time=1ms\"]]\ngame = \"tic-tac-toe\"\ngames = 4\nnote = \"Note.\"\n\
        rows = [{ playouts = [20, 30] }, { time = [\"1s\", \"5s\"] }]\n";
    let folder = folder("budgets", table);
    let file = folder.join("x.toml").display().to_string();
    let status = |options: &str| {
        let cells = json(&format!("experiment status {file} {options}"))["cells"].clone();
        cells
            .as_array()
            .unwrap()
            .iter()
            .map(|cell| cell["budget"].as_str().unwrap().to_string())
            .collect::<Vec<_>>()
    };
    assert!(
        prints(&format!("experiment run {file} --playouts 30"))
            .ends_with("8 games wanted, 0 found, 8 played now\n")
    );
    assert!(
        prints(&format!("experiment run {file} --time 2ms"))
            .ends_with("24 games wanted, 8 found, 16 played now\n")
    );
    assert_eq!(status("--playouts 30"), ["30 playouts"; 2]);
    assert_eq!(status("--time 2ms")[3..], ["30 playouts", "2ms", "2ms"]);
    let page = prints(&format!("experiment report {file} --time 2ms"));
    assert!(page.contains("Note. Played with 2ms per move; the file and its source have 1s, 5s."), "{page}");
    let file = folder.join("x.toml");
    let run = permutree(&["experiment", "run", file.to_str().unwrap(), "--playouts", "31"]);
    assert!(
        run.status == Some(2)
            && run.err.ends_with("x.toml: no cell has 31 playouts per move; budgets in playouts: 20, 30\n"),
        "{}",
        run.err
    );
}

/// Results of `codes` and `bench` can be stored and compared.
#[test]
fn measurements_are_kept() {
    let store = folder("history", TABLE).join("m.db").display().to_string();
    prints(&format!("codes hex:5 --playouts 100 --store {store}"));
    for _ in 0..2 {
        prints(&format!("bench tic-tac-toe --agents uct --playouts 50 --store {store}"));
    }
    let history = json(&format!("experiment history {store}"));
    let trends = history["measurements"].as_array().unwrap();
    let find = |command: &str, agent: &str, quantity: &str| {
        let found = trends.iter().find(|trend| {
            (&trend["command"], &trend["agent"], &trend["quantity"])
                == (&command.into(), &agent.into(), &quantity.into())
        });
        found.unwrap_or_else(|| panic!("{command} {agent} {quantity}: {history}"))["runs"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(find("codes", "", "plies"), 1);
    assert_eq!(find("bench", "uct", "playouts_per_s"), 2);
    let table = prints(&format!("experiment history {store}"));
    assert!(table.contains("playouts_per_s") && table.contains(" %"), "{table}");
}
