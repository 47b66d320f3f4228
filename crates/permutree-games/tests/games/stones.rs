//! Go-like games played the slow and plain way, to check the quick ones against: flood fill on an array.

use crate::kit::after;
use permutree_game::{Game, Player, Rng, Turn, Visitor, perft};

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
        let position = after(&game, self.0);
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let moves: Vec<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
        let turn = game.turn(&position);
        let rewards = if turn == Turn::Over { game.rewards(&position).as_slice().to_vec() } else { vec![] };
        Seen { turn, moves: moves.join(" "), rewards }
    }
}
