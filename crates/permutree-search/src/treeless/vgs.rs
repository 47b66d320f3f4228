use crate::playouts::PlayoutPolicy;
use crate::policies::Evidence;
use crate::report::Report;
use crate::report::Source;
use crate::statistics::CodeMeans;
use crate::tree::Record;
use crate::treeless::Treeless;
use crate::treeless::root::Root;
use crate::treeless::sequences::{Sequences, Value};
use crate::treeless::shortlist::{Scope, Shortlist};
use permutree_game::{Game, Rng, Turn};

/// Virtual Global Search (Cazenave, "Monte Carlo Permutation Search", slides).
///
/// Random games from the root choose the w best moves of each player by their AMAF means. The value of a sequence of d such
/// moves is the mean of all later random games that contain them, at any time and in any order. A search to depth d over these
/// values, without playing moves, gives the values of the first moves. One random game counts for about (w / 2)^d sequences,
/// so that g 2^d games give each sequence g of them; a search that plays its moves needs 2 g w^(d/2).
///
/// Where the slides leave it open: each player has a separate list, the moves with the best means among those possible within d
/// plies; players move in the order of the game (`Shortlist` determines it without a search); moves that exclude each other
/// are never in the same sequence; a sequence that no game contains has the value of the sequence without its last move. For
/// more than two players the search is max^n. The unexplained column `%` of the slides' tables has no counterpart here. Their
/// connection searches are specific to Go and are left out.
pub struct Vgs<G: Game> {
    root: Root<G>,
    playouts: Box<dyn PlayoutPolicy<G>>,
    coding: usize,
    scope: Scope,
    /// AMAF means, which choose the moves and break ties between sequences of equal value.
    means: CodeMeans,
    /// The chosen moves and their sequences, after the first `pre` games.
    chosen: Option<(Shortlist, Sequences)>,
    record: Record,
    rng: Rng,
    scratch: Vec<G::Move>,
}

impl<G: Game> Vgs<G> {
    /// A search from `root` without playouts yet. If the sequences of `scope` do not fit, they are shortened.
    pub fn new(
        game: G,
        root: G::Position,
        playouts: Box<dyn PlayoutPolicy<G>>,
        coding: usize,
        mut scope: Scope,
        rng: Rng,
    ) -> Self {
        while !scope.fits() && scope.depth > 1 {
            scope.depth -= 1;
        }
        Self {
            means: CodeMeans::new(game.codes(coding)),
            root: Root::new(game, root),
            playouts,
            coding,
            scope,
            chosen: None,
            record: Record::default(),
            rng,
            scratch: Vec::new(),
        }
    }

    fn play_out(&mut self) {
        if self.root.playouts >= self.scope.pre && self.chosen.is_none() {
            let Self { root, means, coding, scope, rng, .. } = self;
            let list = Shortlist::choose(root, means, *coding, *scope, rng);
            let sequences = Sequences::new(&list, root.game.players());
            self.chosen = Some((list, sequences));
        }
        let index = self.root.draw(&mut self.rng, &mut self.scratch);
        let record = Some(&mut self.record);
        self.root.play_out(index, &mut *self.playouts, self.coding, &mut self.rng, record);
        self.means.learn(&self.record);
        if let Some((_, sequences)) = &mut self.chosen {
            sequences.learn(&self.record);
        }
    }
}

impl<G: Game> Treeless for Vgs<G> {
    type Game = G;

    fn root(&mut self) -> &mut Root<G> {
        &mut self.root
    }

    fn playout(&mut self) {
        self.play_out();
    }

    fn report(&mut self) -> Report<G::Move> {
        let mut memory = self.playouts.memory() + self.means.memory();
        let codes = self.root.codes(self.coding);
        let mut evidence: Vec<Evidence> = codes.iter().map(|&code| self.means.evidence(code)).collect();
        if let (Some((list, sequences)), Turn::Player(player)) = (&mut self.chosen, self.root.turn) {
            memory += sequences.memory();
            for (&code, value) in list.codes[player.index()].iter().zip(sequences.values()) {
                let mean = |value: Value| value.rewards[player.index()];
                let source =
                    value.map(|value| Source { count: u64::from(value.playouts), mean: mean(value) });
                for (evidence, _) in
                    evidence.iter_mut().zip(&codes).filter(|(_, other)| **other == Some(code))
                {
                    evidence.permutation = source;
                    evidence.weights = if source.is_some() { [0.0, 0.0, 1.0] } else { evidence.weights };
                }
            }
        }
        self.root.report_by(&evidence, memory)
    }

    fn restart(&mut self, root: G::Position, rng: Rng) {
        self.root.restart(root);
        self.playouts.restart();
        self.means.decay(0.0);
        self.chosen = None;
        self.rng = rng;
    }
}
