use super::{Legal, Path};
use crate::statistics::amaf::Played;
use crate::statistics::history::History;
use crate::statistics::storage::hash;
use crate::statistics::tally::Tally;
use crate::tree::NONE;
use crate::tree::table::Table;
use permutree_game::Hasher;

/// Playouts as lists of their codes, for codings with very many codes.
///
/// Each occurrence of a code is linked to the previous one, so that the playouts with a code are found from the newest back to
/// the last one that a record has counted. The playouts that contain a path are searched in the chain of its rarest code.
#[derive(Debug, Default)]
pub(super) struct Sparse {
    /// The distinct codes of all playouts, ascending within each, and the start of each playout.
    codes: Vec<u32>,
    starts: Vec<u32>,
    /// One for each of `codes`.
    links: Vec<Link>,
    /// The chain of each code that has occurred.
    table: Table,
    chains: Vec<Chain>,
    matches: Vec<u32>,
}

/// An occurrence of a code: its playout, and the previous occurrence or `NONE`.
#[derive(Clone, Copy, Debug)]
struct Link {
    playout: u32,
    before: u32,
}

/// All occurrences of a code: the last link and the number of links.
#[derive(Clone, Copy, Debug)]
struct Chain {
    last: u32,
    len: u32,
}

impl Sparse {
    /// Clears everything but keeps the allocations.
    pub(super) fn restart(&mut self) {
        self.codes.clear();
        self.starts.clear();
        self.links.clear();
        self.table.clear();
        self.chains.clear();
    }

    pub(super) fn playouts(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Adds a playout with these codes.
    pub(super) fn learn(&mut self, played: &[Played]) {
        let (number, start) = (self.playouts(), self.codes.len());
        self.starts.push(start as u32);
        self.codes.extend(played.iter().map(|played| played.code() as u32));
        self.codes[start..].sort_unstable();
        for &code in &self.codes[start..] {
            let new = self.chains.len() as u32;
            let chain = self.table.find_or_insert(hash(code), new);
            if chain == new {
                self.chains.push(Chain { last: NONE, len: 0 });
            }
            let chain = &mut self.chains[chain as usize];
            let before = std::mem::replace(&mut chain.last, self.links.len() as u32);
            self.links.push(Link { playout: number, before });
            chain.len += 1;
        }
    }

    /// The slots of a node's legal codes, and a hash of the set of codes.
    pub(super) fn lay_out(codes: &[u32]) -> (Legal, u64) {
        let (mut slots, mut hash) = (0, Hasher::new());
        for code in codes.chunk_by(|a, b| a == b).map(|same| same[0]) {
            slots += 1;
            hash = hash.word(u64::from(code));
        }
        (Legal { slots, ..Legal::default() }, hash.finish())
    }

    /// Adds the playouts from number `from` on that contain all codes of the path to the tallies of the distinct codes of
    /// `legal`, for the node's `player`.
    pub(super) fn count(
        &mut self,
        path: &mut Path,
        from: u32,
        legal: &[u32],
        history: &History,
        player: usize,
        tallies: &mut [Tally],
    ) {
        self.find_matches(path, from);
        for &playout in &self.matches {
            let tally = history.tallies(playout)[player];
            let mut codes = self.codes_of(playout);
            codes = &codes[codes.partition_point(|code| *code < legal[0])..];
            for (same, slot) in legal.chunk_by(|a, b| a == b).zip(&mut *tallies) {
                while codes.first().is_some_and(|code| *code < same[0]) {
                    codes = &codes[1..];
                }
                match codes.first() {
                    Some(code) if *code == same[0] => slot.add(tally),
                    Some(_) => {}
                    None => break,
                }
            }
        }
    }

    /// Fills `matches` with the playouts from number `from` on that contain all codes of the path, newest first.
    fn find_matches(&mut self, path: &mut Path, from: u32) {
        self.matches.clear();
        for &code in &path.codes[path.chains.len()..] {
            path.chains.push(self.table.find(hash(code)).unwrap_or(NONE));
        }
        let len = |chain: &u32| self.chains.get(*chain as usize).map_or(0, |chain| chain.len);
        let Some(rarest) = (0..path.chains.len()).min_by_key(|&i| len(&path.chains[i])) else {
            self.matches.extend(from..self.starts.len() as u32);
            return;
        };
        let mut next = self.chains.get(path.chains[rarest] as usize).map_or(NONE, |chain| chain.last);
        while let Some(link) = self.links.get(next as usize).filter(|link| link.playout >= from) {
            let codes = self.codes_of(link.playout);
            // Codes at the end of the path are the rarest and most likely to fail.
            let mut others = (0..path.codes.len()).rev().filter(|&i| i != rarest);
            if others.all(|i| codes.binary_search(&path.codes[i]).is_ok()) {
                self.matches.push(link.playout);
            }
            next = link.before;
        }
    }

    #[inline]
    fn codes_of(&self, playout: u32) -> &[u32] {
        let end = self.starts.get(playout as usize + 1).map_or(self.codes.len(), |&end| end as usize);
        &self.codes[self.starts[playout as usize] as usize..end]
    }

    /// Bytes in use.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.codes)
            + size_of_val(&*self.starts)
            + size_of_val(&*self.links)
            + size_of_val(&*self.chains)
            + self.table.memory()
    }
}
