use crate::tree::table::Table;

/// Values of positions learned over many searches: the number of returns of each, and their mean for every player.
#[derive(Clone, Debug)]
pub struct Values {
    players: usize,
    table: Table,
    hashes: Vec<u64>,
    visits: Vec<u32>,
    /// One for each position and player, in [0, 1].
    means: Vec<f32>,
}

impl Values {
    /// The most positions. When they are reached, their values are still updated but no new positions are added.
    pub const MOST: usize = 1 << 22;

    /// No values, for a game with this many players.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self { players, table: Table::default(), hashes: Vec::new(), visits: Vec::new(), means: Vec::new() }
    }

    /// The number of players of the game.
    #[must_use]
    pub fn players(&self) -> usize {
        self.players
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The visits of the position with this hash, and its mean return for every player.
    #[must_use]
    pub fn get(&self, hash: u64) -> Option<(u32, &[f32])> {
        self.table.find(hash).map(|place| self.at(place as usize))
    }

    /// The hash, visits and mean returns of all positions, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32, &[f32])> {
        self.hashes.iter().enumerate().map(|(place, &hash)| {
            let (visits, means) = self.at(place);
            (hash, visits, means)
        })
    }

    fn at(&self, place: usize) -> (u32, &[f32]) {
        (self.visits[place], &self.means[place * self.players..][..self.players])
    }

    /// Adds this many returns of a position, with their mean for every player.
    pub fn add(&mut self, hash: u64, visits: u32, means: impl IntoIterator<Item = f64>) {
        let new = self.len();
        let place = match new < Self::MOST {
            true => self.table.find_or_insert(hash, new as u32) as usize,
            false => match self.table.find(hash) {
                Some(place) => place as usize,
                None => return,
            },
        };
        if place == new {
            self.hashes.push(hash);
            self.visits.push(0);
            self.means.resize((new + 1) * self.players, 0.0);
        }
        let all = self.visits[place].saturating_add(visits);
        let part = f64::from(visits) / f64::from(all.max(1));
        for (mean, added) in self.means[place * self.players..][..self.players].iter_mut().zip(means) {
            let sum = f64::from(*mean) + part * (added - f64::from(*mean));
            *mean = sum.clamp(0.0, 1.0) as f32;
        }
        self.visits[place] = all;
    }

    /// Adds all values of `other`.
    pub fn add_all(&mut self, other: &Self) {
        for (hash, visits, means) in other.iter() {
            self.add(hash, visits, means.iter().map(|&mean| f64::from(mean)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_weighted_by_visits() {
        let mut values = Values::new(2);
        values.add(7, 3, [1.0, 0.0]);
        values.add(0, 1, [0.25, 0.5]);
        values.add(7, 1, [0.0, 1.0]);
        assert_eq!(values.get(7), Some((4, &[0.75, 0.25][..])));
        assert_eq!(values.get(1), None);
        let mut other = values.clone();
        other.add_all(&values);
        let all: Vec<_> = other.iter().collect();
        assert_eq!(all, [(7, 8, &[0.75, 0.25][..]), (0, 2, &[0.25, 0.5][..])]);
    }
}
