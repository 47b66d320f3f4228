//! The propositional network: gates that compute what is legal, what is next, and how the game ends from what is true and what
//! is done.
//!
//! All gates are conjunctions of gates and of their opposites; a disjunction is the opposite of one. Equal gates are one gate.
//! A role does exactly one thing at a time, so "one of these" is "none of the others" when these are more than half. Where roles
//! take turns and the others wait, exactly one of all moves but the waiting ones is done, which makes "none of the others" much
//! shorter.

use crate::Error;
use crate::graph::components;
use crate::ground::Ground;
use crate::rules::{Program, key};
use crate::slices::Slices;
use crate::tables::{AtomId, TermId};
use std::collections::{HashMap, HashSet};

/// A gate or its opposite: twice the number of the gate, plus one for the opposite.
pub(crate) type Signal = u32;

/// The signals that never change.
pub(crate) const TRUE: Signal = 0;
pub(crate) const FALSE: Signal = 1;

/// A gate has at most so many signals, which a counter of the evaluator can hold.
const WIDEST: usize = 30_000;

/// What a gate computes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gate {
    /// Nothing: it is always true. Gate 0.
    Always,
    /// A fluent of the state.
    Fluent(u32),
    /// What a role does.
    Does(u32),
    /// The conjunction of the signals with this number in [`Net::inputs`].
    All(u32),
    /// The same as a signal that depends on this gate: the least solution counts.
    Loop(Signal),
}

/// Gates in an order in which each follows those it needs, but for loops.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gates {
    gates: Vec<Gate>,
    inputs: Slices,
    /// The gate for each number of `inputs`.
    all: Vec<u32>,
    /// The gates for fluents and moves.
    fluents: Vec<u32>,
    does: Vec<u32>,
    /// The group of each move, and how many moves each group has. Exactly one move of a group is done.
    group: Vec<u8>,
    moves: Vec<u32>,
}

/// A move outside all groups.
const ALONE: u8 = u8::MAX;

impl Gates {
    /// The inputs alone.
    fn new(fluents: usize, group: &[u8]) -> Self {
        let groups =
            group.iter().filter(|&&group| group != ALONE).max().map_or(0, |&most| usize::from(most) + 1);
        let mut new = Self {
            gates: vec![Gate::Always],
            group: group.to_vec(),
            moves: vec![0; groups],
            ..Self::default()
        };
        for i in 0..fluents as u32 {
            new.fluents.push(new.gates.len() as u32);
            new.gates.push(Gate::Fluent(i));
        }
        for (i, &group) in group.iter().enumerate() {
            if group != ALONE {
                new.moves[usize::from(group)] += 1;
            }
            new.does.push(new.gates.len() as u32);
            new.gates.push(Gate::Does(i as u32));
        }
        new
    }

    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(crate) fn gate(&self, gate: u32) -> Gate {
        self.gates[gate as usize]
    }

    /// The signals that a conjunction needs, or the one that a loop follows.
    pub(crate) fn needs(&self, gate: u32) -> &[Signal] {
        match &self.gates[gate as usize] {
            Gate::All(inputs) => self.inputs.get(*inputs),
            Gate::Loop(signal) => std::slice::from_ref(signal),
            _ => &[],
        }
    }

    /// The group and the number of a move, if the signal is one.
    fn done(&self, signal: Signal) -> Option<(u8, u32)> {
        match self.gates[(signal / 2) as usize] {
            Gate::Does(number) => Some((self.group[number as usize], number)),
            _ => None,
        }
    }

    /// A new loop, whose signal is to be set.
    fn new_loop(&mut self) -> Signal {
        self.gates.push(Gate::Loop(FALSE));
        (self.gates.len() as u32 - 1) * 2
    }

