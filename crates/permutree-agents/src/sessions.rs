//! Where games meet agents: the only place that makes a search for a game.

use crate::Error;
use crate::agent::{Agent, Parallel};
use crate::erased::{AnyPosition, ErasedPosition, Session, Shared};
use crate::playouts::Playouts;
use permutree_game::{Game, Rng};
use permutree_search::parallel::{RootParallel, TreeParallel, generators};
use permutree_search::playouts::PlayoutPolicy;
use permutree_search::policies::TreePolicy;
use permutree_search::statistics::Values;
use permutree_search::{Budget, Options, Report, Search, Searcher};
use std::sync::Arc;

/// A session of `agent` from a position of the game.
pub(crate) fn open<G: Game>(
    shared: &Arc<Shared<G>>,
    position: &G::Position,
    agent: &Agent,
    seed: u64,
) -> Result<Box<dyn Session>, Error> {
    let threads = agent.threads();
    let options = Options {
        coding: coding(shared, agent.coding())?,
        memory: agent.options().memory / threads,
        ..*agent.options()
    };
    let build = |rng| agent.algorithm().search(Setup { shared: &**shared, position, agent, options, rng });
    let mut rng = Rng::new(seed);
    let search = if threads == 1 {
        build(rng)?.searcher()
    } else {
        let generators = generators(&mut rng, threads).into_iter();
        side_by_side(generators.map(build).collect::<Result<_, _>>()?, agent.parallel(), options)
    };
    Ok(Box::new(GameSession { shared: shared.clone(), root: position.clone(), search }))
}

/// Several parallel searches as one.
fn side_by_side<G: Game>(built: Vec<Built<G>>, parallel: Parallel, options: Options) -> Box<dyn Searcher<G>> {
    let tree = |built| match built {
        Built::Tree(search) => Some(*search),
        Built::Treeless(_) => None,
    };
    if parallel == Parallel::Tree && built.iter().all(|built| matches!(built, Built::Tree(_))) {
        let searches = built.into_iter().filter_map(tree).collect();
        return Box::new(TreeParallel::new(searches, options.final_move));
    }
    let searches = built.into_iter().map(Built::searcher).collect();
    Box::new(RootParallel::new(searches, options.final_move))
}

/// The inputs from which an agent makes its search.
pub(crate) struct Setup<'a, G: Game> {
    shared: &'a Shared<G>,
    position: &'a G::Position,
    agent: &'a Agent,
    options: Options,
    rng: Rng,
}

/// The search that an agent has made.
pub(crate) enum Built<G: Game> {
    Tree(Box<Search<G>>),
    Treeless(Box<dyn Searcher<G>>),
}

impl<G: Game> Built<G> {
    /// A search without a tree.
    pub(crate) fn of(search: impl Searcher<G> + 'static) -> Self {
        Self::Treeless(Box::new(search))
    }

    fn searcher(self) -> Box<dyn Searcher<G>> {
        match self {
            Self::Tree(search) => search,
            Self::Treeless(search) => search,
        }
    }
}

impl<G: Game> Setup<'_, G> {
    /// The tree search with this policy.
    pub(crate) fn tree(self, policy: impl TreePolicy + 'static) -> Result<Built<G>, Error> {
        self.grow(Box::new(policy))
    }

    // Outside `tree`, which is compiled for every policy.
    fn grow(self, policy: Box<dyn TreePolicy>) -> Result<Built<G>, Error> {
        let playouts = self.playouts()?;
        let search = Search::new(self.game(), self.root(), policy, playouts, self.options, self.rng);
        Ok(Built::Tree(Box::new(search)))
    }

    pub(crate) fn game(&self) -> G {
        self.shared.game.clone()
    }

    /// The game's spec.
    pub(crate) fn spec(&self) -> &str {
        &self.shared.spec
    }

    /// The agent's spec.
    pub(crate) fn agent(&self) -> String {
        self.agent.spec().to_string()
    }

    pub(crate) fn root(&self) -> G::Position {
        self.position.clone()
    }

    pub(crate) fn rng(&self) -> Rng {
        self.rng.clone()
    }

    pub(crate) fn coding(&self) -> usize {
        self.options.coding
    }

    /// The memory limit in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.options.memory
    }

    /// The agent's playout policy.
    pub(crate) fn playouts(&self) -> Result<Box<dyn PlayoutPolicy<G>>, Error> {
        self.playouts_of(self.agent.playouts())
    }

    /// Another playout policy.
    pub(crate) fn playouts_of(&self, playouts: Playouts) -> Result<Box<dyn PlayoutPolicy<G>>, Error> {
        playouts.policy(self.shared, &self.options)
    }

    /// The learned values for the game, if the agent has any.
    pub(crate) fn values(&self) -> Result<Option<Arc<Values>>, Error> {
        self.agent.values_of(&self.shared.spec, self.shared.game.players())
    }
}

