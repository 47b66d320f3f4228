use crate::record::Record;
use crate::root::Root;
use permutree_game::{Code, Game, Turn};

/// Pairs of moves that exclude each other, such as two on one cell: the first, made at the root, makes the second illegal,
/// which after other moves is a legal reply. Two moves of one player must do so to each other.
#[derive(Debug, Default)]
pub(crate) struct Rivals {
    /// Every pair, in both orders.
    pairs: Vec<(Code, Code)>,
    /// The last playout in which each code came too late, by number.
    late: Vec<u32>,
    playouts: u32,
}

impl Rivals {
    /// Those among the moves at the root and the replies to them. Where chance replies nothing is known.
    pub(crate) fn new<G: Game>(root: &Root<G>, coding: usize) -> Self {
        let Turn::Player(first) = root.turn else { return Self::default() };
        let (game, mut moves) = (&root.game, Vec::new());
        let (mut own, mut other) = (Vec::new(), Vec::new());
        for (code, &mv) in root.codes(coding).into_iter().flatten().zip(&root.moves) {
            let mut position = root.position.clone();
            game.play(&mut position, mv);
            let Turn::Player(player) = game.turn(&position) else { continue };
            moves.clear();
            game.moves(&position, &mut moves);
            let codes = moves.iter().map(|&mv| game.code(&position, mv, coding)).collect();
            if player == first { &mut own } else { &mut other }.push((code, codes));
        }
        let mut pairs = excluded(own);
        pairs.retain({
            let pairs = pairs.clone();
            move |&(a, b)| pairs.binary_search(&(b, a)).is_ok()
        });
        for (a, b) in excluded(other) {
            pairs.extend([(a, b), (b, a)]);
        }
        pairs.sort_unstable();
        Self { pairs, late: vec![0; game.codes(coding)], playouts: 0 }
    }

    /// These pairs.
    #[cfg(test)]
    pub(crate) fn of(pairs: &[(Code, Code)]) -> Self {
        let mut pairs: Vec<_> = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        pairs.sort_unstable();
        let codes = pairs.last().map_or(0, |&(a, _)| a as usize + 1);
        Self { pairs, late: vec![0; codes], playouts: 0 }
    }

    /// Whether the two exclude each other.
    pub(crate) fn exclude(&self, a: Code, b: Code) -> bool {
        self.pairs.binary_search(&(a, b)).is_ok()
    }

    /// Takes the moves out of a playout that come after one that excludes them, as when a stone was captured and its point
    /// is played again: what such a move is worth says nothing of making it now.
    pub(crate) fn drop_late(&mut self, record: &mut Record) {
        self.playouts = self.playouts.wrapping_add(1);
        let Self { pairs, late, playouts } = self;
        record.steps.retain(|step| {
            let in_time = late.get(step.code as usize) != Some(playouts);
            if in_time {
                let from = pairs.partition_point(|&(a, _)| a < step.code);
                let rivals = pairs[from..].iter().take_while(|&&(a, _)| a == step.code);
                rivals.for_each(|&(_, rival)| late[rival as usize] = *playouts);
            }
            in_time
        });
    }
}

/// The moves with each reply that they exclude, in order: one that there is after another move.
fn excluded(mut replies: Vec<(Code, Vec<Code>)>) -> Vec<(Code, Code)> {
    let mut all: Vec<Code> = replies.iter().flat_map(|(_, codes)| codes.clone()).collect();
    all.sort_unstable();
    all.dedup();
    let mut pairs = Vec::new();
    for (code, codes) in &mut replies {
        codes.sort_unstable();
        let missing = all.iter().filter(|reply| codes.binary_search(reply).is_err());
        pairs.extend(missing.map(|&reply| (*code, reply)));
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Step;
    use permutree_game::{Configure, Player, Visitor};
    use permutree_games::{Go, Hex};

    #[test]
    fn two_stones_on_one_point() {
        struct Points;
        impl Visitor for Points {
            type Output = ();
            fn visit<G: Game>(self, go: G) {
                let root = Root::new(go.clone(), go.start());
                let rivals = Rivals::new(&root, 0);
                let codes: Vec<Code> = root.codes(0).into_iter().flatten().collect();
                for &code in &codes {
                    let others: Vec<_> = rivals.pairs.iter().filter(|(a, _)| *a == code).collect();
                    let mv = root.codes(0).iter().position(|&other| other == Some(code)).unwrap();
                    let pass = go.move_text(&root.position, root.moves[mv]) == "pass";
                    assert_eq!(others.len(), usize::from(!pass), "{code}");
                }
            }
        }
        let mut args = permutree_game::Args::defaults(Go::<128, 2>::FACTS.params);
        args.set(&Go::<128, 2>::FACTS.params[0], "5").unwrap();
        <Go as Configure>::configure(&args, Points).unwrap();
        let hex = Hex::<1>::new(3, None, false);
        assert_eq!(Rivals::new(&Root::new(hex.clone(), hex.start()), 0).pairs.len(), 2 * 9);
    }

    #[test]
    fn what_comes_late_is_dropped() {
        let mut rivals = Rivals::of(&[(0, 10), (1, 11)]);
        for (played, kept) in [
            (vec![0, 10, 2, 11, 1], vec![0, 2, 11]),
            (vec![10, 0, 10, 1], vec![10, 10, 1]),
            (vec![11, 99], vec![11, 99]),
        ] {
            let mut record = Record::default();
            record.steps.extend(played.iter().map(|&code| Step { player: Player(0), code }));
            rivals.drop_late(&mut record);
            assert_eq!(record.steps.iter().map(|step| step.code).collect::<Vec<_>>(), kept, "{played:?}");
        }
    }
}