    /// Whether all signals hold.
    fn all(&mut self, mut signals: Vec<Signal>) -> Signal {
        signals.sort_unstable();
        signals.dedup();
        if signals.first() == Some(&TRUE) {
            signals.remove(0);
        }
        // A signal and its opposite are neighbours.
        if signals.contains(&FALSE) || signals.windows(2).any(|pair| pair[0] ^ 1 == pair[1]) {
            return FALSE;
        }
        if self.is_choice(&signals) {
            match self.one_of_each(&mut signals) {
                Some(true) => return self.all(signals),
                Some(false) => {}
                None => return FALSE,
            }
        }
        match signals[..] {
            [] => TRUE,
            [signal] => signal,
            _ if signals.len() > WIDEST => {
                let parts: Vec<Vec<Signal>> = signals.chunks(WIDEST / 2).map(<[Signal]>::to_vec).collect();
                let parts = parts.into_iter().map(|part| self.all(part)).collect();
                self.all(parts)
            }
            _ => {
                let number = self.inputs.number(&signals);
                if number as usize == self.all.len() {
                    self.all.push(self.gates.len() as u32);
                    self.gates.push(Gate::All(number));
                }
                self.all[number as usize] * 2
            }
        }
    }

    /// Whether at least two signals are moves, or one is that must not be done.
    fn is_choice(&self, signals: &[Signal]) -> bool {
        let mut moves = signals.iter().filter(|&&signal| self.done(signal).is_some());
        moves.next().is_some_and(|&first| first & 1 == 1 || moves.next().is_some())
    }

    /// Simplifies a conjunction by the fact that exactly one move of each group is done. `None` if it cannot hold; whether it
    /// changed.
    fn one_of_each(&mut self, signals: &mut Vec<Signal>) -> Option<bool> {
        let before = signals.len();
        for group in 0..self.moves.len() as u8 {
            let of_group = |gates: &Self, signal: Signal| gates.done(signal).is_some_and(|(g, _)| g == group);
            let mut did = signals.iter().filter(|&&s| s & 1 == 0 && of_group(self, s));
            if did.next().is_some() {
                if did.next().is_some() {
                    return None;
                }
                signals.retain(|&s| s & 1 == 0 || !of_group(self, s));
                continue;
            }
            let not: Vec<u32> = signals
                .iter()
                .filter_map(|&signal| self.done(signal))
                .filter(|&(g, _)| g == group)
                .map(|(_, number)| number)
                .collect();
            if not.len() * 2 > self.moves[usize::from(group)] as usize {
                // None of these: one of the others.
                let others: Vec<Signal> = (0..self.does.len())
                    .filter(|&i| self.group[i] == group && not.binary_search(&(i as u32)).is_err())
                    .map(|i| self.does[i] * 2)
                    .collect();
                signals.retain(|&s| !of_group(self, s));
                let one = self.any(others);
                signals.push(one);
                return Some(true);
            }
        }
        Some(signals.len() != before)
    }

    /// Whether any signal holds.
    fn any(&mut self, signals: Vec<Signal>) -> Signal {
        self.all(signals.into_iter().map(|signal| signal ^ 1).collect()) ^ 1
    }

    /// Whether all signals of any of these conjunctions hold. What they share is written once.
    fn any_of_all(&mut self, mut products: Vec<Vec<Signal>>) -> Signal {
        let mut sum = Vec::new();
        for product in &mut products {
            product.sort_unstable();
            product.dedup();
        }
        products.sort_unstable();
        products.dedup();
        if products.first().is_some_and(Vec::is_empty) {
            return TRUE;
        }
        // Moves under the same conditions first, since most rules for what is next are of this kind.
        let mut by_rest: Vec<(Vec<Signal>, Vec<Signal>)> = Vec::new();
        let mut place: HashMap<Vec<Signal>, usize> = HashMap::new();
        for product in products {
            let did = product.iter().position(|&s| s & 1 == 0 && self.done(s).is_some());
            let (rest, did) = match did {
                Some(i) => {
                    let mut rest = product.clone();
                    let did = rest.remove(i);
                    (rest, did)
                }
                None => (product, TRUE),
            };
            let new = by_rest.len();
            let at = *place.entry(rest.clone()).or_insert(new);
            if at == new {
                by_rest.push((rest, Vec::new()));
            }
            by_rest[at].1.push(did);
        }
        let mut left: Vec<Vec<Signal>> = Vec::new();
        for (mut rest, did) in by_rest {
            let did = self.any(did);
            if did != TRUE {
                rest.push(did);
                rest.sort_unstable();
            }
            left.push(rest);
        }
        // Then the signal that most conjunctions share, as long as there is one.
        let mut counts: HashMap<Signal, u32> = HashMap::new();
        for rounds in 0.. {
            counts.clear();
            left.iter().flatten().for_each(|&signal| *counts.entry(signal).or_insert(0) += 1);
            let most = counts.iter().map(|(&signal, &count)| (count, std::cmp::Reverse(signal))).max();
            let Some((count, std::cmp::Reverse(shared))) = most else { break };
            // Each round looks at all that is left, so there are few for very long sums.
            if count < 2 || rounds * left.len() > 1_000_000 {
                break;
            }
            let (with, without): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|product| product.contains(&shared));
            left = without;
            let rest = with.into_iter().map(|product| product.into_iter().filter(|&s| s != shared).collect());
            let rest = self.any_of_all(rest.collect());
            sum.push(self.all(vec![shared, rest]));
        }
        for product in left {
            sum.push(self.all(product));
        }
        self.any(sum)
    }
}

