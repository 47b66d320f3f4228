use crate::statistics::CodeMeans;
use crate::treeless::root::{Root, pass_chance};
use permutree_game::{Code, Game, MAX_PLAYERS, Player, Rng, Turn};

/// The size of a global search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The number of moves of each player, w in the slides.
    pub width: usize,
    /// The number of plies of a sequence, d in the slides; at least 1.
    pub depth: usize,
    /// The number of random games that choose the moves.
    pub pre: u64,
}

impl Scope {
    /// The greatest depth.
    pub const MOST_PLIES: usize = 8;

    /// The most sequences: all 81 moves of 9x9 Go to depth 3, the largest search of the slides.
    pub const MOST_SEQUENCES: usize = 81 * 81 * 81;

    /// Whether depth and sequences are within the limits.
    #[must_use]
    pub fn fits(&self) -> bool {
        let sequences = self.width.checked_pow(self.depth as u32);
        self.depth <= Self::MOST_PLIES && sequences.is_some_and(|count| count <= Self::MOST_SEQUENCES)
    }
}

/// The moves of each player that a global search considers, chosen by their AMAF means in random games from the root.
#[derive(Debug, Default)]
pub(crate) struct Shortlist {
    /// The codes of each player's moves, best first. Those of the player at the root are legal there.
    pub(crate) codes: [Vec<Code>; MAX_PLAYERS],
    /// The player to move at each ply from the root on, until the game is over.
    pub(crate) order: Vec<Player>,
    /// Pairs of moves that exclude each other, such as two on one cell: the second is a legal reply to some moves at the root,
    /// but not to the first. For two moves of one player this must hold in both directions.
    pub(crate) clashes: Vec<(Code, Code)>,
}

impl Shortlist {
    /// The best moves of each player; none if chance is to move at the root.
    ///
    /// One short game per listed move of the root's player shows which moves are possible within `depth` plies and who makes
    /// them. Without this restriction, moves that only end games would lead the lists of the other players. If the order of
    /// the players differs between games, the majority decides.
    pub(crate) fn choose<G: Game>(
        root: &Root<G>,
        means: &CodeMeans,
        coding: usize,
        Scope { width, depth, .. }: Scope,
        rng: &mut Rng,
    ) -> Self {
        let Turn::Player(first) = root.turn else { return Self::default() };
        let mut near: [Vec<Code>; MAX_PLAYERS] = Default::default();
        let at_root = root.codes(coding);
        near[first.index()] = best(at_root.iter().copied().flatten().collect(), means, width);
        let mut turns = vec![[0; MAX_PLAYERS]; depth];
        let mut replies = Vec::new();
        let (mut moves, mut scratch) = (Vec::new(), Vec::new());
        for code in near[first.index()].clone() {
            let Some(index) = at_root.iter().position(|&other| other == Some(code)) else { continue };
            turns[0][first.index()] += 1;
            let mut position = root.position.clone();
            root.game.play(&mut position, root.moves[index]);
            for (ply, turns) in turns.iter_mut().enumerate().skip(1) {
                let by_chance = pass_chance(&root.game, &mut position, rng, &mut scratch);
                let Turn::Player(player) = root.game.turn(&position) else { break };
                turns[player.index()] += 1;
                moves.clear();
                root.game.moves(&position, &mut moves);
                let code_of = |&mv: &G::Move| root.game.code(&position, mv, coding);
                let codes: Vec<Code> = moves.iter().map(code_of).collect();
                if player != first {
                    near[player.index()].extend(&codes);
                }
                if ply == 1 && !by_chance {
                    replies.push(Replies { code, player, codes });
                }
                if ply + 1 < depth
                    && let Some(mv) = root.game.random_move(&position, rng, &mut scratch)
                {
                    root.game.play(&mut position, mv);
                }
            }
        }
        let codes = near.map(|codes| best(codes, means, width));
        let clashes = clashes(&codes, first, replies);
        Self { codes, order: turns.iter().map_while(most_frequent).collect(), clashes }
    }
}

/// The replies of `player` to the move with this code.
struct Replies {
    code: Code,
    player: Player,
    codes: Vec<Code>,
}

/// The player with the most turns; `None` without turns.
fn most_frequent(turns: &[u32; MAX_PLAYERS]) -> Option<Player> {
    let player = (0..MAX_PLAYERS).rev().max_by_key(|&player| turns[player])?;
    (turns[player] > 0).then_some(Player(player as u8))
}

/// The pairs of listed codes that exclude each other, by the replies to the moves of `first`.
fn clashes(listed: &[Vec<Code>; MAX_PLAYERS], first: Player, mut replies: Vec<Replies>) -> Vec<(Code, Code)> {
    let mut possible: Vec<Code> = replies.iter().flat_map(|replies| replies.codes.clone()).collect();
    possible.sort_unstable();
    let has = |codes: &[Code], code: &Code| codes.binary_search(code).is_ok();
    let (mut own, mut clashes) = (Vec::new(), Vec::new());
    for Replies { code, player, codes } in &mut replies {
        codes.sort_unstable();
        let taken = listed[player.index()].iter().filter(|reply| has(&possible, reply) && !has(codes, reply));
        let pairs = if *player == first { &mut own } else { &mut clashes };
        pairs.extend(taken.map(|&reply| (*code, reply)));
    }
    own.sort_unstable();
    clashes.extend(own.iter().filter(|(a, b)| own.binary_search(&(*b, *a)).is_ok()));
    clashes
}

/// The `width` codes with the greatest means, best first. Of equal means the lower code comes first.
fn best(mut codes: Vec<Code>, means: &CodeMeans, width: usize) -> Vec<Code> {
    codes.sort_unstable();
    codes.dedup();
    codes.retain(|&code| means.mean(code).is_finite());
    codes.sort_by(|&a, &b| means.mean(b).total_cmp(&means.mean(a)));
    codes.truncate(width);
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits() {
        let fits = |width, depth| Scope { width, depth, pre: 1 }.fits();
        assert!(fits(81, 3) && fits(8, 5) && fits(1000, 1) && fits(1, 8));
        assert!(!fits(82, 3) && !fits(1, 9) && !fits(usize::MAX, 8));
    }
}
