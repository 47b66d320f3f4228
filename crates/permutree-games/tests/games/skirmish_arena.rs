use crate::kit::{Table7, conforms, drawn, golden, texts, with};
use crate::plain::{Cell, Lockstep, Plain, SamePerft, cell, name, won_by};
use crate::playouts::Playouts;
use permutree_game::{Game, Visitor};
use permutree_games::SkirmishArena;

#[test]
fn kit() {
    golden::<SkirmishArena>(&[], 40, "skirmish-arena");
    for size in ["4", "6", "8"] {
        conforms::<SkirmishArena>(&[("size", size)], 10);
    }
}

/// The first unit, on a2, hits three enemies if it stays, six from a3 and eight from b3. On a board of 8 no enemy is within
/// reach at first.
#[test]
fn first_moves() {
    let five = with::<SkirmishArena, _>(&[("size", "5")], FirstMoves);
    assert_eq!(five.len(), 3 + 6 + 8);
    assert!(five.iter().all(|text| text.contains('x')), "{five:?}");
    assert!(five.contains(&"a2xc4".to_string()) && five.contains(&"a2>b3xd5".to_string()));
    assert_eq!(with::<SkirmishArena, _>(&[("size", "8")], FirstMoves), ["a2", "a2>a3", "a2>b3"]);
    // The board is full.
    let four = with::<SkirmishArena, _>(&[("size", "4")], FirstMoves);
    assert_eq!(four, ["a2xa3", "a2xb3", "a2xc3", "a2xa4", "a2xb4", "a2xc4"]);
}

struct FirstMoves;

impl Visitor for FirstMoves {
    type Output = Vec<String>;

    fn visit<G: Game>(self, game: G) -> Vec<String> {
        texts(&game, &game.start())
    }
}

#[test]
fn perft_agrees_with_plain_rules() {
    for (size, depth) in [(4, 4), (5, 4), (6, 4), (8, 7)] {
        let settings = [("size", &*size.to_string())];
        with::<SkirmishArena, _>(&settings, SamePerft { plain: Units::new(size), opening: "", depth });
    }
}

/// In half of the games units without a target stay once some units have died, so that some games are drawn; on a board of
/// 4 an enemy is always within reach.
#[test]
fn games_agree_with_plain_rules() {
    for size in 4..=8 {
        let play = |stays| {
            let plain = Units { stays, ..Units::new(size) };
            with::<SkirmishArena, _>(
                &[("size", &size.to_string())],
                Lockstep { plain, opening: "", games: 50 },
            )
        };
        let ends = [play(false), play(true)].concat();
        let seen = |rewards: [f64; 2]| ends.iter().any(|end| end.rewards() == rewards);
        assert!(seen([1.0, 0.0]) && seen([0.0, 1.0]), "{size}");
        assert!(if size == 4 { !seen([0.5; 2]) } else { seen([0.5; 2]) || size < 7 }, "{size}");
    }
}

/// A list of units in the order in which they act.
#[derive(Clone)]
struct Units {
    size: i32,
    units: Vec<Unit>,
    acting: usize,
    idle: u32,
    /// In random games, units without a target stay once more than three have died.
    stays: bool,
}

#[derive(Clone, Copy)]
struct Unit {
    player: u8,
    cell: Cell,
    health: u32,
}

impl Units {
    fn new(size: i32) -> Self {
        let mut units = Vec::new();
        for (front, back) in [(1, size - 2), (0, size - 1)] {
            for column in 0..size {
                units.push(Unit { player: 0, cell: (column, front), health: 3 });
                units.push(Unit { player: 1, cell: (column, back), health: 3 });
            }
        }
        Self { size, units, acting: 0, idle: 0, stays: false }
    }

    fn acting(&self) -> &Unit {
        &self.units[self.acting]
    }

    fn living(&self) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(|unit| unit.health > 0)
    }

    fn text(&self, goal: Cell, target: Option<Cell>) -> String {
        let from = self.acting().cell;
        let way = if goal == from { String::new() } else { format!(">{}", name(goal)) };
        name(from) + &way + &target.map_or(String::new(), |target| format!("x{}", name(target)))
    }
}

impl Plain for Units {
    fn turn(&self) -> Option<u8> {
        let lives = |player| self.living().any(|unit| unit.player == player);
        (lives(0) && lives(1) && self.idle < 100).then_some(self.acting().player)
    }

    fn moves(&self) -> Vec<String> {
        let (me, mut goals, mut hits) = (self.acting(), Vec::new(), Vec::new());
        if self.turn().is_none() {
            return hits;
        }
        for column in me.cell.0 - 1..=me.cell.0 + 1 {
            for row in me.cell.1 - 1..=me.cell.1 + 1 {
                let cell = (column, row);
                let on_board = (0..self.size).contains(&column) && (0..self.size).contains(&row);
                let taken = self.living().any(|unit| unit.cell == cell);
                if cell == me.cell || on_board && !taken {
                    goals.push(cell);
                }
            }
        }
        for &goal in &goals {
            for unit in self.living().filter(|unit| unit.player != me.player) {
                if (unit.cell.0 - goal.0).abs().max((unit.cell.1 - goal.1).abs()) <= 2 {
                    hits.push(self.text(goal, Some(unit.cell)));
                }
            }
        }
        if hits.is_empty() { goals.into_iter().map(|goal| self.text(goal, None)).collect() } else { hits }
    }

    fn play(&mut self, text: &str) {
        let (way, target) = text.split_once('x').map_or((text, None), |(way, target)| (way, Some(target)));
        self.units[self.acting].cell = cell(way.split('>').next_back().unwrap());
        self.idle += 1;
        if let Some(target) = target {
            let is_hit = |unit: &&mut Unit| unit.health > 0 && unit.cell == cell(target);
            self.units.iter_mut().find(is_hit).unwrap().health -= 1;
            self.idle = 0;
        }
        loop {
            self.acting = (self.acting + 1) % self.units.len();
            if self.acting().health > 0 {
                return;
            }
        }
    }

    fn rewards(&self) -> Vec<f64> {
        let lives = |player| self.living().any(|unit| unit.player == player);
        won_by((lives(0) != lives(1)).then_some(u8::from(lives(1))), 2)
    }

    fn choices(&self) -> Vec<String> {
        let moves = self.moves();
        let stay = name(self.acting().cell);
        if self.stays && self.living().count() + 3 < self.units.len() && moves.contains(&stay) {
            vec![stay]
        } else {
            moves
        }
    }
}

#[test]
fn table_7() {
    let presence = &[("exact", 0.060), ("abstract", 0.256), ("specific", 0.131)];
    with::<SkirmishArena, _>(&[], Table7 { moves: 17, plies: 55.353, presence });
}

/// The paper warns of codes that name only the target: they are in nearly every playout.
#[test]
fn target_codes_are_in_almost_all_playouts() {
    struct Target;
    impl Visitor for Target {
        type Output = f64;

        fn visit<G: Game>(self, game: G) -> f64 {
            permutree_game::presence(&game, 2_000, 1).codings[3].1
        }
    }
    assert!(with::<SkirmishArena, _>(&[], Target) > 0.97);
}

#[test]
fn playouts_agree() {
    with::<SkirmishArena, _>(&[("size", "4")], Playouts::from_start(5_000));
    with::<SkirmishArena, _>(&[], Playouts::from_start(5_000));
    with::<SkirmishArena, _>(&[("size", "8")], Playouts::from_start(2_000));
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<SkirmishArena>(&[], "", &[10, 10]);
}
