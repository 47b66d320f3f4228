use crate::Error;
use crate::playouts::{EPSILON, KEEP, PLAYOUT, Playouts};
use crate::spec::{Spec, canonical};
use permutree_game::{Args, Param};
use permutree_search::{Budget, FinalMove, Form, Lazy, Learning, Options, Plan, Samples, Weights};
use std::time::Duration;

/// An agent in the list.
#[derive(Clone, Copy, Debug)]
pub struct AgentFacts {
    /// What the user types.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it does, in a sentence or two.
    pub about: &'static str,
    /// The paper that it comes from.
    pub source: &'static str,
    /// Its parameters; a bare value in a spec is the first of them.
    pub params: &'static [Param],
    method: fn(&Args) -> Method,
}

/// The algorithm with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Method {
    Uct { c: f64 },
    Ucb1Tuned,
    Grave { reference: u32, bias: f64, c: Option<f64> },
    Mcps { reference: u32, weights: Weights },
    Flat,
    Ams { plan: Plan },
    AmsPlayouts { plan: Plan },
    Nmcs { level: usize, lazy: Option<Lazy> },
    Nrpa { learning: Learning },
    Heuristic,
    Random,
}

const CODING: Param =
    Param::text("coding", "", "the coding that statistics are kept by; the game's first if not given");
const SHARED: Param = Param::flag("transpositions", "true", "positions reached in several ways are one node");
const FINAL: Param =
    Param::choice("final", &["visits", "mean"], "visits", "the move played: most visited or best mean");
const PLAYOUTS: Param = Param::text("playouts", "", "playouts per move, instead of the command's");
const TIME: Param = Param::text("time", "", "time per move, such as 20ms, instead of the command's");
const MEMORY: Param = Param::text("memory", "1GB", "memory at which the tree stops growing");
const REFERENCE: Param = Param::int(
    "ref",
    0,
    1_000_000_000,
    "50",
    "visits above which a node's AMAF statistics are used (the papers' 50)",
);
const BIAS: Param =
    Param::real("bias", 0.0, 1e9, "1e-5", "how soon a move's own mean takes over (the papers' 1e-5)");
const FORM: Param = Param::choice(
    "form",
    &["paper", "report"],
    "paper",
    "the formula: of the GRAVE paper, or of the Order & Chaos report with b and c in place of bias",
);
const B: Param = Param::real("b", 0.0, 1e4, "0.5", "form=report: bias is 4 b² (the report's 0.5)");
const REPORT_C: Param = Param::real(
    "c",
    0.0,
    1e9,
    "0.4",
    "form=report: exploration constant (the report gives none; that of uct)",
);
const WEIGHTS: Param =
    Param::choice("weights", &["paper", "optimal"], "paper", "section 3.2 of the paper, or 3.1 without c1");
const DEPTH: Param = Param::int("depth", 1, 8, "2", "moves from the root to a leaf (the paper's 2)");
const SHARE: Param = Param::choice(
    "budget",
    &["shared", "published"],
    "shared",
    "two samples for each move below the root, or the paper's program, whose first move takes all",
);

const AMS_SOURCE: &str = "Chang, Fu, Hu and Marcus 2005, An adaptive sampling algorithm for solving Markov decision \
                          processes; Debets, Gade, Negura and Tello, Who Invented MCTS?";

const SAMPLES: Param =
    Param::int("samples", 0, 1_000_000, "50", "samples beyond one of each move (the paper's 50)");

/// AMS with a fixed number of samples below the root.
fn ams_priority(args: &Args) -> Method {
    let samples = Samples::Fixed(args.int("samples") as u32);
    Method::AmsPlayouts { plan: Plan { depth: args.int("depth"), samples } }
}

/// How far and how often AMS samples when its budget is shared or published.
fn ams_plan(args: &Args) -> Plan {
    let samples = if args.text("budget") == "shared" { Samples::Moves } else { Samples::All };
    Plan { depth: args.int("depth"), samples }
}

