//! The sliced evaluator: 512 random games at once, each in one bit of every word.
//!
//! All gates are computed at every step, without looking at what has changed, so a single game would be slower than with the
//! incremental evaluator, and all of them together are many times faster.

use crate::machine::Machine;
use crate::net::{FALSE, Net, Signal, TRUE};
use permutree_game::Rng;
use permutree_search::lanes::{Bank, LaneKernels, LaneRng, Lanes, Room, WIDTH};

/// The network of a game as programs for the kernels. The places of values are the sources of the incremental evaluator, and one
/// more that always holds.
#[derive(Clone, Debug)]
pub(crate) struct Sliced {
    kernels: LaneKernels,
    fluents: usize,
    places: usize,
    always: usize,
    /// What decides moves and the end, what decides the next state, and what decides the goals.
    now: Vec<Part>,
    next_gates: Vec<Part>,
    late: Vec<u32>,
    /// The values of these are none before the goals are computed.
    late_places: std::ops::Range<usize>,
    /// The moves of each role.
    roles: Vec<Vec<Bank>>,
    first_move: usize,
    next: Vec<u32>,
    terminal: u32,
    /// Role, hundredths and signal, the highest first.
    goals: Vec<(u8, u8, u32)>,
}

/// Gates that are computed together.
#[derive(Clone, Debug)]
enum Part {
    /// In order.
    Straight(Vec<u32>),
    /// Again and again until the loops, each with the signal that it follows, do not change.
    Circle { loops: Vec<(u32, u32)>, gates: Vec<u32> },
}

/// Room for 512 games.
#[derive(Clone, Debug, Default)]
pub struct Playouts {
    values: Vec<Lanes>,
    next: Vec<Lanes>,
    rooms: Vec<Room>,
}

/// What 512 random games gave.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// For each role the games with each number of hundredths; the others gave none.
    pub(crate) goals: Vec<Vec<(u8, Lanes)>>,
}

fn gate(program: &mut Vec<u32>, place: u32, signals: &[u32]) {
    let of =
        |fails: u32| signals.iter().filter(move |&&signal| signal & 1 == fails).map(|signal| signal >> 1);
    program.extend([place, of(0).count() as u32, of(1).count() as u32]);
    program.extend(of(0).chain(of(1)));
}

impl Sliced {
    pub(crate) fn new(net: &Net, machine: &Machine) -> Self {
        let [fluents, moves, gates] = machine.size();
        let first = fluents + moves;
        let late_places = first + gates..machine.values();
        let always = late_places.end;
        let of = |signal: Signal| match signal {
            TRUE => always as u32 * 2,
            FALSE => always as u32 * 2 + 1,
            _ => (machine.source(signal / 2) << 1) | (signal & 1),
        };

        let mut decides = vec![false; gates];
        let ends = net.legal.iter().chain(&net.guards).chain([&net.terminal]);
        let inner = |source: u32| (source as usize).checked_sub(first).filter(|&gate| gate < gates);
        let mut waiting: Vec<usize> = ends.filter_map(|&signal| inner(of(signal) >> 1)).collect();
        while let Some(gate) = waiting.pop() {
            if !std::mem::replace(&mut decides[gate], true) {
                waiting.extend(machine.signals(gate).iter().filter_map(|signal| inner(signal >> 1)));
            }
        }
        let (mut now, mut next_gates) = (Vec::new(), Vec::new());
        let mut circles = machine.circles().peekable();
        let mut number = 0;
        while number < gates {
            let parts: &mut Vec<Part> = if decides[number] { &mut now } else { &mut next_gates };
            if let Some((from, loops, to)) = circles.next_if(|circle| circle.0 == number) {
                let follows = |gate: usize| ((first + gate) as u32, machine.signals(gate)[0]);
                let mut program = Vec::new();
                for inside in loops..to {
                    gate(&mut program, (first + inside) as u32, machine.signals(inside));
                }
                parts.push(Part::Circle { loops: (from..loops).map(follows).collect(), gates: program });
                number = to;
                continue;
            }
            // Places that only fill up a word have no signals.
            if !machine.signals(number).is_empty() {
                if !matches!(parts.last(), Some(Part::Straight(_))) {
                    parts.push(Part::Straight(Vec::new()));
                }
                if let Some(Part::Straight(program)) = parts.last_mut() {
                    gate(program, (first + number) as u32, machine.signals(number));
                }
            }
            number += 1;
        }
        let mut late = Vec::new();
        for list in machine.late() {
            gate(&mut late, list[0], &list[1..]);
        }

        let count = net.does.iter().map(|&(role, _)| usize::from(role) + 1).max().unwrap_or(0);
        let mut roles: Vec<Vec<Bank>> = vec![Vec::new(); count];
        for (i, &(role, _)) in net.does.iter().enumerate() {
            let banks = &mut roles[usize::from(role)];
            let guard = of(net.guards[i]);
            let at = banks.iter().position(|bank| bank.guard == guard).unwrap_or_else(|| {
                banks.push(Bank { guard, moves: Vec::new() });
                banks.len() - 1
            });
            banks[at].moves.push((of(net.legal[i]), (fluents + i) as u32));
        }
        let mut goals: Vec<(u8, u8, u32)> =
            net.goals.iter().map(|&(role, value, signal)| (role, value, of(signal))).collect();
        goals.sort_by_key(|&(role, value, _)| (role, std::cmp::Reverse(value)));
        Self {
            kernels: LaneKernels::detect(),
            fluents,
            places: always + 1,
            always,
            now,
            next_gates,
            late,
            late_places,
            roles,
            first_move: fluents,
            next: net.next.iter().map(|&signal| of(signal)).collect(),
            terminal: of(net.terminal),
            goals,
        }
    }

