//! The investment pair game: members of a team give wealth to each other, and each is paired with a member of every
//! opposing team.

use crate::parts::candidates::Candidates;
use crate::parts::circle::{Circle, Figure, Ring};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Rewards, Rng, Turn, Visitor,
};

/// The wealth that decides a pair.
const WEALTH: u8 = 3;

/// The rules for at most `N` members of all teams; those with one number are a pair.
#[derive(Clone, Copy, Debug)]
pub struct Investment<const N: usize = 32> {
    circle: Circle<N>,
}

impl Configure for Investment {
    const FACTS: Facts = Facts {
        name: "investment",
        title: "Investment pair game",
        rules: "Members act in a fixed order: the first of each team, the second of each team and so on. The acting member \
                gives 1 unit of wealth to a member of its own team, possibly itself, whose pair is undecided. Wealth 3 \
                wins the pair; the other members of that pair no longer act. When all pairs are decided, the team that \
                won most of them wins.",
        source: "Cazenave, Monte Carlo Permutation Search, 2025",
        params: &[
            Param::int("pairs", 1, 50, "11", "pairs, which is members per team; 11 as in the MCPS paper"),
            Param::int("players", 2, 3, "2", "teams; with 3 a pair is a group of three"),
        ],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let (pairs, teams) = (args.int("pairs"), args.int("players"));
        Ok(if pairs * teams <= 32 {
            visitor.visit(Investment::<32>::new(pairs, teams))
        } else {
            visitor.visit(Investment::<256>::new(pairs, teams))
        })
    }
}

/// The wealth of every member, the members who still act, and the open pairs.
#[derive(Clone, Debug)]
pub struct Position<const N: usize> {
    wealth: [u8; N],
    ring: Ring<N>,
    /// The undecided pairs.
    open: Candidates<N>,
    /// How many pairs each team has won.
    won: [u8; 3],
    /// The member to act, or who would act next if the game is over.
    slot: u8,
}

/// The pair whose member in the acting team receives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gift(u8);

impl<const N: usize> Investment<N> {
    /// The game with this many pairs, for two or three teams.
    ///
    /// # Panics
    /// If the pairs are not in 1..=50, the teams are neither 2 nor 3, or there are more than `N` members.
    #[must_use]
    pub fn new(pairs: usize, teams: usize) -> Self {
        assert!((1..=50).contains(&pairs) && (2..=3).contains(&teams), "{pairs} pairs of {teams} teams");
        Self { circle: Circle::new(pairs, teams) }
    }

    fn is_open(&self, position: &Position<N>, pair: usize) -> bool {
        let teams = self.circle.players;
        position.wealth[pair * teams..(pair + 1) * teams].iter().all(|&wealth| wealth < WEALTH)
    }

    /// The member of `team` in `pair`.
    #[inline]
    fn member(&self, team: usize, pair: u8) -> u8 {
        (usize::from(pair) * self.circle.players + team) as u8
    }

    /// The giver and the receiver of the last move. The giver still acts, right before the member to act.
    fn hands(&self, position: &Position<N>, Gift(pair): Gift) -> (u8, u8) {
        let giver = position.ring.previous(position.slot);
        (giver, self.member(self.circle.owner(giver), pair))
    }

    fn has_lost(&self, position: &Position<N>, slot: u8) -> bool {
        position.wealth[usize::from(slot)] < WEALTH && !self.is_open(position, self.circle.number(slot))
    }

    /// The member to act, unless the game is over.
    fn acts(position: &Position<N>) -> Option<u8> {
        (!position.open.is_empty()).then_some(position.slot)
    }
}

impl<const N: usize> Game for Investment<N> {
    type Position = Position<N>;
    type Move = Gift;

    fn players(&self) -> usize {
        self.circle.players
    }

    fn start(&self) -> Position<N> {
        let mut open = Candidates::EMPTY;
        (0..self.circle.units).for_each(|pair| open.push(pair));
        Position { wealth: [0; N], ring: Ring::new(self.circle.slots()), open, won: [0; 3], slot: 0 }
    }

    #[inline]
    fn turn(&self, position: &Position<N>) -> Turn {
        self.circle.turn(Self::acts(position))
    }

