//! The agents there are.

use super::AgentFacts;
use crate::playouts::{EPSILON, KEEP, PLAYOUT, Playouts};
use crate::units::{fraction, parse_duration};
use permutree_game::{Args, Param};
use permutree_search::policies::{SarsaRule, Weights};
use permutree_search::treeless::{Form, Lazy, Learning, Noise, Plan, Samples, Scope};
use std::time::Duration;

/// The algorithm with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Method {
    Best,
    Uct { c: f64 },
    Ucb1Tuned,
    Grave { reference: u32, bias: f64, c: Option<f64> },
    Mcps { reference: u32, weights: Weights },
    Sarsa { rule: SarsaRule, trust: u32 },
    Flat,
    Ams { plan: Plan },
    AmsPlayouts { plan: Plan },
    Nmcs { level: usize, lazy: Option<Lazy> },
    Nrpa { learning: Learning },
    Vgs { scope: Scope },
    Global { scope: Scope, games: u32 },
    Gobble { noise: Noise },
    Reflex { policy: Playouts },
    External { command: String, timeout: Duration },
}

const CODING: Param =
    Param::text("coding", "", "the coding that statistics are kept by; the game's first if not given");
const SHARED: Param = Param::flag("transpositions", "true", "positions reached in several ways are one node");
const FINAL: Param =
    Param::choice("final", &["visits", "mean"], "visits", "the move played: most visited or best mean");
const SOLVER: Param = Param::flag("solver", "false", "proven wins and losses are backed up (MCTS-Solver)");
const BEST_SOLVER: Param = Param { default: "true", ..SOLVER };
const REUSE: Param =
    Param::flag("reuse", "false", "playouts through the moves played are kept for the next move");
const THREADS: Param =
    Param::int("threads", 1, 64, "1", "searches side by side, each on a thread of its own");
const PARALLEL: Param = Param::choice(
    "parallel",
    &["tree", "root"],
    "tree",
    "with threads: searches tell each other of their playouts, or only add up their results at the root",
);
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

pub(super) const VALUES: Param =
    Param::text("values", "", "file of learned values, made by permutree train for the same game");
const INIT: Param =
    Param::text("vinit", "", "V_init, the value of a new position, 0..1; an even share if not given");
const PLAYOUT_VALUE: Param = Param::text(
    "vplayout",
    "",
    "V_playout, that of positions in a playout, 0..1; an even share if not given",
);
/// The report gives no C_p. Against uct at 300 playouts in Connect Four, Hex 7, Breakthrough 6, Order & Chaos, Gomoku 9 and
/// Reversi, 100 games in each, the mean score is 54 % with 0.1 and 0.2, 48 % with 0.4, 46 % with 0.7.
const SARSA_C: Param = Param::real(
    "c",
    0.0,
    1e9,
    "0.2",
    "exploration constant, √2 times the report's C_p (of trials in six games)",
);
/// With what 100 to 200 games at 300 playouts teach, against none at 100 playouts in Connect Four 5x4, Hex 5 and Order & Chaos, 200
/// games in each, the mean score is 54 % with 3 and 10, 55 % with 50 and 300: it hardly matters.
const TRUST: Param = Param::int(
    "trust",
    1,
    1_000_000_000,
    "50",
    "the most visits that a learned value counts for (of trials)",
);
/// Parameters of Sarsa-UCT that are numbers 0..1 and may be left out.
pub(super) const FRACTIONS: [&str; 2] = [INIT.key, PLAYOUT_VALUE.key];

fn sarsa(args: &Args) -> Method {
    // They have been checked.
    let [init, playout] = FRACTIONS.map(|key| fraction(args, key).unwrap_or_default());
    let rule = SarsaRule {
        lambda: args.real("lambda"),
        gamma: args.real("gamma"),
        c: args.real("c"),
        normalise: args.flag("normalise"),
        init,
        playout,
    };
    Method::Sarsa { rule, trust: args.int("trust") as u32 }
}

const ORDER_AND_CHAOS: &str = "Aalabou and Delar 2025, Monte Carlo Search algorithms for Order & Chaos";
const VGS_SOURCE: &str = "Cazenave, Monte Carlo Permutation Search (slides)";
const WIDTH: Param = Param::int("w", 1, 1000, "8", "moves of each player (the slides' 8)");
const PLIES: Param = Param::int("d", 1, Scope::MOST_PLIES as i64, "3", "moves in a sequence (the slides' 3)");
const PRE: Param = Param::int(
    "pre",
    1,
    1_000_000_000,
    "100",
    "the first playouts, which choose the moves (in the slides 100 and more)",
);

