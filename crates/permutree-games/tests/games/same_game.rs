use crate::kit::{Perft, conforms, golden, with};
use crate::plain::{Lockstep, Plain};
use crate::playouts::Playouts;
use permutree_game::draw::{column_letter, square};
use permutree_game::{Args, Configure, Game, Rng, Visitor};
use permutree_games::SameGame;
use std::collections::BTreeSet;

const STANDARD: [(&str, &str); 3] = [("columns", "15"), ("rows", "15"), ("colours", "5")];
const SMALL: [(&str, &str); 3] = [("columns", "4"), ("rows", "3"), ("colours", "2")];

#[test]
fn kit() {
    golden::<SameGame>(&[], 20, "same-game");
    conforms::<SameGame>(&STANDARD, 3);
    conforms::<SameGame>(&SMALL, 50);
    conforms::<SameGame>(&[("columns", "20"), ("rows", "2"), ("colours", "6")], 5);
    conforms::<SameGame>(&[("columns", "2"), ("rows", "15"), ("colours", "3")], 20);
}

#[test]
fn a_board_without_groups_is_refused() {
    let mut args = Args::defaults(SameGame::FACTS.params);
    let mut refused = 0;
    for (param, text) in SameGame::FACTS.params.iter().zip(["2", "2", "6"]) {
        args.set(param, text).unwrap();
    }
    for board in 0..50 {
        args.set(&SameGame::FACTS.params[3], &board.to_string()).unwrap();
        if let Err(error) = SameGame::configure(&args, Perft(1)) {
            assert_eq!(
                error.to_string(),
                format!("board={board}: this board has no two neighbours of one colour")
            );
            refused += 1;
        }
    }
    // Each of the four pairs of neighbours differs with probability 5/6.
    assert!((12..40).contains(&refused), "{refused}");
}

/// Boards of every width of bitboards.
#[test]
fn games_agree_with_plain_rules() {
    let mut cleared = 0;
    for columns in [2, 4, 8, 9, 12, 13, 15, 16, 17, 20] {
        for (rows, colours) in [(2, 2), (7, 3), (15, 6)] {
            let texts = [columns, rows, colours].map(|x: usize| x.to_string());
            let settings = [("columns", &*texts[0]), ("rows", &*texts[1]), ("colours", &*texts[2])];
            let plain = Columns::read(&with::<SameGame, _>(&settings, Start), columns, rows);
            let ends = with::<SameGame, _>(&settings, Lockstep { plain, opening: "", games: 5 });
            cleared += ends.iter().filter(|end| end.colours.is_empty()).count();
            with::<SameGame, _>(&settings, Boards { columns, rows });
        }
    }
    assert!(cleared > 0, "no game emptied the board");
}

/// Plays a random game: the board must be that of the plain rules, and any cell must name its group.
struct Boards {
    columns: usize,
    rows: usize,
}

impl Visitor for Boards {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let (mut rng, mut position) = (Rng::new(2), game.start());
        let mut plain = Columns::read(&game.board(&position, None), self.columns, self.rows);
        loop {
            assert_eq!(game.board(&position, None), plain.text(self.columns, self.rows));
            for group in plain.groups() {
                let first = game.parse_move(&position, &name(group.first()));
                assert!(first.is_some());
                assert_eq!(game.parse_move(&position, &name(group.last())), first);
            }
            let Some(mv) = game.random_move(&position, &mut rng, &mut Vec::new()) else { return };
            plain.play(&game.move_text(&position, mv));
            game.play(&mut position, mv);
        }
    }
}

fn name(cell: Option<&(usize, usize)>) -> String {
    let &(column, row) = cell.unwrap();
    square(column, row)
}

/// A list of columns that are not empty, each a list of colours from below.
#[derive(Clone)]
struct Columns {
    colours: Vec<Vec<char>>,
    score: u32,
    /// The most that the colours could give at the start.
    bound: u32,
}

