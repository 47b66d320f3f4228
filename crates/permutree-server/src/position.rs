//! Positions: a game and its moves.

use crate::error::{Answer, Body, Refusal, RefusalBody};
use crate::limits::{LONGEST_SPEC, MOST_MOVES};
use crate::off_the_loop;
use axum::Json;
use permutree_zoo::{AnyGame, AnyPosition, Rng, Turn, game};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// A request for a position.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionRequest {
    /// The spec of the game, such as `hex:7,opening=b2`.
    game: String,
    /// The moves and chance outcomes from the start.
    #[serde(default)]
    moves: Vec<String>,
    /// If chance is to move after them: the seed to draw outcomes with, until it is a player's turn.
    roll: Option<u64>,
}

/// A position.
#[derive(Serialize, ToSchema)]
#[schema(as = Position)]
pub(crate) struct PositionBody {
    /// The game's canonical spec.
    game: String,
    /// The number of players.
    players: usize,
    /// Whose turn it is.
    turn: TurnBody,
    /// The player to move, from 1.
    player: Option<usize>,
    /// The moves from the start, in the game's own notation.
    moves: Vec<String>,
    /// The legal moves, or the possible chance outcomes.
    legal: Vec<String>,
    /// The reward of each player, once the game is over.
    rewards: Option<Vec<f64>>,
    /// The position as text.
    board: String,
    /// The position as an SVG document. Circles with `data-place` mark the places that move texts refer to.
    picture: String,
    /// The colour of each player's pieces in the picture.
    colours: Vec<&'static str>,
}

/// Whose turn it is.
#[derive(Serialize, ToSchema, Clone, Copy)]
#[serde(rename_all = "lowercase")]
#[schema(as = Turn)]
pub(crate) enum TurnBody {
    Player,
    Chance,
    Over,
}

impl From<Turn> for TurnBody {
    fn from(turn: Turn) -> Self {
        match turn {
            Turn::Player(_) => Self::Player,
            Turn::Chance => Self::Chance,
            Turn::Over => Self::Over,
        }
    }
}

/// The number of the player to move, from 1.
fn player(turn: Turn) -> Option<usize> {
    match turn {
        Turn::Player(player) => Some(player.index() + 1),
        _ => None,
    }
}

/// The game with this spec.
pub(crate) fn game_of(spec: &str) -> Answer<Arc<dyn AnyGame>> {
    if spec.len() > LONGEST_SPEC {
        return Err(Refusal::input(format!("a spec may have at most {LONGEST_SPEC} bytes")));
    }
    Ok(game(spec)?)
}

/// The position after these moves, and the moves in the game's own notation.
pub(crate) fn replay(game: &dyn AnyGame, moves: &[String]) -> Answer<(Box<dyn AnyPosition>, Vec<String>)> {
    if moves.len() > MOST_MOVES {
        return Err(Refusal::input(format!("a game may have at most {MOST_MOVES} moves")));
    }
    let (mut position, mut played) = (game.start(), Vec::with_capacity(moves.len()));
    for (ply, text) in moves.iter().enumerate() {
        let index =
            position.find(text).map_err(|error| Refusal::input(format!("move {}: {error}", ply + 1)))?;
        played.extend(position.moves().into_iter().nth(index));
        position.play(index)?;
    }
    Ok((position, played))
}

/// The position after these moves.
#[utoipa::path(
    post,
    path = "/api/position",
    request_body = PositionRequest,
    responses((status = OK, body = PositionBody), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn position(Body(request): Body<PositionRequest>) -> Answer<Json<PositionBody>> {
    off_the_loop(move || {
        let game = game_of(&request.game)?;
        let (mut position, mut moves) = replay(&*game, &request.moves)?;
        if let Some(seed) = request.roll {
            let mut rng = Rng::stream(seed, moves.len() as u64);
            while position.turn() == Turn::Chance && moves.len() < MOST_MOVES {
                let Some(index) = position.random(&mut rng) else { break };
                moves.extend(position.moves().into_iter().nth(index));
                position.play(index)?;
            }
        }
        let turn = position.turn();
        Ok(Json(PositionBody {
            game: game.spec().to_string(),
            players: game.players(),
            turn: turn.into(),
            player: player(turn),
            moves,
            legal: position.moves(),
            rewards: (turn == Turn::Over).then(|| position.rewards().as_slice().to_vec()),
            board: position.board(),
            picture: position.picture(),
            colours: game.colours().iter().take(game.players()).copied().collect(),
        }))
    })
    .await
}
