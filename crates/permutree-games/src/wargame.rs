//! War game: units of two or three sides shoot at each other in a fixed order.

use permutree_game::draw::{COLOURS, Svg};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn,
    Visitor,
};
use std::fmt::Write;

/// The health that every unit starts with.
const HEALTH: u8 = 3;

/// The family of war games.
#[derive(Clone, Copy, Debug)]
pub struct Wargame;

impl Configure for Wargame {
    const FACTS: Facts = Facts {
        name: "wargame",
        title: "War game",
        rules: "Every unit has health 3. Units act in a fixed circle: the first of each player, the second of each \
                player and so on, the dead left out. The unit takes 1 health from a living enemy unit of its player's \
                choice. The last side with a living unit wins.",
        source: "Cazenave, Monte Carlo Permutation Search, 2025",
        params: &[
            Param::int("units", 1, 50, "10", "units per player"),
            Param::int("players", 2, 3, "2", "players"),
        ],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let (units, players) = (args.int("units"), args.int("players"));
        Ok(if units * players <= 32 {
            visitor.visit(Battle::<32>::new(units, players))
        } else {
            visitor.visit(Battle::<256>::new(units, players))
        })
    }
}

/// The game with so many units and players, in at most `N` slots of the circle; `N` is a power of two, so that the checks
/// of indices are masks.
///
/// Unit `u` of player `p`, both from 0, has slot `u * players + p`. A unit goes by its slot everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Battle<const N: usize> {
    units: usize,
    players: usize,
    /// The player of each slot.
    owners: [u8; N],
    /// The number of each slot's unit among its player's.
    numbers: [u8; N],
}

/// The health of every unit, the living listed by player, and the circle of the living.
#[derive(Clone, Copy, Debug)]
pub struct Position<const N: usize> {
    health: [u8; N],
    /// The living units of player `p` are at `p * units ..`, as many as `counts` says, in any order.
    living: [u8; N],
    /// Where each unit is in `living`.
    places: [u8; N],
    /// The next and the previous living slot.
    next: [u8; N],
    previous: [u8; N],
    counts: [u8; 3],
    /// The acting unit.
    slot: u8,
    over: bool,
}

/// The unit that is shot at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target(u8);

impl<const N: usize> Battle<N> {
    fn new(units: usize, players: usize) -> Self {
        assert!(units * players <= N, "{units} units of {players} players are too many");
        Self {
            units,
            players,
            owners: std::array::from_fn(|slot| (slot % players) as u8),
            numbers: std::array::from_fn(|slot| (slot / players) as u8),
        }
    }

    fn slots(&self) -> usize {
        self.units * self.players
    }

    #[inline]
    fn owner(&self, slot: u8) -> usize {
        usize::from(self.owners[usize::from(slot) % N])
    }

    /// The player so many seats after `owner`.
    #[inline]
    fn seat(&self, owner: usize, ahead: usize) -> usize {
        let seat = owner + ahead;
        if seat >= self.players { seat - self.players } else { seat }
    }

    /// Draws among the living enemies of `owner`.
    #[inline]
    fn draw(&self, position: &Position<N>, owner: usize, rng: &mut Rng) -> Target {
        let first = self.seat(owner, 1);
        let mut seat = first;
        let count = usize::from(position.counts[first % 3]);
        let mut index;
        if self.players == 2 {
            index = rng.below(count);
        } else {
            let second = self.seat(owner, 2);
            index = rng.below(count + usize::from(position.counts[second % 3]));
            if index >= count {
                (seat, index) = (second, index - count);
            }
        }
        Target(position.living[(seat * self.units + index) % N])
    }

    /// Takes a dead unit off the list and out of the circle.
    #[inline]
    fn bury(&self, position: &mut Position<N>, dead: u8) {
        let owner = self.owner(dead);
        let Position { living, places, next, previous, counts, over, .. } = position;
        counts[owner % 3] -= 1;
        let last = living[(owner * self.units + usize::from(counts[owner % 3])) % N];
        let place = places[usize::from(dead) % N];
        living[usize::from(place) % N] = last;
        places[usize::from(last) % N] = place;

        let (before, after) = (previous[usize::from(dead) % N], next[usize::from(dead) % N]);
        next[usize::from(before) % N] = after;
        previous[usize::from(after) % N] = before;
        *over = counts.iter().filter(|&&count| count > 0).count() < 2;
    }

    /// The text name of a unit: letter of its player, number from 1.
    fn name(&self, slot: usize) -> String {
        format!("{}{}", letter(slot % self.players), slot / self.players + 1)
    }
}

impl<const N: usize> Game for Battle<N> {
    type Position = Position<N>;
    type Move = Target;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> Position<N> {
        let slots = self.slots();
        let (mut health, mut living, mut places) = ([0; N], [0; N], [0; N]);
        let (mut next, mut previous) = ([0; N], [0; N]);
        for slot in 0..slots {
            let place = slot % self.players * self.units + slot / self.players;
            health[slot] = HEALTH;
            living[place] = slot as u8;
            places[slot] = place as u8;
            next[slot] = ((slot + 1) % slots) as u8;
            previous[(slot + 1) % slots] = slot as u8;
        }
        let counts = std::array::from_fn(|player| if player < self.players { self.units as u8 } else { 0 });
        Position { health, living, places, next, previous, counts, slot: 0, over: false }
    }

    #[inline]
    fn turn(&self, position: &Position<N>) -> Turn {
        if position.over { Turn::Over } else { Turn::Player(Player(self.owner(position.slot) as u8)) }
    }

