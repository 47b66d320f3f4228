//! Go-like games played the slow and plain way, to check the quick ones against: flood fill on an array.

use permutree_game::{Game, Ignore, Player, Rng, Turn, Visitor, perft};

/// Which game an array of points is played by.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Rules {
    Nogo { players: u8 },
    Atarigo,
}

/// A position: whose stone is on each point, who moves, who is out, and the winner if there is one.
#[derive(Clone)]
pub(crate) struct Naive {
    rules: Rules,
    size: usize,
    points: Vec<Option<u8>>,
    player: u8,
    out: Vec<u8>,
    winner: Option<u8>,
}

impl Naive {
    pub(crate) fn new(rules: Rules, size: usize) -> Self {
        Self { rules, size, points: vec![None; size * size], player: 0, out: Vec::new(), winner: None }
    }

    fn players(&self) -> u8 {
        match self.rules {
            Rules::Nogo { players } => players,
            Rules::Atarigo => 2,
        }
    }

    fn near(&self, point: usize) -> Vec<usize> {
        let (x, y) = ((point % self.size) as i32, (point / self.size) as i32);
        [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            .into_iter()
            .filter(|&(x, y)| x.min(y) >= 0 && x.max(y) < self.size as i32)
            .map(|(x, y)| y as usize * self.size + x as usize)
            .collect()
    }

    fn has_liberty(&self, point: usize) -> bool {
        let mut seen = vec![point];
        let mut i = 0;
        while i < seen.len() {
            for n in self.near(seen[i]) {
                if self.points[n].is_none() {
                    return true;
                }
                if self.points[n] == self.points[point] && !seen.contains(&n) {
                    seen.push(n);
                }
            }
            i += 1;
        }
        false
    }

    /// Whether a stone of the player to move would be legal on the empty `point`, and whether it would capture.
    fn try_stone(&self, point: usize) -> (bool, bool) {
        let mut after = self.clone();
        after.points[point] = Some(self.player);
        let dies = |n: &usize| after.points[*n].is_some_and(|p| p != self.player) && !after.has_liberty(*n);
        let captures = after.near(point).iter().any(dies);
        let breathes = after.has_liberty(point);
        match self.rules {
            Rules::Nogo { .. } => (breathes && !captures, captures),
            Rules::Atarigo => (breathes || captures, captures),
        }
    }

    pub(crate) fn moves(&self) -> Vec<usize> {
        let legal = |p: &usize| self.points[*p].is_none() && self.try_stone(*p).0;
        if self.winner.is_some() { vec![] } else { (0..self.points.len()).filter(legal).collect() }
    }

    pub(crate) fn play(&mut self, point: usize) {
        let (_, captures) = self.try_stone(point);
        self.points[point] = Some(self.player);
        if captures {
            self.winner = Some(self.player);
            return;
        }
        loop {
            self.player = (self.player + 1) % self.players();
            if self.out.contains(&self.player) {
                continue;
            }
            if self.out.len() + 1 == usize::from(self.players()) {
                self.winner = Some(self.player);
            }
            if self.winner.is_some() || !self.moves().is_empty() {
                return;
            }
            self.out.push(self.player);
        }
    }

    fn perft(&self, depth: usize, counts: &mut [u64]) {
        let moves = self.moves();
        counts[0] += moves.len() as u64;
        if depth > 1 {
            for point in moves {
                let mut next = self.clone();
                next.play(point);
                next.perft(depth - 1, &mut counts[1..]);
            }
        }
    }
}

/// Compares a game with the plain one: the tree from the start to the depth of `perft`, and whole random games.
pub(crate) struct Agrees<'a> {
    pub(crate) naive: Naive,
    pub(crate) perft: &'a [u64],
    pub(crate) games: u64,
}

impl Visitor for Agrees<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let depth = self.perft.len();
        if depth > 0 {
            let mut counts = vec![0; depth];
            self.naive.perft(depth, &mut counts);
            assert_eq!(counts, self.perft, "the plain game's perft");
            assert_eq!(perft(&game, &game.start(), depth), self.perft);
        }
        for number in 0..self.games {
            let mut rng = Rng::stream(5, number);
            let (mut position, mut naive) = (game.start(), self.naive.clone());
            let mut moves = Vec::new();
            loop {
                moves.clear();
                game.moves(&position, &mut moves);
                let plain = naive.moves();
                let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
                let names: Vec<String> = plain
                    .iter()
                    .map(|p| permutree_game::draw::square(p % naive.size, p / naive.size))
                    .collect();
                assert_eq!(texts, names, "{}", game.board(&position, None));
                if plain.is_empty() {
                    break;
                }
                assert_eq!(game.turn(&position), Turn::Player(Player(naive.player)));
                let i = rng.below(plain.len());
                game.play(&mut position, moves[i]);
                naive.play(plain[i]);
            }
            let winner = Player(naive.winner.unwrap());
            assert_eq!(game.rewards(&position).of(winner), 1.0, "{}", game.board(&position, None));
        }
    }
}

