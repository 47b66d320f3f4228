//! Rules in smaller pieces, so that fewer combinations of values have to be written out.
//!
//! A part of a rule's conditions whose variables occur nowhere else becomes a relation of its own over the variables that it shares
//! with the rest. `(next (cell ?x ?y ?p))` if the cell has `?p` and a move leaves it alone has an instance for each cell and
//! content, and one for each cell and move, instead of the product.

use crate::Place;
use crate::ground::Kind;
use crate::rules::{Atom, Literal, Program, Relation, RelationId, Rule, Term};
use std::collections::HashMap;

/// Splits the rules. New relations are added to the program, and their kinds to `kinds`.
pub(crate) fn split(rules: Vec<Rule>, program: &mut Program, kinds: &mut Vec<Kind>) -> Vec<Rule> {
    let mut splitter = Splitter { program, kinds, known: HashMap::new(), done: Vec::new() };
    let mut waiting = rules;
    waiting.reverse();
    while let Some(rule) = waiting.pop() {
        splitter.rule(rule, &mut waiting);
    }
    splitter.done
}

struct Splitter<'a> {
    program: &'a mut Program,
    kinds: &'a mut Vec<Kind>,
    /// The relation for each part, with variables numbered in the order in which they occur.
    known: HashMap<(Kind, Vec<Literal>, Vec<Term>), RelationId>,
    done: Vec<Rule>,
}

fn subset(part: &[u32], whole: &[u32]) -> bool {
    part.iter().all(|var| whole.contains(var))
}

impl Splitter<'_> {
    fn kind(&self, literal: &Literal) -> Kind {
        literal.atom().map_or(Kind::Static, |atom| self.kinds[atom.relation as usize])
    }

    fn is_dynamic(&self, literal: &Literal) -> bool {
        self.kind(literal) == Kind::Dynamic
    }

    /// Splits one rule. Parts that may be split further go to `waiting`.
    fn rule(&mut self, mut rule: Rule, waiting: &mut Vec<Rule>) {
        let head = rule.head.all_vars();
        let parts = parts(&rule, &head);
        let worth = |part: &Vec<usize>| part.iter().any(|&i| self.is_dynamic(&rule.body[i]));
        let parts: Vec<Vec<usize>> = parts.into_iter().filter(worth).collect();
        let inside = |i: usize| parts.iter().any(|part| part.contains(&i));
        let outside = (0..rule.body.len()).any(|i| !inside(i) && self.is_dynamic(&rule.body[i]));
        if parts.len() > 1 || parts.len() == 1 && outside {
            let mut replaced = vec![None; rule.body.len()];
            for part in &parts {
                if let Some(literal) = self.part(&rule, part, &head, waiting) {
                    part.iter().for_each(|&i| replaced[i] = Some(None));
                    replaced[part[0]] = Some(Some(literal));
                }
            }
            let body = std::mem::take(&mut rule.body).into_iter().zip(replaced);
            rule.body = body.filter_map(|(literal, new)| new.unwrap_or(Some(literal))).collect();
        }
        while let Some(of_var) = self.eliminated(&rule, &head) {
            let kept: Vec<u32> = {
                let inner = |i: &usize| of_var.contains(i);
                let outer = (0..rule.body.len()).filter(|i| !inner(i)).flat_map(|i| rule.body[i].all_vars());
                outer.chain(head.iter().copied()).collect()
            };
            let Some(literal) = self.part(&rule, &of_var, &kept, waiting) else { break };
            let mut body = std::mem::take(&mut rule.body);
            body[of_var[0]] = literal;
            let mut i = 0;
            body.retain(|_| {
                i += 1;
                i - 1 == of_var[0] || !of_var.contains(&(i - 1))
            });
            rule.body = body;
        }
        self.done.push(rule);
    }

    /// The conditions with a variable that occurs only there, if a relation for them pays: there is one dynamic condition among
    /// them, with nearly all of their variables, and others remain.
    fn eliminated(&self, rule: &Rule, head: &[u32]) -> Option<Vec<usize>> {
        let all: Vec<Vec<u32>> = rule.body.iter().map(Literal::all_vars).collect();
        let mut every: Vec<u32> = all.iter().flatten().copied().chain(head.iter().copied()).collect();
        every.sort_unstable();
        every.dedup();
        for &var in every.iter().filter(|var| !head.contains(var)) {
            let with: Vec<usize> = (0..all.len()).filter(|&i| all[i].contains(&var)).collect();
            let dynamic: Vec<usize> =
                with.iter().copied().filter(|&i| self.is_dynamic(&rule.body[i])).collect();
            let [only] = dynamic[..] else { continue };
            let mut inside: Vec<u32> = with.iter().flat_map(|&i| all[i].iter().copied()).collect();
            inside.sort_unstable();
            inside.dedup();
            let extra = inside.iter().filter(|var| !all[only].contains(var)).count();
            // A condition with its own variables, alone in the rule, gains nothing.
            if inside.len() < every.len() && extra <= 1 && rule.body.len() > with.len() {
                return Some(with);
            }
        }
        None
    }

    /// Makes a relation of some conditions of a rule over those of their variables that are `kept`. The condition that takes
    /// their place, or nothing if their variables cannot be bound.
    fn part(
        &mut self,
        rule: &Rule,
        part: &[usize],
        kept: &[u32],
        waiting: &mut Vec<Rule>,
    ) -> Option<Literal> {
        let mut body: Vec<Literal> = part.iter().map(|&i| rule.body[i].clone()).collect();
        let mut vars: Vec<u32> = body.iter().flat_map(Literal::all_vars).collect();
        vars.sort_unstable();
        vars.dedup();
        let shared: Vec<u32> = vars.iter().copied().filter(|var| kept.contains(var)).collect();
        // Other conditions on the same variables restrict them: those that are settled by grounding, and where a variable has
        // no values otherwise, what the other conditions may contain.
        let others = |i: &usize| !part.contains(i);
        for i in (0..rule.body.len()).filter(others) {
            let literal = &rule.body[i];
            let of = literal.all_vars();
            let common: Vec<u32> = of.iter().copied().filter(|var| shared.contains(var)).collect();
            if common.is_empty() || self.kind(literal) != Kind::Static {
                continue;
            }
            if common.len() == of.len() {
                body.push(literal.clone());
            } else if let Literal::Holds(_) = literal {
                let guard = self.relation(
                    Kind::Static,
                    rule.place,
                    vec![literal.clone()],
                    &common,
                    rule.vars,
                    waiting,
                );
                body.push(guard);
            }
        }
        let bound = |body: &[Literal]| {
            let holds = body.iter().filter(|literal| matches!(literal, Literal::Holds(_)));
            holds.flat_map(Literal::all_vars).collect::<Vec<u32>>()
        };
        for i in (0..rule.body.len()).filter(others) {
            let known = bound(&body);
            let of = rule.body[i].all_vars();
            let missing: Vec<u32> =
                of.iter().copied().filter(|var| vars.contains(var) && !known.contains(var)).collect();
            if missing.is_empty() || !matches!(rule.body[i], Literal::Holds(_)) {
                continue;
            }
            let common: Vec<u32> = of.iter().copied().filter(|var| shared.contains(var)).collect();
            let kind = if self.kind(&rule.body[i]) == Kind::Static { Kind::Static } else { Kind::Guard };
            let guard =
                self.relation(kind, rule.place, vec![rule.body[i].clone()], &common, rule.vars, waiting);
            body.push(guard);
        }
        // Conditions that were taken over may have variables of their own only if something binds them.
        let known = bound(&body);
        if !subset(&vars, &known) {
            return None;
        }
        body.retain(|literal| matches!(literal, Literal::Holds(_)) || subset(&literal.all_vars(), &known));
        Some(self.relation(Kind::Dynamic, rule.place, body, &shared, rule.vars, waiting))
    }

    /// A condition on a relation over `shared` that holds if the conditions do. The same conditions make the same relation.
    fn relation(
        &mut self,
        kind: Kind,
        place: Place,
        body: Vec<Literal>,
        shared: &[u32],
        vars: u32,
        waiting: &mut Vec<Rule>,
    ) -> Literal {
        let mut names = vec![u32::MAX; vars as usize];
        let mut count = 0;
        for literal in &body {
            literal.vars(&mut |var| {
                if names[var as usize] == u32::MAX {
                    names[var as usize] = count;
                    count += 1;
                }
            });
        }
        let body: Vec<Literal> = body.iter().map(|literal| renamed(literal, &names)).collect();
        let own: Vec<Term> = shared.iter().map(|&var| Term::Var(names[var as usize])).collect();
        let new = self.program.relations.len() as RelationId;
        let key = (kind, body.clone(), own.clone());
        let relation = *self.known.entry(key).or_insert(new);
        if relation == new {
            let name = self.program.symbols.number(&format!("part {new}"));
            self.program.relations.push(Relation { name, arity: own.len() });
            self.kinds.push(kind);
            let rule = Rule { place, head: Atom { relation, args: own }, body, vars: count };
            if kind == Kind::Dynamic {
                waiting.push(rule);
            } else {
                self.done.push(rule);
            }
        }
        Literal::Holds(Atom { relation, args: shared.iter().map(|&var| Term::Var(var)).collect() })
    }
}

