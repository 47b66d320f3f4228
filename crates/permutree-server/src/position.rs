//! Positions: a game and the moves that were played.

use crate::error::{Answer, Body, Refusal, RefusalBody};
use crate::limits::{LONGEST_SPEC, MOST_MOVES};
use crate::off_the_loop;
use axum::Json;
use permutree_zoo::{AnyGame, AnyPosition, Rng, Turn, game};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// A position that is asked for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionRequest {
    /// The spec of the game, such as `hex:7,opening=b2`.
    game: String,
    /// The moves and outcomes of chance from the start.
    #[serde(default)]
    moves: Vec<String>,
    /// If it is chance's turn after them: draw its outcomes with this seed, until somebody else is to move.
    roll: Option<u64>,
}

/// A position.
#[derive(Serialize, ToSchema)]
pub(crate) struct PositionBody {
    /// The game's canonical spec.
    game: String,
    /// How many players there are.
    players: usize,
    /// Whose turn it is.
    turn: TurnBody,
    /// The player to move, from 1.
    player: Option<usize>,
    /// The moves that led here, as the game writes them.
    moves: Vec<String>,
    /// The legal moves, or the outcomes of chance.
    legal: Vec<String>,
    /// What each player gets, when the game is over.
    rewards: Option<Vec<f64>>,
    /// The position as text.
    board: String,
    /// The position as an SVG document. Circles with `data-place` are where the places lie that moves name.
    picture: String,
}

/// Whose turn it is.
#[derive(Serialize, ToSchema, Clone, Copy)]
#[serde(rename_all = "lowercase")]
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

/// The player to move, from 1.
pub(crate) fn player(turn: Turn) -> Option<usize> {
    match turn {
        Turn::Player(player) => Some(player.index() + 1),
        _ => None,
    }
}

/// The game that a visitor names.
pub(crate) fn game_of(spec: &str) -> Answer<Arc<dyn AnyGame>> {
    if spec.len() > LONGEST_SPEC {
        return Err(Refusal::input(format!("a spec may have {LONGEST_SPEC} letters")));
    }
    Ok(game(spec)?)
}

/// The position after moves, and the moves as the game writes them.
pub(crate) fn replay(game: &dyn AnyGame, moves: &[String]) -> Answer<(Box<dyn AnyPosition>, Vec<String>)> {
    if moves.len() > MOST_MOVES {
        return Err(Refusal::input(format!("a game may have {MOST_MOVES} moves")));
    }
    let (mut position, mut played) = (game.start(), Vec::with_capacity(moves.len()));
    for (ply, text) in moves.iter().enumerate() {
        let index =
            position.find(text).map_err(|error| Refusal::input(format!("move {}: {error}", ply + 1)))?;
        played.extend(position.moves().into_iter().nth(index));
        position.play(index);
    }
    Ok((position, played))
}

/// What there is to know of the position after these moves.
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
                position.play(index);
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
        }))
    })
    .await
}