fn scope(args: &Args) -> Scope {
    Scope { width: args.int("w"), depth: args.int("d"), pre: args.int("pre") as u64 }
}

/// The agent of who names none.
pub const BEST: &str = "best";

pub(super) const TIMEOUT: &str = "timeout";
pub(super) const COMMAND: &str = "cmd";

/// Every agent, by name.
pub const AGENTS: &[AgentFacts] = &[
    AgentFacts {
        name: BEST,
        title: "Best",
        about: "What plays best over all games at equal time with nothing tuned to any of them: MCPS with a solver, and UCT \
                with a solver in games for one player.",
        advice: "When you do not want to choose. The matches it was chosen by are in [results/best.md](results/best.md).",
        source: "Cazenave 2025 for MCPS; Winands, Björnsson and Saito 2008 for the solver",
        params: &[CODING, SHARED, FINAL, BEST_SOLVER, REUSE, THREADS, PARALLEL, PLAYOUTS, TIME, MEMORY],
        method: |_| Method::Best,
    },
    AgentFacts {
        name: "mcps",
        title: "MCPS",
        about: "Monte Carlo Permutation Search: a move's own mean, its AMAF mean, and the mean of all playouts that \
                contain the moves of the path in any order.",
        advice: "The strongest for its playouts where a move means much the same whenever it is made: Hex, games like Go, \
                 Gomoku. A playout takes one and a half to two and a half times as long as with GRAVE.",
        source: "Cazenave 2025, Monte Carlo Permutation Search, algorithm 2",
        params: &[
            REFERENCE, WEIGHTS, CODING, SHARED, FINAL, SOLVER, REUSE, THREADS, PARALLEL, PLAYOUT, EPSILON,
            KEEP, PLAYOUTS, TIME, MEMORY,
        ],
        method: |args| Method::Mcps {
            reference: args.int("ref") as u32,
            weights: if args.text("weights") == "paper" { Weights::Paper } else { Weights::Optimal },
        },
    },
    AgentFacts {
        name: "grave",
        title: "GRAVE",
        about: "A move's own mean and the AMAF mean of its code at the nearest ancestor with more than ref visits.",
        advice: "Where time is short or a move's worth depends on when it is made, as in Breakthrough; the standard of \
                 general game playing.",
        source: "Cazenave 2015, Generalized Rapid Action Value Estimation; algorithm 1 of the MCPS paper",
        params: &[
            REFERENCE, BIAS, FORM, B, REPORT_C, CODING, SHARED, FINAL, SOLVER, REUSE, THREADS, PARALLEL,
            PLAYOUT, EPSILON, KEEP, PLAYOUTS, TIME, MEMORY,
        ],
        method: |args| grave(args.int("ref") as u32, args),
    },
    AgentFacts {
        name: "rave",
        title: "RAVE",
        about: "A move's own mean and the AMAF mean of its code at the same node: GRAVE with ref 0.",
        advice: "To compare with GRAVE: the same with statistics of the node itself.",
        source: "Gelly and Silver 2011, Monte-Carlo tree search and rapid action value estimation in computer Go",
        params: &[
            BIAS, FORM, B, REPORT_C, CODING, SHARED, FINAL, SOLVER, REUSE, THREADS, PARALLEL, PLAYOUT,
            EPSILON, KEEP, PLAYOUTS, TIME, MEMORY,
        ],
        method: |args| grave(0, args),
    },
    AgentFacts {
        name: "uct",
        title: "UCT",
        about: "A move's own mean and an exploration term, c sqrt(ln N / n).",
        advice: "The plain search that everything is measured by, and the better one in games of one player and with dice.",
        source: "Kocsis and Szepesvári 2006, Bandit based Monte-Carlo planning",
        params: &[
            Param::real("c", 0.0, 1e9, "0.4", "exploration constant, for rewards in [0, 1]"),
            Param::flag("tuned", "false", "UCB1-Tuned (Auer et al. 2002) in place of c"),
            Param::flag("transpositions", "false", SHARED.help),
            CODING,
            FINAL,
            SOLVER,
            REUSE,
            THREADS,
            PARALLEL,
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
        name: "sarsa-uct",
        title: "Sarsa-UCT",
        about: "UCT with values learned by temporal differences: what is known of the next position counts beside how the \
                playout ended. Values can be learned over games, by permutree train, and be given by values=FILE.",
        advice: "A game that is played again and again: it keeps what it learned. `permutree train connect4 sarsa-uct --games 1000 \
                 --out FILE` plays against itself, or with `--against AGENT` against others, and saves the values of \
                 positions; `sarsa-uct:values=FILE` plays with them in every command that takes an agent, and in `train` \
                 learns on from there. Without them it is about as strong as UCT; \
                 `sarsa-uct:lambda=1,c=0.4,normalise=false,transpositions=false` is `uct:transpositions=false`.",
        source: "Vodopivec, Samothrakis and Šter 2017, On Monte Carlo tree search and reinforcement learning; figure 5 of \
                 the Order & Chaos report",
        params: &[
            Param::real(
                "lambda",
                0.0,
                1.0,
                "0.8",
                "how far a reward reaches back past the values between (1: all the way, as in uct)",
            ),
            Param::real("gamma", 0.0, 1.0, "1", "what a reward is worth one move earlier"),
            SARSA_C,
            Param::flag("normalise", "true", "values of a node's moves are stretched to [0, 1]"),
            INIT,
            PLAYOUT_VALUE,
            VALUES,
            TRUST,
            SHARED,
            CODING,
            FINAL,
            SOLVER,
            REUSE,
            THREADS,
            PLAYOUT,
            EPSILON,
            KEEP,
            PLAYOUTS,
            TIME,
            MEMORY,
        ],
        method: sarsa,
    },
    AgentFacts {
        name: "flat",
        title: "Flat Monte Carlo",
        about: "As many playouts from each move as from any other; the best mean is played.",
        advice: "The simplest baseline: what playouts alone are worth, without a tree.",
        source: "Abramson 1990, Expected-outcome: a general model of static evaluation",
        params: &[PLAYOUTS, TIME, PLAYOUT, EPSILON, KEEP, CODING],
        method: |_| Method::Flat,
    },
    AgentFacts {
        name: "ams",
        title: "AMS",
        about: "Adaptive multi-stage sampling: a recursion to a fixed depth that samples moves by UCB1 and returns the mean; \
                leaves are worth the game's own evaluation, so only games that have one can be played.",
        advice: "To reproduce its paper; strong where the game's evaluation is, as in Breakthrough.",
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
        advice: "To reproduce its paper.",
        source: AMS_SOURCE,
        params: &[DEPTH, SHARE, PLAYOUT, EPSILON, KEEP, CODING, PLAYOUTS, TIME],
        method: |args| Method::AmsPlayouts { plan: ams_plan(args) },
    },
    AgentFacts {
        name: "ams-priority",
        title: "AMS-Priority",
        about: "AMS with playouts and a fixed number of samples of each position below the root.",
        advice: "To reproduce its paper.",
        source: AMS_SOURCE,
        params: &[DEPTH, SAMPLES, PLAYOUT, EPSILON, KEEP, CODING, PLAYOUTS, TIME],
        method: ams_priority,
    },
    AgentFacts {
        name: "ams-mast",
        title: "AMS-MAST",
        about: "AMS-Priority with MAST playouts.",
        advice: "To reproduce its paper.",
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
        advice: "To reproduce its paper; the best of the AMS family without an evaluation.",
        source: AMS_SOURCE,
        params: &[DEPTH, SAMPLES, Param { default: "nst", ..PLAYOUT }, EPSILON, KEEP, CODING, PLAYOUTS, TIME],
        method: ams_priority,
    },
    AgentFacts {
        name: "nmcs",
        title: "NMCS",
        about: "Nested Monte Carlo search: a game whose every move is chosen by searches of the level below, of which level \
                0 is a playout, and which remembers its best sequence. Made for games of one player.",
        advice: "Games of one player and small budgets.",
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
        advice: "NMCS of level 2 and more where many moves are bad at first sight.",
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
        advice: "Games of one player and large budgets: it learns the best sequence as it goes.",
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
        name: "vgs",
        title: "Virtual Global Search",
        about: "The w best moves of each player by AMAF; every sequence of d of them is worth the mean of all random games that \
                contain it in any order, and a search over these values plays no moves.",
        advice: "To reproduce the slides, and to see permutation statistics at their plainest. It looks d moves ahead and no \
                 further: MCPS is much stronger.",
        source: VGS_SOURCE,
        params: &[WIDTH, PLIES, PRE, PLAYOUT, EPSILON, KEEP, CODING, PLAYOUTS, TIME],
        method: |args| Method::Vgs { scope: scope(args) },
    },
    AgentFacts {
        name: "global",
        title: "Standard global search",
        about: "What vgs is compared with: the same moves, played to depth d, and g random games from every leaf. It ends when \
                it is done, even if the budget would allow more.",
        advice: "As the yardstick of vgs. Give it a budget of more playouts than it needs, about pre + 2 g w^(d/2) and more.",
        source: VGS_SOURCE,
        params: &[
            WIDTH,
            PLIES,
            Param::int("g", 1, 1_000_000, "100", "playouts from each leaf (the slides' 100)"),
            PRE,
            PLAYOUT,
            EPSILON,
            KEEP,
            CODING,
            PLAYOUTS,
            TIME,
        ],
        method: |args| Method::Global { scope: scope(args), games: args.int("g") as u32 },
    },
    AgentFacts {
        name: "gobble",
        title: "Gobble",
        about: "A move has one value whenever it is made, the mean of all games with it; games follow the order of the values \
                with noise that dies down.",
        advice: "For its place in history: the first Monte Carlo Go program, and the origin of AMAF.",
        source: "Brügmann 1993, Monte Carlo Go",
        params: &[
            Param::real(
                "swap",
                0.0,
                1.0,
                "0.5",
                "probability that a move changes places with the next, at first",
            ),
            Param::real("cool", 1.0, 1e12, "1000", "playouts after which it is half of that"),
            CODING,
            PLAYOUTS,
            TIME,
        ],
        method: |args| Method::Gobble { noise: Noise { swap: args.real("swap"), cool: args.real("cool") } },
    },
    AgentFacts {
        name: "heuristic",
        title: "Heuristic",
        about: "Takes a win, blocks a loss, else plays at random, as heuristic playouts do. It needs no budget.",
        advice: "An opponent for line games that needs no time and sees one move ahead.",
        source: ORDER_AND_CHAOS,
        params: &[],
        method: |_| Method::Reflex { policy: Playouts::Heuristic },
    },
    AgentFacts {
        name: "pattern",
        title: "Pattern",
        about: "Takes the move with the best lines and neighbours, as pattern playouts do. It needs no budget.",
        advice: "An opponent for line games that needs no time and builds lines.",
        source: ORDER_AND_CHAOS,
        params: &[Param::real(
            EPSILON.key,
            0.0,
            1.0,
            "0.2",
            "probability of a random move (the report's 0.2)",
        )],
        method: |args| Method::Reflex { policy: Playouts::Pattern { epsilon: args.real(EPSILON.key) } },
    },
    AgentFacts {
        name: "random",
        title: "Random",
        about: "Plays as random playouts do. It needs no budget.",
        advice: "The weakest opponent, and the one to beat first.",
        source: "",
        params: &[],
        method: |_| Method::Reflex { policy: Playouts::Uniform },
    },
    AgentFacts {
        name: "external",
        title: "External engine",
        about: "Any program that speaks the Go Text Protocol, in matches. It needs no budget. One that crashes, is late, \
                makes an illegal move or resigns loses its game. GNU Go by the rules of our Go: external:cmd=gnugo \
                --mode gtp --chinese-rules --positional-superko --capture-all-dead",
        advice: "To measure Permutree against other programs.",
        source: "Farnebäck 2002, Specification of the Go Text Protocol, version 2, draft 2",
        params: &[
            Param::text(TIMEOUT, "60s", "how long it may take to answer, on the wall"),
            Param::text(COMMAND, "", "the program and its arguments: all the rest of the spec, commas too"),
        ],
        // The time has been checked.
        method: |args| Method::External {
            command: args.text(COMMAND).to_string(),
            timeout: parse_duration(args.text(TIMEOUT)).unwrap_or_default(),
        },
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
