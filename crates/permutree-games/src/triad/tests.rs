//! Rules that matter in positions which random games rarely reach.

use super::*;
use permutree_game::perft;

/// These pieces of each player, by the names of their cells, and this player to slide.
fn position(game: &Triad, pieces: [&str; PLAYERS], player: u8) -> Position {
    let set = |names: &str| {
        let number = |name| (0..CELLS as u8).find(|&cell| game.board.name(cell) == name).unwrap();
        names.split_whitespace().fold(0, |set, name| set | 1 << number(name))
    };
    Position { pieces: pieces.map(set), player: Player(player), bunny: None, plies: 0, over: false }
}

fn play(game: &Triad, position: &mut Position, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.parse_move(position, text).unwrap_or_else(|| panic!("{text} is not legal"));
        game.play(position, mv);
    }
}

fn texts(game: &Triad, position: &Position) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.into_iter().map(|mv| game.move_text(position, mv)).collect()
}

/// Why there is a limit to the plies: four turns that end where they began. The limit of 15 falls into
/// the last turn of the second round, which is completed.
#[test]
fn play_can_go_round_until_the_plies_are_over() {
    let game = Triad::new(15);
    let start = position(&game, ["f7", "b2 b3 f3 g7", "b1"], 0);
    let (mut now, round) = (start, "f7-f4 f3 b1-h7 g7 f4-f7 g7 h7-b1 b2");
    play(&game, &mut now, round);
    assert_eq!(now, Position { plies: 8, ..start });
    assert_ne!(game.hash(&now), game.hash(&start));
    play(&game, &mut now, round);
    assert_eq!(game.turn(&now), Turn::Over);
    assert_eq!(game.rewards(&now), Rewards::win(PLAYERS, Player(1)));
}

/// One slide captures two; without d2 two slides capture one. In the third position e7 lies next to two enemies, but has
/// the colour of player 1, which may therefore slide over it but not stop there.
#[test]
fn only_slides_that_capture_most_are_legal() {
    let game = Triad::new(500);
    for (pieces, slides) in [
        (["a1 e5", "d2 d3 g7", "h5 i5"], vec!["e5-e3"]),
        (["e5", "d3 g7", "h5 i5"], vec!["e5-e3", "e5-d4"]),
        (["e5", "d6 d7 g7", "i5"], vec!["e5-c5", "e5-h5", "e5-e6", "e5-e8"]),
    ] {
        assert_eq!(texts(&game, &position(&game, pieces, 0)), slides);
    }
}

/// The colour of e6 is player 2's, that of e8 player 3's.
#[test]
fn the_owner_of_the_cell_is_next_and_the_other_opponent_is_dropped() {
    let game = Triad::new(500);
    for (slide, next, bunny) in [("e5-e6", 1, 2), ("e5-e8", 2, 1)] {
        let mut now = position(&game, ["e5", "d6 d7 g7", "i5"], 0);
        play(&game, &mut now, slide);
        assert_eq!((now.player, now.bunny), (Player(0), Some(Player(bunny))));
        let before = now.pieces[usize::from(bunny)].count_ones();
        play(&game, &mut now, "a1");
        assert_eq!(now.pieces[usize::from(bunny)].count_ones(), before + 1);
        assert_eq!((now.player, now.bunny), (Player(next), None));
    }
}

/// The only piece of player 2 is enclosed on a1, so player 3 moves in place of player 2. With another piece that can slide,
/// player 2 moves.
#[test]
fn who_cannot_slide_is_passed_over() {
    let game = Triad::new(500);
    for (second, next) in [("a1", 2), ("a1 g4", 1)] {
        let mut now = position(&game, ["b1 b2 a2 e9", second, "i5 h5"], 0);
        play(&game, &mut now, "e9-e6 e1");
        assert_eq!(now.player, Player(next));
        assert_eq!(now.plies, 2);
    }
}

/// After a drop on the last empty cell no player can slide.
#[test]
fn when_nobody_can_slide_most_pieces_win() {
    let game = Triad::new(500);
    let [first, second] = [ALL >> 31, ALL & !(ALL >> 31) & !(1 << 60)];
    let pieces = [first, second & !(0xFF << 31), second & 0xFF << 31];
    let mut now = Position { pieces, player: Player(0), bunny: Some(Player(1)), plies: 9, over: false };
    assert_eq!(texts(&game, &now), ["i9"]);
    play(&game, &mut now, "i9");
    assert_eq!((game.turn(&now), texts(&game, &now).len()), (Turn::Over, 0));
    assert_eq!(game.rewards(&now), Rewards::win(PLAYERS, Player(0)));
}

/// A slide that takes the last piece of a player ends the game before the drop; equal numbers share.
#[test]
fn the_game_ends_between_slide_and_drop() {
    let game = Triad::new(500);
    for (third, sharers) in [("i5 h5", 0b101), ("i5 h5 g5", 0b100), ("i5", 0b001)] {
        let mut now = position(&game, ["a1 f9", "e6", third], 0);
        play(&game, &mut now, "f9-f7");
        assert_eq!((game.turn(&now), perft(&game, &now, 1)), (Turn::Over, vec![0]));
        assert_eq!(game.rewards(&now), Rewards::share(PLAYERS, sharers));
    }
    // The game goes on while player 2 has another piece.
    let mut now = position(&game, ["a1 f9", "e6 a5", "i5"], 0);
    play(&game, &mut now, "f9-f7");
    assert_eq!(game.turn(&now), Turn::Player(Player(0)));
}

/// Every pair of cells in line has a code of its own below those of the drops, for every player.
#[test]
fn codes_are_dense() {
    let game = Triad::new(500);
    let mut seen = vec![false; game.codes(0)];
    for (player, bunny) in [(0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1)] {
        let at = Position { player: Player(player), bunny: Some(Player(bunny)), ..game.start() };
        let slides = (0..CELLS as u8).flat_map(|from| {
            cells(game.board.lines[usize::from(from)].0).map(move |to| Move::Slide(from, to as u8))
        });
        for mv in slides.chain((0..CELLS as u8).map(Move::Drop)) {
            seen[game.code(&at, mv, 0) as usize] = true;
        }
    }
    assert!(seen.iter().all(|&seen| seen));
    assert_eq!(game.board.colours.map(u64::count_ones).iter().sum::<u32>(), CELLS as u32);
}

#[test]
fn who_has_more_pieces_is_judged_ahead() {
    let game = Triad::new(500);
    let guess = |pieces| game.evaluate(&position(&game, pieces, 0)).unwrap();
    assert_eq!(guess(["a1", "b1", "c1"]), Rewards::draw(PLAYERS));
    let [first, second, third] = guess(["a1 a2", "b1", "c1 c2 c3"]).as_slice()[..] else { panic!() };
    assert!(third > first && first > second);
}
