//! Playout policies: their statistics, their choices, and their effect in the tree.

use crate::games::Ball;
use crate::kit::{Playouts, after, show, with};
use permutree_game::{Code, Game, Player, Rng, Turn, Visitor};
use permutree_games::{Breakthrough, Connect4, Gomoku, Hex, Nogo, Pig, TicTacToe, Tree, Tsp};
use permutree_search::playouts::{Greedy, Heuristic, Mast, Merits, Nst, PlayoutPolicy};
use permutree_search::policies::{Grave, TreePolicy, Uct};
use permutree_search::tree::{Record, Step};
use permutree_search::treeless::{Flat, Reflex};
use permutree_search::{Budget, Options, Search, Searcher};

/// MAST and NST as the paper defines them, stored as a plain list of playouts.
struct Naive {
    /// The longest gram: 1 is MAST, which counts playouts; NST counts occurrences.
    longest: usize,
    past: Vec<(Vec<Step>, [u32; 8])>,
}

impl Naive {
    /// How often this gram occurs, and the mean reward of the player of its last move.
    fn gram(&self, gram: &[Code], player: Player) -> Option<(usize, f64)> {
        let (mut count, mut sum) = (0, 0u64);
        for (steps, rewards) in &self.past {
            let same = |window: &&[Step]| window.iter().map(|step| step.code).eq(gram.iter().copied());
            let mut found = steps.windows(gram.len()).filter(same).count();
            if self.longest == 1 {
                found = found.min(1);
            }
            count += found;
            sum += found as u64 * u64::from(rewards[player.index()]);
        }
        (count > 0).then(|| (count, sum as f64 / 65_536.0 / count as f64))
    }

    /// The player of a code, if it occurred.
    fn owner(&self, code: Code) -> Option<Player> {
        let steps = self.past.iter().flat_map(|(steps, _)| steps);
        steps.clone().find(|step| step.code == code).map(|step| step.player)
    }
}

impl Merits for Naive {
    fn score(&mut self, past: &[Step], codes: &[Code], scores: &mut Vec<f64>) {
        for &code in codes {
            let Some(player) = self.owner(code) else {
                scores.push(f64::INFINITY);
                continue;
            };
            let before: Vec<Code> = past.iter().map(|step| step.code).chain([code]).collect();
            let mut means = Vec::new();
            for length in 1..=self.longest.min(before.len()) {
                let found = self.gram(&before[before.len() - length..], player);
                means.extend(found.filter(|found| length == 1 || found.0 >= 7).map(|found| found.1));
            }
            scores.push(means.iter().sum::<f64>() / means.len() as f64);
        }
    }

    fn learn(&mut self, record: &Record) {
        self.past.push((record.steps.clone(), record.rewards));
    }

    fn restart(&mut self) {
        self.past.clear();
    }

    fn memory(&self) -> usize {
        0
    }
}

/// Searches by learned and by recounted merits agree: with UCT, where the merits also choose among untried moves, with GRAVE,
/// and without a tree.
struct Agree {
    playouts: u64,
}

impl Visitor for Agree {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let codes = game.codes(0);
        let found = |merits: Box<dyn Merits>, method: usize, seed| {
            let (start, rng) = (game.start(), Rng::new(seed));
            let playouts = Box::new(Greedy::<G::Move>::new(merits, 0.1));
            let policy: Box<dyn TreePolicy> = match method {
                0 => Box::new(Uct::new(0.4)),
                _ => Box::new(Grave::new(50, 1e-5)),
            };
            let mut search: Box<dyn Searcher<G>> = if method < 2 {
                Box::new(Search::new(game.clone(), start, policy, playouts, Options::default(), rng))
            } else {
                Box::new(Flat::new(game.clone(), start, playouts, 0, rng))
            };
            search.advance(&Budget::playouts(self.playouts));
            show(&game, &game.start(), &search.report())
        };
        for method in 0..3 {
            let mast = found(Box::new(Mast::new(codes, 0.0)), method, 1);
            let nst = found(Box::new(Nst::new(codes, 0.0, 1 << 30)), method, 1);
            assert_eq!(mast, found(Box::new(Naive { longest: 1, past: Vec::new() }), method, 1));
            assert_eq!(nst, found(Box::new(Naive { longest: 3, past: Vec::new() }), method, 1));
        }
    }
}

#[test]
fn statistics_are_those_of_a_recount() {
    with::<TicTacToe, _>(&[], Agree { playouts: 300 });
    with::<Breakthrough, _>(&[("size", "4")], Agree { playouts: 120 });
    // Three players, then one; codes that occur several times in a playout, with chance between them.
    with::<Nogo, _>(&[("size", "3"), ("players", "3")], Agree { playouts: 300 });
    with::<Tsp, _>(&[("cities", "6")], Agree { playouts: 200 });
    with::<Pig, _>(&[("goal", "10")], Agree { playouts: 60 });
    Agree { playouts: 100 }.visit(Ball::new(0.3));
    let twice = "(x:1(x:1(x:0.9 y:0.1) y:(x:0.3 z:0.8)) y:1(x:(x:0.2 y:0.7) y:1(y:0 z:1)))";
    with::<Tree, _>(&[("tree", twice)], Agree { playouts: 300 });
}