/// The network of a game.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    pub(crate) gates: Gates,
    /// The fluents, as terms, and which are true at the start.
    pub(crate) fluents: Vec<TermId>,
    pub(crate) start: Vec<bool>,
    /// The moves, by role, as terms.
    pub(crate) does: Vec<(u8, TermId)>,
    /// A move is legal if this holds and its guard does. Guards are shared by many moves, such as whose turn it is, so that
    /// they need not pass through a gate for each.
    pub(crate) legal: Vec<Signal>,
    pub(crate) guards: Vec<Signal>,
    /// Whether each fluent is next.
    pub(crate) next: Vec<Signal>,
    pub(crate) terminal: Signal,
    /// Role, value in hundredths, and whether it is the value.
    pub(crate) goals: Vec<(u8, u8, Signal)>,
}

/// Builds the network of a ground game. Fluents and moves come in the order that `order` gives their terms.
pub(crate) fn build(
    program: &mut Program,
    ground: &Ground,
    order: impl Fn(TermId, TermId) -> std::cmp::Ordering,
) -> Result<Net, Error> {
    let mut net = build_once(program, ground, &order, None)?;
    if let Some(groups) = turns(&net) {
        let warnings = program.warnings.len();
        net = build_once(program, ground, &order, Some(&groups))?;
        program.warnings.truncate(warnings);
    }
    Ok(guarded(net))
}

/// A guard is taken out of so many moves at least.
const FEWEST_GUARDED: usize = 8;

/// Takes the signals that many moves of a role share out of the conjunctions that make them legal.
fn guarded(mut net: Net) -> Net {
    let roles = net.does.iter().map(|&(role, _)| role).max().unwrap_or(0);
    for role in 0..=roles {
        loop {
            let mut counts: HashMap<Signal, usize> = HashMap::new();
            let open: Vec<usize> = (0..net.does.len())
                .filter(|&i| net.does[i].0 == role && net.guards[i] == TRUE && net.legal[i] & 1 == 0)
                .collect();
            for &i in open.iter().filter(|&&i| matches!(net.gates.gate(net.legal[i] / 2), Gate::All(_))) {
                net.gates.needs(net.legal[i] / 2).iter().for_each(|&s| *counts.entry(s).or_insert(0) += 1);
            }
            let most = counts.into_iter().map(|(signal, count)| (count, std::cmp::Reverse(signal))).max();
            let Some((count, std::cmp::Reverse(guard))) = most else { break };
            if count < FEWEST_GUARDED {
                break;
            }
            for i in open {
                let needs = net.gates.needs(net.legal[i] / 2);
                if matches!(net.gates.gate(net.legal[i] / 2), Gate::All(_)) && needs.contains(&guard) {
                    let rest = needs.iter().copied().filter(|&signal| signal != guard).collect();
                    (net.legal[i], net.guards[i]) = (net.gates.all(rest), guard);
                }
            }
        }
    }
    net
}

/// The groups of moves of which exactly one is done in every step. Moves without an entry are never legal.
type Groups = HashMap<(u8, TermId), u8>;

