//! Parallel searches with a tree each, which send each other their statistics.

use super::Search;
use crate::budget::Budget;
use crate::tree::{NodeId, ROOT};
use permutree_game::{Game, Hasher};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Shared nodes have at least `LEAST_VISITS` visits and one in `LEAST_PART` of the root's.
const LEAST_VISITS: u32 = 32;
const LEAST_PART: u32 = 8;

/// The interval between messages is one in `PARTS` of all playouts, within `FEWEST..=MOST`: short enough for messages to be
/// recent and long enough for them to cost almost nothing. Half the interval with twice the nodes was no stronger in Hex and
/// cost a tenth of the speed in searches of ten milliseconds.
const PARTS: u64 = 16;
const FEWEST: u64 = 64;
const MOST: u64 = 2048;

/// The channels between a search and the others, and what was sent over them. The key of a node is the hash of its position
/// or, without transpositions, of the path to it.
pub(crate) struct Exchange {
    to: Vec<Sender<Arc<News>>>,
    from: Vec<(Receiver<Arc<News>>, Sums)>,
    /// The sums received for each node from all others, which are not sent back.
    heard: Sums,
    /// Playouts until the next message.
    left: u64,
}

/// A message: nodes and the sums that one search counted there.
#[derive(Default)]
struct News {
    nodes: Vec<Told>,
    /// The paths and sums of all nodes, concatenated.
    paths: Vec<u32>,
    words: Vec<u64>,
}

struct Told {
    key: u64,
    /// The index of the edge to follow from the root and from each node after it.
    path: Range<usize>,
    /// The visits of each edge, the rewards of each edge, and the sums of the tree policy.
    words: Range<usize>,
}

type Sums = HashMap<u64, Vec<u64>>;

impl Exchange {
    /// The connected exchanges of this many searches.
    pub(crate) fn between(searches: usize) -> Vec<Self> {
        let new = || Self { to: Vec::new(), from: Vec::new(), heard: Sums::new(), left: FEWEST };
        let mut all: Vec<Self> = (0..searches).map(|_| new()).collect();
        for a in 0..searches {
            for b in (0..searches).filter(|&b| b != a) {
                let (to, from) = channel();
                all[a].to.push(to);
                all[b].from.push((from, Sums::new()));
            }
        }
        all
    }
}

impl<G: Game> Search<G> {
    /// [`Searcher::advance`](crate::Searcher::advance) in parallel with other searches from the same root. After all of them
    /// have ended, [`Search::listen`] receives the last messages.
    pub(crate) fn advance_beside(&mut self, budget: &Budget, exchange: &mut Exchange) {
        self.run(budget, Some(exchange));
        self.tell(exchange);
        self.deterministic = false;
    }

    /// Exchanges messages with the others at the end of an interval.
    pub(super) fn share(&mut self, exchange: &mut Exchange) {
        exchange.left -= 1;
        if exchange.left == 0 {
            exchange.left = (self.playouts / PARTS).clamp(FEWEST, MOST);
            self.tell(exchange);
            self.listen(exchange);
        }
    }

    /// Sends the others the sums of the most visited nodes, without those received from them.
    fn tell(&mut self, exchange: &Exchange) {
        let least = LEAST_VISITS.max(self.tree.visits(ROOT) / LEAST_PART);
        let mut news = News::default();
        let mut open = vec![(ROOT, 0..0, self.root.clone())];
        let mut seen: Vec<NodeId> = vec![ROOT];
        while let Some((node, path, position)) = open.pop() {
            let edges = self.tree.edges(node);
            for edge in edges.clone() {
                let child = self.tree.child(edge);
                let Some(child) = child.filter(|child| self.tree.visits(*child) >= least) else { continue };
                if self.tree.edges(child).is_empty() || seen.contains(&child) {
                    continue;
                }
                seen.push(child);
                let mut after = position.clone();
                self.game.play(&mut after, self.moves[edge]);
                let start = news.paths.len();
                news.paths.extend_from_within(path.clone());
                news.paths.push((edge - edges.start) as u32);
                open.push((child, start..news.paths.len(), after));
            }
            let places = news.paths[path.clone()].iter();
            let key = match self.options.transpositions {
                true => self.game.hash(&position),
                false => places.fold(Hasher::new(), |hash, &place| hash.word(u64::from(place))).finish(),
            };
            let start = news.words.len();
            news.words.extend(edges.clone().map(|edge| u64::from(self.tree.edge_visits(edge))));
            news.words.extend(edges.map(|edge| self.tree.edge_rewards(edge)));
            self.tree_policy.tell(&self.tree, node, &mut news.words);
            if let Some(heard) = exchange.heard.get(&key) {
                news.words[start..].iter_mut().zip(heard).for_each(|(word, heard)| *word -= heard);
            }
            news.nodes.push(Told { key, path, words: start..news.words.len() });
        }
        let news = Arc::new(news);
        for to in &exchange.to {
            // Cannot fail: both ends are dropped together.
            let _ = to.send(news.clone());
        }
    }

    /// Adds what is new in the messages of the others.
    pub(crate) fn listen(&mut self, exchange: &mut Exchange) {
        let Exchange { from, heard, .. } = exchange;
        let mut new = Vec::new();
        for (from, last) in from {
            for news in from.try_iter() {
                for told in &news.nodes {
                    if let Some(node) = self.at(&news.paths[told.path.clone()]) {
                        let last = last.entry(told.key).or_default();
                        take_new(&news.words[told.words.clone()], last, &mut new);
                        self.hear(node, &new, heard.entry(told.key).or_default());
                    }
                }
            }
        }
    }

    /// The node at the end of a path, if it exists and is expanded.
    fn at(&self, path: &[u32]) -> Option<NodeId> {
        let mut node = ROOT;
        for &place in path {
            node = self.tree.child(self.tree.edges(node).start + place as usize)?;
            if self.tree.edges(node).is_empty() {
                return None;
            }
        }
        Some(node)
    }

    /// Adds the new sums of another search to a node.
    fn hear(&mut self, node: NodeId, new: &[u64], heard: &mut Vec<u64>) {
        heard.resize(heard.len().max(new.len()), 0);
        let edges = self.tree.edges(node).len();
        let (own, policy) = new.split_at(2 * edges);
        let (visits, rewards) = own.split_at(edges);
        self.tree.add(node, visits, rewards);
        let count = if self.tree_policy.hear(&self.tree, node, policy) { new.len() } else { own.len() };
        heard.iter_mut().zip(&new[..count]).for_each(|(heard, new)| *heard += new);
    }
}

/// Sets `new` to `words` - `last`, and `last` to `words`.
fn take_new(words: &[u64], last: &mut Vec<u64>, new: &mut Vec<u64>) {
    last.resize(words.len(), 0);
    new.clear();
    new.extend(words.iter().zip(&mut *last).map(|(&word, last)| word - std::mem::replace(last, word)));
}