/// A record of these codes of player 1, who gets this reward.
fn record(codes: &[Code], reward: f64) -> Record {
    let steps = codes.iter().map(|&code| Step { player: Player(0), code }).collect();
    let mut rewards = [0; 8];
    rewards[0] = (reward * 65_536.0) as u32;
    Record { steps, rewards, ..Record::default() }
}

fn scores(merits: &mut dyn Merits, past: &[Code], codes: &[Code]) -> Vec<f64> {
    let mut scores = Vec::new();
    merits.score(&record(past, 0.0).steps, codes, &mut scores);
    scores
}

/// MAST counts a playout once per move, NST every occurrence. A gram is used from its seventh occurrence on.
#[test]
fn what_is_counted() {
    let (mut mast, mut nst) = (Mast::new(4, 0.0), Nst::new(4, 0.0, 1 << 20));
    for merits in [&mut mast as &mut dyn Merits, &mut nst] {
        merits.learn(&record(&[1, 1, 1], 1.0));
        merits.learn(&record(&[1], 0.0));
    }
    assert_eq!(scores(&mut mast, &[], &[1, 2]), [0.5, f64::INFINITY]);
    assert_eq!(scores(&mut nst, &[], &[1, 2]), [0.75, f64::INFINITY]);

    let mut nst = Nst::new(4, 0.0, 1 << 20);
    // 2 alone is 0.25, after 1 it is 1, after 0 and 1 it is 1 too, seven times in the end.
    (0..21).for_each(|_| nst.learn(&record(&[2], 0.0)));
    (0..6).for_each(|_| nst.learn(&record(&[0, 1, 2], 1.0)));
    assert_eq!(scores(&mut nst, &[0, 1], &[2]), [6.0 / 27.0]);
    nst.learn(&record(&[0, 1, 2], 1.0));
    assert_eq!(scores(&mut nst, &[], &[2]), [0.25]);
    assert_eq!(scores(&mut nst, &[1], &[2]), [1.25 / 2.0]);
    assert_eq!(scores(&mut nst, &[0, 1], &[2]), [2.25 / 3.0]);
    assert_eq!(scores(&mut nst, &[1, 0], &[2]), [0.25]);

    // Four times 0, 0 and 2 are four times 0 and 2, not eight times.
    let mut nst = Nst::new(4, 0.0, 1 << 20);
    nst.learn(&record(&[2], 0.0));
    (0..4).for_each(|_| nst.learn(&record(&[0, 0, 2], 1.0)));
    assert_eq!(scores(&mut nst, &[0], &[2]), [0.8]);
}

/// A fraction of the counts is kept, rounded down, with the same means.
#[test]
fn what_is_kept() {
    let merits = |keep| -> [Box<dyn Merits>; 2] {
        [Box::new(Mast::new(4, keep)), Box::new(Nst::new(4, keep, 1 << 20))]
    };
    for (keep, expected) in [(0.0, [f64::INFINITY; 2]), (0.5, [0.5, f64::INFINITY]), (1.0, [0.5, 1.0])] {
        for mut merits in merits(keep) {
            merits.learn(&record(&[1], 1.0));
            merits.learn(&record(&[1], 0.0));
            merits.learn(&record(&[2], 1.0));
            merits.restart();
            assert_eq!(scores(&mut *merits, &[], &[1, 2]), expected, "{keep}");
            // Of one playout with mean 0.5, or of two, or of none.
            merits.learn(&record(&[1], 1.0));
            let mean = [1.0, 0.75, 2.0 / 3.0][(2.0 * keep) as usize];
            assert_eq!(scores(&mut *merits, &[], &[1]), [mean], "{keep}");
        }
    }
    // Keeping half of fourteen pairs leaves seven, and keeping half of those three.
    let mut nst = Nst::new(4, 0.5, 1 << 20);
    (0..14).for_each(|_| nst.learn(&record(&[1, 2], 1.0)));
    (0..42).for_each(|_| nst.learn(&record(&[2], 0.0)));
    for expected in [0.625, 0.625, 0.25] {
        assert_eq!(scores(&mut nst, &[1], &[2]), [expected]);
        nst.restart();
    }
}

