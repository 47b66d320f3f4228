//! Grounding: every rule with every combination of values that can occur.
//!
//! What depends on neither state nor moves is computed exactly, stratum by stratum. Then state and moves are taken as all that can
//! be reached if conditions that something is absent always hold: what is legal may be done, what may be next may be true. Rules
//! are joined semi-naively, a round at a time, each round over what the one before it found.

use crate::rules::{Atom, Literal, Program, RelationId, Rule, Term, key};
use crate::slices::Slices;
use crate::split;
use crate::tables::{AtomId, Build, Column, NONE, Table, TermId, flatten};
use crate::{Error, Limits, Place};
use std::time::Instant;

/// What is known about a relation when rules are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// It is computed exactly, and conditions on it are settled by grounding.
    Static,
    /// It depends on state or moves, and conditions on it become part of the network.
    Dynamic,
    /// It is what a dynamic relation may contain, to restrict the values of variables. No part of the network.
    Guard,
}

/// A ground game.
#[derive(Debug)]
pub(crate) struct Ground {
    /// Terms: name and arguments.
    pub(crate) terms: Slices,
    /// Atoms: relation and arguments.
    pub(crate) atoms: Slices,
    /// Whether an atom can hold.
    pub(crate) reached: Vec<bool>,
    /// The rules, each as its head, the number of its conditions, and the conditions: twice the atom, plus one if it must fail.
    pub(crate) instances: Vec<u32>,
    /// The facts of init, as atoms of true.
    pub(crate) start: Vec<AtomId>,
    /// The roles, in order.
    pub(crate) roles: Vec<TermId>,
}

/// A condition, ready for joins.
#[derive(Clone, Debug)]
enum Test {
    /// A row of the table has these columns.
    Row {
        table: usize,
        columns: Vec<Column>,
    },
    /// The atom is not a fact, or, if the relation is dynamic, need not be.
    No {
        relation: RelationId,
        args: Vec<Build>,
    },
    Distinct(Build, Build),
    Same(Build, Build),
}

#[derive(Clone, Debug)]
struct Condition {
    test: Test,
    kind: Kind,
    vars: Vec<u32>,
    /// Whether it can change while the rules of this phase are applied.
    changes: bool,
}

#[derive(Clone, Debug)]
struct Joined {
    place: Place,
    relation: RelationId,
    head: Vec<Build>,
    /// The variables of the head and of conditions in the network.
    kept: Vec<bool>,
    conditions: Vec<Condition>,
    vars: usize,
    instances: usize,
}

/// A step of a join.
#[derive(Clone, Debug)]
struct Step {
    condition: usize,
    /// The index to look up, with its values, or all rows.
    index: Option<(usize, Vec<Column>)>,
    /// Columns that must have a value, which may be that of a variable bound by this step.
    check: Vec<(usize, Column)>,
    bind: Vec<(usize, u32)>,
    /// The rows that count.
    from: usize,
    to: usize,
    /// From here on conditions only have to be satisfiable.
    exists: bool,
}

pub(crate) struct Grounder<'a> {
    program: &'a mut Program,
    pub(crate) kinds: Vec<Kind>,
    limits: Limits,
    began: Instant,
    terms: Slices,
    atoms: Slices,
    reached: Vec<bool>,
    tables: Vec<Table>,
    /// The tables of each relation.
    tables_of: Vec<Vec<usize>>,
    /// The facts of each relation.
    facts: Vec<Vec<AtomId>>,
    instances: Vec<u32>,
    count: usize,
    /// Whether a term is nested too deep.
    deep: bool,
}

/// Terms nest at most so deep.
const DEEPEST: usize = 64;

/// Grounds a game.
pub(crate) fn ground(program: &mut Program, limits: Limits) -> Result<Ground, Error> {
    let kinds = program.dynamic.iter().map(|&d| if d { Kind::Dynamic } else { Kind::Static }).collect();
    let mut grounder = Grounder::new(program, kinds, limits);
    grounder.statics()?;
    let roles: Vec<TermId> =
        grounder.facts[key::ROLE as usize].iter().map(|&atom| grounder.atoms.get(atom)[1]).collect();
    if roles.is_empty() {
        return Err(Error::of("no rule for role applies, so there is no role"));
    }
    let start = grounder.dynamics()?;
    let Grounder { terms, atoms, mut reached, instances, .. } = grounder;
    reached.resize(atoms.len(), false);
    Ok(Ground { terms, atoms, reached, instances, start, roles })
}

