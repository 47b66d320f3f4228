//! Parses a tree from text, without recursion, so that no input can overflow the stack.

use super::{Node, Tree};
use permutree_game::{MAX_PLAYERS, Player, Rewards, Turn};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// The deepest nesting of parentheses.
const MAX_DEPTH: usize = 1000;
/// The most nodes.
const MAX_NODES: usize = 100_000;
/// The valid weights of a chance outcome, limited so that probabilities keep their precision.
const WEIGHTS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

/// Why a text is not a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeError {
    /// The position of the error, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.what)
    }
}

impl std::error::Error for TreeError {}

/// A parsed node, before the number of players is known.
struct Read {
    column: usize,
    label: Option<String>,
    weight: Option<f64>,
    kind: Kind,
    children: Vec<usize>,
}

enum Kind {
    /// A player by number from 0, or the next one.
    Choice(Option<u8>),
    Chance,
    Number(f64),
    List(Vec<f64>),
}

impl Tree {
    /// Parses a tree; the module's documentation has the grammar.
    pub fn parse(text: &str) -> Result<Self, TreeError> {
        let mut reader = Reader { text: text.chars().collect(), at: 0, nodes: Vec::new(), open: Vec::new() };
        reader.read()?;
        let players = players(&reader.nodes)?;
        lay_out(reader.nodes, players)
    }
}

struct Reader {
    text: Vec<char>,
    at: usize,
    nodes: Vec<Read>,
    /// The nodes with an open parenthesis.
    open: Vec<usize>,
}

impl Reader {
    fn read(&mut self) -> Result<(), TreeError> {
        let (mut label, mut weight) = (None, None);
        loop {
            self.skip_spaces();
            let start = self.at;
            let done = !self.nodes.is_empty() && self.open.is_empty();
            let Some(next) = self.peek() else {
                return match self.open.last() {
                    _ if done => Ok(()),
                    Some(&node) => Err(fault(self.nodes[node].column, "this parenthesis is not closed")),
                    None => Err(fault(start, "a tree is made of nodes in parentheses, such as (1 0)")),
                };
            };
            if done {
                return Err(fault(start, format!("'{next}' follows the end of the tree")));
            }
            let kind = match next {
                ')' => {
                    self.at += 1;
                    let node = self.open.pop().ok_or_else(|| fault(start, "no parenthesis is open"))?;
                    if label.is_some() || weight.is_some() {
                        return Err(fault(start, "a node is missing before )"));
                    }
                    if self.nodes[node].children.is_empty() {
                        return Err(fault(start, "a node needs at least one child"));
                    }
                    continue;
                }
                '(' => Kind::Choice(None),
                '?' => {
                    self.at += 1;
                    Kind::Chance
                }
                '[' => Kind::List(self.list()?),
                _ => {
                    let word = self.word()?;
                    match self.peek() {
                        Some(':') if label.is_none() && weight.is_none() => {
                            self.at += 1;
                            label = Some(word);
                            continue;
                        }
                        Some(':') => return Err(fault(start, "a node has one label, before the weight")),
                        Some('*') if weight.is_none() => {
                            self.at += 1;
                            weight = Some(number(&word, &WEIGHTS).ok_or_else(|| {
                                fault(start, format!("'{word}' is not a weight from 0.000001 to 1000000"))
                            })?);
                            continue;
                        }
                        Some('*') => return Err(fault(start, "a node has one weight")),
                        Some('(') => Kind::Choice(Some(player(&word).ok_or_else(|| {
                            fault(start, format!("'{word}' is not a player from 1 to {MAX_PLAYERS}"))
                        })?)),
                        _ => Kind::Number(self.reward(&word, start)?),
                    }
                }
            };
            if matches!(kind, Kind::Choice(_) | Kind::Chance) {
                if self.peek() != Some('(') {
                    return Err(fault(self.at, "expected ("));
                }
                self.at += 1;
            }
            self.add(Read {
                column: start,
                label: label.take(),
                weight: weight.take(),
                kind,
                children: Vec::new(),
            })?;
        }
    }

    /// Adds a node under the one that is open.
    fn add(&mut self, node: Read) -> Result<(), TreeError> {
        let (index, start) = (self.nodes.len(), node.column);
        let inner = matches!(node.kind, Kind::Choice(_) | Kind::Chance);
        if index == MAX_NODES {
            return Err(fault(start, format!("more than {MAX_NODES} nodes")));
        }
        match self.open.last() {
            Some(&parent) => {
                if node.weight.is_some() && !matches!(self.nodes[parent].kind, Kind::Chance) {
                    return Err(fault(start, "only the children of ? have weights"));
                }
                self.nodes[parent].children.push(index);
            }
            None if !inner => return Err(fault(start, "the root must have children, as in (1 0)")),
            None if node.label.is_some() || node.weight.is_some() => {
                return Err(fault(start, "the root has no label and no weight"));
            }
            None => {}
        }
        if inner {
            if self.open.len() == MAX_DEPTH {
                return Err(fault(start, format!("more than {MAX_DEPTH} nodes deep")));
            }
            self.open.push(index);
        }
        self.nodes.push(node);
        Ok(())
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Letters, digits and the other characters of numbers and labels.
    fn word(&mut self) -> Result<String, TreeError> {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|c| c.is_ascii_alphanumeric() || "_-+.".contains(**c)).count();
        if length == 0 {
            let found = rest.first().map_or("the end".to_string(), |c| format!("'{c}'"));
            return Err(fault(self.at, format!("expected a node, found {found}")));
        }
        self.at += length;
        Ok(rest[..length].iter().collect())
    }

