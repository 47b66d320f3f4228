//! NMCS and LNMCS against a plain version of their recursion, and in simple cases.

use crate::games::{Ball, Rows};
use crate::kit::{show, with};
use permutree_game::{Game, Rewards, Rng, Turn, Visitor};
use permutree_games::{SameGame, TicTacToe, Tree};
use permutree_search::playouts::{PlayoutPolicy, Uniform};
use permutree_search::tree::Record;
use permutree_search::treeless::{Flat, Lazy, Nmcs};
use permutree_search::{Budget, Report, Searcher};
use std::sync::{Arc, Mutex};

fn nmcs<G: Game>(game: &G, level: usize, lazy: Option<Lazy>, seed: u64) -> Nmcs<G> {
    let policy = Box::new(Uniform::<G::Move>::default());
    Nmcs::new(game.clone(), game.start(), policy, 0, level, lazy, Rng::new(seed))
}

fn report<G: Game>(game: &G, level: usize, lazy: Option<Lazy>, playouts: u64) -> Report<G::Move> {
    let mut search = nmcs(game, level, lazy, 1);
    search.advance(&Budget::playouts(playouts));
    search.report()
}

/// With several players the searches below the root are playouts at level 1.
#[test]
fn level_one_is_flat_with_several_players() {
    fn check<G: Game>(game: &G) {
        let policy = Box::new(Uniform::<G::Move>::default());
        let mut flat = Flat::new(game.clone(), game.start(), policy, 0, Rng::new(1));
        flat.advance(&Budget::playouts(1_000));
        let (root, flat) = (game.start(), flat.report());
        assert_eq!(show(game, &root, &report(game, 1, None, 1_000)), show(game, &root, &flat));
    }
    check(&Rows);
    check(&Ball { keep: 0.4, plies: 40 });
    check(&Tree::parse("((1 0) ?(0.5 3*0.75) 0.4)").unwrap());
}

/// The recursion as in the papers, with playouts made move by move.
struct Naive<'a> {
    game: &'a Tree,
    lazy: Option<Lazy>,
    rng: Rng,
    playouts: u64,
    /// The index of the root's move and the rewards of every search below it.
    results: Vec<(u32, Rewards)>,
}

impl Naive<'_> {
    fn moves(&self, position: u32) -> Vec<u32> {
        let mut moves = Vec::new();
        self.game.moves(&position, &mut moves);
        moves
    }

    fn playout(&mut self, mut position: u32) -> (Rewards, Vec<u32>) {
        self.playouts += 1;
        let mut line = Vec::new();
        while let Some(mv) = self.game.random_move(&position, &mut self.rng, &mut Vec::new()) {
            line.push(mv);
            position = mv;
        }
        (self.game.rewards(&position), line)
    }

    /// A game of `level`; at the root with several players only its first position.
    fn search(&mut self, level: usize, mut position: u32, root: bool) -> (Rewards, Vec<u32>) {
        if level == 0 || self.game.turn(&position) == Turn::Over {
            return self.playout(position);
        }
        let (mut played, mut best): (Vec<u32>, Option<(Rewards, Vec<u32>)>) = (Vec::new(), None);
        while let Turn::Player(player) = self.game.turn(&position) {
            let mut moves = self.moves(position);
            let mut tried = vec![];
            if let Some(Lazy { tries, ratio }) = self.lazy.filter(|_| level > 1 && moves.len() > 1) {
                tried = moves.repeat(tries as usize);
                let mut means = vec![0.0; moves.len()];
                // The same playouts as below, from a copy of the generator.
                let (rng, playouts) = (self.rng.clone(), self.playouts);
                for (i, &mv) in tried.iter().enumerate() {
                    let reward = (self.playout(mv).0.of(player) * 65_536.0).round() / 65_536.0;
                    means[i % moves.len()] += reward / f64::from(tries);
                }
                (self.rng, self.playouts) = (rng, playouts);
                let mean = means.iter().sum::<f64>() / means.len() as f64;
                let max = means.iter().copied().fold(0.0, f64::max);
                let mut keep = means.iter().map(|&x| x >= (mean + ratio * (max - mean)).min(max));
                moves.retain(|_| keep.next().unwrap());
            }
            let tried = tried.into_iter().map(|mv| (0, mv));
            for (level, mv) in tried.chain(moves.into_iter().map(|mv| (level - 1, mv))) {
                let (rewards, tail) = self.search(level, mv, false);
                if root {
                    self.results.push((played.first().copied().unwrap_or(mv), rewards));
                }
                if best.as_ref().is_none_or(|(found, _)| rewards.of(player) > found.of(player)) {
                    best = Some((rewards, [&played[..], &[mv], &tail].concat()));
                }
            }
            let line = &best.as_ref().unwrap().1;
            position = line[played.len()];
            played.push(position);
            if root && self.game.players() > 1 {
                break;
            }
        }
        (self.game.rewards(&position), best.unwrap().1)
    }
}

