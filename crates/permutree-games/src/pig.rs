//! Pig, a race with a die.

use permutree_game::draw::{COLOURS, Svg};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Rewards, Rng, Turn, Visitor,
};
use std::fmt::Write;

/// Two players race to `goal` points.
///
/// The player to move rolls the die or holds. A roll of 1 loses the points of this turn and ends it; any other roll adds to
/// them. Holding banks them and ends the turn. A player wins as soon as the bank and the points of the turn reach the goal,
/// since rolling on could only lose them.
///
/// A turn starts with a roll: holding is legal only with points to bank. So every turn ends in a 1 or banks at least 2
/// points, and random games end with probability 1.
#[derive(Clone, Copy, Debug)]
pub struct Pig {
    goal: u16,
}

/// The banks, the points of this turn, and whether the die is about to fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    banks: [u16; 2],
    gathered: u16,
    player: Player,
    rolling: bool,
}

/// A player's choice, or the result of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Roll the die.
    Roll,
    /// Bank the points of this turn.
    Hold,
    /// The die shows this number.
    Die(u8),
}

impl Configure for Pig {
    const FACTS: Facts = Facts {
        name: "pig",
        title: "Pig",
        rules: "Roll a die as often as you like and add up the points. A 1 loses the points of this turn and ends it; \
                holding banks them and ends the turn. A player whose bank and points of the turn reach the goal wins.",
        source: "traditional; John Scarne, 1945",
        params: &[Param::int("goal", 10, 200, "100", "points to win")],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        Ok(visitor.visit(Self::new(args.int("goal") as u16)))
    }
}

impl Pig {
    /// The race to `goal` points.
    ///
    /// # Panics
    /// If the goal is not in 10..=200.
    #[must_use]
    pub fn new(goal: u16) -> Self {
        assert!((10..=200).contains(&goal), "goal {goal}");
        Self { goal }
    }

    /// Whether the player to move has won.
    #[inline]
    fn is_over(&self, position: &Position) -> bool {
        position.banks[position.player.index()] + position.gathered >= self.goal
    }
}

impl Game for Pig {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        Position { banks: [0; 2], gathered: 0, player: Player(0), rolling: false }
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        match position.rolling {
            true => Turn::Chance,
            false if self.is_over(position) => Turn::Over,
            false => Turn::Player(position.player),
        }
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        match self.turn(position) {
            Turn::Chance => out.extend((1..=6).map(Move::Die)),
            Turn::Player(_) if position.gathered == 0 => out.push(Move::Roll),
            Turn::Player(_) => out.extend([Move::Roll, Move::Hold]),
            Turn::Over => {}
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) {
        position.rolling = mv == Move::Roll;
        match mv {
            Move::Roll => {}
            Move::Die(1) => {
                position.gathered = 0;
                position.player = position.player.other();
            }
            Move::Die(points) => position.gathered += u16::from(points),
            Move::Hold => {
                position.banks[position.player.index()] += position.gathered;
                position.gathered = 0;
                position.player = position.player.other();
            }
        }
    }

    fn rewards(&self, position: &Position) -> Rewards {
        Rewards::win(2, position.player)
    }

    fn hash(&self, position: &Position) -> u64 {
        let Position { banks, gathered, player, rolling } = *position;
        let points = u64::from(banks[0]) << 32 | u64::from(banks[1]) << 16 | u64::from(gathered);
        Hasher::new().word(points << 2 | u64::from(player.0) << 1 | u64::from(rolling)).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        4
    }

    fn code(&self, position: &Position, mv: Move, _coding: usize) -> Code {
        u32::from(position.player.0) * 2 + u32::from(mv == Move::Hold)
    }

    fn move_text(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Roll => "roll".to_string(),
            Move::Hold => "hold".to_string(),
            Move::Die(points) => points.to_string(),
        }
    }

    #[inline]
    fn random_move(&self, position: &Position, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        match self.turn(position) {
            Turn::Chance => Some(Move::Die(1 + rng.below(6) as u8)),
            Turn::Player(_) if position.gathered == 0 || rng.below(2) == 0 => Some(Move::Roll),
            Turn::Player(_) => Some(Move::Hold),
            Turn::Over => None,
        }
    }

    fn board(&self, position: &Position, last: Option<Move>) -> String {
        let mut out = String::new();
        for player in [Player(0), Player(1)] {
            let _ = write!(out, "{player}: {:>3} of {}", position.banks[player.index()], self.goal);
            if player == position.player {
                let _ = write!(out, " + {}", position.gathered);
                out.push_str(if position.rolling { ", rolling" } else { " <" });
            }
            out.push('\n');
        }
        match last {
            Some(Move::Die(points)) => {
                let _ = writeln!(out, "die: [{points}]");
            }
            Some(Move::Hold) => out.push_str("held\n"),
            Some(Move::Roll) | None => {}
        }
        out
    }

    fn picture(&self, position: &Position, last: Option<Move>) -> String {
        let mut svg = Svg::new(420.0, 150.0);
        let long = |points: u16| f64::from(points) / f64::from(self.goal) * 240.0;
        for player in [Player(0), Player(1)] {
            let (bank, y) = (position.banks[player.index()], 25.0 + player.index() as f64 * 60.0);
            let acts = player == position.player;
            let gathered = if acts { position.gathered } else { 0 };
            svg.rect(30.0, y, 240.0, 30.0, "#ddd5c8");
            svg.rect(30.0, y, long(bank), 30.0, COLOURS[player.index()]);
            svg.rect(30.0 + long(bank), y, long(gathered.min(self.goal - bank)), 30.0, "#ffe08a");
            let sum = if gathered > 0 { format!("{bank} + {gathered}") } else { bank.to_string() };
            svg.text(150.0, y + 15.0, 15.0, "#222", sum);
            if acts {
                svg.polygon(&[(8.0, y + 7.0), (22.0, y + 15.0), (8.0, y + 23.0)], "#222", "none");
            }
        }
        svg.rect(310.0, 30.0, 80.0, 80.0, "#222");
        svg.rect(312.0, 32.0, 76.0, 76.0, "#fff");
        match last {
            Some(Move::Die(points)) => {
                for (column, row) in pips(points) {
                    svg.disc(350.0 + f64::from(column) * 22.0, 70.0 + f64::from(row) * 22.0, 7.0, "#222");
                }
            }
            Some(Move::Hold) => svg.text(350.0, 70.0, 20.0, "#222", "hold"),
            Some(Move::Roll) => svg.text(350.0, 70.0, 30.0, "#222", "?"),
            None => {}
        }
        svg.finish()
    }
}

/// The positions of the pips of a die, from its middle.
fn pips(points: u8) -> impl Iterator<Item = (i8, i8)> {
    // The middle, one diagonal, the other, the sides: each number adds a pair to the number two below it.
    let middle = (points % 2 == 1).then_some([(0, 0)]);
    let pairs = [[(-1, -1), (1, 1)], [(1, -1), (-1, 1)], [(-1, 0), (1, 0)]];
    middle.into_iter().flatten().chain(pairs.into_iter().take(usize::from(points / 2)).flatten())
}
