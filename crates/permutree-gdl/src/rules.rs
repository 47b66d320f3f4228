//! Expressions to rules, and the checks that a description must pass.

use crate::graph::components;
use crate::syntax::{Expr, Symbol, Symbols};
use crate::{Error, Place};
use std::collections::HashMap;

/// A term: a variable by its number in the rule, or a name applied to terms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Term {
    Var(u32),
    Fun(Symbol, Vec<Term>),
}

impl Term {
    /// Calls `visit` for each occurrence of a variable.
    pub(crate) fn vars(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Self::Var(var) => visit(*var),
            Self::Fun(_, args) => args.iter().for_each(|arg| arg.vars(visit)),
        }
    }

    pub(crate) fn is_ground(&self) -> bool {
        let mut ground = true;
        self.vars(&mut |_| ground = false);
        ground
    }
}

/// A relation by its number in [`Program::relations`].
pub(crate) type RelationId = u32;

/// A relation applied to terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Atom {
    pub(crate) relation: RelationId,
    pub(crate) args: Vec<Term>,
}

impl Atom {
    pub(crate) fn vars(&self, visit: &mut impl FnMut(u32)) {
        self.args.iter().for_each(|arg| arg.vars(visit));
    }

    /// The variables, ascending and once.
    pub(crate) fn all_vars(&self) -> Vec<u32> {
        variables(|vars| self.vars(&mut |var| vars.push(var)))
    }
}

/// A condition of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Literal {
    Holds(Atom),
    Fails(Atom),
    Distinct(Term, Term),
    Same(Term, Term),
}

impl Literal {
    pub(crate) fn vars(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Self::Holds(atom) | Self::Fails(atom) => atom.vars(visit),
            Self::Distinct(a, b) | Self::Same(a, b) => {
                a.vars(visit);
                b.vars(visit);
            }
        }
    }

    /// The variables, ascending and once.
    pub(crate) fn all_vars(&self) -> Vec<u32> {
        variables(|vars| self.vars(&mut |var| vars.push(var)))
    }

    /// The atom of a condition that is one.
    pub(crate) fn atom(&self) -> Option<&Atom> {
        match self {
            Self::Holds(atom) | Self::Fails(atom) => Some(atom),
            _ => None,
        }
    }
}

/// The variables that `each` collects, ascending and once.
fn variables(each: impl FnOnce(&mut Vec<u32>)) -> Vec<u32> {
    let mut vars = Vec::new();
    each(&mut vars);
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// `head` holds if every condition does.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) place: Place,
    pub(crate) head: Atom,
    pub(crate) body: Vec<Literal>,
    pub(crate) vars: u32,
}

/// A relation: its name and number of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Relation {
    pub(crate) name: Symbol,
    pub(crate) arity: usize,
}

/// The relations with a meaning. Their numbers are their places in [`KEYS`].
pub(crate) mod key {
    use super::RelationId;
    pub(crate) const ROLE: RelationId = 0;
    pub(crate) const INIT: RelationId = 1;
    pub(crate) const TRUE: RelationId = 2;
    pub(crate) const NEXT: RelationId = 3;
    pub(crate) const DOES: RelationId = 4;
    pub(crate) const LEGAL: RelationId = 5;
    pub(crate) const GOAL: RelationId = 6;
    pub(crate) const TERMINAL: RelationId = 7;
    pub(crate) const BASE: RelationId = 8;
    pub(crate) const INPUT: RelationId = 9;
}

/// Name and number of arguments of the relations with a meaning.
const KEYS: [(&str, usize); 10] = [
    ("role", 1),
    ("init", 1),
    ("true", 1),
    ("next", 1),
    ("does", 2),
    ("legal", 2),
    ("goal", 2),
    ("terminal", 0),
    ("base", 1),
    ("input", 2),
];

/// A rule with `or` becomes at most so many rules without.
const MOST_ALTERNATIVES: usize = 4096;

/// A rule has at most so many variables, and as many conditions. Those of real games have less than 50.
const LONGEST_RULE: usize = 1000;

/// The rules of a game.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) symbols: Symbols,
    pub(crate) relations: Vec<Relation>,
    pub(crate) rules: Vec<Rule>,
    /// Slips that were accepted, each in a line.
    pub(crate) warnings: Vec<String>,
    /// The relations by the stratum in which they are computed: what a stratum needs is in itself or before it.
    pub(crate) strata: Vec<Vec<RelationId>>,
    /// Whether a relation depends on the state or the moves.
    pub(crate) dynamic: Vec<bool>,
}