/// Builds the network with the groups that are known, or one for each role.
fn build_once(
    program: &mut Program,
    ground: &Ground,
    order: &impl Fn(TermId, TermId) -> std::cmp::Ordering,
    groups: Option<&Groups>,
) -> Result<Net, Error> {
    let words = |atom: AtomId| ground.atoms.get(atom);
    let is = |atom: AtomId, relation: u32| words(atom)[0] == relation;
    let reached = (0..ground.atoms.len() as AtomId).filter(|&atom| ground.reached[atom as usize]);
    let mut fluents = Vec::new();
    let mut does = Vec::new();
    let mut outputs = Vec::new();
    for atom in reached {
        match *words(atom) {
            [key::TRUE, fluent] => fluents.push(fluent),
            [key::DOES, role, mv] => {
                let role = ground.roles.iter().position(|&r| r == role).unwrap_or_default();
                let mv = (role as u8, mv);
                if groups.is_none_or(|groups| groups.contains_key(&mv)) {
                    does.push(mv);
                }
            }
            [key::GOAL | key::TERMINAL | key::NEXT | key::LEGAL, ..] => outputs.push(atom),
            _ => {}
        }
    }
    fluents.sort_by(|&a, &b| order(a, b));
    does.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| order(a.1, b.1)));
    let fluent_number: HashMap<TermId, u32> = fluents.iter().zip(0..).map(|(&f, i)| (f, i)).collect();
    let does_number: HashMap<(u8, TermId), u32> = does.iter().zip(0..).map(|(&d, i)| (d, i)).collect();
    let group: Vec<u8> = does.iter().map(|mv| groups.map_or(mv.0, |groups| groups[mv])).collect();
    let mut gates = Gates::new(fluents.len(), &group);

    let rules = Rules::of(ground);
    // The atoms that the outputs need, and what they need themselves.
    let mut needs: Vec<Vec<u32>> = vec![Vec::new(); ground.atoms.len()];
    let mut needed = vec![false; ground.atoms.len()];
    let mut waiting = outputs.clone();
    outputs.iter().for_each(|&atom| needed[atom as usize] = true);
    while let Some(atom) = waiting.pop() {
        for body in rules.bodies(ground, atom) {
            for other in body.iter().map(|condition| condition >> 1) {
                if is(other, key::TRUE) || is(other, key::DOES) || !ground.reached[other as usize] {
                    continue;
                }
                needs[atom as usize].push(other);
                if !std::mem::replace(&mut needed[other as usize], true) {
                    waiting.push(other);
                }
            }
        }
        needs[atom as usize].sort_unstable();
        needs[atom as usize].dedup();
    }

    let mut signal = vec![FALSE; ground.atoms.len()];
    for atom in (0..ground.atoms.len() as AtomId).filter(|&atom| ground.reached[atom as usize]) {
        signal[atom as usize] = match *words(atom) {
            [key::TRUE, fluent] => gates.fluents[fluent_number[&fluent] as usize] * 2,
            [key::DOES, r, mv] => {
                let r = ground.roles.iter().position(|&role| role == r).unwrap_or_default();
                does_number.get(&(r as u8, mv)).map_or(FALSE, |&number| gates.does[number as usize] * 2)
            }
            _ => FALSE,
        };
    }
    let mut inside = vec![0; ground.atoms.len()];
    for (number, component) in (1..).zip(components(ground.atoms.len(), |atom| &needs[atom])) {
        if !needed[component[0] as usize] {
            continue;
        }
        let circle = component.len() > 1;
        component.iter().for_each(|&atom| inside[atom as usize] = number);
        if circle {
            component.iter().for_each(|&atom| signal[atom as usize] = gates.new_loop());
        }
        for &atom in &component {
            let mut products = Vec::new();
            for body in rules.bodies(ground, atom) {
                let absent =
                    |condition: &&u32| **condition & 1 == 1 && inside[(**condition >> 1) as usize] == number;
                if body.iter().find(absent).is_some() {
                    let name = crate::text::atom(program, &ground.terms, words(atom));
                    return Err(Error::of(format!("{name} depends on its own absence")));
                }
                // What needs itself to hold gives no reason to.
                if !body.contains(&(atom << 1)) {
                    let of = |condition: &u32| signal[(condition >> 1) as usize] ^ (condition & 1);
                    let product: Vec<Signal> = body.iter().map(of).filter(|&s| s != TRUE).collect();
                    if !product.contains(&FALSE) {
                        products.push(product);
                    }
                }
            }
            let value = gates.any_of_all(products);
            if circle {
                gates.gates[(signal[atom as usize] / 2) as usize] = Gate::Loop(value);
            } else {
                signal[atom as usize] = value;
            }
        }
    }

    let of = |words: &[u32]| ground.atoms.find(words).map_or(FALSE, |atom| signal[atom as usize]);
    let mut goals = Vec::new();
    for &atom in outputs.iter().filter(|&&atom| is(atom, key::GOAL)) {
        let [_, r, value] = *words(atom) else { continue };
        let Some(role) = ground.roles.iter().position(|&role| role == r) else { continue };
        let text = crate::text::term(program, &ground.terms, ground.terms.get(value));
        match text.parse::<u8>() {
            Ok(value) if value <= 100 => goals.push((role as u8, value, signal[atom as usize])),
            _ => {
                program.warnings.push(format!("a goal of {text} is no number from 0 to 100 and counts as 0"));
            }
        }
    }
    goals.sort_unstable();
    let first: HashSet<TermId> = ground.start.iter().map(|&atom| words(atom)[1]).collect();
    let net = Net {
        guards: vec![TRUE; does.len()],
        legal: does
            .iter()
            .map(|&(role, mv)| of(&[key::LEGAL, ground.roles[usize::from(role)], mv]))
            .collect(),
        next: fluents.iter().map(|&fluent| of(&[key::NEXT, fluent])).collect(),
        terminal: of(&[key::TERMINAL]),
        start: fluents.iter().map(|fluent| first.contains(fluent)).collect(),
        gates,
        fluents,
        does,
        goals,
    };
    Ok(simplify(net))
}

