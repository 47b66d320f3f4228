//! The facts that grounding has found, as tables with indexes.

use crate::rules::Term;
use crate::slices::{Slices, hash};
use crate::syntax::Symbol;

/// A ground term by number: its name and the numbers of its arguments.
pub(crate) type TermId = u32;

/// A ground atom by number: its relation and the numbers of its arguments.
pub(crate) type AtomId = u32;

/// No row, no term.
pub(crate) const NONE: u32 = u32::MAX;

/// The form of an argument: anything, or a term with this name and these arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    Any,
    Fun(Symbol, Vec<Form>),
}

/// What stands in a column of a condition: a variable or a ground term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Column {
    Var(u32),
    Const(TermId),
}

/// A term to be made from the values of variables.
#[derive(Clone, Debug)]
pub(crate) enum Build {
    Var(u32),
    Const(TermId),
    Fun(Symbol, Vec<Build>),
}

impl Build {
    pub(crate) fn of(term: &Term, terms: &mut Slices) -> Self {
        match term {
            Term::Var(var) => Self::Var(*var),
            Term::Fun(name, args) => {
                let args: Vec<Self> = args.iter().map(|arg| Self::of(arg, terms)).collect();
                if args.iter().all(|arg| matches!(arg, Self::Const(_))) {
                    return Self::Const(Self::Fun(*name, args).make(&[], terms));
                }
                Self::Fun(*name, args)
            }
        }
    }

    pub(crate) fn make(&self, values: &[TermId], terms: &mut Slices) -> TermId {
        match self {
            Self::Var(var) => values[*var as usize],
            Self::Const(term) => *term,
            Self::Fun(name, args) => {
                let mut words = [0; 16];
                let mut long = Vec::new();
                words[0] = *name;
                if args.len() < words.len() {
                    for (word, arg) in words[1..].iter_mut().zip(args) {
                        *word = arg.make(values, terms);
                    }
                    return terms.number(&words[..=args.len()]);
                }
                long.push(*name);
                for arg in args {
                    long.push(arg.make(values, terms));
                }
                terms.number(&long)
            }
        }
    }
}

/// Splits an argument into its form and its columns. The outer name of a fluent or a move is kept in the form even where
/// nothing varies, so that facts with different names stand in different tables.
pub(crate) fn flatten(term: &Term, outer: bool, terms: &mut Slices, columns: &mut Vec<Column>) -> Form {
    match term {
        Term::Var(var) => {
            columns.push(Column::Var(*var));
            Form::Any
        }
        Term::Fun(name, args) if outer || !term.is_ground() => {
            Form::Fun(*name, args.iter().map(|arg| flatten(arg, false, terms, columns)).collect())
        }
        Term::Fun(..) => {
            let term = Build::of(term, terms).make(&[], terms);
            columns.push(Column::Const(term));
            Form::Any
        }
    }
}

/// Appends what stands in the places of `Form::Any`; false if the term has another form.
fn matches(form: &Form, term: TermId, terms: &Slices, row: &mut Vec<TermId>) -> bool {
    match form {
        Form::Any => {
            row.push(term);
            true
        }
        Form::Fun(name, forms) => {
            let [found, args @ ..] = terms.get(term) else { return false };
            found == name
                && args.len() == forms.len()
                && forms.iter().zip(args).all(|(form, &arg)| matches(form, arg, terms, row))
        }
    }
}

/// The facts of a relation whose arguments have a form, one in a row, and a column for each part that varies.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) forms: Vec<Form>,
    pub(crate) width: usize,
    cells: Vec<TermId>,
    /// The atom of each row.
    pub(crate) atoms: Vec<AtomId>,
    indexes: Vec<Index>,
    /// The rows that earlier rounds have used, and those of this round with them.
    pub(crate) used: usize,
    pub(crate) known: usize,
}

/// The rows by the values of some columns.
#[derive(Clone, Debug)]
struct Index {
    columns: Vec<usize>,
    /// The newest row of each slot, and the row before each row in its slot.
    newest: Vec<u32>,
    before: Vec<u32>,
    /// About how many different values the columns have.
    distinct: usize,
}

impl Table {
    pub(crate) fn new(forms: Vec<Form>, width: usize) -> Self {
        Self { forms, width, cells: Vec::new(), atoms: Vec::new(), indexes: Vec::new(), used: 0, known: 0 }
    }

    pub(crate) fn rows(&self) -> usize {
        self.atoms.len()
    }

    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[TermId] {
        &self.cells[row * self.width..][..self.width]
    }

    /// Adds the fact if it has the form.
    pub(crate) fn add(&mut self, atom: AtomId, args: &[TermId], terms: &Slices) {
        let before = self.cells.len();
        if !self.forms.iter().zip(args).all(|(form, &arg)| matches(form, arg, terms, &mut self.cells)) {
            self.cells.truncate(before);
            return;
        }
        self.atoms.push(atom);
        let row = self.atoms.len() - 1;
        for index in &mut self.indexes {
            index.add(&self.cells, self.width, row);
        }
    }

    /// The number of the index over these columns, which is made if there is none.
    pub(crate) fn index(&mut self, columns: &[usize]) -> usize {
        if let Some(found) = self.indexes.iter().position(|index| index.columns == columns) {
            return found;
        }
        let mut index =
            Index { columns: columns.to_vec(), newest: vec![NONE; 16], before: Vec::new(), distinct: 0 };
        for row in 0..self.rows() {
            index.add(&self.cells, self.width, row);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// About how many rows there are for given values of these columns.
    pub(crate) fn fanout(&mut self, columns: &[usize]) -> f64 {
        if columns.is_empty() || self.rows() == 0 {
            return self.rows() as f64;
        }
        let index = self.index(columns);
        self.rows() as f64 / self.indexes[index].distinct.max(1) as f64
    }

    /// The newest row in the slot of these values; the others follow by [`Table::before`]. Rows of other values are among them.
    #[inline]
    pub(crate) fn newest(&self, index: usize, values: impl Iterator<Item = TermId>) -> u32 {
        let index = &self.indexes[index];
        index.newest[hash(values) as usize & (index.newest.len() - 1)]
    }

    #[inline]
    pub(crate) fn before(&self, index: usize, row: u32) -> u32 {
        self.indexes[index].before[row as usize]
    }
}

impl Index {
    fn add(&mut self, cells: &[TermId], width: usize, row: usize) {
        if row >= self.newest.len() {
            self.newest = vec![NONE; self.newest.len() * 4];
            self.before.clear();
            self.distinct = 0;
            for row in 0..row {
                self.place(cells, width, row);
            }
        }
        self.place(cells, width, row);
    }

    fn place(&mut self, cells: &[TermId], width: usize, row: usize) {
        let value = |row: usize, column: usize| cells[row * width + column];
        let slot =
            hash(self.columns.iter().map(|&column| value(row, column))) as usize & (self.newest.len() - 1);
        let newest = self.newest[slot];
        let known =
            newest != NONE && self.columns.iter().all(|&c| value(newest as usize, c) == value(row, c));
        self.distinct += usize::from(!known);
        self.before.push(newest);
        self.newest[slot] = row as u32;
    }
}