/// Every agent, by name.
pub const AGENTS: &[AgentFacts] = &[
    AgentFacts {
        name: "mcps",
        title: "MCPS",
        about: "Monte Carlo Permutation Search: a move's own mean, its AMAF mean, and the mean of all playouts that \
                contain the moves of the path in any order.",
        source: "Cazenave 2025, Monte Carlo Permutation Search, algorithm 2",
        params: &[REFERENCE, WEIGHTS, CODING, SHARED, FINAL, PLAYOUT, EPSILON, KEEP, PLAYOUTS, TIME, MEMORY],
        method: |args| Method::Mcps {
            reference: args.int("ref") as u32,
            weights: if args.text("weights") == "paper" { Weights::Paper } else { Weights::Optimal },
        },
    },
    AgentFacts {
        name: "grave",
        title: "GRAVE",
        about: "A move's own mean and the AMAF mean of its code at the nearest ancestor with more than ref visits.",
        source: "Cazenave 2015, Generalized Rapid Action Value Estimation; algorithm 1 of the MCPS paper",
        params: &[
            REFERENCE, BIAS, FORM, B, REPORT_C, CODING, SHARED, FINAL, PLAYOUT, EPSILON, KEEP, PLAYOUTS,
            TIME, MEMORY,
        ],
        method: |args| grave(args.int("ref") as u32, args),
    },
    AgentFacts {
        name: "rave",
        title: "RAVE",
        about: "A move's own mean and the AMAF mean of its code at the same node: GRAVE with ref 0.",
        source: "Gelly and Silver 2011, Monte-Carlo tree search and rapid action value estimation in computer Go",
        params: &[
            BIAS, FORM, B, REPORT_C, CODING, SHARED, FINAL, PLAYOUT, EPSILON, KEEP, PLAYOUTS, TIME, MEMORY,
        ],
        method: |args| grave(0, args),
    },
    AgentFacts {
        name: "uct",
        title: "UCT",
        about: "A move's own mean and an exploration term, c sqrt(ln N / n).",
        source: "Kocsis and Szepesvári 2006, Bandit based Monte-Carlo planning",
        params: &[
            Param::real("c", 0.0, 1e9, "0.4", "exploration constant, for rewards in [0, 1]"),
            Param::flag("tuned", "false", "UCB1-Tuned (Auer et al. 2002) in place of c"),
            Param::flag("transpositions", "false", SHARED.help),
            CODING,
            FINAL,
            PLAYOUT,
            EPSILON,
            KEEP,
            PLAYOUTS,
            TIME,
            MEMORY,
        ],
        method: |args| if args.flag("tuned") { Method::Ucb1Tuned } else { Method::Uct { c: args.real("c") } },
    },
    AgentFacts {
        name: "flat",
        title: "Flat Monte Carlo",
        about: "As many playouts from each move as from any other; the best mean is played.",
        source: "Abramson 1990, Expected-outcome: a general model of static evaluation",
        params: &[PLAYOUTS, TIME, PLAYOUT, EPSILON, KEEP, CODING],
        method: |_| Method::Flat,
    },
    AgentFacts {
        name: "ams",
        title: "AMS",
        about: "Adaptive multi-stage sampling: a recursion to a fixed depth that samples moves by UCB1 and returns the mean; \
                leaves are worth the game's own evaluation, so only games that have one can be played.",
        source: AMS_SOURCE,
        params: &[
            DEPTH,
            SHARE,
            PLAYOUTS,
            TIME,
            Param::text("memory", "1GB", "memory at which no more values are remembered"),
        ],
        method: |args| Method::Ams { plan: ams_plan(args) },
    },
    AgentFacts {
        name: "ams-playouts",
        title: "AMS-Play-outs",
        about: "AMS with a playout from each leaf.",
        source: AMS_SOURCE,
        params: &[DEPTH, SHARE, PLAYOUT, EPSILON, KEEP, CODING, PLAYOUTS, TIME],
        method: |args| Method::AmsPlayouts { plan: ams_plan(args) },
    },
    AgentFacts {
        name: "ams-priority",
        title: "AMS-Priority",
        about: "AMS with playouts and a fixed number of samples of each position below the root.",
        source: AMS_SOURCE,
        params: &[DEPTH, SAMPLES, PLAYOUT, EPSILON, KEEP, CODING, PLAYOUTS, TIME],
        method: ams_priority,
    },
    AgentFacts {
        name: "ams-mast",
        title: "AMS-MAST",
        about: "AMS-Priority with MAST playouts.",
        source: AMS_SOURCE,
        params: &[
            DEPTH,
            SAMPLES,
            Param { default: "mast", ..PLAYOUT },
            EPSILON,
            KEEP,
            CODING,
            PLAYOUTS,
            TIME,
        ],
        method: ams_priority,
    },
    AgentFacts {
        name: "ams-nst",
        title: "AMS-NST",
        about: "AMS-Priority with NST playouts.",
        source: AMS_SOURCE,
        params: &[DEPTH, SAMPLES, Param { default: "nst", ..PLAYOUT }, EPSILON, KEEP, CODING, PLAYOUTS, TIME],
        method: ams_priority,
    },
    AgentFacts {
        name: "nmcs",
        title: "NMCS",
        about: "Nested Monte Carlo search: a game whose every move is chosen by searches of the level below, of which level \
                0 is a playout, and which remembers its best sequence. Made for games of one player.",
        source: "Cazenave 2009, Nested Monte-Carlo search",
        params: &[
            Param::int("level", 1, 8, "1", "how deep games are nested (the Order & Chaos report's 1)"),
            PLAYOUT,
            EPSILON,
            KEEP,
            CODING,
            PLAYOUTS,
            TIME,
        ],
        method: |args| Method::Nmcs { level: args.int("level"), lazy: None },
    },
    AgentFacts {
        name: "lnmcs",
        title: "LNMCS",
        about: "Lazy NMCS: from level 2 on, a few playouts from each move decide which moves are searched.",
        source: "Roucairol 2024, Monte-Carlo tree search applied to structure generation; figure 1 of the Order & Chaos \
                 report",
        params: &[
            Param::int("level", 1, 8, "2", "how deep games are nested; the lowest that prunes is 2"),
            Param::int("tries", 1, 1000, "3", "playouts from each move before it is searched"),
            Param::real(
                "ratio",
                -1000.0,
                1.0,
                "0",
                "moves below average + ratio (best - average) are pruned",
            ),
            PLAYOUT,
            EPSILON,
            KEEP,
            CODING,
            PLAYOUTS,
            TIME,
        ],
        method: |args| {
            let lazy = Lazy { tries: args.int("tries") as u32, ratio: args.real("ratio") };
            Method::Nmcs { level: args.int("level"), lazy: Some(lazy) }
        },
    },
    AgentFacts {
        name: "nrpa",
        title: "NRPA",
        about: "Nested rollout policy adaptation: playouts by a policy that is adapted to the best sequence, at every level \
                anew. Made for games of one player, where level=3,n=10,alpha=1,form=standard does well.",
        source: "Rosin 2011, Nested rollout policy adaptation for Monte Carlo tree search",
        params: &[
            Param::int("level", 1, 8, "1", "levels above the playouts (the Order & Chaos report's 1)"),
            Param::int(
                "n",
                1,
                1_000_000,
                "20",
                "searches of the level below (the report's 20; Rosin has 100)",
            ),
            Param::real("alpha", 0.0, 100.0, "0.1", "how much is learned (the report's 0.1; Rosin has 1)"),
            Param::choice(
                "form",
                &["report", "standard"],
                "report",
                "moves gain by the result, or by Rosin's softmax gradient",
            ),
            CODING,
            PLAYOUTS,
            TIME,
        ],
        method: |args| {
            let form = if args.text("form") == "report" { Form::Report } else { Form::Standard };
            let (level, n, alpha) = (args.int("level"), args.int("n") as u32, args.real("alpha"));
            Method::Nrpa { learning: Learning { level, n, alpha, form } }
        },
    },
    AgentFacts {
        name: "heuristic",
        title: "Heuristic",
        about: "Takes a win, blocks a loss, else plays at random, as heuristic playouts do. It needs no budget.",
        source: "Aalabou and Delar 2025, Monte Carlo Search algorithms for Order & Chaos",
        params: &[],
        method: |_| Method::Heuristic,
    },
    AgentFacts {
        name: "random",
        title: "Random",
        about: "Plays as random playouts do. It needs no budget.",
        source: "",
        params: &[],
        method: |_| Method::Random,
    },
];