/// The instances of rules by their heads.
struct Rules {
    /// For each atom the end of its part of `at`.
    ends: Vec<u32>,
    /// Where in the list of instances the conditions start.
    at: Vec<u32>,
}

impl Rules {
    fn of(ground: &Ground) -> Self {
        let all = &ground.instances;
        let mut ends = vec![0_u32; ground.atoms.len() + 1];
        let mut i = 0;
        while i < all.len() {
            ends[all[i] as usize + 1] += 1;
            i += 2 + all[i + 1] as usize;
        }
        for atom in 1..ends.len() {
            ends[atom] += ends[atom - 1];
        }
        let mut at = vec![0; ends[ends.len() - 1] as usize];
        let mut next = ends.clone();
        i = 0;
        while i < all.len() {
            let place = &mut next[all[i] as usize];
            at[*place as usize] = i as u32 + 1;
            *place += 1;
            i += 2 + all[i + 1] as usize;
        }
        Self { ends, at }
    }

    /// The conditions of each instance with this head.
    fn bodies<'a>(&'a self, ground: &'a Ground, atom: AtomId) -> impl Iterator<Item = &'a [u32]> {
        let (from, to) = (self.ends[atom as usize] as usize, self.ends[atom as usize + 1] as usize);
        self.at[from..to].iter().map(|&at| {
            let at = at as usize;
            &ground.instances[at + 1..][..ground.instances[at] as usize]
        })
    }
}

/// Removes fluents that never change or that nothing needs, moves that are never legal, and what follows from that.
fn simplify(mut net: Net) -> Net {
    loop {
        let before = (net.fluents.len(), net.does.len(), net.gates.len());
        let known = unchanging(&net);
        let possible: Vec<bool> = net.legal.iter().map(|&legal| legal != FALSE).collect();
        net = rebuilt(&net, &known, &possible);
        let constant = (0..net.gates.len() as u32).any(
            |gate| matches!(net.gates.gate(gate), Gate::Loop(signal) if settled(gate, signal).is_some()),
        );
        if constant {
            continue;
        }
        if (net.fluents.len(), net.does.len(), net.gates.len()) == before {
            return net;
        }
    }
}