/// A tree of this many plies with up to four moves at every node and random rewards.
fn random_tree(players: usize, plies: usize, rng: &mut Rng) -> String {
    if plies == 0 || rng.below(8) == 0 && plies < 3 {
        let rewards: Vec<String> = (0..players).map(|_| format!("{:.2}", rng.unit())).collect();
        return format!("[{}]", rewards.join(" "));
    }
    let children: Vec<String> = (0..2 + rng.below(3)).map(|_| random_tree(players, plies - 1, rng)).collect();
    format!("{}({})", 1 + rng.below(players), children.join(" "))
}

#[test]
fn the_recursion_is_the_papers() {
    let mut rng = Rng::new(5);
    for case in 0..60 {
        let players = 1 + case % 3;
        let game = Tree::parse(&random_tree(players, 5, &mut rng)).unwrap();
        if game.players() != players {
            continue;
        }
        let lazy = [None, Some(Lazy { tries: 3, ratio: 0.2 })][case / 3 % 2];
        for level in 1..=3 {
            let mut naive = Naive { game: &game, lazy, rng: Rng::new(1), playouts: 0, results: Vec::new() };
            let (_, line) = naive.search(level, 0, true);
            let found = report(&game, level, lazy, naive.playouts);
            for move_found in &found.moves {
                let results = naive.results.iter().filter(|(mv, _)| *mv == move_found.mv);
                let rewards: Vec<f64> =
                    results.map(|(_, rewards)| rewards.of(found.player().unwrap())).collect();
                assert_eq!(move_found.visits, rewards.len() as u64, "case {case}, level {level}");
                let mean = rewards.iter().sum::<f64>() / rewards.len().max(1) as f64;
                assert!((move_found.mean - mean).abs() < 1e-4, "case {case}, level {level}");
            }
            if players == 1 {
                assert_eq!(found.principal_variation, line, "case {case}, level {level}");
            }
        }
    }
}

/// Random play that keeps the best reward, and checks that the codes of a record are a game from start to end.
struct Best<G: Game> {
    uniform: Uniform<G::Move>,
    best: Arc<Mutex<u32>>,
}

impl<G: Game> PlayoutPolicy<G> for Best<G> {
    fn coded(&self) -> bool {
        true
    }

    fn playout(
        &mut self,
        game: &G,
        position: &mut G::Position,
        coding: usize,
        rng: &mut Rng,
        record: Option<&mut Record>,
    ) {
        let record = record.expect("sequences are read from codes");
        let mut begun = game.start();
        for step in &record.steps {
            let mut moves = Vec::new();
            game.moves(&begun, &mut moves);
            let mv = moves.into_iter().find(|&mv| game.code(&begun, mv, coding) == step.code).unwrap();
            game.play(&mut begun, mv);
        }
        assert_eq!(game.hash(&begun), game.hash(position), "the record begins with the moves from the root");
        self.uniform.playout(game, position, coding, rng, Some(record));
    }

    fn learn(&mut self, record: &Record) {
        let mut best = self.best.lock().unwrap();
        *best = (*best).max(record.rewards[0]);
    }
}

/// With one player, no playout is better than the remembered line, and the line has the reported reward.
#[test]
fn the_best_sequence_is_remembered() {
    struct Check;
    impl Visitor for Check {
        type Output = ();
        fn visit<G: Game>(self, game: G) {
            for (level, lazy) in [(1, None), (2, None), (3, Some(Lazy { tries: 2, ratio: 0.0 }))] {
                let best = Arc::new(Mutex::new(0));
                let policy = Box::new(Best { uniform: Uniform::default(), best: best.clone() });
                let mut search = Nmcs::new(game.clone(), game.start(), policy, 0, level, lazy, Rng::new(1));
                for playouts in [1, 10, 500, 4_000] {
                    search.advance(&Budget::playouts(playouts));
                    let mut position = game.start();
                    search.report().principal_variation.iter().for_each(|&mv| game.play(&mut position, mv));
                    assert_eq!(
                        game.turn(&position),
                        Turn::Over,
                        "level {level}, {playouts}: {:?} {}",
                        search.report().principal_variation,
                        game.board(&position, None)
                    );
                    let reward = game.rewards(&position).as_slice()[0];
                    assert_eq!((reward * 65_536.0).round() as u32, *best.lock().unwrap(), "level {level}");
                }
            }
        }
    }
    with::<SameGame, _>(&[], Check);
}

/// Chance is drawn again for every search; the second player chooses what is worse for the first.
#[test]
fn chance_is_averaged() {
    let game = Tree::parse("(x:?(u:2(0.9 0.4) v:2(1 0.6)) y:0.3)").unwrap();
    for (level, value) in [(1, 0.725), (2, 0.5), (3, 0.5)] {
        let found = report(&game, level, None, 20_000);
        assert!((found.moves[0].mean - value).abs() < 0.02, "level {level}: {}", show(&game, &0, &found));
    }
    let alone = Tree::parse("(?([0.9] [0]) [0.5])").unwrap();
    for level in 1..=3 {
        let found = report(&alone, level, None, 5_000);
        assert_eq!(found.moves[0].index, 1, "level {level}: {}", show(&alone, &0, &found));
    }
}

#[test]
fn tic_tac_toe_is_searched_at_every_level() {
    for level in 1..=4 {
        let found = report(&TicTacToe, level, None, 3_000);
        assert_eq!((found.playouts, found.moves.len()), (3_000, 9));
        assert!(found.moves[0].visits > 0);
    }
}
