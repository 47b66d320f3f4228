//! Games made in code, without parameters as text.

use crate::kit::compare;
use permutree_game::{Game, playthrough};
use permutree_games::*;
use std::panic::catch_unwind;

/// A constructor makes the game that the parameters make: the one of the golden file.
#[test]
fn constructors_agree_with_parameters() {
    fn agrees<G: Game>(name: &str, game: &G) {
        compare(&playthrough(game, 1), name);
    }
    agrees("atarigo", &Atarigo::<64, 1>::new(6));
    agrees("breakthrough", &Breakthrough::<128, 16>::new(8, 8));
    agrees("connect4", &Connect4::<u64>::new(7, 6, 4));
    agrees("domineering", &Domineering::<1>::new(8, 8));
    agrees("go", &Go::<32, 1>::new(5, 7.5, 75, false));
    agrees("gomoku-6", &Gomoku::<2>::new(6, false));
    agrees("hex", &Hex::<1>::new(7, Some((1, 1)), false));
    agrees("hnefatafl", &Hnefatafl::new(60));
    agrees("investment", &Investment::<32>::new(3, 2));
    agrees("knightthrough", &Knightthrough::<128, 16>::new(8, 8));
    agrees("nim", &Nim::new(&[3, 4, 5], false));
    agrees("nogo-3-players", &Nogo::<32, 1>::new(5, 3));
    agrees("order-and-chaos", &OrderAndChaos::<1>::new(6));
    agrees("pig", &Pig::new(10));
    agrees("reversi", &Reversi::<1>::new(8, false));
    agrees("same-game", &SameGame::<3>::new(10, 10, 4, 1).unwrap());
    agrees("skirmish", &Skirmish::new(100));
    agrees("skirmish-arena", &SkirmishArena::new(5));
    agrees("tic-tac-chess", &TicTacChess::new(500));
    agrees("tic-tac-mo", &TicTacMo);
    agrees("tic-tac-toe", &TicTacToe);
    agrees("tree", &Tree::parse("((1 0) (0.5 0.75))").unwrap());
    agrees("triad", &Triad::new(500));
    agrees("tsp", &Tsp::<32>::new(7, 1));
    agrees("ultimate-tic-tac-toe", &UltimateTicTacToe);
    agrees("wargame-3", &Wargame::<32>::new(2, 3));
    agrees("yavalade", &Yavalade::<2>::new(5, false));
    agrees("yavalath", &Yavalath::<2>::new(5, false));
}

/// What the parameters refuse, and boards that do not fit in their type.
#[test]
fn constructors_refuse_what_parameters_refuse() {
    fn refused<T>(make: impl FnOnce() -> T + std::panic::UnwindSafe, what: &str) {
        assert!(catch_unwind(make).is_err(), "{what} was made");
    }
    refused(|| Atarigo::<384, 6>::new(2), "Atarigo of size 2");
    refused(|| Atarigo::<64, 1>::new(8), "Atarigo of size 8 in one word");
    refused(|| Breakthrough::<128, 16>::new(3, 8), "Breakthrough with three rows");
    refused(|| Breakthrough::<128, 16>::new(9, 9), "Breakthrough of size 9 in 128 cells");
    refused(|| Connect4::<u64>::new(3, 3, 4), "Connect Four without a line of four");
    refused(|| Connect4::<u64>::new(10, 10, 4), "Connect Four of 110 bits in 64");
    refused(|| Domineering::<1>::new(1, 8), "Domineering with one row");
    refused(|| Go::<128, 2>::new(9, 7.25, 243, false), "Go with a quarter of a point");
    refused(|| Go::<32, 1>::new(6, 7.5, 108, false), "Go of size 6 in 32 slots");
    refused(|| Gomoku::<2>::new(11, false), "Gomoku of size 11 in two words");
    refused(|| Hex::<1>::new(2, None, false), "Hex of size 2");
    refused(|| Hex::<1>::new(7, Some((7, 0)), false), "Hex opened outside the board");
    refused(|| Investment::<32>::new(17, 2), "34 members in 32 slots");
    refused(|| Nim::new(&[], false), "Nim without heaps");
    refused(|| Nim::new(&[3, 0], false), "Nim with an empty heap");
    refused(|| Nogo::<32, 1>::new(5, 4), "Nogo for four");
    refused(|| OrderAndChaos::<1>::new(8), "Order and Chaos of size 8 in one word");
    refused(|| Pig::new(0), "Pig without a goal");
    refused(|| Reversi::<1>::new(7, false), "Reversi of an odd size");
    refused(|| SameGame::<3>::new(13, 10, 4, 1), "SameGame of 13 columns in three words");
    refused(|| SkirmishArena::new(9), "Skirmish arena of size 9");
    refused(|| Tsp::<32>::new(33, 1), "33 cities where 32 fit");
    refused(|| Wargame::<32>::new(5, 1), "War game for one");
    refused(|| Yavalade::<1>::new(5, false), "Yavalade of side 5 in one word");
    refused(|| Yavalath::<4>::new(9, false), "Yavalath of side 9");
}

/// A board on which no group can ever be taken is no game.
#[test]
fn same_game_needs_two_neighbours_of_one_colour() {
    let made = (0..200).filter(|&board| SameGame::<2>::new(2, 2, 6, board).is_some()).count();
    assert!((50..150).contains(&made), "{made} of 200 boards");
}