/// No grams are added at the limit, existing ones still count, and a restart clears everything.
#[test]
fn grams_are_bounded() {
    let mut nst = Nst::new(1000, 0.0, 100_000);
    let single = nst.memory();
    for again in 0..2 {
        for code in 0..20_000u32 {
            nst.learn(&record(&[1, 2, 10 + code * 7 % 900, 10 + code * 31 % 900], 1.0));
        }
        let used = nst.memory() - single;
        assert!((32_768..=104_000).contains(&used), "{used} bytes");
        (0..80_000).for_each(|_| nst.learn(&record(&[3, 2], 0.0)));
        assert_eq!(scores(&mut nst, &[3], &[2]), [0.2], "no gram of 3 and 2");
        assert_eq!(scores(&mut nst, &[1], &[2]), [0.6], "1 and 2 count still, {again}");
        nst.restart();
        assert_eq!(nst.memory(), single);
    }
}

/// The best of five moves is taken with probability 1 - ε + ε / 5.
#[test]
fn epsilon_is_kept() {
    let game = Tree::parse("(a:0.1 b:0.2 c:0.9 d:0.3 e:0.4)").unwrap();
    for epsilon in [0.0, 0.1, 0.5, 1.0] {
        let merits: [Box<dyn Merits>; 2] = [Box::new(Mast::new(5, 0.0)), Box::new(Nst::new(5, 0.0, 1 << 20))];
        for merits in merits {
            let mut playouts = Greedy::<u32>::new(merits, epsilon);
            let policy: &mut dyn PlayoutPolicy<Tree> = &mut playouts;
            for code in 0..5 {
                policy.learn(&record(&[code], f64::from(u8::from(code == 2))));
            }
            let (mut rng, mut best) = (Rng::new(1), 0);
            for _ in 0..10_000 {
                let mut made = Record::default();
                policy.playout(&game, &mut game.start(), 0, &mut rng, Some(&mut made));
                best += u32::from(made.steps[0].code == 2);
            }
            // Five standard deviations of at most 50.
            let expected = 10_000.0 * (1.0 - epsilon + epsilon / 5.0);
            assert!((f64::from(best) - expected).abs() <= 250.0 * epsilon.min(1.0 - epsilon / 5.0), "{best}");
        }
    }
}

/// Prefers the last of the given codes.
struct Last(Box<dyn PlayoutPolicy<Hex<1>>>);

impl PlayoutPolicy<Hex<1>> for Last {
    fn coded(&self) -> bool {
        true
    }

    fn playout(
        &mut self,
        game: &Hex<1>,
        position: &mut <Hex<1> as Game>::Position,
        coding: usize,
        rng: &mut Rng,
        record: Option<&mut Record>,
    ) {
        self.0.playout(game, position, coding, rng, record);
    }

    fn prefer(&mut self, past: &[Step], codes: &[Code], _rng: &mut Rng) -> Option<usize> {
        assert!(past.len() < 20 && codes.is_sorted());
        codes.len().checked_sub(1)
    }
}

