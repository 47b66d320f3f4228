//! Where games meet agents: the one place that makes a search for a game.

use crate::Error;
use crate::agents::{Agent, Method};
use crate::erased::{AnyPosition, ErasedPosition, Session, Shared};
use permutree_game::{Game, Rng};
use permutree_search::{
    Budget, Grave, Mcps, MoveReport, Options, PlayoutPolicy, Report, Search, TreePolicy, Uct, Uniform,
};
use std::sync::Arc;
use std::time::Duration;

/// A session of `agent` from a position of `shared`.
pub(crate) fn open<G: Game>(
    shared: &Arc<Shared<G>>,
    position: &G::Position,
    agent: &Agent,
    seed: u64,
) -> Result<Box<dyn Session>, Error> {
    let game = &shared.game;
    let options = Options { coding: coding(shared, agent.coding())?, ..*agent.options() };
    let (codes, players) = (game.codes(options.coding), game.players());
    Ok(match *agent.method() {
        Method::Uct { c } => tree_search(shared, position, Uct::new(c), options, seed),
        Method::Ucb1Tuned => tree_search(shared, position, Uct::tuned(), options, seed),
        Method::Grave { reference, bias } => {
            tree_search(shared, position, Grave::new(codes, players, reference, bias), options, seed)
        }
        Method::Mcps { reference, weights } => {
            tree_search(shared, position, Mcps::new(codes, players, reference, weights), options, seed)
        }
        Method::Random => Box::new(Random {
            shared: shared.clone(),
            position: position.clone(),
            rng: Rng::new(seed),
            drawn: None,
        }),
    })
}

/// The number of a coding by name; the empty name is the game's default.
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

fn tree_search<G: Game, T: TreePolicy + 'static>(
    shared: &Arc<Shared<G>>,
    position: &G::Position,
    policy: T,
    options: Options,
    seed: u64,
) -> Box<dyn Session> {
    let playouts = Uniform::<G::Move>::default();
    let search =
        Search::new(shared.game.clone(), position.clone(), policy, playouts, options, Rng::new(seed));
    Box::new(TreeSession { shared: shared.clone(), root: position.clone(), search })
}

/// A tree search with its moves as text.
struct TreeSession<G: Game, T, P> {
    shared: Arc<Shared<G>>,
    root: G::Position,
    search: Search<G, T, P>,
}

impl<G: Game, T: TreePolicy, P: PlayoutPolicy<G>> Session for TreeSession<G, T, P> {
    fn advance(&mut self, budget: &Budget) {
        self.search.advance(budget);
    }

    fn report(&mut self) -> Report<String> {
        let (game, root) = (&self.shared.game, &self.root);
        let line = |moves: &[G::Move]| {
            let mut position = root.clone();
            moves
                .iter()
                .map(|&mv| {
                    let text = game.move_text(&position, mv);
                    game.play(&mut position, mv);
                    text
                })
                .collect()
        };
        self.search.report().map(|mv| game.move_text(root, mv), line)
    }

    fn restart(&mut self, position: &dyn AnyPosition, seed: u64) -> Result<(), Error> {
        self.root = same_game::<G>(position)?;
        self.search.restart(self.root.clone(), Rng::new(seed));
        Ok(())
    }
}

/// The position inside `position`, if it is of game `G`.
fn same_game<G: Game>(position: &dyn AnyPosition) -> Result<G::Position, Error> {
    let position = position.as_any().downcast_ref::<ErasedPosition<G>>().ok_or(Error::OtherGame)?;
    Ok(position.position.clone())
}

/// Plays as random playouts do. It never searches: its report has one visit, to the move it draws.
struct Random<G: Game> {
    shared: Arc<Shared<G>>,
    position: G::Position,
    rng: Rng,
    drawn: Option<G::Move>,
}

impl<G: Game> Session for Random<G> {
    fn advance(&mut self, _budget: &Budget) {
        self.drawn = self.shared.game.random_move(&self.position, &mut self.rng, &mut Vec::new());
    }

    fn report(&mut self) -> Report<String> {
        let game = &self.shared.game;
        let mut legal = Vec::new();
        game.moves(&self.position, &mut legal);
        let text = |mv| game.move_text(&self.position, mv);
        let mut moves: Vec<MoveReport<String>> = legal
            .iter()
            .enumerate()
            .map(|(index, &mv)| MoveReport {
                mv: text(mv),
                index,
                visits: u64::from(self.drawn == Some(mv)),
                mean: 0.0,
                amaf: None,
                permutation: None,
                weights: [0.0; 3],
                proven: None,
            })
            .collect();
        moves.sort_by_key(|found| std::cmp::Reverse(found.visits));
        Report {
            turn: game.turn(&self.position),
            playouts: 0,
            time: Duration::ZERO,
            deterministic: true,
            nodes: 0,
            memory: 0,
            full: false,
            moves,
            principal_variation: self.drawn.into_iter().map(text).collect(),
        }
    }

    fn restart(&mut self, position: &dyn AnyPosition, seed: u64) -> Result<(), Error> {
        self.position = same_game::<G>(position)?;
        self.rng = Rng::new(seed);
        self.drawn = None;
        Ok(())
    }
}
