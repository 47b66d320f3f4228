use crate::parts::groups::Board;
use permutree_game::Player;

/// What is around the points, to recognise eyes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eyes<const N: usize> {
    /// For each point the number of stones of each player on its diagonal neighbours, one more at the edge, and [`CLOSED`] if
    /// all neighbours are known to be stones of that player. The second player's byte is the high one.
    around: [u16; N],
}

const CLOSED: u16 = 0x80;

impl<const N: usize> Eyes<N> {
    /// No stones.
    pub(super) fn new(board: &Board<N>) -> Self {
        let mut around = [0; N];
        for (point, around) in around.iter_mut().enumerate().take(board.points()) {
            *around = if board.corners(point).contains(&(N - 1)) { 0x0101 } else { 0 };
        }
        Self { around }
    }

    /// Adds a stone of `player`.
    #[inline(always)]
    pub(super) fn add(&mut self, board: &Board<N>, point: usize, player: Player) {
        for corner in board.corners(point) {
            self.around[corner] = self.around[corner].wrapping_add(1 << (8 * player.0));
        }
    }

    /// Removes a stone of `player`.
    #[inline(always)]
    pub(super) fn remove(&mut self, board: &Board<N>, point: usize, player: Player) {
        for corner in board.corners(point) {
            self.around[corner] = self.around[corner].wrapping_sub(1 << (8 * player.0));
        }
        for near in board.near(point) {
            self.around[near] &= !(CLOSED | CLOSED << 8);
        }
    }

    /// Whether an empty point surrounded by stones of `player` looks like an eye: at most one diagonal neighbour is an enemy
    /// stone, or none at the edge. Then the stones around it are connected, or can be.
    #[inline(always)]
    pub(super) fn is_eye(&self, point: usize, player: Player) -> bool {
        self.around[point] >> (8 * player.other().0) & 7 < 2
    }

    /// If `closed`, remembers that all neighbours of an empty point are stones of `player`, until one is removed.
    #[inline(always)]
    pub(super) fn close(&mut self, point: usize, player: Player, closed: bool) {
        self.around[point] |= (CLOSED * u16::from(closed)) << (8 * player.0);
    }

    /// Whose stones are known to surround an empty point.
    #[inline(always)]
    pub(super) fn closed(&self, point: usize) -> Option<Player> {
        let around = self.around[point];
        (around & (CLOSED | CLOSED << 8) != 0).then_some(Player((around >> 15) as u8))
    }
}
