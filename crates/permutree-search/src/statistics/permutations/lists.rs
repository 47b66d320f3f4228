use crate::tree::NONE;

/// Growing lists of playout numbers in one arena. A list is a chain of pieces, each as long as all before it together.
#[derive(Debug, Default)]
pub(super) struct Lists {
    lists: Vec<List>,
    numbers: Vec<u32>,
}

/// The number of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListId(u32);

/// One list: the start of its first and its last piece, and how much of the last is used.
#[derive(Clone, Copy, Debug)]
struct List {
    first: u32,
    last: u32,
    used: u32,
    len: u32,
}

/// A piece starts with its size and the start of the next piece.
const HEAD: usize = 2;

impl ListId {
    /// No list.
    pub(super) const NONE: Self = Self(NONE);

    /// Whether there is a list.
    pub(super) fn is_kept(self) -> bool {
        self.0 != NONE
    }
}

impl Lists {
    /// Removes all lists but keeps the allocations.
    pub(super) fn clear(&mut self) {
        self.lists.clear();
        self.numbers.clear();
    }

    /// Bytes in use.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.lists) + size_of_val(&*self.numbers)
    }

    /// Starts a list with these numbers, which may be empty.
    pub(super) fn begin(&mut self, numbers: &[u32]) -> ListId {
        let (list, piece) = (ListId(self.lists.len() as u32), self.numbers.len() as u32);
        self.lists.push(List { first: piece, last: piece, used: 0, len: 0 });
        self.numbers.extend([0, NONE]);
        self.append(list, numbers);
        list
    }

    pub(super) fn append(&mut self, list: ListId, numbers: &[u32]) {
        let list = &mut self.lists[list.0 as usize];
        let mut rest = numbers;
        while !rest.is_empty() {
            let room = (self.numbers[list.last as usize] - list.used) as usize;
            if room == 0 {
                let size = rest.len().max(list.len as usize).max(4);
                let piece = self.numbers.len() as u32;
                self.numbers[list.last as usize + 1] = piece;
                (list.last, list.used) = (piece, 0);
                self.numbers.extend([size as u32, NONE]);
                self.numbers.resize(self.numbers.len() + size, 0);
                continue;
            }
            let (now, later) = rest.split_at(room.min(rest.len()));
            let start = list.last as usize + HEAD + list.used as usize;
            self.numbers[start..start + now.len()].copy_from_slice(now);
            list.used += now.len() as u32;
            list.len += now.len() as u32;
            rest = later;
        }
    }

    /// The pieces of a list in order.
    pub(super) fn iter(&self, list: ListId) -> impl Iterator<Item = &[u32]> {
        let list = self.lists[list.0 as usize];
        let mut piece = list.first;
        std::iter::from_fn(move || {
            let start = Some(piece).filter(|&piece| piece != NONE)? as usize;
            let len = if piece == list.last { list.used } else { self.numbers[start] };
            piece = self.numbers[start + 1];
            Some(&self.numbers[start + HEAD..][..len as usize])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_what_they_are_given() {
        let mut lists = Lists::default();
        let ids = [(); 3].map(|()| lists.begin(&[]));
        let mut expected = [const { Vec::new() }; 3];
        for i in 0..100u32 {
            let which = i as usize % 3;
            let numbers: Vec<u32> = (0..i % 7).map(|k| i * 10 + k).collect();
            lists.append(ids[which], &numbers);
            expected[which].extend(numbers);
        }
        for (id, expected) in ids.into_iter().zip(expected) {
            let got: Vec<u32> = lists.iter(id).flatten().copied().collect();
            assert_eq!(got, expected);
        }
    }
}