/// GRAVE with the numbers of its form.
fn grave(reference: u32, args: &Args) -> Method {
    if args.text("form") == "report" {
        let b = args.real("b");
        Method::Grave { reference, bias: 4.0 * b * b, c: Some(args.real("c")) }
    } else {
        Method::Grave { reference, bias: args.real("bias"), c: None }
    }
}

/// An agent that can play any game.
#[derive(Clone, Debug)]
pub struct Agent {
    spec: String,
    method: Method,
    coding: String,
    options: Options,
    policy: Playouts,
    playouts: Option<u64>,
    time: Option<Duration>,
}

/// The agent that a spec names, such as `mcps:ref=100`.
pub fn agent(spec: &str) -> Result<Agent, Error> {
    let spec = Spec::parse(spec)?;
    let facts = AGENTS.iter().find(|facts| facts.name == spec.name).ok_or_else(|| Error::UnknownName {
        what: "agent",
        name: spec.name.to_string(),
        known: AGENTS.iter().map(|facts| facts.name).collect(),
    })?;
    let args = spec.args(facts.name, facts.params)?;
    let has = |key: &str| facts.params.iter().any(|param| param.key == key);
    let given = |key: &str| {
        Some(key).filter(|key| has(key)).map(|key| args.text(key)).filter(|text| !text.is_empty())
    };
    let refuse =
        |key: &'static str, why: String| Error::Param { name: facts.name, error: args.refuse(key, why) };

    let playouts = match given("playouts") {
        None => None,
        Some(text) => Some(parse_playouts(text).map_err(|why| refuse("playouts", why))?),
    };
    let time = match given("time") {
        None => None,
        Some(text) => Some(parse_duration(text).map_err(|why| refuse("time", why))?),
    };
    let mut options = Options::default();
    if let Some(text) = given("memory") {
        options.memory = parse_bytes(text).map_err(|why| refuse("memory", why))?;
    }
    if has("transpositions") {
        options.transpositions = args.flag("transpositions");
    }
    if given("final") == Some("mean") {
        options.final_move = FinalMove::Mean;
    }
    let policy = match has(PLAYOUT.key) {
        true => Playouts::of(&args).map_err(|error| Error::Param { name: facts.name, error })?,
        false => Playouts::Uniform,
    };
    Ok(Agent {
        spec: canonical(facts.name, facts.params, &args, false),
        method: (facts.method)(&args),
        coding: given("coding").unwrap_or_default().to_string(),
        options,
        policy,
        playouts,
        time,
    })
}

