use super::{AgentFacts, Algorithm, Params};
use crate::Error;
use crate::params::{BUDGET, MEMORY, PARALLEL, PLAYOUT, TREE};
use crate::sessions::{Built, Setup};
use crate::units::fraction;
use permutree_game::{Game, Param, Reach};
use permutree_search::policies::{self, SarsaRule};

pub(super) const SARSA_UCT: AgentFacts = AgentFacts {
    name: "sarsa-uct",
    title: "Sarsa-UCT",
    about: "UCT with values learned by temporal differences: the value of the next position counts as well as the result of \
            the playout. `permutree train` learns values over games, and values=FILE loads them.",
    advice: "A game that you play again and again: what it learns is kept. `permutree train connect4 sarsa-uct --games 1000 \
             --out FILE` learns from self-play, or from games against others with `--against AGENT`, and saves the values \
             of positions; `sarsa-uct:values=FILE` plays with them in every command that takes an agent, and continues \
             learning from them in `train`. Without values it is about as strong as UCT; \
             `sarsa-uct:lambda=1,c=0.4,normalise=false,transpositions=false` is `uct:transpositions=false`.",
    source: "Vodopivec, Samothrakis and Šter 2017, On Monte Carlo tree search and reinforcement learning; figure 5 of the \
             Order & Chaos report",
    searches: true,
    learns: true,
    params: Params {
        own: &[
            Param::real(
                "lambda",
                0.0,
                1.0,
                "0.8",
                "trace decay: 1 backs up the result itself, as in uct, 0 the value of the next position",
            ),
            Param::real("gamma", 0.0, 1.0, "1", "discount factor for each move"),
            C,
            Param::flag("normalise", "true", "the values of a node's moves are stretched to [0, 1]"),
            Param::text(INIT, "", "V_init, the value of a new position, 0..1; by default an even share"),
            Param::text(
                PLAYOUT_VALUE,
                "",
                "V_playout, the value of positions in a playout, 0..1; by default an even share",
            ),
            Param::text("values", "", "file of values that permutree train learned in the same game")
                .reaching(Reach::Machine),
            TRUST,
            // Its sums are not shared between searches.
            Param::choice(
                PARALLEL.key,
                &["root"],
                "root",
                "with threads: searches add up their results at the root",
            ),
        ],
        shared: &[TREE, PLAYOUT, BUDGET, &[MEMORY]],
    },
    read: |args| {
        let rule = SarsaRule {
            lambda: args.real("lambda"),
            gamma: args.real("gamma"),
            c: args.real("c"),
            normalise: args.flag("normalise"),
            init: fraction(args, INIT)?,
            playout: fraction(args, PLAYOUT_VALUE)?,
        };
        Ok(Sarsa { rule, trust: args.int("trust") as u32 }.into())
    },
};

const INIT: &str = "vinit";
const PLAYOUT_VALUE: &str = "vplayout";
/// The report gives no C_p. Against uct at 300 playouts in Connect Four, Hex 7, Breakthrough 6, Order & Chaos, Gomoku 9 and
/// Reversi, 100 games in each, the mean score is 54 % with 0.1 and 0.2, 48 % with 0.4, 46 % with 0.7.
const C: Param = Param::real(
    "c",
    0.0,
    1e9,
    "0.2",
    "exploration constant, √2 times the report's C_p (from trials in six games)",
);
/// With values learned in 100 to 200 games at 300 playouts, against none at 100 playouts in Connect Four 5x4, Hex 5 and Order
/// & Chaos, 200 games in each, the mean score is 54 % with 3 and 10, 55 % with 50 and 300: it hardly matters.
const TRUST: Param = Param::int(
    "trust",
    1,
    1_000_000_000,
    "50",
    "the most visits that a learned value counts for (from trials)",
);

#[derive(Clone, Debug)]
pub(crate) struct Sarsa {
    rule: SarsaRule,
    trust: u32,
}

impl Algorithm for Sarsa {
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        let sarsa = policies::Sarsa::new(self.rule);
        let sarsa = match setup.values()? {
            Some(values) => sarsa.with_values(values, self.trust),
            None => sarsa,
        };
        setup.tree(sarsa)
    }
}