    /// Rewards in brackets; the opening bracket is next.
    fn list(&mut self) -> Result<Vec<f64>, TreeError> {
        let start = self.at;
        self.at += 1;
        let mut rewards = Vec::new();
        loop {
            self.skip_spaces();
            match self.peek() {
                None => return Err(fault(start, "this bracket is not closed")),
                Some(']') => break,
                Some(_) => {
                    let at = self.at;
                    let word = self.word()?;
                    rewards.push(self.reward(&word, at)?);
                }
            }
        }
        self.at += 1;
        if rewards.is_empty() || rewards.len() > MAX_PLAYERS {
            return Err(fault(start, format!("expected 1 to {MAX_PLAYERS} rewards")));
        }
        Ok(rewards)
    }

    fn reward(&self, word: &str, at: usize) -> Result<f64, TreeError> {
        number(word, &(0.0..=1.0)).ok_or_else(|| fault(at, format!("'{word}' is not a reward from 0 to 1")))
    }
}

/// Displayed columns start at 1.
fn fault(at: usize, what: impl Into<String>) -> TreeError {
    TreeError { column: at + 1, what: what.into() }
}

fn number(word: &str, range: &std::ops::RangeInclusive<f64>) -> Option<f64> {
    word.parse().ok().filter(|x| range.contains(x))
}

fn player(word: &str) -> Option<u8> {
    match word.as_bytes() {
        [digit @ b'1'..=b'8'] => Some(digit - b'1'),
        _ => None,
    }
}

/// The number of players, on which all leaves must agree.
fn players(nodes: &[Read]) -> Result<usize, TreeError> {
    let needed = nodes.iter().map(|node| match &node.kind {
        Kind::Choice(Some(player)) => usize::from(*player) + 1,
        Kind::Choice(None) | Kind::Chance => 1,
        Kind::Number(_) => 2,
        Kind::List(rewards) => rewards.len(),
    });
    let players = needed.max().unwrap_or(1);
    for node in nodes {
        let given = match &node.kind {
            Kind::Number(_) => 2,
            Kind::List(rewards) => rewards.len(),
            _ => continue,
        };
        if given != players {
            return Err(fault(node.column, format!("expected {players} rewards, found {given}")));
        }
    }
    Ok(players)
}

/// Orders the nodes so that siblings are adjacent, and determines who moves.
fn lay_out(mut read: Vec<Read>, players: usize) -> Result<Tree, TreeError> {
    let mut nodes = Vec::with_capacity(read.len());
    let mut labels: Vec<String> = Vec::new();
    let mut numbers: HashMap<String, u32> = HashMap::new();
    // For each node: its parsed form, parent, label and probability, and the player to move by default.
    let mut order = vec![(0, 0, 0, 1.0, Player(0))];
    let mut done = 0;
    while let Some(&(index, parent, label, chance, next)) = order.get(done) {
        let node = &read[index];
        let (kind, rewards, after) = match &node.kind {
            Kind::Choice(player) => {
                let player = player.map_or(next, Player);
                (Turn::Player(player), Rewards::draw(players), player.next(players))
            }
            Kind::Chance => (Turn::Chance, Rewards::draw(players), next),
            Kind::Number(x) => (Turn::Over, Rewards::from_slice(&[*x, 1.0 - x]), next),
            Kind::List(rewards) => (Turn::Over, Rewards::from_slice(rewards), next),
        };
        let children = std::mem::take(&mut read[index].children);
        let first = order.len() as u32;
        nodes.push(Node {
            kind,
            children: first..first + children.len() as u32,
            rewards,
            parent,
            label,
            chance,
        });

        let total: f64 = children.iter().map(|&child| read[child].weight.unwrap_or(1.0)).sum();
        let mut used = HashSet::new();
        for (place, child) in children.into_iter().enumerate() {
            let name = read[child].label.take().unwrap_or_else(|| name_by_place(place));
            if !used.insert(name.to_ascii_lowercase()) {
                return Err(fault(read[child].column, format!("label {name} twice in one node")));
            }
            let number = *numbers.entry(name.clone()).or_insert_with(|| {
                labels.push(name);
                labels.len() as u32 - 1
            });
            order.push((child, done as u32, number, read[child].weight.unwrap_or(1.0) / total, after));
        }
        done += 1;
    }
    Ok(Tree { nodes: nodes.into(), labels: labels.into(), players })
}

/// a to z, then a2 to z2 and so on.
fn name_by_place(place: usize) -> String {
    let letter = char::from(b'a' + (place % 26) as u8);
    if place < 26 { letter.to_string() } else { format!("{letter}{}", place / 26 + 1) }
}