impl Agent {
    /// The canonical spec, which identifies the agent in stored results.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// Whether the agent searches, and so needs a budget from its spec or from the command.
    #[must_use]
    pub fn needs_budget(&self) -> bool {
        !matches!(self.method, Method::Random | Method::Heuristic)
    }

    /// Whether the agent's sessions keep something when they start over, so that a game begins with a new session.
    #[must_use]
    pub fn keeps(&self) -> bool {
        self.policy.keep()
    }

    /// What the agent may use for a move: its own budget if its spec has one, else the command's.
    #[must_use]
    pub fn budget(&self, command: &Budget) -> Budget {
        if self.playouts.is_none() && self.time.is_none() {
            return command.clone();
        }
        Budget { playouts: self.playouts, time: self.time, ..command.clone() }
    }

    pub(crate) fn method(&self) -> &Method {
        &self.method
    }

    pub(crate) fn coding(&self) -> &str {
        &self.coding
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// How its games are played to the end.
    pub(crate) fn policy(&self) -> Playouts {
        self.policy
    }
}

/// A number of playouts as users type it: at least 1, and no more than a search can count.
pub fn parse_playouts(text: &str) -> Result<u64, String> {
    let most = u64::from(u32::MAX);
    match text.parse::<u64>() {
        Ok(playouts) if (1..=most).contains(&playouts) => Ok(playouts),
        _ => Err(format!("must be a whole number 1..{most}")),
    }
}

/// A duration as users type it: `20ms`, `1.5s`, `300us`, `2m`. It must not be zero, nor above a day.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let seconds = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        _ => f64::NAN,
    };
    match number.parse::<f64>().map(|number| number * seconds) {
        Ok(seconds) if (1e-6..=86_400.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("must be a time such as 300us, 20ms, 1.5s or 2m, at most a day".to_string()),
    }
}

