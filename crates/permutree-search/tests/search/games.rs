//! Games for these tests.

use permutree_game::{Code, Game, Player, Rewards, Turn};
use permutree_games::TicTacToe;

/// Tic-tac-toe with the row of a move as its code, so that up to three legal moves share a code.
#[derive(Clone)]
pub(crate) struct Rows;

impl Game for Rows {
    type Position = <TicTacToe as Game>::Position;
    type Move = u8;

    fn players(&self) -> usize {
        TicTacToe.players()
    }

    fn start(&self) -> Self::Position {
        TicTacToe.start()
    }

    fn turn(&self, position: &Self::Position) -> Turn {
        TicTacToe.turn(position)
    }

    fn moves(&self, position: &Self::Position, out: &mut Vec<u8>) {
        TicTacToe.moves(position, out);
    }

    fn play(&self, position: &mut Self::Position, cell: u8) {
        TicTacToe.play(position, cell);
    }

    fn rewards(&self, position: &Self::Position) -> Rewards {
        TicTacToe.rewards(position)
    }

    fn hash(&self, position: &Self::Position) -> u64 {
        TicTacToe.hash(position)
    }

    fn codes(&self, _coding: usize) -> usize {
        6
    }

    fn code(&self, position: &Self::Position, cell: u8, coding: usize) -> Code {
        TicTacToe.code(position, cell, coding) / 3
    }

    fn move_text(&self, position: &Self::Position, cell: u8) -> String {
        TicTacToe.move_text(position, cell)
    }

    fn board(&self, position: &Self::Position, last: Option<u8>) -> String {
        TicTacToe.board(position, last)
    }
}

/// Three players pass a ball. The player who has it may keep it, which ends the game with reward `keep` for that player and
/// 0 for the others, or pass it on. After a number of plies everybody gets a third. The hash includes who has the ball but not
/// the ply, so the search graph has a cycle.
#[derive(Clone)]
pub(crate) struct Ball {
    pub(crate) keep: f64,
    pub(crate) plies: u32,
}

#[derive(Clone)]
pub(crate) struct Held {
    player: Player,
    plies: u32,
    kept: bool,
}

impl Ball {
    pub(crate) fn new(keep: f64) -> Self {
        Self { keep, plies: 40 }
    }
}

impl Game for Ball {
    type Position = Held;
    /// Whether a player has kept the ball.
    type Move = bool;

    fn players(&self) -> usize {
        3
    }

    fn start(&self) -> Held {
        Held { player: Player(0), plies: 0, kept: false }
    }

    fn turn(&self, held: &Held) -> Turn {
        if held.kept || held.plies == self.plies { Turn::Over } else { Turn::Player(held.player) }
    }

    fn moves(&self, held: &Held, out: &mut Vec<bool>) {
        if self.turn(held) != Turn::Over {
            out.extend([false, true]);
        }
    }

    fn play(&self, held: &mut Held, keep: bool) {
        held.plies += 1;
        held.kept = keep;
        if !keep {
            held.player = held.player.next(3);
        }
    }

    fn rewards(&self, held: &Held) -> Rewards {
        let mut rewards = [0.0; 3];
        rewards[held.player.index()] = self.keep;
        if held.kept { Rewards::from_slice(&rewards) } else { Rewards::draw(3) }
    }

    fn hash(&self, held: &Held) -> u64 {
        u64::from(held.player.0) * 2 + u64::from(held.kept)
    }

    fn codes(&self, _coding: usize) -> usize {
        6
    }

    fn code(&self, held: &Held, keep: bool, _coding: usize) -> Code {
        u32::from(held.player.0) * 2 + u32::from(keep)
    }

    fn move_text(&self, _held: &Held, keep: bool) -> String {
        if keep { "keep" } else { "pass" }.to_string()
    }

    fn board(&self, held: &Held, _last: Option<bool>) -> String {
        format!("{} after {} plies\n", held.player, held.plies)
    }
}
