use permutree_zoo::{AGENTS, Budget, agent, game};
use std::time::Duration;

#[test]
fn canonical_agents() {
    for (text, form) in [
        ("mcps", "mcps"),
        ("mcps:50", "mcps"),
        ("mcps:ref=100,coding=abstract", "mcps:ref=100,coding=abstract"),
        ("grave:bias=0.00001", "grave"),
        ("grave:bias=1e-4", "grave:bias=1e-4"),
        ("uct:0.2,final=mean", "uct:c=0.2,final=mean"),
        ("mcps:playouts=5000", "mcps:playouts=5000"),
        ("uct:policy=mast,c=0.4", "uct:policy=mast"),
        ("uct:playout=mast", "uct:policy=mast"),
        ("grave:policy=uniform,form=report,b=0.5", "grave:form=report"),
        ("flat:policy=nst,keep=0.50,epsilon=0.2", "flat:policy=nst,epsilon=0.2,keep=0.5"),
    ] {
        let agent = agent(text).unwrap();
        assert_eq!(agent.spec(), form);
    }
}

#[test]
fn refusals() {
    let error = |text: &str| agent(text).unwrap_err().to_string();
    assert!(
        error("mpcs").starts_with("unknown agent 'mpcs'; did you mean 'mcps'? agents: best, mcps, grave")
    );
    let mast = "'mast' is a playout policy, not an agent; use it in a search, as in uct:policy=mast";
    assert_eq!(error("mast:epsilon=0.2"), mast);
    assert_eq!(error("uct:c=-1"), "uct: c=-1: must be a number 0..1000000000");
    assert_eq!(error("uct:c=NaN"), "uct: c=NaN: must be a number 0..1000000000");
    assert_eq!(error("mcps:playouts=0"), "mcps: playouts=0: must be a whole number 1..4294967295");
    assert!(error("mcps:time=5").contains("must be a time such as"));
    assert!(error("mcps:memory=3").contains("must be a size such as"));
    let none = "external: cmd=: a command is needed, as in external:cmd=gnugo --mode gtp";
    assert_eq!((error("external"), error("external:timeout=5s")), (none.to_string(), none.to_string()));
    assert!(error("external:timeout=5,cmd=x").contains("must be a time such as"));
    assert_eq!(error("uct:policy=mast,epsilon=2"), "uct: epsilon=2: must be a number 0..1");
    assert_eq!(error("uct:policy=mast,epsilon=NaN"), "uct: epsilon=NaN: must be a number 0..1");
    assert_eq!(error("flat:epsilon=0.1"), "flat: epsilon=0.1: uniform playouts have no epsilon");
    assert_eq!(error("uct:policy=pattern,keep=1"), "uct: keep=1: pattern playouts have no keep");
    assert_eq!(error("sarsa-uct:1.5"), "sarsa-uct: lambda=1.5: must be a number 0..1");
    assert_eq!(error("sarsa-uct:vinit=NaN"), "sarsa-uct: vinit=NaN: must be a number 0..1");
    assert_eq!(error("sarsa-uct:vplayout=2"), "sarsa-uct: vplayout=2: must be a number 0..1");
    assert_eq!(error("vgs:w=100"), "vgs: w=100: w to the power of d must be at most 531441");
    assert_eq!(error("global:g=0"), "global: g=0: must be a whole number 1..1000000");
    assert_eq!(error("random:c=1"), "random has no parameter 'c'; it takes no parameters");
}

#[test]
fn own_budget_goes_first() {
    let command = Budget::playouts(100);
    assert_eq!(agent("mcps").unwrap().budget(&command).playouts, Some(100));
    assert_eq!(agent("mcps:playouts=7").unwrap().budget(&command).playouts, Some(7));
    let timed = agent("mcps:time=20ms").unwrap().budget(&command);
    assert_eq!((timed.playouts, timed.time), (None, Some(Duration::from_millis(20))));
}

