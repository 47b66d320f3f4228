//! Go-like games played the slow and plain way, to check the quick ones against: flood fill on an array.

use crate::kit::{after, texts};
use crate::plain::{Plain, won_by};
use permutree_game::draw::{parse_square, square};
use permutree_game::{Game, Player, Turn, Visitor};

/// Whose stone is on each point of a board.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stones {
    pub(crate) size: usize,
    pub(crate) points: Vec<Option<u8>>,
}

impl Stones {
    pub(crate) fn new(size: usize) -> Self {
        Self { size, points: vec![None; size * size] }
    }

    pub(crate) fn empty(&self) -> impl Iterator<Item = usize> {
        (0..self.points.len()).filter(|&p| self.points[p].is_none())
    }

    /// The points at these distances from a point, as far as they are on the board.
    pub(crate) fn around(&self, point: usize, steps: [(i32, i32); 4]) -> Vec<usize> {
        let (x, y) = ((point % self.size) as i32, (point / self.size) as i32);
        steps
            .into_iter()
            .map(|(dx, dy)| (x + dx, y + dy))
            .filter(|&(x, y)| x.min(y) >= 0 && x.max(y) < self.size as i32)
            .map(|(x, y)| y as usize * self.size + x as usize)
            .collect()
    }

    pub(crate) fn near(&self, point: usize) -> Vec<usize> {
        self.around(point, [(1, 0), (-1, 0), (0, 1), (0, -1)])
    }

    /// The points of the same kind that are connected to a point.
    pub(crate) fn group(&self, point: usize) -> Vec<usize> {
        let mut group = vec![point];
        let mut i = 0;
        while i < group.len() {
            for n in self.near(group[i]) {
                if self.points[n] == self.points[point] && !group.contains(&n) {
                    group.push(n);
                }
            }
            i += 1;
        }
        group
    }

    pub(crate) fn has_liberty(&self, point: usize) -> bool {
        self.group(point).iter().any(|&p| self.near(p).iter().any(|&n| self.points[n].is_none()))
    }
}

/// Which game an array of points is played by.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Rules {
    Nogo { players: u8 },
    Atarigo,
}

/// A position: the owner of the stone on each point, the player to move, the players who are out, and the winner if there is one.
#[derive(Clone)]
pub(crate) struct Naive {
    rules: Rules,
    stones: Stones,
    player: u8,
    out: Vec<u8>,
    winner: Option<u8>,
}

impl Naive {
    pub(crate) fn new(rules: Rules, size: usize) -> Self {
        Self { rules, stones: Stones::new(size), player: 0, out: Vec::new(), winner: None }
    }

    fn players(&self) -> u8 {
        match self.rules {
            Rules::Nogo { players } => players,
            Rules::Atarigo => 2,
        }
    }

    /// Whether a stone of the player to move would be legal on the empty `point`, and whether it would capture.
    fn try_stone(&self, point: usize) -> (bool, bool) {
        let mut after = self.stones.clone();
        after.points[point] = Some(self.player);
        let dies = |n: &usize| after.points[*n].is_some_and(|p| p != self.player) && !after.has_liberty(*n);
        let captures = after.near(point).iter().any(dies);
        let breathes = after.has_liberty(point);
        match self.rules {
            Rules::Nogo { .. } => (breathes && !captures, captures),
            Rules::Atarigo => (breathes || captures, captures),
        }
    }
}

impl Plain for Naive {
    const IN_ORDER: bool = true;

    fn turn(&self) -> Option<u8> {
        self.winner.is_none().then_some(self.player)
    }

    fn moves(&self) -> Vec<String> {
        let legal = |p: &usize| self.winner.is_none() && self.try_stone(*p).0;
        let size = self.stones.size;
        self.stones.empty().filter(legal).map(|p| square(p % size, p / size)).collect()
    }

    fn play(&mut self, text: &str) {
        let (column, row) = parse_square(text).unwrap();
        let point = row * self.stones.size + column;
        let (_, captures) = self.try_stone(point);
        self.stones.points[point] = Some(self.player);
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

    fn rewards(&self) -> Vec<f64> {
        won_by(self.winner, self.players())
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
        let turn = game.turn(&position);
        let rewards = if turn == Turn::Over { game.rewards(&position).as_slice().to_vec() } else { vec![] };
        Seen { turn, moves: texts(&game, &position).join(" "), rewards }
    }
}