/// UCT tries moves in the order that the playout policy prefers, each once before any twice; GRAVE has its own order.
#[test]
fn playouts_choose_among_untried_moves() {
    let game = Hex::<1>::new(4, None, false);
    let tried = |policy: Box<dyn TreePolicy>, playouts| {
        let last = Box::new(Last(Playouts::Uniform.policy(&game, 0)));
        let mut search =
            Search::new(game.clone(), game.start(), policy, last, Options::default(), Rng::new(1));
        search.advance(&Budget::playouts(playouts));
        let mut moves: Vec<(usize, u64)> =
            search.report().moves.iter().map(|found| (found.index, found.visits)).collect();
        moves.sort_unstable();
        moves.iter().map(|&(_, visits)| visits).collect::<Vec<_>>()
    };
    for (policy, playouts) in [(Uct::new(0.4), 5), (Uct::tuned(), 5), (Uct::new(0.4), 16), (Uct::tuned(), 16)]
    {
        let expected: Vec<u64> = (0..16).map(|index| u64::from(index >= 16 - playouts)).collect();
        assert_eq!(tried(Box::new(policy), playouts), expected);
    }
    let grave = tried(Box::new(Grave::new(50, 1e-5)), 5);
    assert_ne!(grave, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    assert_eq!(grave.iter().sum::<u64>(), 5);
}

/// The moves that the heuristic player takes at the root, from many seeds.
fn heuristic<G: Game>(game: &G, moves: &str) -> Vec<String> {
    let root = after(game, moves);
    let mut player = Reflex::new(game.clone(), root.clone(), Box::new(Heuristic::default()), Rng::new(0));
    let mut taken: Vec<String> = (0..200)
        .map(|seed| {
            player.restart(root.clone(), Rng::new(seed));
            player.advance(&Budget::default());
            let report = player.report();
            assert_eq!((report.moves[0].visits, report.principal_variation.len()), (1, 1));
            game.move_text(&root, report.best().unwrap())
        })
        .collect();
    taken.sort_unstable();
    taken.dedup();
    taken
}

#[test]
fn wins_are_taken_and_losses_blocked() {
    let tree = |text: &str| heuristic(&Tree::parse(text).unwrap(), "");
    assert_eq!(tree("(x:1 y:(p:1 q:0.5) z:1 w:0)"), ["x", "z"]);
    // After x the second player wins at once, and z itself loses; after y and w there is no win at once.
    assert_eq!(tree("(x:(p:0 q:1) y:(p:0.6 q:1) z:0 w:(p:(r:0 s:0)))"), ["w", "y"]);
    // If every move loses, any move is played.
    assert_eq!(tree("(x:(p:0) y:(p:0))"), ["x", "y"]);
    // Three players: the third can win after x and the second after y; after w the second's win leaves the first a half.
    assert_eq!(
        tree("(x:3(p:[0 0 1] q:[1 0 0]) y:2(p:[0 1 0]) z:2([0.3 0.4 0.3]) w:2([0.5 1 0.5]))"),
        ["w", "z"]
    );
    // One player, and two moves in a row: what comes next is one's own win.
    assert_eq!(tree("(x:1(p:[1] q:[0]) y:1(p:[0.2]) z:[0.5])"), ["x", "y", "z"]);
    assert_eq!(tree("(x:?([0] [1]) y:[1])"), ["y"]);

    // Tic-tac-toe does not implement `urgent_moves`; connect4 and gomoku do.
    assert_eq!(heuristic(&TicTacToe, "a1 b2 b1"), ["c1"]);
    assert_eq!(heuristic(&TicTacToe, "a1 b2 b1 c1"), ["a3"]);
    assert_eq!(heuristic(&Connect4::USUAL, "a b a b a b"), ["a"]);
    assert_eq!(heuristic(&Connect4::USUAL, "a b a b a"), ["a"]);
    assert_eq!(heuristic(&Connect4::USUAL, "a b a b").len(), 7);
}

/// Five in a row has the greatest score; without patterns play is random.
struct Patterns<'a> {
    moves: &'a str,
    first: &'a [&'a str],
}

impl Visitor for Patterns<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let root = after(&game, self.moves);
        let mut playouts = permutree_search::playouts::Pattern::<G::Move>::new(0.0);
        let (mut rng, mut codes) = (Rng::new(1), Vec::new());
        let mut legal = Vec::new();
        game.moves(&root, &mut legal);
        for _ in 0..100 {
            let mut made = Record::default();
            PlayoutPolicy::<G>::playout(
                &mut playouts,
                &game,
                &mut root.clone(),
                0,
                &mut rng,
                Some(&mut made),
            );
            codes.push(made.steps[0].code);
        }
        let mut names: Vec<String> = legal
            .iter()
            .filter(|&&mv| codes.contains(&game.code(&root, mv, 0)))
            .map(|&mv| game.move_text(&root, mv))
            .collect();
        names.sort_unstable();
        assert_eq!(names, self.first, "{}", self.moves);
    }
}

#[test]
fn patterns_go_for_lines() {
    let four = "c3 c7 d3 d7 e3 e7 f3 f7";
    with::<Gomoku, _>(&[], Patterns { moves: four, first: &["b3", "g3"] });
    // A win goes before a block, a block before a line of four.
    let blocked = "c3 c7 d3 d7 e3 e7 a9 f7";
    with::<Gomoku, _>(&[], Patterns { moves: blocked, first: &["b7", "g7"] });
    with::<Connect4, _>(&[], Patterns { moves: "a b a b a", first: &["a"] });
    with::<TicTacToe, _>(&[], Patterns { moves: "a1 b2 b1 c1 a3 b3 c2", first: &["a2", "c3"] });
}

/// Three players who have learned to pass would pass for ever, so greedy playouts must end.
#[test]
fn playouts_end() {
    let game = Ball { keep: 0.3, plies: u32::MAX };
    let mut merits = Mast::new(game.codes(0), 1.0);
    for player in [0, 1, 2].map(Player) {
        let pass = Step { player, code: 2 * u32::from(player.0) };
        let keep = Step { code: pass.code + 1, ..pass };
        merits.learn(&Record { steps: vec![pass], rewards: [65_536; 8], ..Record::default() });
        merits.learn(&Record { steps: vec![keep], ..Record::default() });
    }
    let mut playouts = Greedy::<bool>::new(Box::new(merits), 0.0);
    let (mut made, mut position) = (Record::default(), game.start());
    let policy: &mut dyn PlayoutPolicy<Ball> = &mut playouts;
    policy.playout(&game, &mut position, 0, &mut Rng::new(1), Some(&mut made));
    assert!(game.turn(&position) == Turn::Over && made.steps.len() > 1_000);
}