/// The value of a loop that follows a constant, or nothing but itself.
fn settled(gate: u32, follows: Signal) -> Option<Signal> {
    match follows {
        TRUE | FALSE => Some(follows),
        _ => (follows == gate * 2).then_some(FALSE),
    }
}

/// What a signal can be: bit 0 for true, bit 1 for false.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Can(u8);

impl Can {
    const BOTH: Self = Self(0b11);

    fn be(value: bool) -> Self {
        Self(2 - u8::from(value))
    }

    fn opposite(self) -> Self {
        Self(self.0 >> 1 | (self.0 & 1) << 1)
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0 & 0b01 | (self.0 | other.0) & 0b10)
    }
}

/// What each gate can be if the fluents can be this and anything is done.
fn possible(net: &Net, fluents: &[Can]) -> Vec<Can> {
    let mut can = vec![Can::BOTH; net.gates.len()];
    for gate in 0..net.gates.len() as u32 {
        can[gate as usize] = match net.gates.gate(gate) {
            Gate::Always => Can::be(true),
            Gate::Fluent(i) => fluents[i as usize],
            Gate::All(_) => {
                let needs = net.gates.needs(gate).iter();
                needs.fold(Can::be(true), |all, &signal| all.and(signal_can(&can, signal)))
            }
            _ => Can::BOTH,
        };
    }
    can
}

fn signal_can(can: &[Can], signal: Signal) -> Can {
    let can = can[(signal / 2) as usize];
    if signal & 1 == 1 { can.opposite() } else { can }
}

/// For each fluent whether it keeps its first value whatever is done: assumed of all, and dropped where the network, with the other
/// fluents unknown, does not confirm it.
fn unchanging(net: &Net) -> Vec<bool> {
    let mut fluents: Vec<Can> = net.start.iter().map(|&value| Can::be(value)).collect();
    loop {
        let can = possible(net, &fluents);
        let mut dropped = false;
        for (fluent, &next) in fluents.iter_mut().zip(&net.next) {
            if *fluent != Can::BOTH && signal_can(&can, next) != *fluent {
                (*fluent, dropped) = (Can::BOTH, true);
            }
        }
        if !dropped {
            return fluents.into_iter().map(|fluent| fluent != Can::BOTH).collect();
        }
    }
}

/// Steps and gates that [`turns`] looks at.
const MOST_TURNS: usize = 2000;
const MOST_TURN_GATES: usize = 100_000_000;

/// The groups of a game in which, at every step, all roles but one can only wait: all moves but the waiting ones are one group.
///
/// The game is followed from the start with fluents that are true, false or unknown, until what is known repeats. Whose turn it
/// is stays known in most games.
fn turns(net: &Net) -> Option<Groups> {
    let roles = net.does.iter().map(|&(role, _)| usize::from(role) + 1).max()?;
    if roles < 2 {
        return None;
    }
    let mut fluents: Vec<Can> = net.start.iter().map(|&value| Can::be(value)).collect();
    let mut seen = HashSet::new();
    // For each step and role the moves that can be legal, or only the first two.
    let mut choices: Vec<Vec<Vec<u32>>> = Vec::new();
    let mut allowed = vec![false; net.does.len()];
    while seen.insert(fluents.clone()) {
        if seen.len() > MOST_TURNS || seen.len() * net.gates.len() > MOST_TURN_GATES {
            return None;
        }
        let can = possible(net, &fluents);
        if signal_can(&can, net.terminal) == Can::be(true) {
            break;
        }
        let mut legal = vec![Vec::new(); roles];
        for (i, &signal) in net.legal.iter().enumerate() {
            if signal_can(&can, signal) != Can::be(false) {
                allowed[i] = true;
                legal[usize::from(net.does[i].0)].push(i as u32);
            }
        }
        choices.push(legal);
        fluents = net.next.iter().map(|&next| signal_can(&can, next)).collect();
    }
    // A role waits by a move that is its only one when it can be done at all.
    let waits = |role: usize| {
        let only = choices.iter().find(|legal| legal[role].len() == 1)?[role][0];
        choices.iter().all(|legal| legal[role].len() == 1 || !legal[role].contains(&only)).then_some(only)
    };
    let waits: Vec<Option<u32>> = (0..roles).map(waits).collect();
    let acts = |legal: &[Vec<u32>], role: usize| waits[role].is_none_or(|wait| legal[role] != [wait]);
    if choices.iter().any(|legal| (0..roles).filter(|&role| acts(legal, role)).count() != 1) {
        return None;
    }
    let group = |i: usize| if waits.contains(&Some(i as u32)) { ALONE } else { 0 };
    Some((0..net.does.len()).filter(|&i| allowed[i]).map(|i| (net.does[i], group(i))).collect())
}

