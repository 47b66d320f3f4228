//! The commands by which GoGui asks for the rules of a game, from the chapter on rules of its manual.

use crate::gtp::diagram::Diagram;
use crate::gtp::wire::player_name;
use permutree_zoo::{AnyPosition, Turn};

/// The entries of GoGui's analysis window: kind, label, command.
pub(crate) const ANALYZE_COMMANDS: &str = "\
string/Board/showboard
plist/Legal Moves/gogui-rules_legal_moves
string/Side to Move/gogui-rules_side_to_move
string/Final Score/final_score
string/Final Result/gogui-rules_final_result";

/// The name of the game: letters and digits only, the first letter capitalised.
pub(crate) fn game_id(spec: &str) -> String {
    let name = spec.split(':').next().unwrap_or_default();
    let mut letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.next().into_iter().map(|first| first.to_ascii_uppercase()).chain(letters.clone()).collect()
}

/// The stones, the highest row first.
pub(crate) fn board(position: &dyn AnyPosition) -> Result<String, String> {
    let board = diagram(position)?;
    Ok(format!("\n{}", board.stones().ok_or("this board has more than black and white stones")?))
}

/// The side of the board; the longer one if the board is not square.
pub(crate) fn board_size(position: &dyn AnyPosition) -> Result<String, String> {
    Ok(diagram(position)?.size().to_string())
}

fn diagram(position: &dyn AnyPosition) -> Result<Diagram, String> {
    Diagram::read(&position.board()).ok_or_else(|| "this game has no board of rows and columns".to_string())
}

/// The side to move. GoGui expects a colour even when the game is over.
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
