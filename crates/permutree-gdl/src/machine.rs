//! The incremental evaluator: a position knows the value of every gate, and a move changes only what depends on it.
//!
//! A gate counts how many of its signals are missing, as a number that is negative while any is. Gates are numbered so that each
//! comes after those it needs. A change goes into a set of gates whose value has changed and not been passed on; the set is
//! emptied from the lowest number up, so each gate is looked at once. Gates that depend on themselves are neighbours and fill
//! whole words of the set.

use crate::graph::components;
use crate::net::{FALSE, Gate, Net, Signal};

/// Gates of a network, placed for evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// How many fluents, moves and gates there are.
    fluents: usize,
    moves: usize,
    gates: usize,
    /// Where the words of the parts of [`State::bits`] start.
    next: usize,
    does: usize,
    end: usize,
    changed: usize,
    pending: usize,
    /// What each source passes its value to: first the fluents, then the moves, then the gates.
    edges: Lists,
    /// Which bits of [`State::bits`] follow a source.
    outputs: Lists,
    /// The signals of each gate, and whether a loop is one: sources twice, plus one for the opposite.
    signals: Lists,
    circles: Vec<Circle>,
    /// For each word of the set the circle that starts in it, plus one.
    circle_at: Vec<u32>,
    /// The circles that lose a reason to hold when a source changes: twice the circle, plus one if they do when it becomes false.
    harms: Lists,
    harmed: usize,
    /// Gates that only the goals need, in order, by their place among all values in [`Machine::goals`].
    late: Lists,
    goals: Vec<(u8, u8, u32)>,
    roles: Vec<Role>,
    /// The source of each gate of the network; those of the goals follow the others.
    source: Vec<u32>,
    values: usize,
    start: State,
}

/// The legal moves of a role.
#[derive(Clone, Debug)]
struct Role {
    /// The first word and the number of words, with a bit for each move, and the first move.
    word: usize,
    words: usize,
    first: u32,
    /// The words start again for each guard: the moves that are legal if it holds. Twice the source, plus one for the opposite, or
    /// nothing if they are legal in any case.
    guards: Vec<Option<u32>>,
}

/// Gates that depend on themselves.
#[derive(Clone, Debug)]
struct Circle {
    from: usize,
    to: usize,
    /// For each gate whether it rises when what the loops stand for becomes true.
    rises: Vec<bool>,
    /// The gates that stand for loops come first.
    loops: usize,
}

/// Lists of numbers in one array.
#[derive(Clone, Debug, Default)]
struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
        self.ends.push(self.items.len() as u32);
    }

    #[inline]
    fn get(&self, list: usize) -> &[u32] {
        let from = if list == 0 { 0 } else { self.ends[list - 1] as usize };
        &self.items[from..self.ends[list] as usize]
    }

    /// Sorts pairs into lists.
    fn of(lists: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        let mut sorted = Self::default();
        let mut rest = pairs.as_slice();
        for list in 0..lists as u32 {
            let own = rest.iter().take_while(|pair| pair.0 == list).count();
            sorted.push(rest[..own].iter().map(|pair| pair.1));
            rest = &rest[own..];
        }
        sorted
    }
}

/// The values of all gates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    /// For each gate the signals that hold, minus all; 0 if all hold.
    counters: Box<[i16]>,
    /// Fluents, next fluents, moves, legal moves, the end; and room for changes and the set of pending gates, which are empty
    /// between steps.
    bits: Box<[u64]>,
}

