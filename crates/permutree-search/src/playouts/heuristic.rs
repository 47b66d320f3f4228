use crate::playouts::PlayoutPolicy;
use permutree_game::{Game, Player, Rewards, Rng, Turn};

/// The heuristic playouts of the report "Monte Carlo Search algorithms for Order & Chaos": take a win, block a loss,
/// otherwise play at random.
///
/// Line games list these moves themselves ([`Game::urgent_moves`]). In other games every move is tried: a win is a move that
/// ends the game with reward 1, and a block is a move after which the next player has no win that leaves the blocker
/// nothing. This looks two plies ahead for each legal move.
pub struct Heuristic<G: Game> {
    moves: Vec<G::Move>,
    wins: Vec<G::Move>,
    replies: Vec<G::Move>,
    /// Scratch positions.
    tried: Option<[G::Position; 2]>,
}

impl<G: Game> Default for Heuristic<G> {
    fn default() -> Self {
        Self { moves: Vec::new(), wins: Vec::new(), replies: Vec::new(), tried: None }
    }
}

impl<G: Game> PlayoutPolicy<G> for Heuristic<G> {
    /// A random move among those that win or, if none does, those that block; `None` for any move.
    fn choose(&mut self, game: &G, position: &G::Position, rng: &mut Rng) -> Option<G::Move> {
        self.moves.clear();
        if game.urgent_moves(position, &mut self.moves) {
            return rng.choose(&self.moves);
        }
        let Turn::Player(player) = game.turn(position) else { return None };
        game.playout_moves(position, &mut self.moves);
        let [next, last] = self.tried.get_or_insert_with(|| [position.clone(), position.clone()]);
        self.wins.clear();
        let win = |mv: &G::Move| won(game, position, next, *mv, player).is_some();
        self.wins.extend(self.moves.iter().copied().filter(win));
        if !self.wins.is_empty() {
            return rng.choose(&self.wins);
        }
        // The first safe move in random order is uniform over the safe moves.
        for first in 0..self.moves.len() {
            let drawn = first + rng.below(self.moves.len() - first);
            self.moves.swap(first, drawn);
            let mv = self.moves[first];
            next.clone_from(position);
            game.play(next, mv);
            let safe = match game.turn(next) {
                Turn::Over => game.rewards(next).of(player) > 0.0,
                Turn::Player(other) if other != player => {
                    self.replies.clear();
                    game.moves(next, &mut self.replies);
                    let loses = |rewards: Rewards| rewards.of(player) == 0.0;
                    !self.replies.iter().any(|&mv| won(game, next, last, mv, other).is_some_and(loses))
                }
                _ => true,
            };
            if safe {
                return Some(mv);
            }
        }
        None
    }
}

/// The rewards, if the move ends the game with reward 1 for `player`. `tried` is a scratch position.
fn won<G: Game>(
    game: &G,
    position: &G::Position,
    tried: &mut G::Position,
    mv: G::Move,
    player: Player,
) -> Option<Rewards> {
    tried.clone_from(position);
    game.play(tried, mv);
    let over = game.turn(tried) == Turn::Over;
    over.then(|| game.rewards(tried)).filter(|rewards| rewards.of(player) == 1.0)
}
