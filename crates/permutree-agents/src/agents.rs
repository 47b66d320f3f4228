//! The agents. Each has a file with its facts, its parameters and the construction of its search.

use crate::Error;
use crate::sessions::{Built, Setup};
use permutree_game::{Args, Game, Param, ParamError};

mod ams;
mod best;
mod external;
mod flat;
mod global;
mod gobble;
mod grave;
mod mcps;
mod nmcs;
mod nrpa;
mod reflex;
mod sarsa;
mod uct;
mod vgs;

/// Every agent, by name.
pub const AGENTS: &[AgentFacts] = &[
    best::BEST,
    mcps::MCPS,
    grave::GRAVE,
    grave::RAVE,
    uct::UCT,
    sarsa::SARSA_UCT,
    flat::FLAT,
    ams::AMS,
    ams::AMS_PLAYOUTS,
    ams::AMS_PRIORITY,
    ams::AMS_MAST,
    ams::AMS_NST,
    nmcs::NMCS,
    nmcs::LNMCS,
    nrpa::NRPA,
    vgs::VGS,
    global::GLOBAL,
    gobble::GOBBLE,
    reflex::HEURISTIC,
    reflex::PATTERN,
    reflex::RANDOM,
    external::EXTERNAL,
];

/// The name of the default agent.
pub const BEST: &str = best::BEST.name;

/// Defines one type for all algorithms, so that an agent is a value while its search is compiled for its game.
macro_rules! algorithms {
    ($($name:ident($type:ty)),* $(,)?) => {
        /// Any of the algorithms.
        #[derive(Clone, Debug)]
        pub(crate) enum AnyAlgorithm {
            $($name($type)),*
        }

        impl AnyAlgorithm {
            /// The search of a position.
            pub(crate) fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
                match self {
                    $(Self::$name(algorithm) => algorithm.search(setup)),*
                }
            }
        }

        $(impl From<$type> for AnyAlgorithm {
            fn from(algorithm: $type) -> Self {
                Self::$name(algorithm)
            }
        })*
    };
}

algorithms! {
    Ams(ams::Ams),
    Best(best::Best),
    External(external::External),
    Flat(flat::Flat),
    Global(global::Global),
    Gobble(gobble::Gobble),
    Grave(grave::Grave),
    Mcps(mcps::Mcps),
    Nmcs(nmcs::Nmcs),
    Nrpa(nrpa::Nrpa),
    Reflex(reflex::Reflex),
    Sarsa(sarsa::Sarsa),
    Uct(uct::Uct),
    Vgs(vgs::Vgs),
}

/// An entry in the list of agents.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct AgentFacts {
    /// Its name in specs.
    pub name: &'static str,
    /// Its name in prose.
    pub title: &'static str,
    /// What it does, in a sentence or two.
    pub about: &'static str,
    /// When to use it.
    pub advice: &'static str,
    /// The paper that it comes from.
    pub source: &'static str,
    /// Whether it searches, and so needs a budget.
    pub searches: bool,
    /// Whether it learns values of positions.
    pub learns: bool,
    /// Its parameters. A bare value in a spec sets the first one.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Param>))]
    pub params: Params,
    /// Makes the algorithm from the values of its parameters.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) read: Read,
}

/// Makes an algorithm from the values of its parameters.
type Read = fn(&Args) -> Result<AnyAlgorithm, ParamError>;

/// The parameters of an agent.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// Its own. A parameter with the key of a shared one replaces it.
    own: &'static [Param],
    /// Groups of parameters that several agents share.
    shared: &'static [&'static [Param]],
}

impl Params {
    /// All of them, in order.
    #[must_use]
    pub fn list(&self) -> Vec<Param> {
        let shared = || self.shared.iter().copied().flatten();
        let own = |key| self.own.iter().find(|param| param.key == key);
        let first = self.own.iter().filter(|param| shared().all(|other| other.key != param.key));
        first.chain(shared().map(|param| own(param.key).unwrap_or(param))).copied().collect()
    }
}

/// As the list of all parameters.
#[cfg(feature = "serde")]
impl serde::Serialize for Params {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list().serialize(serializer)
    }
}

/// How an agent makes its search.
pub(crate) trait Algorithm {
    /// The search of a position.
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error>;
}
