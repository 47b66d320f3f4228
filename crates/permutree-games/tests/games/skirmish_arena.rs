use crate::kit::{Perft, Table7, conforms, golden, with};
use crate::playouts::Playouts;
use permutree_game::{Game, Player, Rewards, Rng, Turn, Visitor};
use permutree_games::SkirmishArena;

#[test]
fn kit() {
    golden::<SkirmishArena>(&[], 40, "skirmish-arena");
    for size in ["4", "6", "8"] {
        conforms::<SkirmishArena>(&[("size", size)], 10);
    }
}

/// The first unit, on a2, hits three enemies if it stays, six from a3 and eight from b3. On a board of 8 nobody is within
/// reach for some time.
#[test]
fn first_moves() {
    let five = with::<SkirmishArena, _>(&[("size", "5")], FirstMoves);
    assert_eq!(five.len(), 3 + 6 + 8);
    assert!(five.iter().all(|text| text.contains('x')), "{five:?}");
    assert!(five.contains(&"a2xc4".to_string()) && five.contains(&"a2>b3xd5".to_string()));
    assert_eq!(with::<SkirmishArena, _>(&[("size", "8")], FirstMoves), ["a2", "a2>a3", "a2>b3"]);
    // Everybody stands shoulder to shoulder.
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

fn texts<G: Game>(game: &G, position: &G::Position) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.into_iter().map(|mv| game.move_text(position, mv)).collect()
}

#[test]
fn perft_agrees_with_plain_rules() {
    for (size, depth) in [(4, 4), (5, 4), (6, 4), (8, 7)] {
        let mut counts = vec![0; depth];
        Plain::new(size).count(&mut counts);
        assert_eq!(with::<SkirmishArena, _>(&[("size", &size.to_string())], Perft(depth)), counts);
    }
}

/// Random games in lockstep. In half of them, once some units have fallen, those who reach nobody stay, so that some
/// games are drawn; on a board of 4 everybody is always within reach.
#[test]
fn games_agree_with_plain_rules() {
    for size in 4..=8 {
        let ends = with::<SkirmishArena, _>(&[("size", &size.to_string())], Lockstep(size));
        assert!(ends.iter().any(|end| end.as_slice() == [1.0, 0.0]), "{size}");
        assert!(ends.iter().any(|end| end.as_slice() == [0.0, 1.0]), "{size}");
        let drawn = ends.iter().any(|end| end.as_slice() == [0.5, 0.5]);
        assert!(if size == 4 { !drawn } else { drawn || size < 7 }, "{size}");
    }
}

struct Lockstep(i32);

impl Visitor for Lockstep {
    type Output = Vec<Rewards>;

    fn visit<G: Game>(self, game: G) -> Vec<Rewards> {
        let mut rng = Rng::new(1);
        let mut ends = Vec::new();
        for number in 0..100 {
            let (mut position, mut plain) = (game.start(), Plain::new(self.0));
            while !plain.is_over() {
                assert_eq!(game.turn(&position), Turn::Player(Player(plain.acting().player as u8)));
                let actions = plain.actions();
                let (mut got, mut expected) =
                    (texts(&game, &position), actions.iter().map(|a| plain.text(a)).collect::<Vec<_>>());
                let fallen = plain.units.iter().filter(|unit| unit.health == 0).count();
                let stays = actions.iter().position(|a| a.1.is_none() && a.0 == plain.acting().cell);
                let chosen = match stays {
                    Some(stay) if number % 2 == 1 && fallen > 3 => stay,
                    _ => rng.below(actions.len()),
                };
                let mv = game.parse_move(&position, &expected[chosen]).expect("a legal move");
                game.play(&mut position, mv);
                plain.play(actions[chosen]);
                got.sort();
                expected.sort();
                assert_eq!(got, expected);
            }
            assert_eq!(game.turn(&position), Turn::Over);
            let alive = |player| plain.units.iter().any(|unit| unit.player == player && unit.health > 0);
            let rewards = match (alive(0), alive(1)) {
                (true, false) => [1.0, 0.0],
                (false, true) => [0.0, 1.0],
                _ => [0.5, 0.5],
            };
            assert_eq!(game.rewards(&position).as_slice(), rewards);
            ends.push(game.rewards(&position));
        }
        ends
    }
}

/// The rules written the plain way: a list of units in the order in which they act.
#[derive(Clone)]
struct Plain {
    size: i32,
    units: Vec<Unit>,
    acting: usize,
    idle: u32,
}

#[derive(Clone, Copy)]
struct Unit {
    player: usize,
    cell: (i32, i32),
    health: u32,
}

/// The cell that is reached, and the unit that is hit.
type Plan = ((i32, i32), Option<usize>);

impl Plain {
    fn new(size: i32) -> Self {
        let mut units = Vec::new();
        for (front, back) in [(1, size - 2), (0, size - 1)] {
            for column in 0..size {
                units.push(Unit { player: 0, cell: (column, front), health: 3 });
                units.push(Unit { player: 1, cell: (column, back), health: 3 });
            }
        }
        Self { size, units, acting: 0, idle: 0 }
    }

    fn acting(&self) -> &Unit {
        &self.units[self.acting]
    }

    fn is_over(&self) -> bool {
        let dead = |player| self.units.iter().all(|unit| unit.player != player || unit.health == 0);
        dead(0) || dead(1) || self.idle == 100
    }

    fn actions(&self) -> Vec<Plan> {
        let (me, mut goals, mut hits) = (self.acting(), Vec::new(), Vec::new());
        for column in me.cell.0 - 1..=me.cell.0 + 1 {
            for row in me.cell.1 - 1..=me.cell.1 + 1 {
                let cell = (column, row);
                let on_board = (0..self.size).contains(&column) && (0..self.size).contains(&row);
                let taken = self.units.iter().any(|unit| unit.health > 0 && unit.cell == cell);
                if cell == me.cell || on_board && !taken {
                    goals.push(cell);
                }
            }
        }
        for &goal in &goals {
            for (target, unit) in self.units.iter().enumerate() {
                let far = (unit.cell.0 - goal.0).abs().max((unit.cell.1 - goal.1).abs());
                if unit.health > 0 && unit.player != me.player && far <= 2 {
                    hits.push((goal, Some(target)));
                }
            }
        }
        if hits.is_empty() { goals.into_iter().map(|goal| (goal, None)).collect() } else { hits }
    }

    fn play(&mut self, (goal, target): Plan) {
        self.units[self.acting].cell = goal;
        self.idle += 1;
        if let Some(target) = target {
            self.units[target].health -= 1;
            self.idle = 0;
        }
        loop {
            self.acting = (self.acting + 1) % self.units.len();
            if self.acting().health > 0 {
                return;
            }
        }
    }

    fn text(&self, (goal, target): &Plan) -> String {
        let name = |(column, row): (i32, i32)| format!("{}{}", (b'a' + column as u8) as char, row + 1);
        let mut text = name(self.acting().cell);
        if *goal != self.acting().cell {
            text += &format!(">{}", name(*goal));
        }
        if let Some(target) = target {
            text += &format!("x{}", name(self.units[*target].cell));
        }
        text
    }

    fn count(&self, counts: &mut [u64]) {
        if counts.is_empty() || self.is_over() {
            return;
        }
        for action in self.actions() {
            counts[0] += 1;
            let mut next = self.clone();
            next.play(action);
            next.count(&mut counts[1..]);
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
