use crate::Game;

/// The number of move sequences of each length up to `depth` from `position`; entry `d - 1` counts those of length `d`.
///
/// Chance outcomes count as moves. A game that ends earlier does not count at greater lengths. The
/// [front page](crate#example) has an example.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: usize) -> Vec<u64> {
    let mut counts = vec![0; depth];
    let mut buffers = vec![Vec::new(); depth];
    walk(game, position, &mut buffers, &mut counts);
    counts
}

fn walk<G: Game>(game: &G, position: &G::Position, buffers: &mut [Vec<G::Move>], counts: &mut [u64]) {
    let (Some((moves, deeper)), Some((count, rest))) = (buffers.split_first_mut(), counts.split_first_mut())
    else {
        return;
    };
    moves.clear();
    game.moves(position, moves);
    *count += moves.len() as u64;
    if deeper.is_empty() {
        return;
    }
    for &mv in moves.iter() {
        let mut next = position.clone();
        game.play(&mut next, mv);
        walk(game, &next, deeper, rest);
    }
}
