//! Nogo, Go without captures, for two or three players.

use crate::parts::bits::Bits;
use crate::parts::candidates::Candidates;
use crate::parts::groups::{Board, Contact, Groups};
use permutree_game::draw::GoBoard;
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn,
    Visitor,
};

/// The rules on a board of at most `N - 2` points in `W` words: size 5 fits in `<32, 1>`, 7 in `<64, 1>`, 11 in
/// `<128, 2>`, 19 in `<384, 6>`.
#[derive(Clone, Debug)]
pub struct Nogo<const N: usize = 32, const W: usize = 1> {
    board: Board<N>,
    players: usize,
}

/// The stones, and the points that each player may still be able to take.
#[derive(Clone, Debug)]
pub struct Position<const N: usize, const W: usize> {
    groups: Groups<N>,
    /// For each player the empty points that are not yet known to be illegal. A playout does not update them, since no move
    /// follows it.
    ///
    /// A point that is illegal for a player stays so until it is taken, so it is dropped for good. Proof: a stone that
    /// captures takes the only liberty of an enemy group. A suicide has stones on all sides and takes the only liberty of
    /// each adjacent group of its own. Stones are never removed, and a group gains liberties only by a stone of its colour
    /// on one of its liberties, which is this point.
    open: [Bits<W>; 3],
    /// The player to move, who has a legal move, or the winner if the game is over.
    player: Player,
    /// The players who are out, one bit each.
    out: u8,
    over: bool,
}

impl Configure for Nogo {
    const FACTS: Facts = Facts {
        name: "nogo",
        title: "Nogo",
        rules: "Players take turns placing a stone. Captures and suicide are illegal. A player who cannot move is out; \
                the last one left wins.",
        source: "Cazenave, Monte Carlo permutation search (2025); two players: Anti Atari Go, BIRS workshop 2011",
        params: &[
            Param::int("size", 3, 19, "5", "points per side; 5 as in the MCPS paper"),
            Param::int("players", 2, 3, "2", "players"),
        ],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let (size, players) = (args.int("size"), args.int("players"));
        Ok(match size {
            ..=5 => visitor.visit(Nogo::<32, 1>::new(size, players)),
            6..=7 => visitor.visit(Nogo::<64, 1>::new(size, players)),
            8..=11 => visitor.visit(Nogo::<128, 2>::new(size, players)),
            _ => visitor.visit(Nogo::<384, 6>::new(size, players)),
        })
    }
}

impl<const N: usize, const W: usize> Nogo<N, W> {
    /// The game on `size * size` points for two or three players.
    ///
    /// # Panics
    /// If the size is not in 3..=19, the points do not fit in `N - 2` and in `W` words, or `players` is neither 2 nor 3.
    #[must_use]
    pub fn new(size: usize, players: usize) -> Self {
        assert!((3..=19).contains(&size) && size * size <= 64 * W, "size {size} in {W} words");
        assert!((2..=3).contains(&players), "{players} players");
        Self { board: Board::new(size), players }
    }

    /// Whether the player to move may place a stone on `point`.
    #[inline]
    fn is_legal(&self, position: &Position<N, W>, point: usize) -> bool {
        let player = position.player;
        position.open[player.index()].contains(point)
            && allows(position.groups.contact(&self.board, point), player)
    }

    /// Places a stone if it is legal, and passes the turn.
    #[inline]
    fn place(&self, position: &mut Position<N, W>, point: usize) -> bool {
        let player = position.player;
        let placed =
            position.groups.place(&self.board, point, player, |contact| allows(contact, player)).is_some();
        if placed {
            self.next(position);
        }
        placed
    }

    /// Passes the turn to the next player who is not out.
    #[inline]
    fn next(&self, position: &mut Position<N, W>) {
        loop {
            position.player = position.player.next(self.players);
            if position.out >> position.player.0 & 1 == 0 {
                return;
            }
        }
    }

    /// The player to move has no move and is out. The game is over if only one player is left.
    fn leave(&self, position: &mut Position<N, W>) {
        position.out |= 1 << position.player.0;
        self.next(position);
        position.over = position.out.count_ones() as usize == self.players - 1;
    }
}

impl<const N: usize, const W: usize> Game for Nogo<N, W> {
    type Position = Position<N, W>;
    type Move = u16;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> Self::Position {
        Position {
            groups: Groups::new(&self.board),
            open: [(0..self.board.points()).collect(); 3],
            player: Player(0),
            out: 0,
            over: false,
        }
    }

    #[inline]
    fn turn(&self, position: &Self::Position) -> Turn {
        if position.over { Turn::Over } else { Turn::Player(position.player) }
    }

    fn moves(&self, position: &Self::Position, out: &mut Vec<u16>) {
        if !position.over {
            let open = position.open[position.player.index()].iter();
            out.extend(open.filter(|&p| self.is_legal(position, p)).map(|p| p as u16));
        }
    }

    fn play(&self, position: &mut Self::Position, point: u16) {
        let placed = self.place(position, usize::from(point));
        debug_assert!(placed, "{} is illegal", self.board.name(point));
        position.open.iter_mut().for_each(|open| open.remove(usize::from(point)));
        while !position.over {
            let player = position.player;
            for point in position.open[player.index()].iter() {
                if self.is_legal(position, point) {
                    return;
                }
                position.open[player.index()].remove(point);
            }
            self.leave(position);
        }
    }

    fn rewards(&self, position: &Self::Position) -> Rewards {
        Rewards::win(self.players, position.player)
    }

    fn hash(&self, position: &Self::Position) -> u64 {
        let turn = u64::from(position.out) << 8 | u64::from(position.player.0);
        position.groups.hash(&self.board, Hasher::new().word(turn)).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        self.players * self.board.points()
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
        let (open, legal) = (position.open[position.player.index()], |point| self.is_legal(position, point));
        self.board.draw_greatest(rng, open, position.player, merit, legal)
    }

    /// Draws a player's open points until one is legal, which is uniform over the legal ones, without listing moves. A
    /// player is out if no candidate is left.
    fn playout<R: Recorder>(
        &self,
        position: &mut Self::Position,
        coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<u16>,
        recorder: &mut R,
    ) {
        let mut open = [Candidates::<N>::EMPTY; 3];
        for (open, points) in open.iter_mut().zip(position.open).take(self.players) {
            points.iter().for_each(|point| open.push(point));
        }
        while !position.over {
            let player = position.player;
            let Some(point) = open[player.index()].draw(rng) else {
                self.leave(position);
                continue;
            };
            let code = self.code(position, point as u16, coding);
            if !self.place(position, point) {
                open[player.index()].remove(point);
                continue;
            }
            open.iter_mut().take(self.players).for_each(|open| open.remove(point));
            if R::RECORDS {
                recorder.record(player, code);
            }
        }
    }
}

/// Whether `player` may place a stone with this contact.
#[inline]
fn allows(contact: Contact, player: Player) -> bool {
    contact.breathes(player) && !contact.captures(player)
}
