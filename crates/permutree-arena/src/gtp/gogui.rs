//! What GoGui asks a program that knows the rules, as its manual has it in the chapter on rules.

use crate::gtp::diagram::Diagram;
use crate::gtp::wire::player_name;
use permutree_zoo::{AnyPosition, Turn};

/// What GoGui offers in its window for analysis: kind, label, command.
pub(crate) const ANALYZE_COMMANDS: &str = "\
string/Board/showboard
plist/Legal Moves/gogui-rules_legal_moves
string/Side to Move/gogui-rules_side_to_move
string/Final Score/final_score
string/Final Result/gogui-rules_final_result";

/// The game's name with one capital letter and nothing but letters.
pub(crate) fn game_id(spec: &str) -> String {
    let name = spec.split(':').next().unwrap_or_default();
    let mut letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.next().into_iter().map(|first| first.to_ascii_uppercase()).chain(letters.clone()).collect()
}

/// The stones, the highest row first.
pub(crate) fn board(position: &dyn AnyPosition) -> Result<String, String> {
    let board = diagram(position)?;
    Ok(format!("\n{}", board.stones().ok_or("there is more than black and white stones on this board")?))
}

/// The side of the board; of a board that is no square, the longer one.
pub(crate) fn board_size(position: &dyn AnyPosition) -> Result<String, String> {
    Ok(diagram(position)?.size().to_string())
}

fn diagram(position: &dyn AnyPosition) -> Result<Diagram, String> {
    Diagram::read(&position.board()).ok_or_else(|| "this game has no board of rows and columns".to_string())
}

/// Whose turn it is. When the game is over GoGui still wants a colour.
pub(crate) fn side_to_move(turn: Turn) -> String {
    match turn {
        Turn::Player(player) => player_name(player),
        Turn::Chance => "chance".to_string(),
        Turn::Over => "black".to_string(),
    }
}

/// How the game ended, in words for a dialog.
pub(crate) fn final_result(position: &dyn AnyPosition) -> String {
    if position.turn() != Turn::Over {
        return "The game is not over".to_string();
    }
    let rewards = position.rewards();
    match rewards.as_slice() {
        [1.0, 0.0] => "Black wins".to_string(),
        [0.0, 1.0] => "White wins".to_string(),
        [0.5, 0.5] => "A draw".to_string(),
        rewards => {
            let texts: Vec<String> = rewards.iter().map(f64::to_string).collect();
            format!("The players get {}", texts.join(", "))
        }
    }
}