impl Program {
    /// Reads and checks the rules.
    pub(crate) fn read(exprs: &[Expr]) -> Result<Self, Error> {
        let mut reader = Reader::default();
        for (name, arity) in KEYS {
            let name = reader.symbols.number(name);
            reader.relation(name, arity);
        }
        for expr in exprs {
            reader.rule(expr)?;
        }
        let mut program = Self {
            symbols: reader.symbols,
            relations: reader.relations,
            rules: reader.rules,
            warnings: reader.warnings,
            strata: Vec::new(),
            dynamic: Vec::new(),
        };
        program.check()?;
        Ok(program)
    }

    /// The name of a relation.
    pub(crate) fn name(&self, relation: RelationId) -> &str {
        self.symbols.name(self.relations[relation as usize].name)
    }

    /// Checks what concerns several rules, and orders the relations.
    fn check(&mut self) -> Result<(), Error> {
        let relations = self.relations.len();
        let mut defined = vec![false; relations];
        self.rules.iter().for_each(|rule| defined[rule.head.relation as usize] = true);
        for (relation, why) in [
            (key::ROLE, "there is no role; a game has at least one, such as (role white)"),
            (key::LEGAL, "there is no rule for legal, so there are no moves"),
            (key::TERMINAL, "there is no rule for terminal, so the game never ends"),
            (key::GOAL, "there is no rule for goal, so there is nothing to play for"),
        ] {
            if !defined[relation as usize] {
                return Err(Error::of(why));
            }
        }
        if self.rules.iter().any(|rule| self.name(rule.head.relation) == "sees") {
            self.warnings.push("sees is ignored: all players see everything".to_string());
        }
        let given = |relation: RelationId| matches!(relation, key::TRUE | key::DOES);
        let mut told = vec![false; relations];
        for rule in &self.rules {
            for atom in rule.body.iter().filter_map(Literal::atom) {
                let relation = atom.relation as usize;
                if !defined[relation] && !given(atom.relation) && !told[relation] {
                    told[relation] = true;
                    let name = self.name(atom.relation);
                    self.warnings.push(format!("{}: no rule makes {name} hold", rule.place));
                }
            }
        }

        let mut needs: Vec<Vec<u32>> = vec![Vec::new(); relations];
        for rule in &self.rules {
            let of = &mut needs[rule.head.relation as usize];
            of.extend(rule.body.iter().filter_map(Literal::atom).map(|atom| atom.relation));
        }
        self.strata = components(relations, |relation| &needs[relation]);
        let mut stratum = vec![0; relations];
        for (i, members) in self.strata.iter().enumerate() {
            members.iter().for_each(|&member| stratum[member as usize] = i);
        }
        let mut absent = Vec::new();
        for rule in &self.rules {
            let own = stratum[rule.head.relation as usize];
            let circular = |atom: &Atom| stratum[atom.relation as usize] == own;
            for literal in &rule.body {
                if let Literal::Fails(atom) = literal
                    && circular(atom)
                {
                    absent.push((rule.place, rule.head.relation, atom.relation));
                }
            }
            self.check_recursion(rule, &circular)?;
        }
        self.check_dependence(&needs)?;
        for (place, head, relation) in absent {
            let (name, other) = (self.name(head), self.name(relation));
            let why = format!("{name} depends on its own absence through (not ({other} ..))");
            if !self.dynamic[head as usize] {
                return Err(Error::at(place, why));
            }
            // With the values that occur it may not: (goal x 0) if not (goal x 100). The network decides.
            self.warnings.push(format!("{place}: {why}; accepted where the arguments differ"));
        }
        Ok(())
    }

    /// Arguments in a recursive call are ground, arguments of the head, or bound by a condition outside the recursion: otherwise
    /// terms could grow without end.
    fn check_recursion(&self, rule: &Rule, circular: &impl Fn(&Atom) -> bool) -> Result<(), Error> {
        let outside = rule.body.iter().filter_map(|literal| match literal {
            Literal::Holds(atom) if !circular(atom) => Some(atom),
            _ => None,
        });
        let bound: Vec<&Term> = outside.flat_map(|atom| &atom.args).collect();
        let mut growing = Vec::new();
        let compound =
            |term: &&Term| matches!(term, Term::Fun(_, args) if !args.is_empty() && !term.is_ground());
        // Only a term that is built in the head can grow.
        for term in rule.head.args.iter().filter(compound) {
            term.vars(&mut |var| growing.push(var));
        }
        for atom in rule.body.iter().filter_map(Literal::atom).filter(|atom| circular(atom)) {
            let grows = |arg: &&Term| !bound.contains(arg) && !rule.head.args.contains(arg);
            for arg in atom.args.iter().filter(grows) {
                let mut found = false;
                arg.vars(&mut |var| {
                    let elsewhere = bound.iter().any(|term| {
                        let mut has = false;
                        term.vars(&mut |other| has |= other == var);
                        has
                    });
                    found |= growing.contains(&var) && !elsewhere;
                });
                if found {
                    let name = self.name(rule.head.relation);
                    return Err(Error::at(
                        rule.place,
                        format!(
                            "{name} calls itself with ever larger terms: bind its arguments outside the recursion"
                        ),
                    ));
                }
            }
        }
        Ok(())
    }

