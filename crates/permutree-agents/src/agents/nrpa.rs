use super::{AgentFacts, Algorithm, Params};
use crate::Error;
use crate::params::{BUDGET, CODING};
use crate::sessions::{Built, Setup};
use permutree_game::{Game, Param};
use permutree_search::treeless::{self, Form, Learning};

pub(super) const NRPA: AgentFacts = AgentFacts {
    name: "nrpa",
    title: "NRPA",
    about: "Nested rollout policy adaptation: playouts follow a policy that every level adapts to its best sequence. Made for \
            one-player games, where level=3,n=10,alpha=1,form=standard does well.",
    advice: "One-player games and large budgets: it learns the best sequence as it goes.",
    source: "Rosin 2011, Nested rollout policy adaptation for Monte Carlo tree search",
    searches: true,
    learns: false,
    params: Params {
        own: &[
            Param::int("level", 1, 8, "1", "levels above the playouts (the Order & Chaos report's 1)"),
            Param::int(
                "n",
                1,
                1_000_000,
                "20",
                "searches of the level below (the report's 20; Rosin has 100)",
            ),
            Param::real("alpha", 0.0, 100.0, "0.1", "learning rate (the report's 0.1; Rosin has 1)"),
            Param::choice(
                "form",
                &["report", "standard"],
                "report",
                "moves gain in proportion to the result, or by Rosin's softmax gradient",
            ),
        ],
        shared: &[&[CODING], BUDGET],
    },
    read: |args| {
        let form = if args.text("form") == "report" { Form::Report } else { Form::Standard };
        let (level, n, alpha) = (args.int("level"), args.int("n") as u32, args.real("alpha"));
        Ok(Nrpa { learning: Learning { level, n, alpha, form } }.into())
    },
};

#[derive(Clone, Debug)]
pub(crate) struct Nrpa {
    learning: Learning,
}

impl Algorithm for Nrpa {
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        let (coding, rng) = (setup.coding(), setup.rng());
        Ok(Built::of(treeless::Nrpa::new(setup.game(), setup.root(), coding, self.learning, rng)))
    }
}
