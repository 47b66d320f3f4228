//! Atarigo: the first capture wins.

use crate::bits::Bits;
use crate::groups::{Board, Groups};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn,
    Visitor,
};

/// The rules on a board of fewer than `N` points, which are bits of `W` words.
#[derive(Clone, Debug)]
pub struct Atarigo<const N: usize = 64, const W: usize = 1> {
    board: Board<N>,
}

/// The stones. Those that are captured at the end stay, to be seen.
#[derive(Clone, Debug)]
pub struct Position<const N: usize, const W: usize> {
    groups: Groups<N>,
    empty: Bits<W>,
    /// Who is to move and has a move, or the winner when the game is over.
    player: Player,
    over: bool,
}

impl Configure for Atarigo {
    const FACTS: Facts = Facts {
        name: "atarigo",
        title: "Atarigo",
        rules: "Players in turn place a stone. The first to capture wins. A stone that captures nothing must have a \
                liberty or join a group that keeps one. A player who cannot move loses; there is no passing.",
        source: "traditional; size 6 in Cazenave, Monte Carlo permutation search (2025)",
        params: &[Param::int("size", 3, 19, "6", "points per side; 6 as in the MCPS paper")],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let size = args.int("size");
        Ok(match size {
            ..=7 => visitor.visit(Atarigo::<64, 1> { board: Board::new(size) }),
            8..=11 => visitor.visit(Atarigo::<128, 2> { board: Board::new(size) }),
            _ => visitor.visit(Atarigo::<384, 6> { board: Board::new(size) }),
        })
    }
}

impl<const N: usize, const W: usize> Atarigo<N, W> {
    #[inline]
    fn is_legal(&self, position: &Position<N, W>, point: usize) -> bool {
        let contact = position.groups.contact(&self.board, point);
        contact.breathes(position.player) || contact.captures(position.player)
    }

    /// A random legal move, and whether it captures.
    ///
    /// Illegal points are forgotten after the move: suicide becomes legal when another's group comes to have its last
    /// liberty there. They are few before the first capture.
    #[inline]
    fn draw(&self, position: &Position<N, W>, rng: &mut Rng) -> Option<(usize, bool)> {
        let mut open = position.empty;
        loop {
            let point = open.draw(rng)?;
            let contact = position.groups.contact(&self.board, point);
            let captures = contact.captures(position.player);
            if captures || contact.breathes(position.player) {
                return Some((point, captures));
            }
            open.remove(point);
        }
    }

    /// Places a stone; the turn passes unless it captures, which ends the game.
    #[inline]
    fn place(&self, position: &mut Position<N, W>, point: usize, captures: bool) {
        position.groups.place(&self.board, point, position.player);
        position.empty.remove(point);
        if captures {
            position.over = true;
        } else {
            position.player = position.player.other();
        }
    }

    /// The player to move cannot: the other wins.
    fn stuck(position: &mut Position<N, W>) {
        position.player = position.player.other();
        position.over = true;
    }
}

impl<const N: usize, const W: usize> Game for Atarigo<N, W> {
    type Position = Position<N, W>;
    type Move = u16;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Self::Position {
        Position {
            groups: Groups::new(&self.board),
            empty: (0..self.board.points()).collect(),
            player: Player(0),
            over: false,
        }
    }

    #[inline]
    fn turn(&self, position: &Self::Position) -> Turn {
        if position.over { Turn::Over } else { Turn::Player(position.player) }
    }

    fn moves(&self, position: &Self::Position, out: &mut Vec<u16>) {
        if !position.over {
            out.extend(position.empty.iter().filter(|&p| self.is_legal(position, p)).map(|p| p as u16));
        }
    }

    fn play(&self, position: &mut Self::Position, point: u16) {
        let point = usize::from(point);
        let captures = position.groups.contact(&self.board, point).captures(position.player);
        self.place(position, point, captures);
        if !position.over && !position.empty.iter().any(|p| self.is_legal(position, p)) {
            Self::stuck(position);
        }
    }

    fn rewards(&self, position: &Self::Position) -> Rewards {
        Rewards::win(2, position.player)
    }

    fn hash(&self, position: &Self::Position) -> u64 {
        position.groups.hash(&self.board, Hasher::new().word(u64::from(position.player.0))).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * self.board.points()
    }

    #[inline]
    fn code(&self, position: &Self::Position, point: u16, _coding: usize) -> Code {
        (position.player.index() * self.board.points() + usize::from(point)) as Code
    }

    fn move_text(&self, _position: &Self::Position, point: u16) -> String {
        self.board.name(point)
    }

    fn board(&self, position: &Self::Position, last: Option<u16>) -> String {
        self.board.text(&position.groups, last)
    }

    fn picture(&self, position: &Self::Position, last: Option<u16>) -> String {
        self.board.picture(&position.groups, last)
    }

    fn random_move(&self, position: &Self::Position, rng: &mut Rng, _scratch: &mut Vec<u16>) -> Option<u16> {
        if position.over {
            return None;
        }
        self.draw(position, rng).map(|(point, _)| point as u16)
    }

    /// Whether the next player has a move shows when one is drawn for him, so nothing is listed.
    fn playout<R: Recorder>(
        &self,
        position: &mut Self::Position,
        coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<u16>,
        recorder: &mut R,
    ) {
        while !position.over {
            let Some((point, captures)) = self.draw(position, rng) else {
                return Self::stuck(position);
            };
            if R::RECORDS {
                recorder.record(position.player, self.code(position, point as u16, coding));
            }
            self.place(position, point, captures);
        }
    }
}
