//! Connect Four by Permutree's rules, in the shape that the peers' traits want.

use crate::Playout;
use cpu_time::ProcessTime;
use permutree_game::{Game, Ignore, Player, Rng, Turn};
use permutree_games::Connect4;
use std::cell::RefCell;
use std::fmt;

const GAME: Connect4 = Connect4::USUAL;

/// A position; the rules are a constant, so that it is as small as the peers could wish.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Board {
    position: <Connect4 as Game>::Position,
    first_to_move: bool,
}

impl Board {
    pub fn start() -> Self {
        Self { position: GAME.start(), first_to_move: true }
    }

    #[inline]
    pub fn is_over(&self) -> bool {
        GAME.turn(&self.position) == Turn::Over
    }

    /// What the first player gets. Asked only when the game is over.
    #[inline]
    pub fn reward(&self) -> f64 {
        GAME.rewards(&self.position).of(Player(0))
    }

    /// Whether it is the first player's turn; when the game is over, whether it would be.
    #[inline]
    pub fn first_to_move(&self) -> bool {
        self.first_to_move
    }

    /// Appends the legal moves.
    #[inline]
    pub fn moves(&self, out: &mut Vec<u8>) {
        GAME.moves(&self.position, out);
    }

    /// Calls `f` with each legal move.
    #[inline]
    pub fn each_move(&self, f: impl FnMut(u8)) {
        if !self.is_over() {
            (0..7)
                .filter(|&column| GAME.is_open(&self.position, column))
                .map(|column| column as u8)
                .for_each(f);
        }
    }

    #[inline]
    pub fn play(&mut self, column: u8) {
        self.first_to_move = !self.first_to_move;
        GAME.play(&mut self.position, column);
    }

    /// What the first player gets in a random game from here.
    #[inline]
    pub fn playout(&self, playout: Playout) -> f64 {
        STATE.with_borrow_mut(|(rng, moves)| {
            let mut board = *self;
            match playout {
                Playout::Ours => GAME.playout(&mut board.position, 0, rng, moves, &mut Ignore),
                Playout::Theirs => loop {
                    moves.clear();
                    board.moves(moves);
                    let Some(column) = rng.choose(moves) else { break };
                    board.play(column);
                },
            }
            board.reward()
        })
    }
}

thread_local! {
    /// Several of the peers evaluate without a generator of their own at hand.
    static STATE: RefCell<(Rng, Vec<u8>)> = RefCell::new((Rng::new(1), Vec::new()));
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&GAME.board(&self.position, None))
    }
}

/// What a search came to.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Per second of CPU time.
    pub playouts_per_s: f64,
    /// The column it would play.
    pub best: Option<u8>,
}

/// Times `search`: by the clock of the process, since one peer works in a thread that it starts, and nothing else runs
/// meanwhile. The tree that it returns is asked for its best move and freed off the clock.
pub fn measure<T>(
    playouts: u32,
    search: impl FnOnce() -> T,
    best: impl FnOnce(&T) -> Option<u8>,
) -> Measured {
    let clock = ProcessTime::now();
    let tree = search();
    let seconds = clock.elapsed().as_secs_f64();
    Measured { playouts_per_s: f64::from(playouts) / seconds, best: best(&tree) }
}