impl Machine {
    pub(crate) fn new(net: &Net) -> Self {
        let (fluents, moves) = (net.fluents.len(), net.does.len());
        let all = net.gates.len();
        // The gates that are evaluated at every step.
        let mut eager = vec![false; all];
        let ends = net.legal.iter().chain(&net.guards).chain(&net.next).chain([&net.terminal]);
        let mut waiting: Vec<u32> = ends.map(|signal| signal / 2).collect();
        while let Some(gate) = waiting.pop() {
            if !std::mem::replace(&mut eager[gate as usize], true) {
                waiting.extend(net.gates.needs(gate).iter().map(|signal| signal / 2));
            }
        }
        let needs: Vec<Vec<u32>> = (0..all as u32)
            .map(|gate| net.gates.needs(gate).iter().map(|signal| signal / 2).collect())
            .collect();
        let inner = |gate: u32| matches!(net.gates.gate(gate), Gate::All(_) | Gate::Loop(_));
        // Sources: fluents, moves, gates. The number of each gate of the network.
        let first = fluents + moves;
        let mut source = vec![0_u32; all];
        let mut placed: Vec<Option<u32>> = Vec::new();
        let mut circles = Vec::new();
        let mut late = Vec::new();
        for mut component in components(all, |gate| &needs[gate]) {
            match net.gates.gate(component[0]) {
                Gate::Fluent(i) => source[component[0] as usize] = i,
                Gate::Does(i) => source[component[0] as usize] = fluents as u32 + i,
                _ => {}
            }
            if !inner(component[0]) {
                continue;
            }
            if !eager[component[0] as usize] {
                component.sort_unstable();
                late.push(component);
                continue;
            }
            if component.len() == 1 {
                source[component[0] as usize] = (first + placed.len()) as u32;
                placed.push(Some(component[0]));
                continue;
            }
            let is_loop = |gate: &u32| matches!(net.gates.gate(*gate), Gate::Loop(_));
            component.sort_by_key(|gate| (!is_loop(gate), *gate));
            placed.resize(placed.len().next_multiple_of(64), None);
            let from = placed.len();
            for &gate in &component {
                source[gate as usize] = (first + placed.len()) as u32;
                placed.push(Some(gate));
            }
            let loops = component.iter().filter(|gate| is_loop(gate)).count();
            let mut rises = vec![true; component.len()];
            for (i, &gate) in component.iter().enumerate().skip(loops) {
                let inside = net.gates.needs(gate).iter().find_map(|&signal| {
                    let at = (source[(signal / 2) as usize] as usize).checked_sub(first + from)?;
                    (at < i && placed[from + at] == Some(signal / 2)).then(|| rises[at] ^ (signal & 1 == 1))
                });
                rises[i] = inside.unwrap_or(true);
            }
            circles.push(Circle { from, to: placed.len(), rises, loops });
            placed.resize(placed.len().next_multiple_of(64), None);
        }
        let gates = placed.len();
        let words = |bits: usize| bits.div_ceil(64);
        let next = words(fluents);
        let does = next + words(fluents);
        let legal = does + words(moves);
        let mut roles: Vec<Role> = Vec::new();
        let count = net.does.iter().map(|&(role, _)| usize::from(role) + 1).max().unwrap_or(0);
        let of = |signal: Signal| (source[(signal / 2) as usize] * 2) | (signal & 1);
        let (mut word, mut of_move) = (legal, 0);
        // The place of each move among the guards of its role.
        let mut bank = vec![0; moves];
        for role in 0..count {
            let own: Vec<usize> = (0..moves).filter(|&i| usize::from(net.does[i].0) == role).collect();
            let mut guards: Vec<Signal> = Vec::new();
            for &i in &own {
                bank[i] = guards.iter().position(|&guard| guard == net.guards[i]).unwrap_or_else(|| {
                    guards.push(net.guards[i]);
                    guards.len() - 1
                });
            }
            let words = words(own.len());
            let sources =
                guards.iter().map(|&guard| (guard != crate::net::TRUE).then(|| of(guard))).collect();
            roles.push(Role { word, words, first: of_move, guards: sources });
            word += words * (guards.len() + 1);
            of_move += own.len() as u32;
        }
        let end = word;
        let changed = end + 1;
        let pending = changed + words(fluents);
        let harmed = pending + words(gates);
        let total = harmed + words(circles.len());

        let mut signals = Lists::default();
        let mut edges = Vec::new();
        for (number, gate) in placed.iter().enumerate() {
            let own: Vec<u32> =
                gate.map_or(Vec::new(), |gate| net.gates.needs(gate).iter().map(|&s| of(s)).collect());
            edges.extend(own.iter().map(|&s| (s >> 1, (number as u32) << 1 | (s & 1))));
            signals.push(own);
        }
        let mut harms = Vec::new();
        for (number, circle) in circles.iter().enumerate() {
            for &(source, edge) in &edges {
                let gate = (edge >> 1) as usize;
                let inside = (first + circle.from..first + circle.to).contains(&(source as usize));
                if (circle.from..circle.to).contains(&gate) && !inside {
                    let harm = circle.rises[gate - circle.from] != (edge & 1 == 1);
                    harms.push((source, (number as u32) << 1 | u32::from(harm)));
                }
            }
        }
        harms.sort_unstable();
        harms.dedup();
        let mut outputs = Vec::new();
        let mut bits = vec![0_u64; total];
        let mut output = |signal: Signal, bit: usize| {
            bits[bit / 64] |= u64::from(signal & 1) << (bit % 64);
            match signal {
                crate::net::TRUE => bits[bit / 64] |= 1 << (bit % 64),
                FALSE => bits[bit / 64] &= !(1 << (bit % 64)),
                _ => outputs.push((of(signal) >> 1, bit as u32)),
            }
        };
        for (i, &signal) in net.next.iter().enumerate() {
            output(signal, next * 64 + i);
        }
        for (i, &signal) in net.legal.iter().enumerate() {
            let role = &roles[usize::from(net.does[i].0)];
            output(signal, (role.word + role.words * (bank[i] + 1)) * 64 + i - role.first as usize);
        }
        output(net.terminal, end * 64);

        // The gates of the goals number their values on from all sources.
        let mut late_lists = Lists::default();
        let mut values = (first + gates) as u32;
        for component in &late {
            for &gate in component {
                source[gate as usize] = values;
                values += 1;
            }
        }
        for component in &late {
            // Gates that depend on themselves are listed once more for each that they are: so often at most a change can go round.
            for _ in 0..component.len() {
                for &gate in component {
                    let needs =
                        net.gates.needs(gate).iter().map(|&s| (source[(s / 2) as usize] * 2) | (s & 1));
                    late_lists.push([source[gate as usize]].into_iter().chain(needs));
                }
            }
        }
        let constant = u32::MAX;
        let goals = net
            .goals
            .iter()
            .filter(|goal| goal.2 != FALSE)
            .map(|&(role, value, signal)| {
                let of = (source[(signal / 2) as usize] * 2) | (signal & 1);
                (role, value, if signal == crate::net::TRUE { constant } else { of })
            })
            .collect();
        let sources = first + gates;
        let mut machine = Self {
            fluents,
            moves,
            gates,
            next,
            does,
            end,
            changed,
            pending,
            edges: Lists::of(sources, edges),
            outputs: Lists::of(sources, outputs),
            harms: if harms.is_empty() { Lists::default() } else { Lists::of(sources, harms) },
            harmed,
            signals,
            circle_at: vec![0; words(gates)],
            circles,
            late: late_lists,
            goals,
            roles,
            source,
            values: values as usize,
            start: State { counters: Box::default(), bits: bits.into() },
        };
        for (i, circle) in machine.circles.iter().enumerate() {
            machine.circle_at[circle.from / 64] = i as u32 + 1;
        }
        machine.begin(&net.start);
        machine
    }

