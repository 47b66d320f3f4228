//! The conformance kit: the checks that every implementation of [`Game`] must pass.

use crate::{Game, Player, Rewards, Rng, Turn};
use std::collections::{HashMap, HashSet};

/// Statistics of a conformance run.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// Games played.
    pub games: u32,
    /// Mean number of plies, including chance events.
    pub plies: f64,
    /// Mean number of legal moves at a player's turn.
    pub branching: f64,
    /// Mean reward of each player.
    pub rewards: [f64; crate::MAX_PLAYERS],
}

/// A game longer than this counts as endless.
const LONGEST: usize = 100_000;

/// Plays `games` random games and checks at every ply everything that [`Game`] requires.
///
/// The error says what is wrong, in which game and after which moves, so that the case can be replayed. The
/// [front page](crate#example) has an example.
pub fn check<G: Game>(game: &G, games: u32, seed: u64) -> Result<Summary, String> {
    let mut seen = Seen::default();
    let mut total = Summary { games, plies: 0.0, branching: 0.0, rewards: [0.0; crate::MAX_PLAYERS] };
    let mut choices = 0u64;
    let players = game.players();
    if players == 0 || players > crate::MAX_PLAYERS {
        return Err(format!("{players} players"));
    }
    if game.colours().len() < players {
        return Err(format!("{} colours for {players} players", game.colours().len()));
    }
    for number in 0..games {
        let mut rng = Rng::stream(seed, u64::from(number));
        let mut position = game.start();
        let mut history: Vec<String> = Vec::new();
        let mut last = None;
        loop {
            let moves = seen
                .position(game, &position, last, &mut rng)
                .map_err(|fault| format!("game {number} after '{}': {fault}", history.join(" ")))?;
            let Some(mv) = rng.choose(&moves) else { break };
            if let Turn::Player(_) = game.turn(&position) {
                choices += 1;
                total.branching += moves.len() as f64;
            }
            history.push(game.move_text(&position, mv));
            game.play(&mut position, mv);
            last = Some(mv);
            if history.len() > LONGEST {
                return Err(format!("game {number} has not ended after {LONGEST} plies"));
            }
        }
        total.plies += history.len() as f64;
        for (sum, reward) in total.rewards.iter_mut().zip(game.rewards(&position).as_slice()) {
            *sum += reward;
        }
        // The game's own playout must finish the game, with valid rewards.
        let mut position = game.start();
        let mut steps: Vec<(Player, u32)> = Vec::new();
        game.playout(&mut position, 0, &mut rng, &mut Vec::new(), &mut steps);
        over(game, &position).map_err(|fault| format!("playout {number}: {fault}"))?;
        for &(player, code) in &steps {
            seen.owner(0, code, player, game.codes(0))
                .map_err(|fault| format!("playout {number}: {fault}"))?;
        }
    }
    total.plies /= f64::from(games);
    total.branching /= choices.max(1) as f64;
    total.rewards.iter_mut().for_each(|sum| *sum /= f64::from(games));
    Ok(total)
}

/// Whether each player has a reward in [0, 1].
fn fit(rewards: &Rewards, players: usize) -> bool {
    let rewards = rewards.as_slice();
    rewards.len() == players && rewards.iter().all(|reward| (0.0..=1.0).contains(reward))
}

