//! War game: units of two or three players shoot at each other in a fixed order.

use crate::parts::circle::{Circle, Figure, Ring};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn,
    Visitor,
};

/// The health of every unit at the start.
const HEALTH: u8 = 3;

/// The rules for at most `N` units of all players.
#[derive(Clone, Copy, Debug)]
pub struct Wargame<const N: usize = 32> {
    circle: Circle<N>,
}

impl Configure for Wargame {
    const FACTS: Facts = Facts {
        name: "wargame",
        title: "War game",
        rules: "Every unit has health 3. Units act in a fixed order: the first of each player, the second of each \
                player and so on; dead units are skipped. The acting unit takes 1 health from a living enemy unit. The \
                last player with a living unit wins.",
        source: "Cazenave, Monte Carlo Permutation Search, 2025",
        params: &[
            Param::int("units", 1, 50, "10", "units per player"),
            Param::int("players", 2, 3, "2", "players"),
        ],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let (units, players) = (args.int("units"), args.int("players"));
        Ok(if units * players <= 32 {
            visitor.visit(Wargame::<32>::new(units, players))
        } else {
            visitor.visit(Wargame::<256>::new(units, players))
        })
    }
}

/// The health of every unit, and the living units: a list per player, and the order in which they act.
#[derive(Clone, Copy, Debug)]
pub struct Position<const N: usize> {
    health: [u8; N],
    /// The living units of player `p`, in any order: `counts[p]` entries from `p * units`.
    living: [u8; N],
    /// Where each unit is in `living`.
    places: [u8; N],
    ring: Ring<N>,
    counts: [u8; 3],
    /// The acting unit.
    slot: u8,
    over: bool,
}

/// The target of a shot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target(u8);

impl<const N: usize> Wargame<N> {
    /// The game with this many units for each of two or three players.
    ///
    /// # Panics
    /// If the units of a player are not in 1..=50, the players are neither 2 nor 3, or there are more than `N` units.
    #[must_use]
    pub fn new(units: usize, players: usize) -> Self {
        assert!(
            (1..=50).contains(&units) && (2..=3).contains(&players),
            "{units} units of {players} players"
        );
        Self { circle: Circle::new(units, players) }
    }

    /// Draws among the living enemies of `owner`.
    #[inline]
    fn draw(&self, position: &Position<N>, owner: usize, rng: &mut Rng) -> Target {
        let first = self.circle.seat(owner, 1);
        let mut seat = first;
        let count = usize::from(position.counts[first % 3]);
        let mut index;
        if self.circle.players == 2 {
            index = rng.below(count);
        } else {
            let second = self.circle.seat(owner, 2);
            index = rng.below(count + usize::from(position.counts[second % 3]));
            if index >= count {
                (seat, index) = (second, index - count);
            }
        }
        Target(position.living[(seat * self.circle.units + index) % N])
    }

    /// Removes a dead unit from the list and from the circle.
    #[inline]
    fn bury(&self, position: &mut Position<N>, dead: u8) {
        let owner = self.circle.owner(dead);
        let Position { living, places, ring, counts, over, .. } = position;
        counts[owner % 3] -= 1;
        let last = living[(owner * self.circle.units + usize::from(counts[owner % 3])) % N];
        let place = places[usize::from(dead) % N];
        living[usize::from(place) % N] = last;
        places[usize::from(last) % N] = place;

        ring.remove(dead);
        *over = counts.iter().filter(|&&count| count > 0).count() < 2;
    }
}

impl<const N: usize> Game for Wargame<N> {
    type Position = Position<N>;
    type Move = Target;

    fn players(&self) -> usize {
        self.circle.players
    }

    fn start(&self) -> Position<N> {
        let slots = self.circle.slots();
        let (mut health, mut living, mut places) = ([0; N], [0; N], [0; N]);
        for slot in 0..slots {
            let place = slot % self.circle.players * self.circle.units + slot / self.circle.players;
            health[slot] = HEALTH;
            living[place] = slot as u8;
            places[slot] = place as u8;
        }
        let counts =
            std::array::from_fn(
                |player| if player < self.circle.players { self.circle.units as u8 } else { 0 },
            );
        Position { health, living, places, ring: Ring::new(slots), counts, slot: 0, over: false }
    }

    #[inline]
    fn turn(&self, position: &Position<N>) -> Turn {
        self.circle.turn((!position.over).then_some(position.slot))
    }