/// The index of a coding by name; the empty name is the game's default.
fn coding<G: Game>(shared: &Shared<G>, name: &str) -> Result<usize, Error> {
    let codings = shared.game.codings();
    if name.is_empty() {
        return Ok(0);
    }
    codings.iter().position(|coding| *coding == name).ok_or_else(|| Error::UnknownCoding {
        game: shared.spec.clone(),
        coding: name.to_string(),
        known: codings.to_vec(),
    })
}

/// A search with moves as text.
struct GameSession<G: Game> {
    shared: Arc<Shared<G>>,
    root: G::Position,
    search: Box<dyn Searcher<G>>,
}

impl<G: Game> Session for GameSession<G> {
    fn advance(&mut self, budget: &Budget) {
        self.search.advance(budget);
    }

    fn report(&mut self) -> Report<String> {
        in_words(&self.shared.game, &self.root, self.search.report())
    }

    fn look(&mut self, moves: &[usize]) -> Option<Report<String>> {
        let game = &self.shared.game;
        let (mut position, mut legal, mut path) = (self.root.clone(), Vec::new(), Vec::new());
        for &index in moves {
            legal.clear();
            game.moves(&position, &mut legal);
            let mv = *legal.get(index)?;
            game.play(&mut position, mv);
            path.push(mv);
        }
        Some(in_words(game, &position, self.search.look(&path)?))
    }

    fn learned(&self, into: &mut Values) {
        self.search.learned(into);
    }

    fn follow(&mut self, moves: &[usize], seed: u64) -> Result<(), Error> {
        let game = &self.shared.game;
        let (mut legal, mut played) = (Vec::new(), Vec::new());
        for &index in moves {
            legal.clear();
            game.moves(&self.root, &mut legal);
            let mv = *legal.get(index).ok_or(Error::OtherGame)?;
            game.play(&mut self.root, mv);
            played.push(mv);
        }
        if !self.search.follow(&played, Rng::new(seed)) {
            self.search.restart(self.root.clone(), Rng::new(seed));
        }
        Ok(())
    }

    fn restart(&mut self, position: &dyn AnyPosition, seed: u64) -> Result<(), Error> {
        self.root = same_game::<G>(position)?;
        self.search.restart(self.root.clone(), Rng::new(seed));
        Ok(())
    }
}

/// The report of a position with its moves as text.
fn in_words<G: Game>(game: &G, position: &G::Position, report: Report<G::Move>) -> Report<String> {
    let line = |moves: &[G::Move]| {
        let mut position = position.clone();
        moves
            .iter()
            .map(|&mv| {
                let text = game.move_text(&position, mv);
                game.play(&mut position, mv);
                text
            })
            .collect()
    };
    report.map(|mv| game.move_text(position, mv), line)
}

/// The typed position in `position`, if it belongs to a game of type `G`.
fn same_game<G: Game>(position: &dyn AnyPosition) -> Result<G::Position, Error> {
    let position = position.as_any().downcast_ref::<ErasedPosition<G>>().ok_or(Error::OtherGame)?;
    Ok(position.position.clone())
}