    /// Sets up the first state: all fluents off and all gates computed, then the fluents that hold are switched on.
    fn begin(&mut self, start: &[bool]) {
        let mut state = State { counters: vec![0; self.gates].into(), bits: self.start.bits.clone() };
        let first = self.fluents + self.moves;
        let mut circle = self.circles.iter().peekable();
        let mut gate = 0;
        while gate < self.gates {
            if let Some(own) = circle.next_if(|circle| circle.from == gate) {
                for gate in own.from..own.to {
                    state.counters[gate] = -1;
                }
                self.settle_circle(&mut state, own, true);
                for gate in own.from..own.to {
                    if state.counters[gate] >= 0 {
                        self.pass_outputs(&mut state, first + gate);
                    }
                }
                gate = own.to;
                continue;
            }
            state.counters[gate] = self.count(&state, gate, |_| None);
            if state.counters[gate] >= 0 && !self.signals.get(gate).is_empty() {
                self.pass_outputs(&mut state, first + gate);
            }
            gate += 1;
        }
        for (fluent, _) in start.iter().enumerate().filter(|(_, holds)| **holds) {
            state.bits[fluent / 64] |= 1 << (fluent % 64);
            self.pass(&mut state, fluent, true);
        }
        self.sweep(&mut state);
        self.collect(&mut state);
        self.start = state;
    }