/// The network without the fluents that are `known` to keep their first value, the moves that are not `possible`, and what
/// nothing needs.
fn rebuilt(net: &Net, known: &[bool], possible: &[bool]) -> Net {
    let old = &net.gates;
    let mut needed = vec![false; old.len()];
    let mut waiting: Vec<u32> = Vec::new();
    let goals = net.goals.iter().map(|&(_, _, signal)| signal);
    let ends = net.legal.iter().copied().chain(goals).chain([net.terminal]);
    waiting.extend(ends.map(|signal| signal / 2));
    while let Some(gate) = waiting.pop() {
        if std::mem::replace(&mut needed[gate as usize], true) {
            continue;
        }
        waiting.extend(old.needs(gate).iter().map(|signal| signal / 2));
        if let Gate::Fluent(i) = old.gate(gate)
            && !known[i as usize]
        {
            waiting.push(net.next[i as usize] / 2);
        }
    }
    let keeps = |i: &usize| needed[old.fluents[*i] as usize] && !known[*i];
    let fluents: Vec<usize> = (0..net.fluents.len()).filter(keeps).collect();
    let does: Vec<usize> = (0..net.does.len()).filter(|&i| possible[i]).collect();
    let group: Vec<u8> = does.iter().map(|&i| old.group[i]).collect();
    let mut gates = Gates::new(fluents.len(), &group);
    let mut new = vec![FALSE; old.len()];
    let of = |new: &[Signal], signal: Signal| new[(signal / 2) as usize] ^ (signal & 1);
    for (new_number, &i) in fluents.iter().enumerate() {
        new[old.fluents[i] as usize] = gates.fluents[new_number] * 2;
    }
    for (new_number, &i) in does.iter().enumerate() {
        new[old.does[i] as usize] = gates.does[new_number] * 2;
    }
    for gate in (0..old.len() as u32).filter(|&gate| needed[gate as usize]) {
        if let Gate::Loop(signal) = old.gate(gate) {
            new[gate as usize] = match settled(gate, signal) {
                Some(value) => value,
                None => gates.new_loop(),
            };
        }
    }
    for gate in (0..old.len() as u32).filter(|&gate| needed[gate as usize]) {
        match old.gate(gate) {
            Gate::Always => new[gate as usize] = TRUE,
            Gate::Fluent(i) if known[i as usize] => {
                new[gate as usize] = if net.start[i as usize] { TRUE } else { FALSE };
            }
            Gate::All(_) => {
                let signals = old.needs(gate).iter().map(|&signal| of(&new, signal)).collect();
                new[gate as usize] = gates.all(signals);
            }
            _ => {}
        }
    }
    for gate in (0..old.len() as u32).filter(|&gate| needed[gate as usize]) {
        if let Gate::Loop(signal) = old.gate(gate)
            && settled(gate, signal).is_none()
        {
            gates.gates[(new[gate as usize] / 2) as usize] = Gate::Loop(of(&new, signal));
        }
    }
    Net {
        guards: vec![TRUE; does.len()],
        fluents: fluents.iter().map(|&i| net.fluents[i]).collect(),
        start: fluents.iter().map(|&i| net.start[i]).collect(),
        next: fluents.iter().map(|&i| of(&new, net.next[i])).collect(),
        does: does.iter().map(|&i| net.does[i]).collect(),
        legal: does.iter().map(|&i| of(&new, net.legal[i])).collect(),
        terminal: of(&new, net.terminal),
        goals: net.goals.iter().map(|&(role, value, signal)| (role, value, of(&new, signal))).collect(),
        gates,
    }
}