/// Plays `games` random games by [`Game::random_move`] with cheap checks only: the game ends, moves are legal, codes and
/// rewards are in range. For very many games; [`check`] is thorough.
pub fn soak<G: Game>(game: &G, games: u32, seed: u64) -> Result<Summary, String> {
    let mut total = Summary { games, plies: 0.0, branching: 0.0, rewards: [0.0; crate::MAX_PLAYERS] };
    let (mut plies, mut choices, mut moves_seen) = (0u64, 0u64, 0u64);
    let (mut moves, mut scratch) = (Vec::new(), Vec::new());
    let (start, codings) = (game.start(), game.codings().len());
    for number in 0..games {
        let mut rng = Rng::stream(seed, u64::from(number));
        let mut position = start.clone();
        let fault = |what: String| format!("game {number} of seed {seed}: {what}");
        for ply in 0.. {
            let turn = game.turn(&position);
            moves.clear();
            game.moves(&position, &mut moves);
            let Some(mv) = game.random_move(&position, &mut rng, &mut scratch) else {
                if turn != Turn::Over || !moves.is_empty() {
                    return Err(fault(format!("no random move with {} moves, turn {turn:?}", moves.len())));
                }
                plies += ply;
                break;
            };
            if turn == Turn::Over || !moves.contains(&mv) {
                return Err(fault(format!("{mv:?} at ply {ply} is not legal, turn {turn:?}")));
            }
            if let Turn::Player(_) = turn {
                choices += 1;
                moves_seen += moves.len() as u64;
                for coding in 0..codings {
                    let (code, codes) = (game.code(&position, mv, coding), game.codes(coding));
                    if code as usize >= codes {
                        return Err(fault(format!("code {code} of {codes} codes in coding {coding}")));
                    }
                }
            }
            if ply as usize > LONGEST {
                return Err(fault(format!("it has not ended after {LONGEST} plies")));
            }
            game.play(&mut position, mv);
        }
        over(game, &position).map_err(fault)?;
        for (sum, reward) in total.rewards.iter_mut().zip(game.rewards(&position).as_slice()) {
            *sum += reward;
        }
        let mut position = start.clone();
        game.playout(&mut position, 0, &mut rng, &mut scratch, &mut crate::Ignore);
        over(game, &position).map_err(|what| fault(format!("playout: {what}")))?;
    }
    total.plies = plies as f64 / f64::from(games);
    total.branching = moves_seen as f64 / choices.max(1) as f64;
    total.rewards.iter_mut().for_each(|sum| *sum /= f64::from(games));
    Ok(total)
}

/// Checks the rewards of a finished game.
fn over<G: Game>(game: &G, position: &G::Position) -> Result<(), String> {
    if game.turn(position) != Turn::Over {
        return Err("the playout stopped before the end".to_string());
    }
    let rewards = game.rewards(position);
    if !fit(&rewards, game.players()) {
        return Err(format!("rewards {:?} for {} players", rewards.as_slice(), game.players()));
    }
    Ok(())
}

/// Checks that [`Game::move_of_merit`] agrees with listing the `playable` moves. Few distinct merits make many ties.
fn by_merit<G: Game>(
    game: &G,
    position: &G::Position,
    coding: usize,
    playable: &[G::Move],
    mut rng: Rng,
) -> Result<(), String> {
    let mut merits = vec![0.0; game.codes(coding)];
    let code = |mv: &G::Move| game.code(position, *mv, coding) as usize;
    playable.iter().for_each(|mv| merits[code(mv)] = [0.0, 0.5, 1.0, f64::INFINITY][rng.below(4)]);
    let merit = |mv: &G::Move| merits[code(mv)];
    let most = playable.iter().map(merit).fold(0.0, f64::max);
    let best: Vec<G::Move> = playable.iter().copied().filter(|mv| merit(mv) == most).collect();
    let mut listing = rng.clone();
    let Some(found) = game.move_of_merit(position, coding, |code| merits[code as usize], &mut rng) else {
        return Ok(());
    };
    let expected = if best.len() == 1 { best.first().copied() } else { listing.choose(&best) };
    if Some(found) != expected || listing != rng {
        return Err(format!("move_of_merit gives {found:?} and not {expected:?}"));
    }
    Ok(())
}

/// The hashes and codes that have occurred so far.
#[derive(Default)]
struct Seen {
    futures: HashMap<u64, String>,
    owners: HashMap<(usize, u32), Player>,
}

