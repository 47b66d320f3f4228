//! Atarigo: Go in which the first capture wins.

use crate::parts::bits::Bits;
use crate::parts::candidates::Candidates;
use crate::parts::groups::{Board, Groups};
use permutree_game::draw::GoBoard;
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn,
    Visitor,
};

/// The rules on a board of at most `N - 2` points in `W` words: size 7 fits in `<64, 1>`, 11 in `<128, 2>`, 19 in
/// `<384, 6>`.
#[derive(Clone, Debug)]
pub struct Atarigo<const N: usize = 64, const W: usize = 1> {
    board: Board<N>,
}

/// The stones. Those captured at the end of the game stay on the board, so that they can be shown.
#[derive(Clone, Debug)]
pub struct Position<const N: usize, const W: usize> {
    groups: Groups<N>,
    /// The empty points. A playout does not update them, since no move follows it.
    empty: Bits<W>,
    /// The player to move, who has a legal move, or the winner if the game is over.
    player: Player,
    over: bool,
}

impl Configure for Atarigo {
    const FACTS: Facts = Facts {
        name: "atarigo",
        title: "Atarigo",
        rules: "Players take turns placing a stone. The first capture wins. A stone that captures nothing must have a liberty \
                or join a group that keeps one. A player who cannot move loses; passing is not allowed.",
        source: "traditional; size 6 in Cazenave, Monte Carlo permutation search (2025)",
        params: &[Param::int("size", 3, 19, "6", "points per side; 6 as in the MCPS paper")],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let size = args.int("size");
        Ok(match size {
            ..=7 => visitor.visit(Atarigo::<64, 1>::new(size)),
            8..=11 => visitor.visit(Atarigo::<128, 2>::new(size)),
            _ => visitor.visit(Atarigo::<384, 6>::new(size)),
        })
    }
}

impl<const N: usize, const W: usize> Atarigo<N, W> {
    /// The game on `size * size` points.
    ///
    /// # Panics
    /// If the size is not in 3..=19, or the points do not fit in `N - 2` and in `W` words.
    #[must_use]
    pub fn new(size: usize) -> Self {
        assert!((3..=19).contains(&size) && size * size <= 64 * W, "size {size} in {W} words");
        Self { board: Board::new(size) }
    }

    /// Places a stone if it is legal; the turn passes, or the game is over if it captures.
    #[inline]
    fn place(&self, position: &mut Position<N, W>, point: usize) -> bool {
        let player = position.player;
        let Some(contact) =
            position.groups.place(&self.board, point, player, |contact| contact.survives(player))
        else {
            return false;
        };
        position.over = contact.captures(player);
        position.player = if position.over { player } else { player.other() };
        true
    }

    #[inline]
    fn is_legal(&self, position: &Position<N, W>, point: usize) -> bool {
        position.empty.contains(point)
            && position.groups.contact(&self.board, point).survives(position.player)
    }

    /// The player to move has no move, so the other wins.
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
        let placed = self.place(position, usize::from(point));
        debug_assert!(placed, "{} is illegal", self.board.name(point));
        position.empty.remove(usize::from(point));
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
        self.board.code(position.player, point)
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

    fn colours(&self) -> &'static [&'static str] {
        &GoBoard::STONES
    }

    fn random_move(&self, position: &Self::Position, rng: &mut Rng, _scratch: &mut Vec<u16>) -> Option<u16> {
        // The player to move has a move.
        (!position.over).then(|| self.board.draw(rng, |point| self.is_legal(position, point)))
    }

    fn move_of_merit(
        &self,
        position: &Self::Position,
        _coding: usize,
        merit: impl Fn(Code) -> f64,
        rng: &mut Rng,
    ) -> Option<u16> {
        if position.over {
            return None;
        }
        let (open, legal) = (position.empty, |point| self.is_legal(position, point));
        self.board.draw_greatest(rng, open, position.player, merit, legal)
    }

    /// Draws empty points until one is legal, which is uniform over the legal ones. The player loses if no candidate is
    /// left.
    ///
    /// Illegal points are candidates again after each move, since suicide becomes legal once the point is the last liberty
    /// of an enemy group. They are rare before the first capture.
    fn playout<R: Recorder>(
        &self,
        position: &mut Self::Position,
        coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<u16>,
        recorder: &mut R,
    ) {
        let mut open = Candidates::<N>::EMPTY;
        position.empty.iter().for_each(|point| open.push(point));
        let mut illegal = 0;
        while !position.over {
            let Some(point) = open.draw(rng) else {
                return Self::stuck(position);
            };
            let (player, code) = (position.player, self.code(position, point as u16, coding));
            if !self.place(position, point) {
                open.remove(point);
                illegal += 1;
                continue;
            }
            open.put_back(illegal);
            open.remove(point);
            illegal = 0;
            if R::RECORDS {
                recorder.record(player, code);
            }
        }
    }
}
