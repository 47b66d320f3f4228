//! The skirmish arena: units of two players move on a small board and shoot at each other in a fixed order. It is the video
//! game of the MCPS paper, after Team Fight Tactics.
//!
//! The paper does not say what happens if the players avoid each other. Here the game is a draw after [`IDLE`] plies in a
//! row without a hit, which random games almost never reach.

use crate::parts::bits::Bits;
use crate::parts::circle::{Circle, Ring};
use permutree_game::draw::{STONES, column_letter, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Rewards, Rng, Turn, Visitor,
};
use std::fmt::Write;

mod picture;

/// The health of every unit at the start.
const HEALTH: u8 = 3;
/// This many plies in a row without a hit are a draw.
pub const IDLE: u8 = 100;
/// The distance that a unit can step, diagonals included.
const STEP: usize = 1;
/// The distance at which a unit can hit, diagonals included.
const RANGE: usize = 2;
/// The largest number of units of both players.
const SLOTS: usize = 32;
/// The distance from a cell to the one above it, for all sizes.
const ROW: usize = 8;

/// The rules on a board of one size. The bit of a cell is `row * ROW + column`; units are numbered by slot in the circle.
#[derive(Clone, Copy, Debug)]
pub struct SkirmishArena {
    size: usize,
    circle: Circle<SLOTS>,
    /// For each cell, the cells that a unit could step to, and the cell itself.
    near: [Bits<1>; 64],
    /// For each cell, the cells that a unit could hit.
    range: [Bits<1>; 64],
}

/// The cell and the health of every unit.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The cell of each unit; for a dead unit, the cell where it died.
    cells: [u8; SLOTS],
    health: [u8; SLOTS],
    /// The cells of each player's living units.
    standing: [Bits<1>; 2],
    /// The unit on each cell that has one.
    units: [u8; 64],
    ring: Ring<SLOTS>,
    /// The acting unit.
    slot: u8,
    /// Plies since the last hit.
    idle: u8,
}

/// The acting unit steps or stays, and hits a unit or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action {
    from: u8,
    to: u8,
    target: Option<u8>,
}

impl Configure for SkirmishArena {
    const FACTS: Facts = Facts {
        name: "skirmish-arena",
        title: "Skirmish arena",
        rules: "Each player fills two home rows with units of health 3, which act in a fixed order: the first of each \
                player, the second of each player and so on; dead units are skipped. A unit stays or steps to an empty \
                adjacent cell and then takes 1 health from an enemy at most 2 cells away, diagonals included; it skips \
                the hit only if no enemy can be reached. The last player with a living unit wins; 100 plies without a \
                hit are a draw.",
        source: "Cazenave, Monte Carlo Permutation Search, 2025 (its video game, after Team Fight Tactics)",
        params: &[Param::int(
            "size",
            4,
            8,
            "5",
            "cells per side, with twice as many units per player; 5 as in the MCPS paper",
        )],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        Ok(visitor.visit(Self::new(args.int("size"))))
    }
}

impl SkirmishArena {
    /// The game on a board of this size, with twice as many units per player.
    ///
    /// # Panics
    /// If the size is not in 4..=8.
    #[must_use]
    pub fn new(size: usize) -> Self {
        assert!((4..=8).contains(&size), "size {size}");
        let all = || (0..size).flat_map(|row| (0..size).map(move |column| row * ROW + column));
        let within = |reach: usize| {
            std::array::from_fn(|from| {
                let far = |to: &usize| (from / ROW).abs_diff(to / ROW).max((from % ROW).abs_diff(to % ROW));
                all().filter(|to| far(to) <= reach).collect::<Bits<1>>()
            })
        };
        Self { size, circle: Circle::new(2 * size, 2), near: within(STEP), range: within(RANGE) }
    }

    /// The cells from which the acting unit can hit, its own included.
    #[inline]
    fn goals(&self, position: &Position) -> Bits<1> {
        let from = usize::from(position.cells[usize::from(position.slot) % SLOTS]);
        let [a, b] = position.standing;
        self.near[from % 64] & !(a | b) | Bits::one(from)
    }

    /// The cells of the enemies of the acting unit.
    #[inline]
    fn enemies(&self, position: &Position) -> Bits<1> {
        position.standing[1 - self.circle.owner(position.slot) % 2]
    }

    /// The action of the acting unit that moves to a cell and hits the unit on another.
    #[inline]
    fn action(position: &Position, to: usize, target: Option<usize>) -> Action {
        Action {
            from: position.cells[usize::from(position.slot) % SLOTS],
            to: to as u8,
            target: target.map(|cell| position.units[cell % 64]),
        }
    }

    #[inline]
    fn is_over(position: &Position) -> bool {
        position.standing.iter().any(Bits::is_empty) || position.idle >= IDLE
    }