    fn moves(&self, position: &Position<N>, out: &mut Vec<Target>) {
        if position.over {
            return;
        }
        let owner = self.owner(position.slot);
        let enemies =
            (0..self.slots()).filter(|&slot| position.health[slot] > 0 && self.owner(slot as u8) != owner);
        out.extend(enemies.map(|slot| Target(slot as u8)));
    }

    #[inline]
    fn play(&self, position: &mut Position<N>, target: Target) {
        let health = &mut position.health[usize::from(target.0) % N];
        *health -= 1;
        if *health == 0 {
            self.bury(position, target.0);
        }
        position.slot = position.next[usize::from(position.slot) % N];
    }

    fn rewards(&self, position: &Position<N>) -> Rewards {
        // The others are dead, so the circle holds only units of the winner.
        Rewards::win(self.players, Player(self.owner(position.slot) as u8))
    }

    fn hash(&self, position: &Position<N>) -> u64 {
        Hasher::new().word(u64::from(position.slot)).bytes(&position.health[..self.slots()]).finish()
    }

    fn codings(&self) -> &'static [&'static str] {
        &["abstract", "exact"]
    }

    fn codes(&self, coding: usize) -> usize {
        let healths = if coding == 0 { 1 } else { usize::from(HEALTH * HEALTH) };
        self.slots() * (self.slots() - self.units) * healths
    }

    /// Attacker and target, units with their players; `exact` adds the health of both.
    #[inline]
    fn code(&self, position: &Position<N>, target: Target, coding: usize) -> Code {
        let (attacker, target) = (usize::from(position.slot) % N, usize::from(target.0) % N);
        let (owner, enemy) = (self.owner(attacker as u8), self.owner(target as u8));
        // Seats count from the one after the attacker's, which is never a target's.
        let seat = if enemy > owner { enemy - owner } else { enemy + self.players - owner } - 1;
        let enemies = self.slots() - self.units;
        let code = attacker * enemies + seat * self.units + usize::from(self.numbers[target]);
        if coding == 0 {
            return code as Code;
        }
        let healths = (position.health[attacker] - 1) * HEALTH + position.health[target] - 1;
        (code * usize::from(HEALTH * HEALTH) + usize::from(healths)) as Code
    }

    fn move_text(&self, position: &Position<N>, target: Target) -> String {
        format!("{}>{}", self.name(position.slot.into()), self.name(target.0.into()))
    }

    /// A row per side: the health of each unit, `.` for a dead one, `>` before the one who acts, `*` after the one who was
    /// hit last.
    fn board(&self, position: &Position<N>, last: Option<Target>) -> String {
        let mut out = "  ".to_string();
        for unit in 1..=self.units {
            let _ = write!(out, "{unit:>3} ");
        }
        for player in 0..self.players {
            let _ = write!(out, "\n{}:", letter(player));
            for slot in (player..self.slots()).step_by(self.players) {
                let acts = if slot == usize::from(position.slot) { '>' } else { ' ' };
                let hit = if last == Some(Target(slot as u8)) { '*' } else { ' ' };
                match position.health[slot] {
                    0 => out.push_str("  ."),
                    health => {
                        let _ = write!(out, " {acts}{health}");
                    }
                }
                out.push(hit);
            }
        }
        out.push('\n');
        out
    }

    #[inline]
    fn random_move(
        &self,
        position: &Position<N>,
        rng: &mut Rng,
        _scratch: &mut Vec<Target>,
    ) -> Option<Target> {
        (!position.over).then(|| self.draw(position, self.owner(position.slot), rng))
    }

    /// As move by move, with the acting unit kept at hand.
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
            let owner = self.owner(slot);
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
            slot = position.next[usize::from(slot) % N];
        }
        position.slot = slot;
    }

    fn picture(&self, position: &Position<N>, last: Option<Target>) -> String {
        let centre = |slot: usize| {
            let (unit, player) = (slot / self.players, slot % self.players);
            (unit as f64 * STEP + STEP, player as f64 * 80.0 + 50.0)
        };
        let mut svg = Svg::new((self.units + 1) as f64 * STEP, self.players as f64 * 80.0 + 20.0);
        if let Some(Target(hit)) = last {
            // Whoever shot lives, and the one who acts now comes right after him.
            let shooter = position.previous[usize::from(position.slot)];
            svg.line(centre(shooter.into()), centre(hit.into()), "#222", 2.0);
        }
        for slot in 0..self.slots() {
            let ((x, y), health) = (centre(slot), position.health[slot]);
            let colour = if health == 0 { "#ddd5c8" } else { COLOURS[slot % self.players] };
            if slot == usize::from(position.slot) && !position.over {
                svg.disc(x, y, 18.0, "#ffe08a");
            }
            svg.disc(x, y, 14.0, colour);
            svg.text(x, y, 12.0, if health == 0 { "#999" } else { "#fff" }, self.name(slot));
            if last == Some(Target(slot as u8)) {
                svg.text(x + 15.0, y - 15.0, 16.0, "#222", '✱');
            }
            for bar in 0..HEALTH {
                let fill = if bar < health { "#4c956c" } else { "#ddd5c8" };
                svg.rect(x - 14.0 + f64::from(bar) * 10.0, y + 21.0, 8.0, 5.0, fill);
            }
        }
        svg.finish()
    }
}

/// From one unit to the next in pictures.
const STEP: f64 = 44.0;

fn letter(player: usize) -> char {
    char::from(b'a' + player as u8)
}
