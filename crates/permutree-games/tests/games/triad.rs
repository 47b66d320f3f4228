use crate::hexagon::{DIRECTIONS, Stones, step};
use crate::kit::{conforms, drawn, golden, with};
use crate::plain::{Cell, Lockstep, Plain, SamePerft, cell, name};
use crate::playouts::Playouts;
use permutree_games::Triad;

#[test]
fn kit() {
    golden::<Triad>(&[], 30, "triad");
    conforms::<Triad>(&[("plies", "1")], 10);
    conforms::<Triad>(&[("plies", "12")], 20);
}

/// Pieces by column and row, moves found by walking.
#[derive(Clone)]
struct PlainTriad {
    pieces: Stones,
    player: usize,
    /// The candidate and the bunny, after a slide.
    others: Option<(usize, usize)>,
    plies: usize,
    limit: usize,
    over: bool,
}

impl PlainTriad {
    fn new(limit: usize) -> Self {
        let mut pieces = Stones::none(5);
        for (player, names) in
            ["a3 a4 a5 b4 b5 b6 c5 c6 c7", "g7 g8 g9 h7 h8 h9 i7 i8 i9", "c1 d1 d2 e1 e2 e3 f2 f3 g3"]
                .into_iter()
                .enumerate()
        {
            pieces.at.extend(names.split_whitespace().map(|name| (cell(name), player)));
        }
        Self { pieces, player: 0, others: None, plies: 0, limit, over: false }
    }

    fn colour((column, row): Cell) -> usize {
        // The number of a row is one more than its index.
        [2, 1, 0][(column + row + 1) as usize % 3]
    }

    fn captures(&self, player: usize, target: Cell) -> Vec<Cell> {
        let next = (0..DIRECTIONS.len()).map(|direction| step(target, direction));
        next.filter(|cell| self.pieces.at.get(cell).is_some_and(|&owner| owner != player)).collect()
    }

    /// Every slide of a player, with how many pieces it removes.
    fn slides(&self, player: usize) -> Vec<(Cell, Cell, usize)> {
        let mut slides = Vec::new();
        for (&from, _) in self.pieces.at.iter().filter(|(_, owner)| **owner == player) {
            for direction in 0..DIRECTIONS.len() {
                let mut to = step(from, direction);
                while self.pieces.is_empty(to) {
                    if Self::colour(to) != player {
                        slides.push((from, to, self.captures(player, to).len()));
                    }
                    to = step(to, direction);
                }
            }
        }
        slides
    }

    fn count(&self, player: usize) -> usize {
        self.pieces.at.values().filter(|owner| **owner == player).count()
    }
}

impl Plain for PlainTriad {
    fn turn(&self) -> Option<u8> {
        (!self.over).then_some(self.player as u8)
    }

    fn moves(&self) -> Vec<String> {
        if self.over {
            return Vec::new();
        }
        if self.others.is_some() {
            return self.pieces.empty().map(name).collect();
        }
        let slides = self.slides(self.player);
        let most = slides.iter().map(|slide| slide.2).max();
        let best = slides.into_iter().filter(|slide| Some(slide.2) == most);
        best.map(|(from, to, _)| format!("{}-{}", name(from), name(to))).collect()
    }

    fn play(&mut self, text: &str) {
        self.plies += 1;
        if let Some((candidate, bunny)) = self.others.take() {
            self.pieces.at.insert(cell(text), bunny);
            let able = (0..3).map(|i| (candidate + i) % 3).find(|&player| !self.slides(player).is_empty());
            self.player = able.unwrap_or(candidate);
            self.over = able.is_none() || self.plies >= self.limit;
        } else {
            let (from, to) = text.split_once('-').unwrap();
            self.pieces.at.remove(&cell(from));
            self.pieces.at.insert(cell(to), self.player);
            for captured in self.captures(self.player, cell(to)) {
                self.pieces.at.remove(&captured);
            }
            let candidate = Self::colour(cell(to));
            self.others = Some((candidate, 3 - candidate - self.player));
            self.over = (0..3).any(|player| self.count(player) == 0);
        }
    }

    fn rewards(&self) -> Vec<f64> {
        let counts = [0, 1, 2].map(|player| self.count(player));
        let winners: Vec<usize> =
            (0..3).filter(|&player| counts.iter().all(|&n| n <= counts[player])).collect();
        let reward = |player| if winners.contains(&player) { 1.0 / winners.len() as f64 } else { 0.0 };
        (0..3).map(reward).collect()
    }
}

#[test]
fn games_follow_plain_rules() {
    with::<Triad, _>(&[], Lockstep { plain: PlainTriad::new(500), opening: "", games: 300 });
    with::<Triad, _>(&[("plies", "17")], Lockstep { plain: PlainTriad::new(17), opening: "", games: 200 });
}

/// The plain rules count the same. All 8 slides at the start capture two, so 36 cells are empty after each.
#[test]
fn perft_counts() {
    let counts = |opening: &str, depth| {
        with::<Triad, _>(&[], SamePerft { plain: PlainTriad::new(500), opening, depth })
    };
    assert_eq!(counts("", 4), [8, 8 * 36, 720, 26_723]);
    let opening = "a3-d3 e6 f3-f8 d8 i7-d2 a2 c7-f7 e6 g3-g8 b1";
    assert_eq!(counts(opening, 3), [3, 135, 606]);
    assert_eq!(counts(&format!("{opening} c5-c1"), 3), [45, 302, 13_626]);
}

#[test]
fn playouts_agree() {
    with::<Triad, _>(&[], Playouts::from_start(5_000));
    with::<Triad, _>(&[("plies", "6")], Playouts::from_start(5_000));
}

/// Nine pieces each, and one beside the number of pieces.
#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Triad>(&[], "", &[10, 10, 10]);
}