    pub(crate) fn start(&self) -> State {
        self.start.clone()
    }

    /// The words of the fluents.
    #[inline]
    pub(crate) fn facts<'a>(&self, state: &'a State) -> &'a [u64] {
        &state.bits[..self.next]
    }

    #[inline]
    pub(crate) fn holds(&self, state: &State, fluent: usize) -> bool {
        state.bits[fluent / 64] >> (fluent % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn is_terminal(&self, state: &State) -> bool {
        state.bits[self.end] & 1 == 1
    }

    /// The legal moves of a role as words, and the number of the first bit.
    #[inline]
    pub(crate) fn legal<'a>(&self, state: &'a State, role: usize) -> (&'a [u64], u32) {
        let Some(role) = self.roles.get(role) else { return (&[], 0) };
        (&state.bits[role.word..][..role.words], role.first)
    }

    /// Puts the legal moves together from those of each guard that holds.
    fn collect(&self, state: &mut State) {
        for role in &self.roles {
            let mut any = false;
            for (bank, guard) in (1..).zip(&role.guards) {
                if guard.is_some_and(|guard| self.value(state, (guard >> 1) as usize) == (guard & 1 == 1)) {
                    continue;
                }
                let (legal, banks) = state.bits[role.word..].split_at_mut(role.words);
                let bank = &banks[(bank - 1) * role.words..][..role.words];
                if any {
                    legal.iter_mut().zip(bank).for_each(|(legal, &word)| *legal |= word);
                } else {
                    legal.copy_from_slice(bank);
                    any = true;
                }
            }
            if !any {
                state.bits[role.word..][..role.words].fill(0);
            }
        }
    }

    /// The value of a source outside steps.
    fn value(&self, state: &State, source: usize) -> bool {
        if source < self.fluents {
            return self.holds(state, source);
        }
        match source.checked_sub(self.fluents + self.moves) {
            Some(gate) => state.counters[gate] >= 0,
            None => {
                let mv = source - self.fluents;
                state.bits[self.does + mv / 64] >> (mv % 64) & 1 == 1
            }
        }
    }

    /// The counter of a gate from the values of its signals, which `other` may know better.
    fn count(&self, state: &State, gate: usize, other: impl Fn(usize) -> Option<bool>) -> i16 {
        let signals = self.signals.get(gate);
        let holds = |signal: &&u32| {
            let source = (**signal >> 1) as usize;
            other(source).unwrap_or_else(|| self.value(state, source)) != (**signal & 1 == 1)
        };
        signals.iter().filter(holds).count() as i16 - signals.len() as i16
    }

    /// Tells what depends on a source that its value has changed.
    #[inline]
    fn pass(&self, state: &mut State, source: usize, value: bool) {
        let State { counters, bits } = state;
        let pending = &mut bits[self.pending..];
        let falls = u32::from(!value);
        for &edge in self.edges.get(source) {
            let gate = (edge >> 1) as usize;
            let before = counters[gate];
            let after = before + 1 - 2 * ((edge & 1) ^ falls) as i16;
            counters[gate] = after;
            pending[gate / 64] ^= u64::from((before ^ after) as u16 >> 15) << (gate % 64);
        }
        if !self.harms.ends.is_empty() {
            for &harm in self.harms.get(source) {
                let circle = (harm >> 1) as usize;
                state.bits[self.harmed + circle / 64] |= u64::from(harm & 1 == falls) << (circle % 64);
            }
        }
        self.pass_outputs(state, source);
    }

    #[inline]
    fn pass_outputs(&self, state: &mut State, source: usize) {
        for &bit in self.outputs.get(source) {
            state.bits[bit as usize / 64] ^= 1 << (bit % 64);
        }
    }

    /// Passes on all pending changes.
    fn sweep(&self, state: &mut State) {
        let first = self.fluents + self.moves;
        let mut word = 0;
        while word < self.circle_at.len() {
            if self.circle_at[word] > 0 {
                let number = self.circle_at[word] as usize - 1;
                let circle = &self.circles[number];
                let harmed = &mut state.bits[self.harmed + number / 64];
                if *harmed >> (number % 64) & 1 == 1 {
                    *harmed &= !(1 << (number % 64));
                    self.settle_circle(state, circle, false);
                } else {
                    self.sweep_circle(state, circle);
                }
                word = circle.to.div_ceil(64);
                continue;
            }
            while state.bits[self.pending + word] != 0 {
                let rest = &mut state.bits[self.pending + word];
                let gate = word * 64 + rest.trailing_zeros() as usize;
                *rest &= *rest - 1;
                let value = state.counters[gate] >= 0;
                self.pass(state, first + gate, value);
            }
            word += 1;
        }
    }

    /// Passes on the pending changes of gates that depend on themselves, if they have lost no reason to hold.
    fn sweep_circle(&self, state: &mut State, circle: &Circle) {
        let first = self.fluents + self.moves;
        let words = circle.from / 64..circle.to.div_ceil(64);
        // What rises makes others rise, each at most once.
        loop {
            let mut any = false;
            for word in words.clone() {
                while state.bits[self.pending + word] != 0 {
                    any = true;
                    let rest = &mut state.bits[self.pending + word];
                    let gate = word * 64 + rest.trailing_zeros() as usize;
                    *rest &= *rest - 1;
                    let value = state.counters[gate] >= 0;
                    self.pass(state, first + gate, value);
                }
            }
            if !any {
                return;
            }
        }
    }

    /// Computes gates that depend on themselves anew, from all loops off, and passes on what has changed. The `initial` time
    /// nothing is passed on.
    fn settle_circle(&self, state: &mut State, circle: &Circle, initial: bool) {
        let first = self.fluents + self.moves;
        let size = circle.to - circle.from;
        let mut old = vec![false; size];
        for (i, old) in old.iter_mut().enumerate() {
            let gate = circle.from + i;
            let pending = &mut state.bits[self.pending + gate / 64];
            *old = (state.counters[gate] >= 0) != (*pending >> (gate % 64) & 1 == 1);
            *pending &= !(1 << (gate % 64));
        }
        let mut new = vec![false; size];
        let inside = |source: usize| source.checked_sub(first + circle.from).filter(|&i| i < size);
        // Conjunctions in order, with all loops off.
        for i in circle.loops..size {
            let gate = circle.from + i;
            state.counters[gate] = self.count(state, gate, |source| inside(source).map(|i| new[i]));
            new[i] = state.counters[gate] >= 0;
        }
        let mut waiting = Vec::new();
        for i in 0..circle.loops {
            let gate = circle.from + i;
            state.counters[gate] = self.count(state, gate, |source| inside(source).map(|i| new[i]));
            if state.counters[gate] >= 0 {
                waiting.push(i);
            }
        }
        while let Some(i) = waiting.pop() {
            new[i] = state.counters[circle.from + i] >= 0;
            for &edge in self.edges.get(first + circle.from + i) {
                let gate = (edge >> 1) as usize;
                let Some(to) = gate.checked_sub(circle.from).filter(|&to| to < size) else { continue };
                let before = state.counters[gate] >= 0;
                state.counters[gate] += if (edge & 1 == 1) == new[i] { -1 } else { 1 };
                if before != (state.counters[gate] >= 0) {
                    waiting.push(to);
                }
            }
        }
        if initial {
            return;
        }
        for i in (0..size).filter(|&i| new[i] != old[i]) {
            let source = first + circle.from + i;
            // The gates inside have their counters already, and take back what they are told again.
            let inside = self.edges.get(source).iter().filter(|&&edge| {
                let gate = (edge >> 1) as usize;
                (circle.from..circle.to).contains(&gate)
            });
            for &edge in inside {
                state.counters[(edge >> 1) as usize] -= if (edge & 1 == 1) == new[i] { -1 } else { 1 };
            }
            self.pass(state, source, new[i]);
        }
        for word in circle.from / 64..circle.to.div_ceil(64) {
            state.bits[self.pending + word] = 0;
        }
    }

    /// Goes to the next state: each role has done one of `moves`.
    pub(crate) fn step(&self, state: &mut State, moves: &[u32]) {
        for &mv in moves {
            let mv = mv as usize;
            state.bits[self.does + mv / 64] |= 1 << (mv % 64);
            self.pass(state, self.fluents + mv, true);
        }
        self.sweep(state);
        let words = self.next;
        for word in 0..words {
            let next = state.bits[self.next + word];
            state.bits[self.changed + word] = next ^ state.bits[word];
            state.bits[word] = next;
        }
        for word in 0..words {
            let mut rest = std::mem::take(&mut state.bits[self.changed + word]);
            while rest != 0 {
                let fluent = word * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let value = self.holds(state, fluent);
                self.pass(state, fluent, value);
            }
        }
        for &mv in moves {
            let mv = mv as usize;
            state.bits[self.does + mv / 64] &= !(1 << (mv % 64));
            self.pass(state, self.fluents + mv, false);
        }
        self.sweep(state);
        self.collect(state);
    }

    /// The goal of each role in hundredths: the highest, if there are several, and none if there is none.
    pub(crate) fn goals(&self, state: &State, roles: usize) -> Vec<Option<u8>> {
        let known = self.fluents + self.moves + self.gates;
        let mut late = vec![false; self.late.ends.len()];
        let value = |late: &[bool], signal: u32| {
            let source = (signal >> 1) as usize;
            let value = source.checked_sub(known).map_or_else(|| self.value(state, source), |i| late[i]);
            value != (signal & 1 == 1)
        };
        for i in 0..self.late.ends.len() {
            let [gate, signals @ ..] = self.late.get(i) else { continue };
            late[*gate as usize - known] = signals.iter().all(|&signal| value(&late, signal));
        }
        let mut goals = vec![None; roles];
        for &(role, points, signal) in &self.goals {
            if signal == u32::MAX || value(&late, signal) {
                let goal: &mut Option<u8> = &mut goals[usize::from(role)];
                *goal = (*goal).max(Some(points));
            }
        }
        goals
    }

    /// The source of a gate of the network.
    pub(crate) fn source(&self, gate: u32) -> u32 {
        self.source[gate as usize]
    }

    /// How many sources there are, with the gates that only goals need.
    pub(crate) fn values(&self) -> usize {
        self.values
    }

    /// The signals of a gate: sources twice, plus one for the opposite.
    pub(crate) fn signals(&self, gate: usize) -> &[u32] {
        self.signals.get(gate)
    }

    /// The gates that depend on themselves: the first, the first that is no loop, and the end.
    pub(crate) fn circles(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        self.circles.iter().map(|circle| (circle.from, circle.from + circle.loops, circle.to))
    }

    /// The gates that only goals need, each with its signals, in an order in which computing all is enough.
    pub(crate) fn late(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.late.ends.len()).map(|list| self.late.get(list))
    }

    /// How large the evaluator is: fluents, moves, and gates that are evaluated at every step.
    pub(crate) fn size(&self) -> [usize; 3] {
        [self.fluents, self.moves, self.gates]
    }
}
