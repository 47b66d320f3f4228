use crate::playouts::play_out;
use crate::policies::Evidence;
use crate::report::Report;
use crate::statistics::CodeMeans;
use crate::tree::{Record, Step};
use crate::treeless::Treeless;
use crate::treeless::root::Root;
use permutree_game::{Code, Game, MAX_PLAYERS, Rng, Turn};

/// Gobble (Brügmann 1993, "Monte Carlo Go"): a move has one value, whenever it is made: the mean of all games in which its
/// player made it. Games are played in the order of these values, with noise that decreases as in simulated annealing.
///
/// Each player's moves are listed by value, best first. Before each game every move of the list, from the first on, is swapped
/// with the next one with probability p, so that it sinks n places with probability pⁿ. Then each player makes the first
/// legal move on their list at every turn. After the game the values of all its moves are updated. The move with the best
/// value is played.
///
/// Moves are identified by their codes. Moves not yet on the list come first, in random order. In game t, p is
/// swap / (1 + t / cool), so that games do not depend on the length of the search; in the paper p falls to 0 at the last game.
pub struct Gobble<G: Game> {
    root: Root<G>,
    coding: usize,
    order: Order,
    record: Record,
    rng: Rng,
    moves: Vec<G::Move>,
    scratch: Vec<G::Move>,
}

/// The amount of noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The probability that a move is swapped with the next one, in the first game.
    pub swap: f64,
    /// The number of games after which the probability is halved.
    pub cool: f64,
}

/// The players' lists.
#[derive(Debug)]
struct Order {
    noise: Noise,
    means: CodeMeans,
    /// The codes that each player has played so far, best first.
    lists: [Vec<Code>; MAX_PLAYERS],
    noisy: Vec<Code>,
    /// The rank of each code on its list with noise, from 1 on; 0 if it is not listed.
    places: Vec<u32>,
}

impl<G: Game> Gobble<G> {
    /// A search from `root` that identifies moves by the codes of `coding`.
    pub fn new(game: G, root: G::Position, coding: usize, noise: Noise, rng: Rng) -> Self {
        let codes = game.codes(coding);
        Self {
            order: Order {
                noise,
                means: CodeMeans::new(codes),
                lists: Default::default(),
                noisy: Vec::new(),
                places: vec![0; codes],
            },
            root: Root::new(game, root),
            coding,
            record: Record::default(),
            rng,
            moves: Vec::new(),
            scratch: Vec::new(),
        }
    }

    fn play_out(&mut self) {
        let Self { root, coding, order, record, rng, moves, scratch } = self;
        order.begin(root.playouts, rng);
        let game = &root.game;
        let mut choose = |position: &G::Position, rng: &mut Rng| {
            moves.clear();
            game.playout_moves(position, moves);
            let codes = moves.iter().map(|&mv| game.code(position, mv, *coding));
            order.first(codes, rng).map(|index| moves[index])
        };
        let mut position = root.position.clone();
        record.clear();
        let first = match root.turn {
            Turn::Player(_) => choose(&position, rng),
            _ => game.random_move(&position, rng, scratch),
        };
        let index = root.moves.iter().position(|&mv| Some(mv) == first).unwrap_or(0);
        record.steps.extend(root.step(index, *coding));
        game.play(&mut position, root.moves[index]);
        play_out(game, &mut position, *coding, rng, Some(&mut *record), scratch, &mut |position, _, rng| {
            choose(position, rng)
        });
        let rewards = game.rewards(&position);
        record.finish(&rewards);
        root.count(index, &rewards);
        root.playouts += 1;
        self.order.learn(&self.record);
    }
}

impl Order {
    /// Adds noise to the lists for the game with this number.
    fn begin(&mut self, game: u64, rng: &mut Rng) {
        let swap = self.noise.swap / (1.0 + game as f64 / self.noise.cool);
        for list in &self.lists {
            self.noisy.clone_from(list);
            for place in 1..list.len() {
                if rng.unit() < swap {
                    self.noisy.swap(place - 1, place);
                }
            }
            self.noisy.iter().zip(1..).for_each(|(&code, place)| self.places[code as usize] = place);
        }
    }

    /// The index of the first of these codes on the list, with ties broken at random.
    fn first(&self, codes: impl Iterator<Item = Code>, rng: &mut Rng) -> Option<usize> {
        let (mut first, mut least, mut ties) = (None, u32::MAX, 0);
        for (index, code) in codes.enumerate() {
            let place = self.places[code as usize];
            if place < least {
                (first, least, ties) = (Some(index), place, 1);
            } else if place == least {
                ties += 1;
                if rng.below(ties) == 0 {
                    first = Some(index);
                }
            }
        }
        first
    }