/// The conditions of a rule that are connected by variables that the head does not have, each part ascending.
fn parts(rule: &Rule, head: &[u32]) -> Vec<Vec<usize>> {
    let inner: Vec<Vec<u32>> = rule
        .body
        .iter()
        .map(|literal| literal.all_vars().into_iter().filter(|var| !head.contains(var)).collect())
        .collect();
    let mut part: Vec<usize> = (0..inner.len()).collect();
    let mut owner: HashMap<u32, usize> = HashMap::new();
    for (i, vars) in inner.iter().enumerate() {
        for &var in vars {
            let (a, b) = (part[*owner.entry(var).or_insert(i)], part[i]);
            part.iter_mut().filter(|p| **p == a).for_each(|p| *p = b);
        }
    }
    let members =
        |p: usize| (0..inner.len()).filter(|&i| part[i] == p && !inner[i].is_empty()).collect::<Vec<_>>();
    let mut parts: Vec<Vec<usize>> = (0..inner.len()).map(members).filter(|part| !part.is_empty()).collect();
    parts.sort();
    parts
}

/// A condition with other names for its variables.
fn renamed(literal: &Literal, names: &[u32]) -> Literal {
    fn term(t: &Term, names: &[u32]) -> Term {
        match t {
            Term::Var(var) => Term::Var(names[*var as usize]),
            Term::Fun(name, args) => Term::Fun(*name, args.iter().map(|arg| term(arg, names)).collect()),
        }
    }
    let atom = |atom: &Atom| Atom {
        relation: atom.relation,
        args: atom.args.iter().map(|arg| term(arg, names)).collect(),
    };
    match literal {
        Literal::Holds(a) => Literal::Holds(atom(a)),
        Literal::Fails(a) => Literal::Fails(atom(a)),
        Literal::Distinct(a, b) => Literal::Distinct(term(a, names), term(b, names)),
        Literal::Same(a, b) => Literal::Same(term(a, names), term(b, names)),
    }
}