    fn moves(&self, position: &Position<N>, out: &mut Vec<Target>) {
        if position.over {
            return;
        }
        let owner = self.circle.owner(position.slot);
        let enemies = (0..self.circle.slots())
            .filter(|&slot| position.health[slot] > 0 && self.circle.owner(slot as u8) != owner);
        out.extend(enemies.map(|slot| Target(slot as u8)));
    }

    #[inline]
    fn play(&self, position: &mut Position<N>, target: Target) {
        let health = &mut position.health[usize::from(target.0) % N];
        *health -= 1;
        if *health == 0 {
            self.bury(position, target.0);
        }
        position.slot = position.ring.next(position.slot);
    }

    fn rewards(&self, position: &Position<N>) -> Rewards {
        // Only units of the winner are left in the circle.
        Rewards::win(self.circle.players, Player(self.circle.owner(position.slot) as u8))
    }

    fn hash(&self, position: &Position<N>) -> u64 {
        Hasher::new().word(u64::from(position.slot)).bytes(&position.health[..self.circle.slots()]).finish()
    }

    fn codings(&self) -> &'static [&'static str] {
        &["abstract", "exact"]
    }

    fn codes(&self, coding: usize) -> usize {
        let healths = if coding == 0 { 1 } else { usize::from(HEALTH * HEALTH) };
        self.circle.slots() * (self.circle.slots() - self.circle.units) * healths
    }

    /// Attacker and target; `exact` adds the health of both.
    #[inline]
    fn code(&self, position: &Position<N>, target: Target, coding: usize) -> Code {
        let (attacker, target) = (usize::from(position.slot) % N, usize::from(target.0) % N);
        let (owner, enemy) = (self.circle.owner(attacker as u8), self.circle.owner(target as u8));
        // Seats count from the one after the attacker's, whose own seat is never a target.
        let seat = if enemy > owner { enemy - owner } else { enemy + self.circle.players - owner } - 1;
        let enemies = self.circle.slots() - self.circle.units;
        let code = attacker * enemies + seat * self.circle.units + self.circle.number(target as u8);
        if coding == 0 {
            return code as Code;
        }
        let healths = (position.health[attacker] - 1) * HEALTH + position.health[target] - 1;
        (code * usize::from(HEALTH * HEALTH) + usize::from(healths)) as Code
    }

    fn move_text(&self, position: &Position<N>, target: Target) -> String {
        format!("{}>{}", self.circle.name(position.slot), self.circle.name(target.0))
    }

    /// A row per player: the health of each unit, `.` for a dead one, `>` before the unit to act, `*` after the one hit last.
    fn board(&self, position: &Position<N>, last: Option<Target>) -> String {
        self.circle.text(Some(position.slot), last.map(|target| target.0), |slot| {
            Some(position.health[usize::from(slot)]).filter(|&health| health > 0)
        })
    }

    #[inline]
    fn random_move(
        &self,
        position: &Position<N>,
        rng: &mut Rng,
        _scratch: &mut Vec<Target>,
    ) -> Option<Target> {
        (!position.over).then(|| self.draw(position, self.circle.owner(position.slot), rng))
    }

    /// Plays move by move, with the acting unit in a register.
    #[inline]
    fn playout<R: Recorder>(
        &self,
        position: &mut Position<N>,
        coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<Target>,
        recorder: &mut R,
    ) {
        let mut slot = position.slot;
        while !position.over {
            let owner = self.circle.owner(slot);
            let target = self.draw(position, owner, rng);
            if R::RECORDS {
                position.slot = slot;
                recorder.record(Player(owner as u8), self.code(position, target, coding));
            }
            let health = &mut position.health[usize::from(target.0) % N];
            *health -= 1;
            if *health == 0 {
                self.bury(position, target.0);
            }
            slot = position.ring.next(slot);
        }
        position.slot = slot;
    }

    fn picture(&self, position: &Position<N>, last: Option<Target>) -> String {
        // The unit that shot is alive, right before the one to act.
        let shot = last.map(|target| (position.ring.previous(position.slot), target.0));
        self.circle.picture(shot, |slot| {
            let health = position.health[usize::from(slot)];
            Figure {
                player: (health > 0).then(|| self.circle.owner(slot)),
                name: self.circle.name(slot),
                bars: (health, HEALTH),
                fill: "#4c956c",
                acts: slot == position.slot && !position.over,
                marked: last == Some(Target(slot)),
            }
        })
    }
}