#[test]
fn all_that_search_need_a_budget() {
    let names = AGENTS.iter().map(|facts| facts.name).filter(|name| *name != "external");
    let found: Vec<&str> = names.filter(|name| !agent(name).unwrap().needs_budget()).collect();
    assert_eq!(found, ["heuristic", "pattern", "random"]);
    assert!(!agent("external:cmd=x").unwrap().needs_budget());
}

#[test]
fn a_command_is_the_rest_of_the_spec() {
    let text = "external:timeout=5s,cmd=permutree gtp go:9,komi=5.5 mcps:ref=9";
    let engine = agent(text).unwrap();
    let command = "permutree gtp go:9,komi=5.5 mcps:ref=9";
    let external = engine.external().unwrap();
    assert_eq!((external.command, external.timeout), (command, Duration::from_secs(5)));
    assert_eq!(engine.spec(), text);
    assert_eq!(agent("external:cmd=a b,timeout=5s").unwrap().external().unwrap().command, "a b,timeout=5s");
    assert_eq!(agent("mcps").unwrap().external(), None);
}

#[test]
fn ams_needs_an_evaluation() {
    let open = |name: &str| game(name).unwrap().start().session(&agent("ams").unwrap(), 1);
    assert!(open("breakthrough").is_ok());
    assert_eq!(
        open("nim").err().unwrap().to_string(),
        "ams needs a game with an evaluation, and nim has none; use ams-playouts or ams-priority"
    );
}

#[test]
fn old_names_are_read_with_a_note() {
    let old = agent("uct:playout=mast").unwrap();
    assert_eq!(old.notes(), ["playout=mast is now policy=mast"]);
    assert!(agent("uct:policy=mast").unwrap().notes().is_empty());
    assert_eq!(
        agent("uct:playout=mast,policy=nst").unwrap_err().to_string(),
        "'uct:playout=mast,policy=nst': 'policy' is given twice; a spec is name, name:value or name:key=value,key=value"
    );
}

/// Tree-parallel search depends on the timing of threads; everything else is determined by the seed.
#[test]
fn agents_know_whether_they_are_deterministic() {
    let is = |spec: &str| agent(spec).unwrap().is_deterministic();
    for spec in
        ["uct", "uct:parallel=tree", "uct:threads=2,parallel=root", "sarsa-uct:threads=2", "nmcs", "random"]
    {
        assert!(is(spec), "{spec}");
    }
    for spec in ["uct:threads=2", "best:threads=3,parallel=tree", "external:cmd=x"] {
        assert!(!is(spec), "{spec}");
    }
}

#[test]
fn agents_know_their_memory_and_threads() {
    let plain = agent("mcps").unwrap();
    assert_eq!((plain.memory(), plain.asked_memory(), plain.threads()), (1 << 30, None, 1));
    let small = agent("mcps:memory=64MB,threads=3").unwrap();
    assert_eq!((small.memory(), small.asked_memory(), small.threads()), (64 << 20, Some(64 << 20), 3));
    assert_eq!(small.within(1 << 20).memory(), 1 << 20);
}

/// Agents with the parameter `reuse`, and only these, keep playouts after a move.
#[test]
fn reuse_is_offered_by_agents_that_reuse() {
    let game = game("hex:5").unwrap();
    for facts in AGENTS.iter().filter(|facts| facts.searches) {
        let offers = facts.params.list().iter().any(|param| param.key == "reuse");
        let reusing = agent(facts.name).unwrap().reusing();
        assert_eq!(reusing.is_some(), offers, "{}", facts.name);
        let Some(agent) = reusing else { continue };
        let mut session = game.start().session(&agent, 1).unwrap();
        session.advance(&Budget::playouts(2000));
        let best = session.report().moves[0].index;
        session.follow(&[best], 2).unwrap();
        let kept: u64 = session.report().moves.iter().map(|found| found.visits).sum();
        assert!(kept > 50, "{} kept {kept} playouts", facts.name);
    }
}
