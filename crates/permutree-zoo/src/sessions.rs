//! Where games meet agents: the one place that makes a search for a game.

use crate::Error;
use crate::agents::{Agent, Method, Parallel};
use crate::erased::{AnyPosition, ErasedPosition, Session, Shared};
use crate::games::GAMES;
use crate::playouts::Playouts;
use permutree_game::{Game, Rng};
use permutree_search::parallel::{RootParallel, TreeParallel, generators};
use permutree_search::playouts::{Greedy, Heuristic, Mast, Merits, Nst, Pattern, PlayoutPolicy, Uniform};
use permutree_search::policies::{Grave, Mcps, Sarsa, TreePolicy, Uct, Weights};
use permutree_search::statistics::Values;
use permutree_search::treeless::{Ams, Flat, Global, Gobble, Nmcs, Nrpa, Reflex, Vgs};
use permutree_search::{Budget, Options, Report, Search, Searcher};
use std::sync::Arc;

/// A session of `agent` from a position of `shared`.
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
    let mut rng = Rng::new(seed);
    let search: Box<dyn Searcher<G>> = if threads == 1 {
        searcher(shared, position, agent, options, rng)?
    } else {
        let generators = generators(&mut rng, threads).into_iter();
        match agent.parallel() {
            Parallel::Tree => {
                let searches = generators
                    .filter_map(|rng| tree_search(shared, position, agent, options, rng).transpose());
                Box::new(TreeParallel::new(searches.collect::<Result<_, _>>()?, options.final_move))
            }
            Parallel::Root => {
                let searches = generators.map(|rng| searcher(shared, position, agent, options, rng));
                Box::new(RootParallel::new(searches.collect::<Result<_, _>>()?, options.final_move))
            }
        }
    };
    Ok(Box::new(GameSession { shared: shared.clone(), root: position.clone(), search }))
}

/// The search of `agent`, on one thread.
fn searcher<G: Game>(
    shared: &Shared<G>,
    position: &G::Position,
    agent: &Agent,
    options: Options,
    rng: Rng,
) -> Result<Box<dyn Searcher<G>>, Error> {
    if let Some(search) = tree_search(shared, position, agent, options, rng.clone())? {
        return Ok(Box::new(search));
    }
    let (game, root) = (&shared.game, position.clone());
    let playouts = playouts(shared, agent.policy(), &options)?;
    Ok(match *agent.method() {
        Method::Flat => Box::new(Flat::new(game.clone(), root, playouts, options.coding, rng)),
        Method::Ams { plan } => {
            if game.evaluate(&game.start()).is_none() {
                return Err(Error::NoEvaluation { game: shared.spec.clone() });
            }
            Box::new(Ams::evaluating(game.clone(), root, options.memory, plan, rng))
        }
        Method::AmsPlayouts { plan } => {
            Box::new(Ams::playing(game.clone(), root, playouts, options.coding, plan, rng))
        }
        Method::Nmcs { level, lazy } => {
            Box::new(Nmcs::new(game.clone(), root, playouts, options.coding, level, lazy, rng))
        }
        Method::Nrpa { learning } => Box::new(Nrpa::new(game.clone(), root, options.coding, learning, rng)),
        Method::Vgs { scope } => Box::new(Vgs::new(game.clone(), root, playouts, options.coding, scope, rng)),
        Method::Global { scope, games } => {
            Box::new(Global::new(game.clone(), root, playouts, options.coding, scope, games, rng))
        }
        Method::Gobble { noise } => Box::new(Gobble::new(game.clone(), root, options.coding, noise, rng)),
        Method::Reflex { .. } => Box::new(Reflex::new(game.clone(), root, playouts, rng)),
        _ => return Err(Error::NoSearch { agent: agent.spec().to_string() }),
    })
}

/// The search of `agent`, if it grows a tree.
fn tree_search<G: Game>(
    shared: &Shared<G>,
    position: &G::Position,
    agent: &Agent,
    options: Options,
    rng: Rng,
) -> Result<Option<Search<G>>, Error> {
    let game = &shared.game;
    let players = game.players();
    let policy: Box<dyn TreePolicy> = match *agent.method() {
        // The defaults of both. Where nobody else moves, what a move is worth is found by playing it.
        Method::Best if players == 1 => Box::new(Uct::new(0.4)),
        Method::Best => Box::new(Mcps::new(50, Weights::Paper)),
        Method::Uct { c } => Box::new(Uct::new(c)),
        Method::Ucb1Tuned => Box::new(Uct::tuned()),
        Method::Grave { reference, bias, c } => {
            let grave = Grave::new(reference, bias);
            Box::new(if let Some(c) = c { grave.exploring(c) } else { grave })
        }
        Method::Mcps { reference, weights } => Box::new(Mcps::new(reference, weights)),
        Method::Sarsa { rule, trust } => {
            let sarsa = Sarsa::new(rule);
            Box::new(match agent.values_of(&shared.spec, players)? {
                Some(values) => sarsa.with_values(values, trust),
                None => sarsa,
            })
        }
        _ => return Ok(None),
    };
    let playouts = playouts(shared, agent.policy(), &options)?;
    Ok(Some(Search::new(game.clone(), position.clone(), policy, playouts, options, rng)))
}

/// The playout policy that an agent asks for.
fn playouts<G: Game>(
    shared: &Shared<G>,
    policy: Playouts,
    options: &Options,
) -> Result<Box<dyn PlayoutPolicy<G>>, Error> {
    let codes = shared.game.codes(options.coding);
    let greedy = |merits: Box<dyn Merits>, epsilon| Box::new(Greedy::new(merits, epsilon));
    Ok(match policy {
        Playouts::Uniform => Box::new(Uniform::default()),
        Playouts::Mast { epsilon, keep } => greedy(Box::new(Mast::new(codes, keep)), epsilon),
        // Most of the memory is for the tree.
        Playouts::Nst { epsilon, keep } => {
            greedy(Box::new(Nst::new(codes, keep, options.memory / 4)), epsilon)
        }
        Playouts::Heuristic => Box::new(Heuristic::default()),
        Playouts::Pattern { .. } if !has_patterns(&shared.game) => {
            return Err(Error::NoPatterns { game: shared.spec.clone(), known: games_with_patterns() });
        }
        Playouts::Pattern { epsilon } => Box::new(Pattern::new(epsilon)),
    })
}

/// Whether the game scores moves by patterns.
pub(crate) fn has_patterns<G: Game>(game: &G) -> bool {
    game.pattern_scores(&game.start(), &[], &mut Vec::new())
}

fn games_with_patterns() -> Vec<&'static str> {
    let names = GAMES.iter().map(|entry| entry.facts.name);
    names.filter(|name| crate::game(name).is_ok_and(|game| game.has_patterns())).collect()
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

/// A search with its moves as text.
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

/// A report about a position with its moves as text.
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

/// The position inside `position`, if it is of game `G`.
fn same_game<G: Game>(position: &dyn AnyPosition) -> Result<G::Position, Error> {
    let position = position.as_any().downcast_ref::<ErasedPosition<G>>().ok_or(Error::OtherGame)?;
    Ok(position.position.clone())
}