    /// Checks what may depend on the state and on the moves.
    fn check_dependence(&mut self, needs: &[Vec<u32>]) -> Result<(), Error> {
        let reaches = |given: &[RelationId]| {
            let mut depends = vec![false; needs.len()];
            given.iter().for_each(|&given| depends[given as usize] = true);
            for stratum in &self.strata {
                let any =
                    stratum.iter().flat_map(|&r| &needs[r as usize]).any(|&need| depends[need as usize]);
                stratum.iter().filter(|_| any).for_each(|&member| depends[member as usize] = true);
            }
            depends
        };
        let on_moves = reaches(&[key::DOES]);
        let dynamic = reaches(&[key::TRUE, key::DOES, key::NEXT, key::LEGAL, key::GOAL, key::TERMINAL]);
        for rule in &self.rules {
            let name = self.name(rule.head.relation);
            let depends =
                |on: &[bool]| rule.body.iter().filter_map(Literal::atom).any(|a| on[a.relation as usize]);
            match rule.head.relation {
                key::LEGAL | key::GOAL | key::TERMINAL if depends(&on_moves) => {
                    return Err(Error::at(rule.place, format!("{name} must not depend on does")));
                }
                key::ROLE | key::INIT | key::BASE | key::INPUT if depends(&dynamic) => {
                    let why = format!("{name} must not depend on true, does or legal");
                    return Err(Error::at(rule.place, why));
                }
                _ => {}
            }
        }
        self.dynamic = dynamic;
        Ok(())
    }
}

/// Builds the rules.
#[derive(Default)]
struct Reader {
    symbols: Symbols,
    relations: Vec<Relation>,
    numbers: HashMap<(Symbol, usize), RelationId>,
    /// Where a relation first occurred, by its name, to point at when it occurs with another number of arguments.
    first: HashMap<Symbol, (usize, Place)>,
    rules: Vec<Rule>,
    warnings: Vec<String>,
}

/// The variables of a rule by number.
type Vars = Vec<String>;

impl Reader {
    fn relation(&mut self, name: Symbol, arity: usize) -> RelationId {
        let new = self.relations.len() as RelationId;
        let number = *self.numbers.entry((name, arity)).or_insert(new);
        if number == new {
            self.relations.push(Relation { name, arity });
        }
        number
    }

    /// A fact or a rule.
    fn rule(&mut self, expr: &Expr) -> Result<(), Error> {
        let place = expr.place();
        let (head, body) = match expr {
            Expr::List(_, items) => match items.split_first() {
                Some((Expr::Name(_, arrow), rest)) if arrow == "<=" => match rest.split_first() {
                    Some((head, body)) => (head, body),
                    None => return Err(Error::at(place, "a rule without a head")),
                },
                Some((Expr::Name(_, arrow), _)) if arrow == "=>" || arrow == "<=>" => {
                    return Err(Error::at(
                        place,
                        format!("'{arrow}' is not GDL; rules are written (<= head conditions ..)"),
                    ));
                }
                _ => (expr, [].as_slice()),
            },
            _ => (expr, [].as_slice()),
        };
        let mut vars = Vars::new();
        let atom = self.atom(head, &mut vars)?;
        if matches!(atom.relation, key::TRUE | key::DOES) {
            let name = self.symbols.name(self.relations[atom.relation as usize].name);
            return Err(Error::at(place, format!("{name} cannot be the head of a rule")));
        }
        let mut alternatives = vec![Vec::new()];
        for condition in body {
            let each = self.condition(condition, true, &mut vars)?;
            alternatives = product(&alternatives, &each, place)?;
        }
        for body in alternatives {
            self.add(place, atom.clone(), body, &vars)?;
        }
        Ok(())
    }

