//! A game from a crate of your own, played by two agents: `cargo run --release --example own_game -p permutree-arena`.

use permutree_arena::{ArenaError, Match, MatchResult};
use permutree_game::draw::{grid, square};
use permutree_game::{Code, Game, Hasher, Player, Rewards, Turn};
use permutree_zoo::{Budget, agent, erase};

const COLUMNS: usize = 7;
const ROWS: usize = 4;

/// Chomp, on a bar of chocolate: taking a square also takes all squares above it and to its right. The square a1 is
/// poisoned, and the player who takes it loses.
#[derive(Clone)]
struct Chomp;

#[derive(Clone)]
struct Bar {
    /// How many squares of each column are left.
    heights: [u8; COLUMNS],
    player: Player,
}

impl Game for Chomp {
    type Position = Bar;
    /// Column and row.
    type Move = (u8, u8);

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Bar {
        Bar { heights: [ROWS as u8; COLUMNS], player: Player(0) }
    }

    fn turn(&self, bar: &Bar) -> Turn {
        if bar.heights[0] == 0 { Turn::Over } else { Turn::Player(bar.player) }
    }

    fn moves(&self, bar: &Bar, out: &mut Vec<(u8, u8)>) {
        let columns = (0..).zip(bar.heights);
        out.extend(columns.flat_map(|(column, height)| (0..height).map(move |row| (column, row))));
    }

    fn play(&self, bar: &mut Bar, (column, row): (u8, u8)) {
        bar.heights[usize::from(column)..].iter_mut().for_each(|height| *height = row.min(*height));
        bar.player = bar.player.other();
    }

    fn rewards(&self, bar: &Bar) -> Rewards {
        Rewards::win(2, bar.player)
    }

    fn hash(&self, bar: &Bar) -> u64 {
        Hasher::new().bytes(&bar.heights).word(bar.player.0.into()).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * COLUMNS * ROWS
    }

    fn code(&self, bar: &Bar, (column, row): (u8, u8), _coding: usize) -> Code {
        let square = usize::from(row) * COLUMNS + usize::from(column);
        (bar.player.index() * COLUMNS * ROWS + square) as Code
    }

    fn move_text(&self, _bar: &Bar, (column, row): (u8, u8)) -> String {
        square(column.into(), row.into())
    }

    fn board(&self, bar: &Bar, _last: Option<(u8, u8)>) -> String {
        grid(COLUMNS, ROWS, 0, None, |column, row| if row < bar.heights[column].into() { '#' } else { '.' })
    }
}

/// A match of MCPS against UCT.
fn contest(games: u64) -> Result<MatchResult, ArenaError> {
    let agents = vec![agent("mcps")?, agent("uct")?];
    let game = erase(Chomp, "chomp");
    Match { game, agents, games, seed: 1, threads: 0, budget: Budget::playouts(200) }.play(&mut |_, _| ())
}

fn main() -> Result<(), ArenaError> {
    for found in contest(100)?.agents {
        println!("{:4}  {:5.1} %", found.spec, 100.0 * found.score);
    }
    Ok(())
}

#[test]
fn chomp_is_a_game() {
    permutree_game::conformance::check(&Chomp, 100, 1).unwrap();
    let scores: f64 = contest(4).unwrap().agents.iter().map(|found| found.score).sum();
    assert!((scores - 1.0).abs() < 1e-9);
}
