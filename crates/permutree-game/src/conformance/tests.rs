//! Each check finds the mistake that it is for.

use super::*;
use crate::{Code, Hasher};

/// One heap, from which players take one or two, with a mistake.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Heap {
    Correct,
    ColourMissing,
    MovesAfterTheEnd,
    MoveTwice,
    SameText,
    SharedCode,
    CodeTooLarge,
    ConstantHash,
    RewardTooLarge,
    PlayoutStops,
    IllegalRandomMove,
    WrongMerit,
    NoPicture,
}

use Heap::{
    CodeTooLarge, ColourMissing, ConstantHash, Correct, IllegalRandomMove, MoveTwice, MovesAfterTheEnd,
    NoPicture, PlayoutStops, RewardTooLarge, SameText, SharedCode, WrongMerit,
};

impl Game for Heap {
    type Position = (u8, Player);
    type Move = u8;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> (u8, Player) {
        (5, Player(0))
    }

    fn turn(&self, &(left, player): &(u8, Player)) -> Turn {
        if left == 0 { Turn::Over } else { Turn::Player(player) }
    }

    fn moves(&self, &(left, _): &(u8, Player), out: &mut Vec<u8>) {
        out.extend(1..=left.min(2));
        match self {
            MovesAfterTheEnd if left == 0 => out.push(0),
            MoveTwice => out.extend(out.first().copied()),
            _ => {}
        }
    }

    fn play(&self, (left, player): &mut (u8, Player), take: u8) {
        *left -= take;
        *player = player.other();
    }

    fn rewards(&self, &(_, player): &(u8, Player)) -> Rewards {
        if *self == RewardTooLarge {
            Rewards::from_slice(&[2.0, 0.0])
        } else {
            Rewards::win(2, player.other())
        }
    }

    fn hash(&self, &(left, player): &(u8, Player)) -> u64 {
        if *self == ConstantHash { 1 } else { Hasher::new().bytes(&[left, player.0]).finish() }
    }

    fn codes(&self, _coding: usize) -> usize {
        if *self == CodeTooLarge { 3 } else { 4 }
    }

    fn code(&self, &(_, player): &(u8, Player), take: u8, _coding: usize) -> Code {
        let player = if *self == SharedCode { 0 } else { player.0 };
        Code::from(2 * player + take - 1)
    }

    fn move_text(&self, _position: &(u8, Player), take: u8) -> String {
        if *self == SameText { "take".to_string() } else { take.to_string() }
    }

    fn board(&self, &(left, player): &(u8, Player), _last: Option<u8>) -> String {
        format!("{left} left, {player} to move\n")
    }

    fn picture(&self, position: &(u8, Player), last: Option<u8>) -> String {
        let board = self.board(position, last);
        if *self == NoPicture { board } else { crate::draw::text_picture(&board) }
    }

    fn colours(&self) -> &'static [&'static str] {
        if *self == ColourMissing { &["#fff"] } else { &["#fff", "#222"] }
    }

    fn move_of_merit(
        &self,
        position: &(u8, Player),
        _coding: usize,
        _merit: impl Fn(Code) -> f64,
        _rng: &mut Rng,
    ) -> Option<u8> {
        (*self == WrongMerit).then(|| position.0.min(2))
    }

    fn random_move(&self, position: &(u8, Player), rng: &mut Rng, scratch: &mut Vec<u8>) -> Option<u8> {
        scratch.clear();
        self.moves(position, scratch);
        if *self == IllegalRandomMove && position.0 == 1 { Some(2) } else { rng.choose(scratch) }
    }

    fn playout<R: crate::Recorder>(
        &self,
        position: &mut (u8, Player),
        coding: usize,
        rng: &mut Rng,
        scratch: &mut Vec<u8>,
        recorder: &mut R,
    ) {
        let stops = |position: &(u8, Player)| *self == PlayoutStops && position.0 < 3;
        crate::play_while(self, position, coding, rng, scratch, recorder, |position| !stops(position));
    }
}

#[test]
fn a_correct_game_passes() {
    let summary = check(&Correct, 20, 1).unwrap();
    assert_eq!((summary.games, summary.rewards[0] + summary.rewards[1]), (20, 1.0));
    assert_eq!(soak(&Correct, 20, 1).unwrap().games, 20);
}

#[test]
fn every_mistake_is_found() {
    for (game, expected) in [
        (ColourMissing, "1 colours for 2 players"),
        (MovesAfterTheEnd, "1 moves when the turn is Over"),
        (MoveTwice, "move texts are not unique"),
        (SameText, "move texts are not unique"),
        (SharedCode, "code 0 of coding 0 belongs to player"),
        (CodeTooLarge, "code 3 of 3 codes"),
        (ConstantHash, "stands for two positions"),
        (RewardTooLarge, "rewards [2.0, 0.0] for 2 players"),
        (PlayoutStops, "the playout stopped before the end"),
        (IllegalRandomMove, "random_move gives Some(2)"),
        (WrongMerit, "move_of_merit gives"),
        (NoPicture, "not an SVG document"),
    ] {
        let error = check(&game, 50, 1).unwrap_err();
        assert!(error.contains(expected), "{game:?}: {error}");
    }
}