    /// Adds a rule that is safe: every variable occurs in a condition that holds.
    fn add(&mut self, place: Place, head: Atom, mut body: Vec<Literal>, vars: &Vars) -> Result<(), Error> {
        // A name that a variable must equal replaces it.
        let equal = body.iter().enumerate().find_map(|(i, literal)| match literal {
            Literal::Same(Term::Var(var), term) | Literal::Same(term, Term::Var(var)) if term.is_ground() => {
                Some((i, *var, term.clone()))
            }
            _ => None,
        });
        if let Some((i, var, term)) = equal {
            body.remove(i);
            let replaced = |t: &Term| substitute(t, var, &term);
            let each = |atom: &Atom| Atom {
                relation: atom.relation,
                args: atom.args.iter().map(replaced).collect(),
            };
            let head = each(&head);
            for literal in &mut body {
                *literal = match &*literal {
                    Literal::Holds(atom) => Literal::Holds(each(atom)),
                    Literal::Fails(atom) => Literal::Fails(each(atom)),
                    Literal::Distinct(a, b) => Literal::Distinct(replaced(a), replaced(b)),
                    Literal::Same(a, b) => Literal::Same(replaced(a), replaced(b)),
                };
            }
            return self.add(place, head, body, vars);
        }

        let mut bound = vec![false; vars.len()];
        for literal in &body {
            if let Literal::Holds(atom) = literal {
                atom.vars(&mut |var| bound[var as usize] = true);
            }
        }
        let is_free = |var: &u32| !bound[*var as usize];
        let fault = |what: &str, free: &[u32]| {
            let Some(&var) = free.first() else { return Ok(()) };
            let name = &vars[var as usize];
            let why = format!("{name} occurs in {what} but in no condition that holds, so it has no values");
            Err(Error::at(place, why))
        };
        let free: Vec<u32> = head.all_vars().into_iter().filter(is_free).collect();
        fault("the head", &free)?;
        let mut uses = vec![0; vars.len()];
        for literal in &body {
            literal.all_vars().into_iter().for_each(|var| uses[var as usize] += 1);
        }
        for literal in &mut body {
            let free: Vec<u32> = literal.all_vars().into_iter().filter(is_free).collect();
            match literal {
                _ if free.is_empty() => {}
                Literal::Holds(_) => {}
                Literal::Distinct(..) | Literal::Same(..) => fault("distinct", &free)?,
                Literal::Fails(atom) => {
                    if free.iter().any(|&var| uses[var as usize] > 1) {
                        fault("not", &free)?;
                    }
                    let names: Vec<&str> = free.iter().map(|&var| vars[var as usize].as_str()).collect();
                    self.warnings.push(format!(
                        "{place}: {} occurs in not only; taken as 'there is no {}'",
                        names.join(" and "),
                        names.join(", ")
                    ));
                    // A relation of its own says whether there is one.
                    let kept: Vec<Term> =
                        atom.all_vars().into_iter().filter(|var| !is_free(var)).map(Term::Var).collect();
                    let name = self.symbols.number(&format!("any {}", self.rules.len()));
                    let relation = self.relation(name, kept.len());
                    let any = Atom { relation, args: kept };
                    let body = vec![Literal::Holds(atom.clone())];
                    self.rules.push(Rule { place, head: any.clone(), body, vars: vars.len() as u32 });
                    *atom = any;
                }
            }
        }
        self.rules.push(Rule { place, head, body, vars: vars.len() as u32 });
        Ok(())
    }

    /// A condition, or its opposite, as alternatives of which each is a list of conditions.
    fn condition(&mut self, expr: &Expr, holds: bool, vars: &mut Vars) -> Result<Vec<Vec<Literal>>, Error> {
        let place = expr.place();
        if let Expr::List(_, items) = expr
            && let Some((Expr::Name(_, name), args)) = items.split_first()
        {
            match (name.as_str(), args) {
                ("not", [inner]) => return self.condition(inner, !holds, vars),
                ("not", _) => {
                    return Err(Error::at(place, format!("not takes 1 condition, not {}", args.len())));
                }
                ("distinct", [a, b]) => {
                    let (a, b) = (self.term(a, vars)?, self.term(b, vars)?);
                    return Ok(vec![vec![if holds { Literal::Distinct(a, b) } else { Literal::Same(a, b) }]]);
                }
                ("distinct", _) => {
                    return Err(Error::at(place, format!("distinct takes 2 terms, not {}", args.len())));
                }
                ("and" | "or", _) if (name == "and") == holds => {
                    let mut all = vec![Vec::new()];
                    for arg in args {
                        let each = self.condition(arg, holds, vars)?;
                        all = product(&all, &each, place)?;
                    }
                    return Ok(all);
                }
                ("and" | "or", _) => {
                    let mut any = Vec::new();
                    for arg in args {
                        any.extend(self.condition(arg, holds, vars)?);
                    }
                    if any.len() > MOST_ALTERNATIVES {
                        return Err(Error::at(place, format!("more than {MOST_ALTERNATIVES} alternatives")));
                    }
                    return Ok(any);
                }
                _ => {}
            }
        }
        let atom = self.atom(expr, vars)?;
        if matches!(atom.relation, key::INIT | key::NEXT) {
            let name = self.symbols.name(self.relations[atom.relation as usize].name);
            return Err(Error::at(place, format!("{name} cannot be a condition")));
        }
        Ok(vec![vec![if holds { Literal::Holds(atom) } else { Literal::Fails(atom) }]])
    }