/// A number of bytes as users type it: `256MB`, `1GB`, `64KB`; powers of 1024, at least 1 MB.
pub fn parse_bytes(text: &str) -> Result<usize, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let scale = match unit.to_ascii_uppercase().as_str() {
        "KB" => 1024.0,
        "MB" => 1024.0 * 1024.0,
        "GB" => 1024.0 * 1024.0 * 1024.0,
        _ => f64::NAN,
    };
    match number.parse::<f64>().map(|number| number * scale) {
        Ok(bytes) if (1_048_576.0..=1e15).contains(&bytes) => Ok(bytes as usize),
        _ => Err("must be a size such as 256MB or 1GB, at least 1MB".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("uct:playout=mast,c=0.4", "uct:playout=mast"),
            ("grave:playout=uniform,form=report,b=0.5", "grave:form=report"),
            ("flat:playout=nst,keep=0.50,epsilon=0.2", "flat:playout=nst,epsilon=0.2,keep=0.5"),
        ] {
            let agent = agent(text).unwrap();
            assert_eq!(agent.spec(), form);
        }
    }

    #[test]
    fn refusals() {
        let error = |text: &str| agent(text).unwrap_err().to_string();
        assert!(error("mpcs").starts_with("unknown agent 'mpcs'; did you mean 'mcps'? agents: mcps, grave"));
        assert_eq!(error("uct:c=-1"), "uct: c=-1: must be a number 0..1000000000");
        assert_eq!(error("uct:c=NaN"), "uct: c=NaN: must be a number 0..1000000000");
        assert_eq!(error("mcps:playouts=0"), "mcps: playouts=0: must be a whole number 1..4294967295");
        assert!(error("mcps:time=5").contains("must be a time such as"));
        assert!(error("mcps:memory=3").contains("must be a size such as"));
        assert_eq!(error("uct:playout=mast,epsilon=2"), "uct: epsilon=2: must be a number 0..1");
        assert_eq!(error("uct:playout=mast,epsilon=NaN"), "uct: epsilon=NaN: must be a number 0..1");
        assert_eq!(error("flat:epsilon=0.1"), "flat: epsilon=0.1: uniform playouts have no epsilon");
        assert_eq!(error("uct:playout=pattern,keep=1"), "uct: keep=1: pattern playouts have no keep");
        assert_eq!(error("random:c=1"), "random has no parameters, and so no 'c'");
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
        let names = AGENTS.iter().map(|facts| facts.name);
        let found: Vec<&str> = names.filter(|name| !agent(name).unwrap().needs_budget()).collect();
        assert_eq!(found, ["heuristic", "random"]);
    }

    #[test]
    fn units() {
        assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("300us"), Ok(Duration::from_micros(300)));
        assert_eq!(parse_bytes("256MB"), Ok(256 << 20));
        for bad in ["", "0s", "-1s", "nans", "1e400s", "s", "ms1", "1 s", "1h"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
            assert!(parse_bytes(bad).is_err(), "{bad}");
        }
    }
}
