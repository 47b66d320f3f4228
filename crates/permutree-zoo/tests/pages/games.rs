//! `docs/games.md` and its pictures.

use super::compare;
use permutree_zoo::{AnyGame, GAMES, GameEntry, Rng, game};
use std::fmt::Write;

/// Random games behind each game's figures.
const RANDOM_GAMES: u32 = 1000;

#[test]
fn the_page_is_up_to_date() {
    let mut rows = String::new();
    let mut sections = String::new();
    for entry in GAMES.iter() {
        let (row, section) = describe(entry);
        rows += &row;
        sections += &section;
    }
    let page = format!(
        "# Games\n\n\
         Made from the list of games by `BLESS=1 cargo test -p permutree-zoo --test pages`. The figures are of \
         {RANDOM_GAMES} games of random play with the default parameters: the mean number of plies, the mean number \
         of moves at a player's turn, and each player's mean reward. A win is 1, a loss 0; in a game for one player the \
         reward is the score, brought to 0..1.\n\n\
         To add a game of your own, follow [add-a-game.md](add-a-game.md).\n\n\
         | game | players | plies | moves | rewards |\n|---|---|---|---|---|\n{rows}{sections}"
    );
    compare("games.md", &page);
}

/// A game's row of the table, and its section.
fn describe(entry: &GameEntry) -> (String, String) {
    let facts = &entry.facts;
    let game = game(facts.name).unwrap();
    let figures = game.soak(RANDOM_GAMES, 1).unwrap();
    let rewards: Vec<String> =
        figures.rewards[..game.players()].iter().map(|reward| format!("{reward:.3}")).collect();
    let row = format!(
        "| [{name}](#{anchor}) | {} | {:.1} | {:.1} | {} |\n",
        game.players(),
        figures.plies,
        figures.branching,
        rewards.join(" "),
        name = facts.name,
        anchor = facts.title.to_lowercase().replace(' ', "-"),
    );

    compare(&format!("games/{}.svg", facts.name), &picture(&*game, figures.plies as usize / 2));
    let mut section = format!(
        "\n## {}\n\n![{}](games/{}.svg)\n\n{}\n\nSource: {}.\n\n`permutree play {}`\n",
        facts.title, facts.title, facts.name, facts.rules, facts.source, facts.name
    );
    section += &super::table(facts.params);
    if game.codings().len() > 1 {
        let codings: Vec<String> = game.codings().iter().map(|coding| format!("`{coding}`")).collect();
        let _ = writeln!(section, "\nCodings: {}.", codings.join(", "));
    }
    (row, section)
}

/// The game after this many random plies, or at its last unfinished position before.
fn picture(game: &dyn AnyGame, plies: usize) -> String {
    let (mut position, mut rng) = (game.start(), Rng::new(3));
    let mut shown = position.picture();
    for _ in 0..plies {
        let Some(index) = position.random(&mut rng) else { break };
        position.play(index).unwrap();
        if !position.moves().is_empty() {
            shown = position.picture();
        }
    }
    shown
}