impl<'a> Grounder<'a> {
    fn new(program: &'a mut Program, kinds: Vec<Kind>, limits: Limits) -> Self {
        let relations = program.relations.len();
        Self {
            program,
            kinds,
            limits,
            began: Instant::now(),
            terms: Slices::default(),
            atoms: Slices::default(),
            reached: Vec::new(),
            tables: Vec::new(),
            tables_of: vec![Vec::new(); relations],
            facts: vec![Vec::new(); relations],
            instances: Vec::new(),
            count: 0,
            deep: false,
        }
    }

    /// Computes what depends on neither state nor moves.
    fn statics(&mut self) -> Result<(), Error> {
        let used = |program: &Program, relation| {
            let mut all = program.rules.iter().flat_map(|rule| &rule.body);
            all.any(|literal| literal.atom().is_some_and(|atom| atom.relation == relation))
        };
        // What may be true and what may be done is found by grounding; the author's lists are not needed.
        let skipped = [key::BASE, key::INPUT].map(|relation| !used(self.program, relation));
        for stratum in self.program.strata.clone() {
            let needed = |relation: &RelationId| match *relation {
                key::BASE => !skipped[0],
                key::INPUT => !skipped[1],
                relation => self.kinds[relation as usize] == Kind::Static,
            };
            let stratum: Vec<RelationId> = stratum.into_iter().filter(needed).collect();
            let of_stratum = |rule: &&Rule| stratum.contains(&rule.head.relation);
            let rules: Vec<Rule> = self.program.rules.iter().filter(of_stratum).cloned().collect();
            self.run(&rules, &stratum)?;
        }
        Ok(())
    }

    /// Computes what can be reached. Returns the facts of the first state.
    fn dynamics(&mut self) -> Result<Vec<AtomId>, Error> {
        let dynamic = |rule: &&Rule| self.kinds[rule.head.relation as usize] == Kind::Dynamic;
        let rules: Vec<Rule> = self.program.rules.iter().filter(dynamic).cloned().collect();
        let split = split::split(rules, self.program, &mut self.kinds);
        let relations = self.program.relations.len();
        self.tables_of.resize(relations, Vec::new());
        self.facts.resize(relations, Vec::new());
        let (statics, rules): (Vec<Rule>, Vec<Rule>) =
            split.into_iter().partition(|rule| self.kinds[rule.head.relation as usize] == Kind::Static);
        for rule in statics {
            self.run(std::slice::from_ref(&rule), &[])?;
        }
        let mut start = Vec::new();
        for init in self.facts[key::INIT as usize].clone() {
            let fluent = self.atoms.get(init)[1];
            start.push(self.atoms.number(&[key::TRUE, fluent]));
        }
        start.iter().for_each(|&atom| self.add(atom));
        let changing: Vec<RelationId> =
            (0..relations as RelationId).filter(|&r| self.kinds[r as usize] != Kind::Static).collect();
        self.run(&rules, &changing)?;
        Ok(start)
    }

    /// Applies rules until nothing new follows. Facts of the relations that change may follow from each other.
    fn run(&mut self, rules: &[Rule], changing: &[RelationId]) -> Result<(), Error> {
        let mut changes = vec![false; self.kinds.len()];
        changing.iter().for_each(|&relation| changes[relation as usize] = true);
        let mut joins: Vec<Joined> = rules.iter().map(|rule| self.joined(rule, &changes)).collect();
        let mut fresh = Vec::new();
        // Tables of relations that do not change are known as a whole.
        for table in &mut self.tables {
            (table.used, table.known) = (0, table.rows());
        }
        for join in &mut joins {
            let changing =
                |condition: &Condition| condition.changes && matches!(condition.test, Test::Row { .. });
            if !join.conditions.iter().any(changing) {
                self.join(join, None, &mut fresh)?;
            }
        }
        loop {
            fresh.drain(..).for_each(|atom| self.add(atom));
            for table in &mut self.tables {
                table.known = table.rows();
            }
            let mut any = false;
            for join in &mut joins {
                for condition in 0..join.conditions.len() {
                    let Condition { test: Test::Row { table, .. }, changes: true, .. } =
                        join.conditions[condition]
                    else {
                        continue;
                    };
                    if self.tables[table].used < self.tables[table].known {
                        any = true;
                        self.join(join, Some(condition), &mut fresh)?;
                    }
                }
            }
            for table in &mut self.tables {
                table.used = table.known;
            }
            if self.deep {
                let builds = |rule: &&Rule| {
                    rule.head.args.iter().any(|arg| matches!(arg, Term::Fun(..) if !arg.is_ground()))
                };
                let place = rules.iter().find(builds).or(rules.first()).map(|rule| rule.place);
                return Err(Error {
                    place,
                    what: format!("terms grow more than {DEEPEST} deep, perhaps by this rule"),
                });
            }
            if !any && fresh.is_empty() {
                return Ok(());
            }
        }
    }

