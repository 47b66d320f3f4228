use crate::kit::{fresh, parse, progress, run};
use permutree_arena::experiment::{Measurement, Report, Store};
use permutree_zoo::game;

#[test]
fn counts_of_codes() {
    let text = "codes = 200\nrows = [{ game = 'wargame:4', paper = { plies = 20.5, exact = 0.2 } }, { game = 'hex:5' }]";
    let experiment = parse(text).unwrap();
    let mut store = Store::create(&fresh("codes.db")).unwrap();
    assert_eq!(run(&experiment, &mut store, 2, "1/1"), progress(2, 0, 2));
    assert_eq!(run(&experiment, &mut store, 2, "1/1"), progress(2, 2, 0));
    let report = Report::of(&experiment, &store).unwrap();
    let presence = game("wargame:4").unwrap().presence(200, 0);
    let expected = Measurement::of_presence("wargame:4", 200, 0, &presence);
    let expected: Vec<_> =
        expected.iter().map(|measured| (measured.quantity.clone(), measured.value)).collect();
    assert_eq!(report.tables[0].probes[0].found, expected);
    let page = report.markdown();
    assert!(
        page.contains("| game | moves | plies | abstract | exact |") && page.contains(" (paper 20.5) |"),
        "{page}"
    );
}

#[test]
fn searches_of_the_first_move() {
    let text = "searches = 3\ngame = 'hex:5'\nrows = [{ agents = ['mcps:playouts=300', 'uct:playouts=200'] },
        { agents = 'flat:playouts={n}', vary.n = 100, paper = { seconds = 1.5 } }]";
    let experiment = parse(text).unwrap();
    let mut store = Store::create(&fresh("searches.db")).unwrap();
    assert_eq!(run(&experiment, &mut store, 2, "1/1"), progress(3, 0, 3));
    assert_eq!(run(&experiment, &mut store, 2, "1/1"), progress(3, 3, 0));
    let report = Report::of(&experiment, &store).unwrap();
    let playouts = [300.0, 200.0, 100.0].map(Some);
    let found = report.tables[0].probes.iter().map(|probe| {
        let value = |name: &str| probe.found.iter().find(|(found, _)| found == name).map(|(_, value)| *value);
        assert!(value("seconds").is_some_and(|seconds| 0.0 < seconds && seconds < 10.0), "{probe:?}");
        value("playouts")
    });
    assert_eq!(found.collect::<Vec<_>>(), playouts);
    let page = report.markdown();
    assert!(
        page.contains("hex:5; medians of 3 searches each.") && page.contains("(paper 1.5) | 100 |"),
        "{page}"
    );
    // Another number of searches is another probe.
    let more = parse(&text.replace("searches = 3", "searches = 4")).unwrap();
    assert_eq!(run(&more, &mut store, 1, "1/1"), progress(3, 0, 3));
    for (text, why) in [
        ("searches = 3\ngame = 'hex:5'\nagents = 'mcps'", "a budget in their specs"),
        ("searches = 3\ngame = 'hex:5'\nround-robin = ['mcps', 'uct']", "searches needs agents"),
        ("searches = 0\ngame = 'hex:5'\nagents = 'mcps:playouts=9'", "searches"),
        (
            "searches = 3\ngame = 'hex:5'\nagents = 'mcps:playouts=9'\npaper = { second = 1 }",
            "did you mean 'seconds'",
        ),
    ] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

/// Measurements come back in order: every speed, but what depends on the seed only once.
#[test]
fn measurements_over_runs() {
    let mut store = Store::create(&fresh("history.db")).unwrap();
    let measured = |command: &str, quantity: &str, value: f64| Measurement {
        command: command.to_string(),
        game: "hex:7".to_string(),
        agent: String::new(),
        quantity: quantity.to_string(),
        playouts: 10_000,
        seed: 1,
        value,
        note: "abc".to_string(),
    };
    for speed in [1.0, 3.0, 3.0] {
        let both = [measured("bench", "playouts_per_s", speed), measured("codes", "plies", 2.0)];
        store.measure(&both).unwrap();
    }
    let history = store.history().unwrap();
    let values =
        |place: usize| history[place].runs.iter().map(|run| run.measurement.value).collect::<Vec<_>>();
    assert_eq!((history.len(), values(0), values(1)), (2, vec![1.0, 3.0, 3.0], vec![2.0]));
}