    /// An atom. `(terminal)` is accepted for `terminal`.
    fn atom(&mut self, expr: &Expr, vars: &mut Vars) -> Result<Atom, Error> {
        let place = expr.place();
        let (name, args) = match expr {
            Expr::Name(_, name) => (name, [].as_slice()),
            Expr::Variable(_, name) => {
                return Err(Error::at(place, format!("{name} is a variable; a relation is expected here")));
            }
            Expr::List(_, items) => match items.split_first() {
                Some((Expr::Name(_, name), args)) => (name, args),
                Some((other, _)) => {
                    return Err(Error::at(other.place(), "a relation starts with its name"));
                }
                None => return Err(Error::at(place, "an empty list")),
            },
        };
        if matches!(name.as_str(), "<=" | "not" | "or" | "and" | "distinct" | "=>" | "<=>") {
            return Err(Error::at(place, format!("'{name}' cannot be used here")));
        }
        let symbol = self.symbols.number(name);
        let known = KEYS.iter().find(|(key, _)| key == name).map(|&(_, arity)| arity);
        let (arity, first) = match known {
            Some(arity) => (arity, None),
            None => {
                let (arity, first) = *self.first.entry(symbol).or_insert((args.len(), place));
                (arity, Some(first))
            }
        };
        if args.len() != arity {
            let plural = if arity == 1 { "" } else { "s" };
            let since = first.map_or(String::new(), |first| format!(" as in line {}", first.line));
            let why = format!("{name} takes {arity} argument{plural}{since}, not {}", args.len());
            return Err(Error::at(place, why));
        }
        let relation = self.relation(symbol, arity);
        let args = args.iter().map(|arg| self.term(arg, vars)).collect::<Result<_, _>>()?;
        Ok(Atom { relation, args })
    }

    fn term(&mut self, expr: &Expr, vars: &mut Vars) -> Result<Term, Error> {
        match expr {
            Expr::Name(_, name) => Ok(Term::Fun(self.symbols.number(name), Vec::new())),
            Expr::Variable(_, name) => {
                let known = vars.iter().position(|var| var == name);
                let var = known.unwrap_or_else(|| {
                    vars.push(name.clone());
                    vars.len() - 1
                });
                if var >= LONGEST_RULE {
                    return Err(Error::at(
                        expr.place(),
                        format!("a rule with more than {LONGEST_RULE} variables"),
                    ));
                }
                Ok(Term::Var(var as u32))
            }
            Expr::List(place, items) => match items.split_first() {
                Some((Expr::Name(_, name), args)) => {
                    let name = self.symbols.number(name);
                    let args = args.iter().map(|arg| self.term(arg, vars)).collect::<Result<_, _>>()?;
                    Ok(Term::Fun(name, args))
                }
                _ => Err(Error::at(*place, "a term starts with a name")),
            },
        }
    }
}

/// A term with another in the place of a variable.
fn substitute(term: &Term, var: u32, by: &Term) -> Term {
    match term {
        Term::Var(v) if *v == var => by.clone(),
        Term::Var(v) => Term::Var(*v),
        Term::Fun(name, args) => Term::Fun(*name, args.iter().map(|arg| substitute(arg, var, by)).collect()),
    }
}

/// Every alternative of one list with every one of the other.
fn product(a: &[Vec<Literal>], b: &[Vec<Literal>], place: Place) -> Result<Vec<Vec<Literal>>, Error> {
    let longest = |each: &[Vec<Literal>]| each.iter().map(Vec::len).max().unwrap_or(0);
    if longest(a) + longest(b) > LONGEST_RULE {
        return Err(Error::at(place, format!("a rule with more than {LONGEST_RULE} conditions")));
    }
    if a.len() * b.len() > MOST_ALTERNATIVES {
        return Err(Error::at(
            place,
            format!("more than {MOST_ALTERNATIVES} alternatives; give them a relation"),
        ));
    }
    let both = |a: &Vec<Literal>, b: &Vec<Literal>| a.iter().chain(b).cloned().collect();
    Ok(a.iter().flat_map(|a| b.iter().map(move |b| both(a, b))).collect())
}