    /// Makes an atom a fact, and what follows from it at once.
    fn add(&mut self, atom: AtomId) {
        if self.is_fact(atom) {
            return;
        }
        self.reached.resize(self.reached.len().max(atom as usize + 1), false);
        self.reached[atom as usize] = true;
        let words = self.atoms.get(atom).to_vec();
        let relation = words[0];
        self.deep |= words[1..].iter().any(|&term| deeper(term, &self.terms, DEEPEST));
        self.facts[relation as usize].push(atom);
        for &table in &self.tables_of[relation as usize] {
            self.tables[table].add(atom, &words[1..], &self.terms);
        }
        match relation {
            _ if self.kinds[relation as usize] != Kind::Dynamic => {}
            key::NEXT => {
                let atom = self.atoms.number(&[key::TRUE, words[1]]);
                self.add(atom);
            }
            key::LEGAL => {
                let role = self.atoms.find(&[key::ROLE, words[1]]);
                if role.is_some_and(|role| self.is_fact(role)) {
                    let atom = self.atoms.number(&[key::DOES, words[1], words[2]]);
                    self.add(atom);
                }
            }
            _ => {}
        }
    }

    fn is_fact(&self, atom: AtomId) -> bool {
        self.reached.get(atom as usize).is_some_and(|&reached| reached)
    }

    /// The table for the form of an atom, and the columns.
    fn table(&mut self, atom: &Atom) -> (usize, Vec<Column>) {
        let mut columns = Vec::new();
        let outer = matches!(atom.relation, key::TRUE | key::DOES | key::NEXT | key::LEGAL | key::INIT);
        let forms: Vec<_> =
            atom.args.iter().map(|arg| flatten(arg, outer, &mut self.terms, &mut columns)).collect();
        let known = &self.tables_of[atom.relation as usize];
        if let Some(&table) = known.iter().find(|&&table| self.tables[table].forms == forms) {
            return (table, columns);
        }
        let mut table = Table::new(forms, columns.len());
        for &fact in &self.facts[atom.relation as usize] {
            table.add(fact, &self.atoms.get(fact)[1..], &self.terms);
        }
        self.tables_of[atom.relation as usize].push(self.tables.len());
        self.tables.push(table);
        (self.tables.len() - 1, columns)
    }

    /// Prepares a rule for joins.
    fn joined(&mut self, rule: &Rule, changes: &[bool]) -> Joined {
        let mut kept = vec![false; rule.vars as usize];
        rule.head.vars(&mut |var| kept[var as usize] = true);
        let mut conditions = Vec::new();
        for literal in &rule.body {
            let vars = literal.all_vars();
            let kind = literal.atom().map_or(Kind::Static, |atom| self.kinds[atom.relation as usize]);
            if kind == Kind::Dynamic {
                vars.iter().for_each(|&var| kept[var as usize] = true);
            }
            let changes = literal.atom().is_some_and(|atom| changes[atom.relation as usize]);
            let build = |term: &Term, terms: &mut Slices| Build::of(term, terms);
            let test = match literal {
                Literal::Holds(atom) => {
                    let (table, columns) = self.table(atom);
                    Test::Row { table, columns }
                }
                Literal::Fails(atom) => {
                    let args = atom.args.iter().map(|arg| build(arg, &mut self.terms)).collect();
                    Test::No { relation: atom.relation, args }
                }
                Literal::Distinct(a, b) => {
                    Test::Distinct(build(a, &mut self.terms), build(b, &mut self.terms))
                }
                Literal::Same(a, b) => Test::Same(build(a, &mut self.terms), build(b, &mut self.terms)),
            };
            conditions.push(Condition { test, kind, vars, changes });
        }
        let head = rule.head.args.iter().map(|arg| Build::of(arg, &mut self.terms)).collect();
        let (place, relation, vars) = (rule.place, rule.head.relation, rule.vars as usize);
        Joined { place, relation, head, kept, conditions, vars, instances: 0 }
    }