    fn moves(&self, position: &Position<N>, out: &mut Vec<Gift>) {
        let open = (0..self.circle.units).filter(|&pair| self.is_open(position, pair));
        out.extend(open.map(|pair| Gift(pair as u8)));
    }

    #[inline]
    fn play(&self, position: &mut Position<N>, Gift(pair): Gift) {
        let team = self.circle.owner(position.slot);
        let wealth = &mut position.wealth[usize::from(self.member(team, pair)) % N];
        *wealth += 1;
        if *wealth == WEALTH {
            position.won[team % 3] += 1;
            position.open.remove(usize::from(pair));
            for ahead in 1..self.circle.players {
                let loser = self.member(self.circle.seat(team, ahead), pair);
                position.ring.remove(loser);
                // The wealth of a loser no longer matters.
                position.wealth[usize::from(loser) % N] = 0;
            }
        }
        position.slot = position.ring.next(position.slot);
    }

    /// For the teams that won most pairs.
    fn rewards(&self, position: &Position<N>) -> Rewards {
        Rewards::highest(&position.won[..self.circle.players])
    }

    fn hash(&self, position: &Position<N>) -> u64 {
        let wealth = &position.wealth[..self.circle.slots()];
        Hasher::new().word(u64::from(position.slot)).bytes(wealth).finish()
    }

    fn codings(&self) -> &'static [&'static str] {
        &["abstract", "exact", "specific"]
    }

    fn codes(&self, coding: usize) -> usize {
        let slots = self.circle.slots();
        match coding {
            0 => slots,
            // The giver may have won the pair; the receiver's pair is open.
            1 => slots * usize::from(WEALTH + 1) * usize::from(WEALTH).pow(self.circle.players as u32),
            _ => slots * slots,
        }
    }

    /// The receiver. `exact` adds the wealth of the giver and of all members of the receiver's pair, the receiver first;
    /// `specific` adds the giver.
    #[inline]
    fn code(&self, position: &Position<N>, Gift(pair): Gift, coding: usize) -> Code {
        let team = self.circle.owner(position.slot);
        let mut code = Code::from(self.member(team, pair));
        match coding {
            0 => {}
            1 => {
                let wealth = |slot: u8| Code::from(position.wealth[usize::from(slot) % N]);
                code = code * Code::from(WEALTH + 1) + wealth(position.slot);
                for ahead in 0..self.circle.players {
                    code =
                        code * Code::from(WEALTH) + wealth(self.member(self.circle.seat(team, ahead), pair));
                }
            }
            _ => code = code * self.circle.slots() as Code + Code::from(position.slot),
        }
        code
    }

    fn move_text(&self, position: &Position<N>, Gift(pair): Gift) -> String {
        let receiver = self.member(self.circle.owner(position.slot), pair);
        format!("{}>{}", self.circle.name(position.slot), self.circle.name(receiver))
    }

    /// A row per team: the wealth of each member, `.` for a member who lost the pair, `>` before the member to act, `*` after
    /// the last receiver.
    fn board(&self, position: &Position<N>, last: Option<Gift>) -> String {
        let receiver = last.map(|gift| self.hands(position, gift).1);
        self.circle.text(Self::acts(position), receiver, |slot| {
            (!self.has_lost(position, slot)).then_some(position.wealth[usize::from(slot)])
        })
    }

    fn picture(&self, position: &Position<N>, last: Option<Gift>) -> String {
        let hands = last.map(|gift| self.hands(position, gift));
        self.circle.picture(hands, |slot| Figure {
            player: (!self.has_lost(position, slot)).then(|| self.circle.owner(slot)),
            name: self.circle.name(slot),
            bars: (position.wealth[usize::from(slot)], WEALTH),
            fill: "#c8921a",
            acts: Self::acts(position) == Some(slot),
            marked: hands.is_some_and(|(_, receiver)| receiver == slot),
        })
    }

    #[inline]
    fn random_move(&self, position: &Position<N>, rng: &mut Rng, _scratch: &mut Vec<Gift>) -> Option<Gift> {
        position.open.draw(rng).map(|pair| Gift(pair as u8))
    }
}