    fn compute(&self, parts: &[Part], values: &mut [Lanes]) {
        for part in parts {
            match part {
                Part::Straight(program) => self.kernels.gates(program, values),
                Part::Circle { loops, gates } => {
                    loops.iter().for_each(|&(place, _)| values[place as usize] = Lanes::NONE);
                    loop {
                        self.kernels.gates(gates, values);
                        let mut changed = false;
                        for &(place, follows) in loops {
                            let value = signal(values, follows);
                            changed |= value != values[place as usize];
                            values[place as usize] = value;
                        }
                        if !changed {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// Plays 512 random games on from a state with these fluents. Roles that have chosen already do the moves of `chosen`. At most `steps` are
    /// played. `see` is shown the values after the choices of each step, and the games that go on.
    pub(crate) fn play(
        &self,
        facts: &[u64],
        chosen: &[Option<u32>],
        steps: u32,
        rng: &mut Rng,
        room: &mut Playouts,
        mut see: impl FnMut(&[Lanes], Lanes),
    ) -> Outcome {
        let Playouts { values, next, rooms } = room;
        values.clear();
        values.resize(self.places, Lanes::NONE);
        values[self.always] = Lanes::ALL;
        for (fluent, value) in values[..self.fluents].iter_mut().enumerate() {
            if facts[fluent / 64] >> (fluent % 64) & 1 == 1 {
                *value = Lanes::ALL;
            }
        }
        rooms.resize_with(self.roles.len(), Room::default);
        let (mut rng, mut open, mut played) = (LaneRng::new(rng), Lanes::ALL, 0);
        loop {
            self.compute(&self.now, values);
            open = open.without(signal(values, self.terminal));
            if played == steps || open.is_none() {
                break;
            }
            for (role, banks) in self.roles.iter().enumerate() {
                if let Some(Some(mv)) = chosen.get(role).filter(|_| played == 0) {
                    values[self.first_move + *mv as usize] = Lanes::ALL;
                    continue;
                }
                let none = self.kernels.choose(banks, values, open, &mut rng, &mut rooms[role]);
                open = open.without(none);
            }
            see(values, open);
            self.compute(&self.next_gates, values);
            next.clear();
            for (fluent, &follows) in self.next.iter().enumerate() {
                next.push(signal(values, follows).and(open).or(values[fluent].without(open)));
            }
            values[..self.fluents].copy_from_slice(next);
            for room in rooms.iter() {
                room.places().iter().for_each(|&place| values[place as usize] = Lanes::NONE);
            }
            if played == 0 {
                let done = chosen.iter().flatten().map(|&mv| self.first_move + mv as usize);
                done.for_each(|place| values[place] = Lanes::NONE);
            }
            played += 1;
        }
        self.compute(&self.next_gates, values);
        values[self.late_places.clone()].fill(Lanes::NONE);
        self.kernels.gates(&self.late, values);
        let mut goals = vec![Vec::new(); self.roles.len()];
        let mut left = vec![Lanes::ALL; self.roles.len()];
        for &(role, value, follows) in &self.goals {
            let left = &mut left[usize::from(role)];
            let games = signal(values, follows).and(*left);
            *left = left.without(games);
            goals[usize::from(role)].push((value, games));
        }
        Outcome { goals }
    }
}

fn signal(values: &[Lanes], signal: u32) -> Lanes {
    let value = values[(signal >> 1) as usize];
    if signal & 1 == 1 { Lanes::ALL.without(value) } else { value }
}

/// How many games are played at once.
pub const AT_ONCE: usize = WIDTH;