    /// The order in which conditions are tested, starting with the new rows of one of them: next is always the one with the
    /// fewest expected rows.
    fn plan(&mut self, join: &Joined, new: Option<usize>) -> Vec<Step> {
        let mut bound = vec![false; join.vars];
        let mut left: Vec<usize> = (0..join.conditions.len()).collect();
        let mut steps = Vec::with_capacity(left.len());
        let mut next = new;
        while !left.is_empty() {
            let chosen = next.take().unwrap_or_else(|| {
                let mut best = (f64::INFINITY, left[0]);
                for &i in &left {
                    let condition = &join.conditions[i];
                    let cost = match &condition.test {
                        Test::Row { table, columns } => {
                            let known = known_columns(columns, &bound);
                            match known.len() {
                                n if n == columns.len() => 0.5,
                                _ => self.tables[*table].fanout(&known).max(0.6),
                            }
                        }
                        _ if condition.vars.iter().all(|&var| bound[var as usize]) => 0.0,
                        _ => f64::INFINITY,
                    };
                    if cost < best.0 {
                        best = (cost, i);
                    }
                }
                best.1
            });
            left.retain(|&i| i != chosen);
            steps.push(self.step(join, chosen, new, &mut bound));
        }
        // The last steps only have to be satisfiable if they bind nothing that is kept.
        for i in (0..steps.len()).rev() {
            let condition = &join.conditions[steps[i].condition];
            let binds_kept = steps[i].bind.iter().any(|&(_, var)| join.kept[var as usize]);
            if condition.kind == Kind::Dynamic || binds_kept {
                break;
            }
            steps[i].exists = true;
        }
        steps
    }

    fn step(&mut self, join: &Joined, chosen: usize, new: Option<usize>, bound: &mut [bool]) -> Step {
        let condition = &join.conditions[chosen];
        let mut step = Step {
            condition: chosen,
            index: None,
            check: Vec::new(),
            bind: Vec::new(),
            from: 0,
            to: 0,
            exists: false,
        };
        let Test::Row { table, columns } = &condition.test else { return step };
        let table = &mut self.tables[*table];
        let known = known_columns(columns, bound);
        if new == Some(chosen) {
            (step.from, step.to) = (table.used, table.known);
            step.check.extend(known.iter().map(|&column| (column, columns[column])));
        } else {
            // Of two conditions with new rows the later one counts them when the earlier one starts the join.
            let old = condition.changes && new.is_some_and(|new| chosen < new);
            step.to = if old {
                table.used
            } else if condition.changes {
                table.known
            } else {
                table.rows()
            };
            if !known.is_empty() {
                let index = table.index(&known);
                step.index = Some((index, known.iter().map(|&column| columns[column]).collect()));
                step.check.extend(known.iter().map(|&column| (column, columns[column])));
            }
        }
        for (i, &column) in columns.iter().enumerate() {
            if let Column::Var(var) = column
                && !known.contains(&i)
            {
                if bound[var as usize] {
                    step.check.push((i, column));
                } else {
                    bound[var as usize] = true;
                    step.bind.push((i, var));
                }
            }
        }
        step
    }

    /// Applies a rule to the new rows of a condition, or as a whole.
    fn join(&mut self, join: &mut Joined, new: Option<usize>, fresh: &mut Vec<AtomId>) -> Result<(), Error> {
        if self.began.elapsed() > self.limits.time {
            return Err(self.over(join, &format!("{} s", self.limits.time.as_secs_f64())));
        }
        let steps = self.plan(join, new);
        let mut run = Run {
            join,
            steps: &steps,
            tables: &self.tables,
            reached: &self.reached,
            kinds: &self.kinds,
            terms: &mut self.terms,
            atoms: &mut self.atoms,
            instances: &mut self.instances,
            fresh,
            values: vec![NONE; join.vars],
            rows: vec![NONE; join.conditions.len()],
            found: 0,
            work: 0,
            left: self.limits.instances.saturating_sub(self.count),
            limits: self.limits,
            began: self.began,
            over: None,
        };
        run.from(0);
        let (found, over) = (run.found, run.over);
        join.instances += found;
        self.count += found;
        over.map_or(Ok(()), |over| Err(self.over(join, &over)))
    }