    fn learn(&mut self, record: &Record) {
        for &Step { player, code } in &record.steps {
            let place = &mut self.places[code as usize];
            if *place == 0 {
                // Anything but 0 until the next game begins.
                *place = u32::MAX;
                self.lists[player.index()].push(code);
            }
        }
        self.means.learn(record);
        // A stable sort: equal moves stay in the order in which they were first made, which is random.
        let means = &self.means;
        self.lists.iter_mut().for_each(|list| list.sort_by(|&a, &b| means.mean(b).total_cmp(&means.mean(a))));
    }

    fn restart(&mut self) {
        self.means.decay(0.0);
        self.lists.iter_mut().for_each(Vec::clear);
        self.places.fill(0);
    }

    fn memory(&self) -> usize {
        let listed: usize = self.lists.iter().map(|list| size_of_val(&**list)).sum();
        self.means.memory() + listed + size_of_val(&*self.places)
    }
}

impl<G: Game> Treeless for Gobble<G> {
    type Game = G;

    fn root(&mut self) -> &mut Root<G> {
        &mut self.root
    }

    fn playout(&mut self) {
        self.play_out();
    }

    fn report(&mut self) -> Report<G::Move> {
        let codes = self.root.codes(self.coding).into_iter();
        let evidence: Vec<Evidence> = codes.map(|code| self.order.means.evidence(code)).collect();
        self.root.report_by(&evidence, self.order.memory())
    }

    fn restart(&mut self, root: G::Position, rng: Rng) {
        self.root.restart(root);
        self.order.restart();
        self.rng = rng;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutree_game::Player;

    fn order(swap: f64) -> Order {
        let noise = Noise { swap, cool: 10.0 };
        let (means, lists) = (CodeMeans::new(8), Default::default());
        Order { noise, means, lists, noisy: Vec::new(), places: vec![0; 8] }
    }

    fn game(codes: &[Code], rewards: [u32; 2]) -> Record {
        let mut record = Record::default();
        // Odd codes are the second player's.
        record.steps.extend(codes.iter().map(|&code| Step { player: Player((code % 2) as u8), code }));
        record.rewards[..2].copy_from_slice(&rewards);
        record
    }

    #[test]
    fn lists_go_by_the_mean_of_each_player() {
        let mut order = order(0.0);
        order.learn(&game(&[0, 1, 2, 3], [10, 90]));
        order.learn(&game(&[4, 1, 0, 5], [80, 20]));
        assert_eq!(order.lists[..2], [vec![4, 0, 2], vec![3, 1, 5]]);
        let mut rng = Rng::new(1);
        order.begin(0, &mut rng);
        let mut first = |codes: &[Code]| order.first(codes.iter().copied(), &mut rng).map(|i| codes[i]);
        assert_eq!((first(&[2, 0, 4]), first(&[2, 0]), first(&[5, 1])), (Some(4), Some(0), Some(1)));
        // Codes that were never played come first.
        assert_eq!((first(&[4, 6]), first(&[])), (Some(6), None));
        order.restart();
        assert!(order.lists.iter().all(Vec::is_empty) && order.places.iter().all(|&place| place == 0));
    }

    /// The first move sinks to the end with p = 1; with p = 1/2 it sinks n places with probability 1/2ⁿ, and after `cool`
    /// games with p = 1/4.
    #[test]
    fn moves_sink_and_noise_dies_down() {
        let mut rng = Rng::new(1);
        let places = |swap, number, rng: &mut Rng| {
            let mut order = order(swap);
            order.learn(&game(&[0, 2, 4, 6], [10, 0]));
            order.begin(number, rng);
            order.places
        };
        assert_eq!(places(1.0, 0, &mut rng), [4, 0, 1, 0, 2, 0, 3, 0]);
        assert_eq!(places(0.0, 0, &mut rng), [1, 0, 2, 0, 3, 0, 4, 0]);
        for (number, p) in [(0, 0.5_f64), (10, 0.25)] {
            let sunk: Vec<u32> = (0..4000).map(|_| places(0.5, number, &mut rng)[0]).collect();
            for n in 1..4 {
                let part = sunk.iter().filter(|&&place| place > n).count() as f64 / 4000.0;
                assert!((part - p.powi(n as i32)).abs() < 0.04, "{n} places: {part}");
            }
        }
    }
}
