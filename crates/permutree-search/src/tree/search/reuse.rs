//! Tree reuse: the playouts that went through the moves played are replayed from the new root.

use super::Search;
use crate::budget::{Clock, Stopwatch};
use crate::searcher::Searcher;
use crate::tree::log::Past;
use crate::tree::{ROOT, Visit};
use permutree_game::{Game, Rng, Turn};

impl<G: Game> Search<G> {
    /// Restarts after these moves with the playouts that went through them. Returns false if there is no log.
    pub(super) fn keep_playouts(&mut self, moves: &[G::Move], rng: Rng) -> bool {
        let Some(log) = &mut self.log else { return false };
        let watch = Stopwatch::start(Clock::Thread);
        let log = std::mem::take(log);
        let (mut root, mut node) = (self.root.clone(), Some(ROOT));
        let (mut places, mut steps) = (Vec::new(), 0);
        for &mv in moves {
            if let Some(at) = node {
                let edges = self.tree.edges(at);
                let edge = edges.clone().find(|&edge| self.moves[edge] == mv);
                places.extend(edge.map(|edge| (edge - edges.start) as u32));
                steps += usize::from(self.coded && matches!(self.tree.turn(at), Turn::Player(_)));
                node = edge.and_then(|edge| self.tree.child(edge));
            }
            self.game.play(&mut root, mv);
        }
        self.restart(root, rng);
        if places.len() == moves.len() {
            for past in log.iter().filter(|past| past.places.starts_with(&places)) {
                let places = &past.places[places.len()..];
                self.replay(Past { places, steps: &past.steps[steps..], ..past });
            }
        }
        self.kept = self.playouts;
        self.spent = watch.elapsed();
        true
    }

    /// Replays a logged playout; its path and steps start at the current root.
    fn replay(&mut self, past: Past<'_>) {
        self.playouts += 1;
        self.position.clone_from(&self.root);
        self.record.clear();
        self.record.leaf = Some(ROOT).filter(|_| past.has_leaf || !past.places.is_empty());
        let mut node = ROOT;
        for &place in past.places {
            self.tree.enter(node, self.playouts as u32);
            if !self.expand(node) {
                break;
            }
            let (step, edge) = (self.record.steps.len(), self.tree.edges(node).start + place as usize);
            if self.coded && matches!(self.tree.turn(node), Turn::Player(_)) {
                self.record.steps.push(past.steps[step]);
            }
            self.record.path.push(Visit { node, edge, step });
            self.game.play(&mut self.position, self.moves[edge]);
            self.record.leaf = None;
            let Some(child) = self.child(edge) else { break };
            node = child.0;
            self.record.leaf = Some(node).filter(|_| past.has_leaf);
        }
        let step = self.record.steps.len();
        self.record.steps.extend_from_slice(&past.steps[step..]);
        if let Some(rest) = &mut self.record.rest {
            rest.copy_from(past.sets);
        }
        self.record.rewards = past.rewards;
        self.finish(past.learnt);
    }
}