    /// The error that grounding takes too much.
    fn over(&self, join: &Joined, over: &str) -> Error {
        let name = self.program.name(join.relation);
        Error::at(join.place, format!("grounding takes more than {over}; it stopped in this rule for {name}"))
    }
}

/// Whether a term is nested more than `limit` deep.
fn deeper(term: TermId, terms: &Slices, limit: usize) -> bool {
    let args = &terms.get(term)[1..];
    !args.is_empty() && (limit == 0 || args.iter().any(|&arg| deeper(arg, terms, limit - 1)))
}

/// The columns that are constant or whose variable is bound.
fn known_columns(columns: &[Column], bound: &[bool]) -> Vec<usize> {
    let known = |column: &Column| match *column {
        Column::Var(var) => bound[var as usize],
        Column::Const(_) => true,
    };
    (0..columns.len()).filter(|&i| known(&columns[i])).collect()
}

/// A join under way.
struct Run<'a> {
    join: &'a Joined,
    steps: &'a [Step],
    tables: &'a [Table],
    reached: &'a [bool],
    kinds: &'a [Kind],
    terms: &'a mut Slices,
    atoms: &'a mut Slices,
    instances: &'a mut Vec<u32>,
    fresh: &'a mut Vec<AtomId>,
    values: Vec<TermId>,
    /// The row of each condition.
    rows: Vec<u32>,
    found: usize,
    work: usize,
    /// How many instances may still be found.
    left: usize,
    limits: Limits,
    began: Instant,
    /// The limit that was hit.
    over: Option<String>,
}

impl Run<'_> {
    fn value(&self, column: Column) -> TermId {
        match column {
            Column::Var(var) => self.values[var as usize],
            Column::Const(term) => term,
        }
    }

    /// Tests the conditions from a step on. True if the search is to go no further: what is left has to be satisfied once
    /// only, and is, or a limit was hit.
    fn from(&mut self, depth: usize) -> bool {
        let steps = self.steps;
        let Some(step) = steps.get(depth) else {
            self.emit();
            return self.over.is_some() || steps.last().is_some_and(|step| step.exists);
        };
        let first_that_exists =
            step.exists && !depth.checked_sub(1).is_some_and(|before| steps[before].exists);
        let found = self.test(depth, step);
        // What comes before has its own further values.
        found && (!first_that_exists || self.over.is_some())
    }

    fn test(&mut self, depth: usize, step: &Step) -> bool {
        let join = self.join;
        match &join.conditions[step.condition].test {
            Test::Row { table, .. } => {
                let table = &self.tables[*table];
                if let Some((index, values)) = &step.index {
                    let mut row = table.newest(*index, values.iter().map(|&column| self.value(column)));
                    while row != NONE {
                        if (row as usize) < step.to && self.row(depth, step, table, row) {
                            return true;
                        }
                        row = table.before(*index, row);
                    }
                } else {
                    for row in step.from..step.to {
                        if self.row(depth, step, table, row as u32) {
                            return true;
                        }
                    }
                }
                false
            }
            Test::No { relation, args } => {
                if self.kinds[*relation as usize] == Kind::Dynamic {
                    return self.from(depth + 1);
                }
                let mut words = vec![*relation];
                words.extend(args.iter().map(|arg| arg.make(&self.values, self.terms)));
                let fact =
                    self.atoms.find(&words).is_some_and(|a| self.reached.get(a as usize) == Some(&true));
                !fact && self.from(depth + 1)
            }
            Test::Distinct(a, b) => {
                a.make(&self.values, self.terms) != b.make(&self.values, self.terms) && self.from(depth + 1)
            }
            Test::Same(a, b) => {
                a.make(&self.values, self.terms) == b.make(&self.values, self.terms) && self.from(depth + 1)
            }
        }
    }

    /// Goes on with one row of a table.
    #[inline]
    fn row(&mut self, depth: usize, step: &Step, table: &Table, row: u32) -> bool {
        self.work += 1;
        if self.work & 0xFFFF == 0 && self.began.elapsed() > self.limits.time {
            self.over = Some(format!("{} s", self.limits.time.as_secs_f64()));
            return true;
        }
        let cells = table.row(row as usize);
        for &(column, var) in &step.bind {
            self.values[var as usize] = cells[column];
        }
        if step.check.iter().any(|&(column, value)| cells[column] != self.value(value)) {
            return false;
        }
        self.rows[step.condition] = row;
        self.from(depth + 1)
    }

    /// The rule applies with the values as they are.
    fn emit(&mut self) {
        let join = self.join;
        let mut words = vec![join.relation];
        words.extend(join.head.iter().map(|arg| arg.make(&self.values, self.terms)));
        let head = self.atoms.number(&words);
        if self.reached.get(head as usize) != Some(&true) {
            self.fresh.push(head);
        }
        if self.kinds[join.relation as usize] != Kind::Dynamic {
            // Terms can grow without end only through facts, which are few in number otherwise.
            if self.atoms.len() > self.limits.instances {
                self.over = Some(format!("{} facts", self.limits.instances));
            }
            return;
        }
        if self.left == self.found {
            self.over = Some(format!("{} instances of rules", self.limits.instances));
            return;
        }
        self.found += 1;
        let first = self.instances.len();
        self.instances.extend([head, 0]);
        for (i, condition) in join.conditions.iter().enumerate() {
            if condition.kind != Kind::Dynamic {
                continue;
            }
            match &condition.test {
                Test::Row { table, .. } => {
                    self.instances.push(self.tables[*table].atoms[self.rows[i] as usize] << 1);
                }
                Test::No { relation, args } => {
                    let mut words = vec![*relation];
                    words.extend(args.iter().map(|arg| arg.make(&self.values, self.terms)));
                    let atom = self.atoms.number(&words);
                    self.instances.push(atom << 1 | 1);
                }
                _ => {}
            }
        }
        self.instances[first + 1] = (self.instances.len() - first - 2) as u32;
    }
}

