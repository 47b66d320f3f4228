//! The picture of a position.

use super::{Action, HEALTH, Position, SkirmishArena, column_and_row};
use crate::parts::circle::Figure;
use permutree_game::draw::SquareBoard;

/// Draws figures on a board, a white line for the last step and a dark one for the last shot.
pub(super) fn draw(arena: &SkirmishArena, position: &Position, last: Option<Action>) -> String {
    let mut board = SquareBoard::new(arena.size, arena.size, true);
    let hit = last.and_then(|action| action.target);
    if let Some(Action { from, to, .. }) = last {
        let [from, to] = [from, to].map(|cell| middle(&board, cell));
        board.svg.line(from, to, "#fff", 5.0);
        board.svg.disc(from.0, from.1, 4.0, "#fff");
        if let Some(target) = hit {
            let target = middle(&board, position.cells[usize::from(target)]);
            board.svg.line(to, target, "#222", 2.0);
        }
        board.svg.disc(to.0, to.1, 15.0, "#fff");
    }
    for slot in 0..arena.circle.slots() as u8 {
        let health = position.health[usize::from(slot)];
        if health == 0 && hit != Some(slot) {
            continue;
        }
        let figure = Figure {
            player: (health > 0).then(|| arena.circle.owner(slot)),
            name: (arena.circle.number(slot) + 1).to_string(),
            bars: (health, HEALTH),
            fill: "#3f8f5f",
            acts: SkirmishArena::acts(position) == Some(slot),
            marked: hit == Some(slot),
        };
        let at = middle(&board, position.cells[usize::from(slot)]);
        figure.draw(&mut board.svg, at);
    }
    board.svg.finish()
}

/// The middle of a figure's disc on a cell of the picture.
fn middle(board: &SquareBoard, cell: u8) -> (f64, f64) {
    let (column, row) = column_and_row(cell);
    let (x, y) = board.centre(column, row);
    (x, y - Figure::DROP)
}
