use crate::gtp::diagram::Diagram;
use permutree_zoo::{AnyPosition, Player};

/// A parsed command: an optional number, a name, and arguments.
pub(crate) struct Command {
    id: String,
    words: Vec<String>,
}

impl Command {
    /// Parses a line as GTP specifies: control characters are ignored, tabs are spaces, and `#` starts a comment.
    /// `None` if the line has no command.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let line = line.split('#').next().unwrap_or_default().replace('\t', " ");
        let line: String = line.chars().filter(|c| !c.is_control()).collect();
        let mut words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        let first = words.first()?;
        let numbered = first.bytes().all(|b| b.is_ascii_digit());
        let id = if numbered { words.remove(0) } else { String::new() };
        Some(Self { id, words })
    }

    /// The name; empty if there is only a number.
    pub(crate) fn name(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    pub(crate) fn args(&self) -> Vec<&str> {
        self.words.iter().skip(1).map(String::as_str).collect()
    }

    /// The response, which ends with an empty line and contains no other.
    pub(crate) fn response(&self, answer: Result<String, String>) -> String {
        let (sign, text) = match &answer {
            Ok(text) => ('=', text),
            Err(why) => ('?', why),
        };
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let shown = lines.iter().enumerate().filter(|(i, line)| *i == 0 || !line.is_empty());
        let text = shown.map(|(_, line)| *line).collect::<Vec<_>>().join("\n");
        let space = if text.is_empty() || text.starts_with('\n') { "" } else { " " };
        format!("{sign}{}{space}{text}\n\n", self.id)
    }
}

/// The legal moves in GTP notation, in the order of the position.
pub(crate) fn move_texts(position: &dyn AnyPosition) -> Vec<String> {
    let moves = position.moves();
    match Diagram::read(&position.board()) {
        Some(board) => moves.iter().map(|mv| board.vertex(mv)).collect(),
        None => moves,
    }
}

/// The index of the legal move that `text` names, in GTP notation or else in that of the game.
pub(crate) fn find_move(position: &dyn AnyPosition, text: &str) -> Option<usize> {
    let moves = move_texts(position);
    let index = moves.iter().position(|mv| mv.eq_ignore_ascii_case(text));
    // A vertex is read as GTP: in gomoku J1 is i1, and must not be read as j1, the next column.
    index.or_else(|| position.find(text).ok().filter(|&index| moves[index].len() != text.len()))
}

/// The GTP name of a player: a colour, or a number from the third player on.
pub(crate) fn player_name(player: Player) -> String {
    match player.0 {
        0 => "black".to_string(),
        1 => "white".to_string(),
        other => (other + 1).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutree_zoo::game;

    fn read(line: &str) -> Option<(String, String, usize)> {
        Command::read(line).map(|c| (c.id.clone(), c.name().to_string(), c.args().len()))
    }

    #[test]
    fn lines() {
        let parts = |id: &str, name: &str, args| Some((id.to_string(), name.to_string(), args));
        assert_eq!(read("play b D4\r\n"), parts("", "play", 2));
        assert_eq!(read("  12\tgenmove  w # think\n"), parts("12", "genmove", 1));
        assert_eq!(read("7\n"), parts("7", "", 0));
        assert_eq!(read("pl\u{7}ay"), parts("", "play", 0));
        assert_eq!((read("\r\n"), read("# only a comment"), read(" \t ")), (None, None, None));
    }

    #[test]
    fn responses() {
        let (plain, numbered) = (Command::read("x").unwrap(), Command::read("3 x").unwrap());
        assert_eq!(plain.response(Ok(String::new())), "=\n\n");
        assert_eq!(numbered.response(Ok("\na\n\n b  \n".to_string())), "=3\na\n b\n\n");
        assert_eq!(numbered.response(Err("unknown command".to_string())), "?3 unknown command\n\n");
    }

    #[test]
    fn moves_are_vertices_first() {
        let gomoku = game("gomoku:10").unwrap().start();
        let place = |text: &str| find_move(&*gomoku, text).map(|index| gomoku.moves().swap_remove(index));
        assert_eq!(place("J1").as_deref(), Some("i1"));
        assert_eq!(place("k10").as_deref(), Some("j10"));
        assert_eq!((place("I1"), place("L1")), (None, None), "no vertex has an I");
        let connect = game("connect4").unwrap().start();
        assert_eq!((find_move(&*connect, "D1"), find_move(&*connect, "d")), (Some(3), Some(3)));
        assert_eq!(find_move(&*connect, "D2"), None);
    }
}