#[cfg(test)]
pub(crate) mod exact {
    //! One state at a time, without network or reachability, to compare with.

    use super::*;
    use crate::text;
    use std::collections::BTreeSet;

    /// What follows from a state and from what the roles do, as text: the facts of these relations.
    pub(crate) fn follows(
        program: &Program,
        state: &[Term],
        does: &[(Term, Term)],
        wanted: &[RelationId],
    ) -> Vec<BTreeSet<Vec<Term>>> {
        let mut program = program.clone();
        let strata = program.strata.clone();
        let kinds = vec![Kind::Static; program.relations.len()];
        let mut grounder = Grounder::new(&mut program, kinds, Limits::default());
        let given = state.iter().map(|fluent| (key::TRUE, vec![fluent]));
        for (relation, args) in given.chain(does.iter().map(|(role, mv)| (key::DOES, vec![role, mv]))) {
            let mut words = vec![relation];
            words.extend(
                args.iter().map(|arg| Build::of(arg, &mut grounder.terms).make(&[], &mut grounder.terms)),
            );
            let atom = grounder.atoms.number(&words);
            grounder.add(atom);
        }
        for stratum in strata {
            let of_stratum = |rule: &&Rule| {
                stratum.contains(&rule.head.relation) && !matches!(rule.head.relation, key::BASE | key::INPUT)
            };
            let rules: Vec<Rule> = grounder.program.rules.iter().filter(of_stratum).cloned().collect();
            // Rules that depend on the absence of facts of their own stratum come last.
            let absent = |rule: &Rule| {
                rule.body.iter().any(
                    |literal| matches!(literal, Literal::Fails(atom) if stratum.contains(&atom.relation)),
                )
            };
            let (late, early): (Vec<Rule>, Vec<Rule>) = rules.into_iter().partition(absent);
            grounder.run(&early, &stratum).unwrap();
            grounder.run(&late, &[]).unwrap();
        }
        let facts = |relation: &RelationId| {
            let atoms = &grounder.facts[*relation as usize];
            let args = |atom: &AtomId| {
                grounder.atoms.get(*atom)[1..]
                    .iter()
                    .map(|&term| text::read_back(&grounder.terms, term))
                    .collect()
            };
            atoms.iter().map(args).collect()
        };
        wanted.iter().map(facts).collect()
    }
}