/// The game's own playout and its own random moves against listing the moves and choosing among them: plies and the
/// first player's reward.
pub(crate) struct SameDistribution;

impl Visitor for SameDistribution {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        const GAMES: u32 = 20_000;
        let (mut rng, mut moves) = (Rng::new(11), Vec::new());
        let mut ways = [[Sum::default(); 2]; 3];
        for (way, sums) in ways.iter_mut().enumerate() {
            for _ in 0..GAMES {
                let mut steps: Vec<(Player, u32)> = Vec::new();
                let mut position = game.start();
                if way == 0 {
                    game.playout(&mut position, 0, &mut rng, &mut moves, &mut steps);
                }
                while let Turn::Player(player) = game.turn(&position) {
                    let mv = if way == 1 {
                        game.random_move(&position, &mut rng, &mut moves)
                    } else {
                        moves.clear();
                        game.moves(&position, &mut moves);
                        rng.choose(&moves)
                    };
                    let mv = mv.unwrap();
                    steps.push((player, game.code(&position, mv, 0)));
                    game.play(&mut position, mv);
                }
                sums[0].add(steps.len() as f64);
                sums[1].add(game.rewards(&position).of(Player(0)));
            }
        }
        let [playout, random, listed] = ways;
        for (way, sums) in [("playout", playout), ("random_move", random)] {
            for (what, (a, b)) in ["plies", "reward"].into_iter().zip(sums.into_iter().zip(listed)) {
                let error = ((a.variance() + b.variance()) / f64::from(GAMES)).sqrt();
                let difference = (a.mean() - b.mean()).abs();
                assert!(
                    difference < 4.0 * error,
                    "{way}: {what} {} and {}, error {error}",
                    a.mean(),
                    b.mean()
                );
            }
        }
        // What the recorder does not see must change nothing.
        let mut ends = [game.start(), game.start()];
        game.playout(&mut ends[0], 0, &mut Rng::new(1), &mut moves, &mut Ignore);
        game.playout(&mut ends[1], 0, &mut Rng::new(1), &mut moves, &mut Vec::new());
        assert_eq!(game.hash(&ends[0]), game.hash(&ends[1]));
    }
}

#[derive(Clone, Copy, Default)]
struct Sum {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Sum {
    fn add(&mut self, x: f64) {
        self.n += 1.0;
        self.sum += x;
        self.squares += x * x;
    }

    fn mean(&self) -> f64 {
        self.sum / self.n
    }

    fn variance(&self) -> f64 {
        self.squares / self.n - self.mean() * self.mean()
    }
}

/// What is seen after a sequence of moves.
#[derive(Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) turn: Turn,
    /// The legal moves, sorted by row and then column.
    pub(crate) moves: String,
    /// What each player gets; empty before the end.
    pub(crate) rewards: Vec<f64>,
}

impl Seen {
    pub(crate) fn player(number: u8, moves: &str) -> Self {
        Self { turn: Turn::Player(Player(number - 1)), moves: moves.to_string(), rewards: vec![] }
    }

    pub(crate) fn over(rewards: &[f64]) -> Self {
        Self { turn: Turn::Over, moves: String::new(), rewards: rewards.to_vec() }
    }
}

/// Plays the moves of a text, each of which must be legal.
pub(crate) struct After<'a>(pub(crate) &'a str);

impl Visitor for After<'_> {
    type Output = Seen;

    fn visit<G: Game>(self, game: G) -> Seen {
        let mut position = game.start();
        for text in self.0.split_whitespace() {
            let mv = game
                .parse_move(&position, text)
                .unwrap_or_else(|| panic!("{text} is not legal in\n{}", game.board(&position, None)));
            game.play(&mut position, mv);
        }
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let moves: Vec<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
        let turn = game.turn(&position);
        let rewards = if turn == Turn::Over { game.rewards(&position).as_slice().to_vec() } else { vec![] };
        Seen { turn, moves: moves.join(" "), rewards }
    }
}
