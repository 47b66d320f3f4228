use crate::statistics::tally::{ONE, fixed};
use crate::tree::table::Table;
use permutree_game::{MAX_PLAYERS, Rewards};

/// A cache of values of positions by hash, with a memory limit.
#[derive(Debug)]
pub(crate) struct Memo {
    table: Table,
    /// The rewards of all players for each number of the table, in units of 1 / 65536.
    values: Vec<u32>,
    players: usize,
    /// The limit in bytes, at which no more values are stored.
    most: usize,
}

impl Memo {
    pub(crate) fn new(players: usize, most: usize) -> Self {
        Self { table: Table::default(), values: Vec::new(), players, most }
    }

    /// The value of the position with this hash, computed by `evaluate` if it is not cached. Rounded in both cases, so that
    /// caching does not change it.
    pub(crate) fn value(&mut self, hash: u64, evaluate: impl FnOnce() -> Rewards) -> Rewards {
        let next = (self.values.len() / self.players) as u32;
        let full = self.memory() >= self.most;
        let number = if full { self.table.find(hash) } else { Some(self.table.find_or_insert(hash, next)) };
        let mut value = [0; MAX_PLAYERS];
        let value = &mut value[..self.players];
        match number.filter(|&number| number < next) {
            Some(number) => {
                value.copy_from_slice(&self.values[number as usize * self.players..][..self.players]);
            }
            None => {
                value.iter_mut().zip(evaluate().as_slice()).for_each(|(to, &from)| *to = fixed(from));
                if !full {
                    self.values.extend_from_slice(value);
                }
            }
        }
        let mut rewards = [0.0; MAX_PLAYERS];
        rewards.iter_mut().zip(value).for_each(|(to, from)| *to = f64::from(*from) / f64::from(ONE));
        Rewards::from_slice(&rewards[..self.players])
    }

    pub(crate) fn clear(&mut self) {
        self.table.clear();
        self.values.clear();
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> usize {
        self.table.memory() + self.values.len() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_kept_until_it_is_full() {
        let asked = |memo: &mut Memo, hash: u64| {
            let mut asked = false;
            let value = memo.value(hash, || {
                asked = true;
                Rewards::from_slice(&[1.0 / 3.0, hash as f64 / 8192.0])
            });
            assert_eq!(value.as_slice(), [21_845.0 / 65_536.0, hash as f64 / 8192.0]);
            asked
        };
        let mut memo = Memo::new(2, 60_000);
        let new = (0..8192).filter(|&hash| asked(&mut memo, hash)).count();
        let again = (0..8192).filter(|&hash| asked(&mut memo, hash)).count();
        assert!(new == 8192 && (4000..8192).contains(&again), "{again} were not kept");
        assert!(memo.memory() < 120_000);
        memo.clear();
        assert!(asked(&mut memo, 0) && !asked(&mut memo, 0));
    }
}