    /// The dense number of a cell.
    fn cell(&self, cell: u8) -> usize {
        usize::from(cell) / ROW * self.size + usize::from(cell) % ROW
    }

    /// The number of targets with their health, and none.
    fn aims(&self) -> usize {
        1 + self.circle.units * usize::from(HEALTH)
    }

    fn unit_on(position: &Position, cell: usize) -> Option<u8> {
        position.standing.iter().any(|cells| cells.contains(cell)).then(|| position.units[cell])
    }

    /// The unit to act, unless the game is over.
    fn acts(position: &Position) -> Option<u8> {
        (!Self::is_over(position)).then_some(position.slot)
    }
}

impl Game for SkirmishArena {
    type Position = Position;
    type Move = Action;

    fn players(&self) -> usize {
        2
    }

    /// Units with the same number start in the same column, the first half of them in front.
    fn start(&self) -> Position {
        let mut position = Position {
            cells: [0; SLOTS],
            health: [0; SLOTS],
            standing: [Bits::EMPTY; 2],
            units: [0; 64],
            ring: Ring::new(self.circle.slots()),
            slot: 0,
            idle: 0,
        };
        for slot in 0..self.circle.slots() {
            let (number, player) = (slot / 2, slot % 2);
            let depth = 1 - number / self.size;
            let row = if player == 0 { depth } else { self.size - 1 - depth };
            let cell = row * ROW + number % self.size;
            position.cells[slot] = cell as u8;
            position.health[slot] = HEALTH;
            position.standing[player].insert(cell);
            position.units[cell] = slot as u8;
        }
        position
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        self.circle.turn(Self::acts(position))
    }

    fn moves(&self, position: &Position, out: &mut Vec<Action>) {
        if Self::is_over(position) {
            return;
        }
        let (goals, enemies) = (self.goals(position), self.enemies(position));
        for to in goals.iter() {
            let targets = (self.range[to] & enemies).iter();
            out.extend(targets.map(|cell| Self::action(position, to, Some(cell))));
        }
        if out.is_empty() {
            out.extend(goals.iter().map(|to| Self::action(position, to, None)));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, action: Action) {
        let slot = usize::from(position.slot) % SLOTS;
        let player = self.circle.owner(position.slot) % 2;
        let own = &mut position.standing[player];
        own.remove(usize::from(action.from) % 64);
        own.insert(usize::from(action.to) % 64);
        position.cells[slot] = action.to;
        position.units[usize::from(action.to) % 64] = position.slot;
        position.idle += 1;
        if let Some(target) = action.target {
            position.idle = 0;
            let health = &mut position.health[usize::from(target) % SLOTS];
            *health -= 1;
            if *health == 0 {
                let cell = position.cells[usize::from(target) % SLOTS];
                position.standing[1 - player].remove(usize::from(cell) % 64);
                position.ring.remove(target);
            }
        }
        position.slot = position.ring.next(position.slot);
    }

    fn rewards(&self, position: &Position) -> Rewards {
        match position.standing.map(|cells| cells.is_empty()) {
            [false, true] => Rewards::win(2, Player(0)),
            [true, false] => Rewards::win(2, Player(1)),
            _ => Rewards::draw(2),
        }
    }

    fn hash(&self, position: &Position) -> u64 {
        let mut units = [0; SLOTS];
        for (slot, unit) in units.iter_mut().enumerate().filter(|(slot, _)| position.health[*slot] > 0) {
            *unit = position.cells[slot] << 2 | position.health[slot];
        }
        let turn = u64::from(position.idle) << 8 | u64::from(position.slot);
        Hasher::new().word(turn).bytes(&units[..self.circle.slots()]).finish()
    }

    fn codings(&self) -> &'static [&'static str] {
        &["abstract", "specific", "exact", "target"]
    }

    fn codes(&self, coding: usize) -> usize {
        let cells = self.size * self.size;
        match coding {
            0 => self.circle.slots() * (1 + self.circle.units),
            1 => 2 * cells * (1 + (BLOCK * BLOCK - 1) * usize::from(HEALTH)),
            2 => self.circle.slots() * cells * 9 * usize::from(HEALTH) * self.aims(),
            _ => 2 * self.aims(),
        }
    }