impl Columns {
    fn read(board: &str, columns: usize, rows: usize) -> Self {
        let lines: Vec<Vec<char>> = board.lines().take(rows).map(|line| line.chars().collect()).collect();
        let column = |c: usize| lines.iter().rev().map(|line| line[4 + 2 * c]).collect();
        let colours: Vec<Vec<char>> = (0..columns).map(column).collect();
        let cells: Vec<char> = colours.concat();
        let count = |colour: &char| cells.iter().filter(|c| *c == colour).count() as u32;
        let counts: Vec<u32> = cells.iter().collect::<BTreeSet<_>>().into_iter().map(count).collect();
        let bound = counts.iter().filter(|n| **n > 1).map(|n| (n - 2) * (n - 2)).sum::<u32>()
            + if counts.contains(&1) { 0 } else { 1000 };
        Self { colours, score: 0, bound }
    }

    fn text(&self, columns: usize, rows: usize) -> String {
        let at = |column, row| self.colours.get(column).and_then(|c: &Vec<char>| c.get(row)).unwrap_or(&'.');
        let line = |row| (0..columns).map(|column| format!(" {}", at(column, row))).collect::<String>();
        let mut text: String = (0..rows).rev().map(|row| format!("{:>2} {}\n", row + 1, line(row))).collect();
        let letters: String = (0..columns).map(|c| format!(" {}", column_letter(c))).collect();
        text += &format!("   {letters}\nscore {}\n", self.score);
        text
    }

    /// All groups of two or more, by their first cells.
    fn groups(&self) -> Vec<BTreeSet<(usize, usize)>> {
        let mut groups: Vec<BTreeSet<(usize, usize)>> = Vec::new();
        for column in 0..self.colours.len() {
            for row in 0..self.colours[column].len() {
                if groups.iter().any(|group| group.contains(&(column, row))) {
                    continue;
                }
                let (mut group, mut open) = (BTreeSet::new(), vec![(column, row)]);
                while let Some((c, r)) = open.pop() {
                    let same = self.colours.get(c).and_then(|cells| cells.get(r))
                        == Some(&self.colours[column][row]);
                    if same && group.insert((c, r)) {
                        open.extend([(c + 1, r), (c, r + 1), (c.wrapping_sub(1), r), (c, r.wrapping_sub(1))]);
                    }
                }
                groups.push(group);
            }
        }
        groups.retain(|group| group.len() > 1);
        groups
    }
}

impl Plain for Columns {
    const IN_ORDER: bool = true;

    fn turn(&self) -> Option<u8> {
        (!self.groups().is_empty()).then_some(0)
    }

    fn moves(&self) -> Vec<String> {
        self.groups().iter().map(|group| name(group.first())).collect()
    }

    fn play(&mut self, text: &str) {
        let group = self.groups().into_iter().find(|group| name(group.first()) == text).unwrap();
        for &(column, row) in group.iter().rev() {
            self.colours[column].remove(row);
        }
        self.colours.retain(|column| !column.is_empty());
        let n = group.len() as u32;
        self.score += (n - 2) * (n - 2) + if self.colours.is_empty() { 1000 } else { 0 };
    }

    fn rewards(&self) -> Vec<f64> {
        vec![f64::from(self.score) / f64::from(self.bound)]
    }
}

#[test]
fn playouts_agree() {
    for settings in [SMALL, [("columns", "10"), ("rows", "10"), ("colours", "4")]] {
        with::<SameGame, _>(&settings, Playouts::from_start(3_000));
    }
    with::<SameGame, _>(&STANDARD, Playouts::from_start(1_000));
}

#[test]
fn boards_differ_by_their_number() {
    let first = |board: &str| with::<SameGame, _>(&[("board", board)], Start);
    assert_ne!(first("1"), first("2"));
}

struct Start;

impl Visitor for Start {
    type Output = String;

    fn visit<G: Game>(self, game: G) -> String {
        game.board(&game.start(), None)
    }
}
