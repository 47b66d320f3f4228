//! Kinds of playouts: what they add to each player's tally.

use crate::statistics::tally::Tally;

/// The kinds of playouts, by what they add to each player's tally, and how each player sees them.
#[derive(Debug)]
pub(crate) struct Kinds {
    players: usize,
    /// The tallies of each kind, one for each player.
    tallies: Vec<Tally>,
    splits: Vec<Split>,
}

/// How a player sees the kinds. Most games have two rewards, win and loss: all playouts are counted as if they added `first`,
/// and those of the `second` kinds again with the difference. Those of the `others` are added singly.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Split {
    pub(super) first: u64,
    pub(super) difference: u64,
    /// A bit for each kind.
    pub(super) second: u64,
    pub(super) others: u64,
    /// The kinds that occur.
    pub(super) used: u64,
}

/// The bits of a row that hold its kind.
pub(crate) const KIND_BITS: usize = 6;

/// The kind of all playouts beyond the number of kinds.
const UNNUMBERED: usize = (1 << KIND_BITS) - 1;

impl Kinds {
    pub(crate) fn new(players: usize) -> Self {
        let split = Split { others: u64::MAX, ..Split::default() };
        Self { players, tallies: Vec::new(), splits: vec![split; players] }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::new(self.players);
    }

    /// How `player` sees the kinds.
    pub(crate) fn split(&self, player: usize) -> &Split {
        &self.splits[player]
    }

    /// The kind of a playout that adds these tallies, in the highest bits of a word.
    pub(crate) fn mark(&mut self, tallies: &[Tally]) -> u64 {
        let known = self.tallies.chunks_exact(self.players).position(|known| known == tallies);
        let kind = known.unwrap_or_else(|| self.add(tallies));
        (kind as u64) << (64 - KIND_BITS)
    }

    fn add(&mut self, tallies: &[Tally]) -> usize {
        let kind = self.tallies.len() / self.players;
        if kind == UNNUMBERED {
            self.splits.iter_mut().for_each(|split| split.used |= 1 << UNNUMBERED);
            return UNNUMBERED;
        }
        self.tallies.extend_from_slice(tallies);
        for (split, tally) in self.splits.iter_mut().zip(tallies) {
            split.used |= 1 << kind;
            let difference = tally.0.wrapping_sub(split.first);
            if kind == 0 {
                split.first = tally.0;
            } else if split.second == 0 {
                split.difference = difference;
            }
            if kind == 0 || difference == 0 || difference == split.difference {
                split.others &= !(1 << kind);
                split.second |= u64::from(kind > 0 && difference != 0) << kind;
            }
        }
        kind
    }
}