    /// `abstract`: the unit and its target. `specific`: the player, the cell reached, the target's cell relative to it and
    /// its health. `exact`: the unit, the cell left, the step, the target, and the health of both. `target`: the player, the
    /// target and its health. No target counts as one more target, without health.
    #[inline]
    fn code(&self, position: &Position, action: Action, coding: usize) -> Code {
        let (slot, player) = (usize::from(position.slot) % SLOTS, self.circle.owner(position.slot));
        let health = |slot: usize| usize::from(position.health[slot % SLOTS]) - 1;
        // 0 for no target, else 1 plus the number of the target and its health.
        let aim = |number: Option<usize>| match (number, action.target) {
            (Some(number), Some(target)) => 1 + number * usize::from(HEALTH) + health(usize::from(target)),
            _ => 0,
        };
        let number = action.target.map(|target| self.circle.number(target));
        let code = match coding {
            0 => slot * (1 + self.circle.units) + number.map_or(0, |number| 1 + number),
            1 => {
                let seen = action.target.map(|target| {
                    let offset = block(action.to, position.cells[usize::from(target) % SLOTS], RANGE);
                    // The middle of the block, the unit's own cell, is never a target.
                    offset - usize::from(offset > BLOCK * BLOCK / 2)
                });
                let cell = player * self.size * self.size + self.cell(action.to);
                cell * (1 + (BLOCK * BLOCK - 1) * usize::from(HEALTH)) + aim(seen)
            }
            2 => {
                let left = slot * self.size * self.size + self.cell(action.from);
                let step = left * 9 + block(action.from, action.to, STEP);
                (step * usize::from(HEALTH) + health(slot)) * self.aims() + aim(number)
            }
            _ => player * self.aims() + aim(number),
        };
        code as Code
    }

    /// The unit's cell, `>` and the cell of a step, `x` and the cell of a target: `b2>c3xd4`, `b2xd4`, `b2>c3`, `b2`.
    fn move_text(&self, position: &Position, action: Action) -> String {
        let mut text = name(action.from);
        if action.to != action.from {
            text = text + ">" + &name(action.to);
        }
        if let Some(target) = action.target {
            text = text + "x" + &name(position.cells[usize::from(target)]);
        }
        text
    }

    /// Each unit with its health, such as `x10:3`; `>` before the unit to act, brackets around the one that acted last, `*`
    /// after the one hit last.
    fn board(&self, position: &Position, last: Option<Action>) -> String {
        let hit = last.and_then(|action| action.target).map(|target| position.cells[usize::from(target)]);
        let mut out = String::new();
        for row in (0..self.size).rev() {
            let _ = write!(out, "{:>2} ", row + 1);
            for cell in (0..self.size).map(|column| row * ROW + column) {
                let unit = Self::unit_on(position, cell);
                let (mut before, mut after) = (' ', ' ');
                if unit.is_some() && unit == Self::acts(position) {
                    before = '>';
                }
                if last.is_some_and(|action| usize::from(action.to) == cell) {
                    (before, after) = ('[', ']');
                }
                if hit == Some(cell as u8) {
                    after = '*';
                }
                let text = unit.map_or(". ".to_string(), |slot| {
                    let (stone, number) = (STONES[self.circle.owner(slot)], self.circle.number(slot) + 1);
                    format!("{before}{stone}{number}:{}", position.health[usize::from(slot)])
                });
                let _ = write!(out, "{text:>6}{after}");
            }
            out.push('\n');
        }
        out.push_str("   ");
        for column in 0..self.size {
            let _ = write!(out, "    {}  ", column_letter(column));
        }
        out.push('\n');
        out
    }

    fn picture(&self, position: &Position, last: Option<Action>) -> String {
        picture::draw(self, position, last)
    }

    /// Uniform over all pairs of a cell and a target, by counting the targets of each cell.
    #[inline]
    fn random_move(&self, position: &Position, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Option<Action> {
        if Self::is_over(position) {
            return None;
        }
        let (goals, enemies) = (self.goals(position), self.enemies(position));
        let targets = |to: usize| self.range[to % 64] & enemies;
        let count = goals.iter().map(|to| targets(to).count()).sum();
        let mut index = rng.below(count);
        for to in goals.iter() {
            let targets = targets(to);
            if index < targets.count() {
                return Some(Self::action(position, to, targets.nth(index)));
            }
            index -= targets.count();
        }
        goals.nth(rng.below(goals.count())).map(|to| Self::action(position, to, None))
    }
}

/// The side of the block of cells within range, around a unit.
const BLOCK: usize = 2 * RANGE + 1;

/// The number of a cell in the block of cells within `reach` of `middle`.
#[inline]
fn block(middle: u8, cell: u8, reach: usize) -> usize {
    let ((c, r), (column, row)) = (column_and_row(middle), column_and_row(cell));
    (row + reach - r) * (2 * reach + 1) + column + reach - c
}

#[inline]
fn column_and_row(cell: u8) -> (usize, usize) {
    (usize::from(cell) % ROW, usize::from(cell) / ROW)
}

fn name(cell: u8) -> String {
    let (column, row) = column_and_row(cell);
    square(column, row)
}
