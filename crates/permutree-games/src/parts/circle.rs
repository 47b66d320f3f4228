//! The fixed order in which the units of two or three players act: the first unit of each player, the second of each
//! player and so on. For the war game, the investment game and the skirmish arena.

use permutree_game::draw::{COLOURS, Svg};
use permutree_game::{Player, Turn};
use std::fmt::Write;

/// The units in a circle of at most `N` slots. `N` is a power of two, so that index checks are masks.
///
/// Unit `u` of player `p`, both from 0, has slot `u * players + p`, which identifies it everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Circle<const N: usize> {
    /// How many units each player has.
    pub units: usize,
    /// How many players there are.
    pub players: usize,
    /// The player of each slot.
    owners: [u8; N],
    /// The number of each slot's unit among those of its player.
    numbers: [u8; N],
}

impl<const N: usize> Circle<N> {
    /// The circle with this many units for each player.
    ///
    /// # Panics
    /// If there are more than `N` units.
    #[must_use]
    pub fn new(units: usize, players: usize) -> Self {
        assert!(units * players <= N, "{units} units of {players} players are too many");
        Self {
            units,
            players,
            owners: std::array::from_fn(|slot| (slot % players) as u8),
            numbers: std::array::from_fn(|slot| (slot / players) as u8),
        }
    }

    /// The number of slots.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.units * self.players
    }

    /// The player of a unit.
    #[inline]
    #[must_use]
    pub fn owner(&self, slot: u8) -> usize {
        usize::from(self.owners[usize::from(slot) % N])
    }

    /// The turn of the player whose unit acts; over if no unit does.
    #[inline]
    #[must_use]
    pub fn turn(&self, acts: Option<u8>) -> Turn {
        acts.map_or(Turn::Over, |slot| Turn::Player(Player(self.owner(slot) as u8)))
    }

    /// The number of a unit among those of its player, from 0.
    #[inline]
    #[must_use]
    pub fn number(&self, slot: u8) -> usize {
        usize::from(self.numbers[usize::from(slot) % N])
    }

    /// The player `ahead` seats after `owner`, for less than a full round.
    #[inline]
    #[must_use]
    pub fn seat(&self, owner: usize, ahead: usize) -> usize {
        let seat = owner + ahead;
        if seat >= self.players { seat - self.players } else { seat }
    }

    /// The name of a unit: the letter of its player and its number from 1.
    #[must_use]
    pub fn name(&self, slot: u8) -> String {
        format!("{}{}", letter(self.owner(slot)), self.number(slot) + 1)
    }

    /// A row per player: what each unit has, `.` for one that is out, `>` before the unit to act, `*` after the marked one.
    #[must_use]
    pub fn text(&self, acts: Option<u8>, marked: Option<u8>, has: impl Fn(u8) -> Option<u8>) -> String {
        let mut out = "  ".to_string();
        for unit in 1..=self.units {
            let _ = write!(out, "{unit:>3} ");
        }
        for player in 0..self.players {
            let _ = write!(out, "\n{}:", letter(player));
            for slot in (player..self.slots()).step_by(self.players).map(|slot| slot as u8) {
                let sign = |of: Option<u8>, sign| if of == Some(slot) { sign } else { ' ' };
                let (before, after) = (sign(acts, '>'), sign(marked, '*'));
                let _ = match has(slot) {
                    None => write!(out, "  .{after}"),
                    Some(has) => write!(out, " {before}{has}{after}"),
                };
            }
        }
        out.push('\n');
        out
    }

    /// A row of figures per player, with a line between two units behind them.
    #[must_use]
    pub fn picture(&self, line: Option<(u8, u8)>, figure: impl Fn(u8) -> Figure) -> String {
        let centre =
            |slot: u8| (self.number(slot) as f64 * STEP + STEP, self.owner(slot) as f64 * 72.0 + 36.0);
        let mut svg = Svg::new((self.units + 1) as f64 * STEP, self.players as f64 * 72.0 + 8.0);
        if let Some((from, to)) = line {
            svg.line(centre(from), centre(to), "#222", 2.0);
        }
        for slot in 0..self.slots() as u8 {
            figure(slot).draw(&mut svg, centre(slot));
            svg.place(&self.name(slot), centre(slot), 18.0);
        }
        svg.finish()
    }
}

/// The distance of units in pictures.
const STEP: f64 = 44.0;

fn letter(player: usize) -> char {
    char::from(b'a' + player as u8)
}

/// The slots that still act, in order, as a linked list.
#[derive(Clone, Copy, Debug)]
pub struct Ring<const N: usize> {
    next: [u8; N],
    previous: [u8; N],
}

impl<const N: usize> Ring<N> {
    /// The first `slots` slots.
    #[must_use]
    pub fn new(slots: usize) -> Self {
        let mut ring = Self { next: [0; N], previous: [0; N] };
        for slot in 0..slots {
            ring.next[slot] = ((slot + 1) % slots) as u8;
            ring.previous[(slot + 1) % slots] = slot as u8;
        }
        ring
    }

    /// The slot that acts after this one.
    #[inline]
    #[must_use]
    pub fn next(&self, slot: u8) -> u8 {
        self.next[usize::from(slot) % N]
    }

    /// The slot that acts before this one.
    #[inline]
    #[must_use]
    pub fn previous(&self, slot: u8) -> u8 {
        self.previous[usize::from(slot) % N]
    }

    /// Removes a slot, which must be in the ring.
    #[inline]
    pub fn remove(&mut self, slot: u8) {
        let (before, after) = (self.previous(slot), self.next(slot));
        self.next[usize::from(before) % N] = after;
        self.previous[usize::from(after) % N] = before;
    }
}

/// A unit in a picture: a disc with its name, and below it a bar for each point. It fits into a square of side
/// [`permutree_game::draw::CELL`], whose centre is [`Figure::DROP`] below the middle of the disc.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The player, who determines the colour; `None` if the unit is out.
    pub player: Option<usize>,
    /// The text on the disc.
    pub name: String,
    /// The number of full bars, and of all bars.
    pub bars: (u8, u8),
    /// The colour of full bars.
    pub fill: &'static str,
    /// Whether the unit is the one to act.
    pub acts: bool,
    /// Whether the unit was the target of the last move.
    pub marked: bool,
}

impl Figure {
    /// How far the middle of the disc is above the centre of the figure.
    pub const DROP: f64 = 4.0;

    /// Draws the figure with the middle of the disc at a point.
    pub fn draw(&self, svg: &mut Svg, (x, y): (f64, f64)) {
        if self.acts {
            svg.disc(x, y, 16.0, "#ffe08a");
        }
        let (fill, ink) = self.player.map_or(("#ddd5c8", "#999"), |player| (COLOURS[player], "#fff"));
        svg.disc(x, y, 12.5, fill);
        svg.text(x, y, 11.0, ink, &self.name);
        for bar in 0..self.bars.1 {
            let fill = if bar < self.bars.0 { self.fill } else { "#cfc6b6" };
            svg.rect(x - 14.0 + f64::from(bar) * 10.0, y + 16.5, 8.0, 5.0, fill);
        }
        if self.marked {
            svg.text(x + 13.0, y - 10.0, 16.0, "#222", '✱');
        }
    }
}