impl Seen {
    /// Checks one position and returns its moves.
    fn position<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        last: Option<G::Move>,
        rng: &mut Rng,
    ) -> Result<Vec<G::Move>, String> {
        let turn = game.turn(position);
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        if (turn == Turn::Over) != moves.is_empty() {
            return Err(format!("{} moves when the turn is {turn:?}", moves.len()));
        }
        let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(position, mv)).collect();
        self.future(game.hash(position), format!("{turn:?} {texts:?} {}", game.board(position, None)))?;
        if let Turn::Over = turn {
            over(game, position)?;
            if game.random_move(position, rng, &mut Vec::new()).is_some() {
                return Err("random_move finds a move after the end".to_string());
            }
            return Ok(moves);
        }

        let unique: HashSet<String> = texts.iter().map(|t| t.to_ascii_lowercase()).collect();
        if unique.len() != texts.len() {
            return Err(format!("move texts are not unique: {texts:?}"));
        }
        for (i, &mv) in moves.iter().enumerate() {
            if moves[..i].contains(&mv) {
                return Err(format!("{} is listed twice", texts[i]));
            }
            if texts[i].is_empty() || texts[i].contains(char::is_whitespace) {
                return Err(format!("move text '{}' is empty or has a space", texts[i]));
            }
            if game.parse_move(position, &texts[i]) != Some(mv) {
                return Err(format!("{} does not parse back", texts[i]));
            }
        }
        if game.parse_move(position, "no such move").is_some() {
            return Err("nonsense parses as a move".to_string());
        }
        match turn {
            Turn::Player(player) if player.index() >= game.players() => {
                return Err(format!("{player} to move"));
            }
            Turn::Player(player) => {
                for coding in 0..game.codings().len() {
                    for &mv in &moves {
                        self.owner(coding, game.code(position, mv, coding), player, game.codes(coding))?;
                    }
                }
            }
            _ => {
                let sum: f64 = moves.iter().map(|&mv| game.chance(position, mv)).sum();
                if (sum - 1.0).abs() > 1e-9 {
                    return Err(format!("probabilities add up to {sum}"));
                }
            }
        }
        let (mut playable, mut urgent, mut scores) = (Vec::new(), Vec::new(), Vec::new());
        game.playout_moves(position, &mut playable);
        if let Some(mv) = playable.iter().find(|mv| !moves.contains(mv)) {
            return Err(format!("playout_moves lists {mv:?}, which is not legal"));
        }
        match game.random_move(position, rng, &mut Vec::new()) {
            Some(mv) if playable.contains(&mv) => {}
            other => return Err(format!("random_move gives {other:?}, which playout_moves does not list")),
        }
        if let Turn::Player(_) = turn {
            for coding in 0..game.codings().len() {
                by_merit(game, position, coding, &playable, rng.clone())?;
            }
        }
        if game.urgent_moves(position, &mut urgent) && urgent.iter().any(|mv| !moves.contains(mv)) {
            return Err(format!("urgent_moves lists {urgent:?}, not all of them legal"));
        }
        if game.pattern_scores(position, &moves, &mut scores) && scores.len() != moves.len() {
            return Err(format!("{} pattern scores for {} moves", scores.len(), moves.len()));
        }
        if let Some(guess) = game.evaluate(position) {
            let whole: f64 = guess.as_slice().iter().sum();
            if !fit(&guess, game.players()) || (whole - 1.0).abs() > 1e-9 {
                return Err(format!("evaluate gives {:?}", guess.as_slice()));
            }
        }
        let picture = game.picture(position, last);
        if !picture.starts_with("<svg") || !picture.trim_end().ends_with("</svg>") {
            return Err("the picture is not an SVG document".to_string());
        }
        if game.board(position, last).is_empty() {
            return Err("the board is empty text".to_string());
        }
        Ok(moves)
    }

    /// Records what a hash stands for; an error if it stood for something else.
    fn future(&mut self, hash: u64, future: String) -> Result<(), String> {
        let known = self.futures.entry(hash).or_insert_with(|| future.clone());
        if *known == future {
            return Ok(());
        }
        Err(format!("hash {hash:016x} stands for two positions:\n{known}\nand\n{future}"))
    }

    /// Records whose code this is; an error if it was another player's.
    fn owner(&mut self, coding: usize, code: u32, player: Player, codes: usize) -> Result<(), String> {
        if code as usize >= codes {
            return Err(format!("code {code} of {codes} codes in coding {coding}"));
        }
        let known = *self.owners.entry((coding, code)).or_insert(player);
        if known == player {
            return Ok(());
        }
        Err(format!("code {code} of coding {coding} belongs to {known} and to {player}"))
    }
}

#[cfg(test)]
mod tests;
