use crate::kit::{Perft, conforms, golden, with};
use crate::playouts::Playouts;
use permutree_game::{Args, Configure, Game, Rng, Turn, Visitor};
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
            assert_eq!(error.to_string(), format!("board={board}: no two neighbours have one colour"));
            refused += 1;
        }
    }
    // Each of the four pairs of neighbours differs with probability 5/6.
    assert!((12..40).contains(&refused), "{refused}");
}

/// Random games in lockstep with the rules written the plain way, on boards of every width of bitboards.
#[test]
fn games_agree_with_plain_rules() {
    let mut cleared = 0;
    for columns in [2, 4, 8, 9, 12, 13, 15, 16, 17, 20] {
        for (rows, colours) in [(2, 2), (7, 3), (15, 6)] {
            let texts = [columns, rows, colours].map(|x: usize| x.to_string());
            let settings = [("columns", &*texts[0]), ("rows", &*texts[1]), ("colours", &*texts[2])];
            cleared += with::<SameGame, _>(&settings, Lockstep { columns, rows });
        }
    }
    assert!(cleared > 0, "no game emptied the board");
}

struct Lockstep {
    columns: usize,
    rows: usize,
}

impl Visitor for Lockstep {
    /// How many games emptied the board.
    type Output = usize;

    fn visit<G: Game>(self, game: G) -> usize {
        let mut rng = Rng::new(2);
        let mut cleared = 0;
        for _ in 0..5 {
            let mut position = game.start();
            let mut plain = Plain::read(&game.board(&position, None), self.columns, self.rows);
            let bound = plain.bound();
            loop {
                assert_eq!(game.board(&position, None), plain.text(self.columns, self.rows));
                let groups = plain.groups();
                let names = |group: &BTreeSet<(usize, usize)>| plain_name(*group.first().unwrap());
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
                assert_eq!(texts, groups.iter().map(names).collect::<Vec<_>>());
                if groups.is_empty() {
                    break;
                }
                let chosen = rng.below(groups.len());
                // Any cell of the group names it.
                let other = plain_name(*groups[chosen].last().unwrap());
                assert_eq!(game.parse_move(&position, &other), Some(moves[chosen]));
                game.play(&mut position, moves[chosen]);
                plain.take(&groups[chosen]);
            }
            assert_eq!(game.turn(&position), Turn::Over);
            assert_eq!(game.rewards(&position).as_slice(), [f64::from(plain.score) / f64::from(bound)]);
            cleared += usize::from(plain.columns.is_empty());
        }
        cleared
    }
}

fn plain_name((column, row): (usize, usize)) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

/// A list of columns that are not empty, each a list of colours from below.
struct Plain {
    columns: Vec<Vec<char>>,
    score: u32,
}

impl Plain {
    fn read(board: &str, columns: usize, rows: usize) -> Self {
        let lines: Vec<Vec<char>> = board.lines().take(rows).map(|line| line.chars().collect()).collect();
        let column = |c: usize| lines.iter().rev().map(|line| line[4 + 2 * c]).collect();
        Self { columns: (0..columns).map(column).collect(), score: 0 }
    }

    fn text(&self, columns: usize, rows: usize) -> String {
        let at = |column, row| self.columns.get(column).and_then(|c: &Vec<char>| c.get(row)).unwrap_or(&'.');
        let line = |row| (0..columns).map(|column| format!(" {}", at(column, row))).collect::<String>();
        let mut text: String = (0..rows).rev().map(|row| format!("{:>2} {}\n", row + 1, line(row))).collect();
        let letters: String = (0..columns).map(|c| format!(" {}", (b'a' + c as u8) as char)).collect();
        text += &format!("   {letters}\nscore {}\n", self.score);
        text
    }

    /// The most that the colours could give.
    fn bound(&self) -> u32 {
        let cells: Vec<char> = self.columns.concat();
        let count = |colour: &char| cells.iter().filter(|c| *c == colour).count() as u32;
        let colours: BTreeSet<&char> = cells.iter().collect();
        let points: u32 =
            colours.iter().map(|c| count(c)).map(|n| if n > 1 { (n - 2) * (n - 2) } else { 0 }).sum();
        points + if colours.iter().any(|c| count(c) == 1) { 0 } else { 1000 }
    }

    /// All groups of two or more, by their first cells.
    fn groups(&self) -> Vec<BTreeSet<(usize, usize)>> {
        let mut groups: Vec<BTreeSet<(usize, usize)>> = Vec::new();
        for column in 0..self.columns.len() {
            for row in 0..self.columns[column].len() {
                if groups.iter().any(|group| group.contains(&(column, row))) {
                    continue;
                }
                let (mut group, mut open) = (BTreeSet::new(), vec![(column, row)]);
                while let Some((c, r)) = open.pop() {
                    let same = self.columns.get(c).and_then(|cells| cells.get(r))
                        == Some(&self.columns[column][row]);
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

    fn take(&mut self, group: &BTreeSet<(usize, usize)>) {
        for &(column, row) in group.iter().rev() {
            self.columns[column].remove(row);
        }
        self.columns.retain(|column| !column.is_empty());
        let n = group.len() as u32;
        self.score += (n - 2) * (n - 2) + if self.columns.is_empty() { 1000 } else { 0 };
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
