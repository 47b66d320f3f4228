use super::{permutree, permutree_reads};

fn play(line: &str, input: &str) -> String {
    play_with(&line.split_whitespace().collect::<Vec<_>>(), input)
}

fn play_with(args: &[&str], input: &str) -> String {
    let run = permutree_reads(args, input);
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{args:?}: {}", run.out);
    run.out
}

/// The cells in turn: those that are taken are refused, and the game reaches its end.
const EVERYWHERE: &str = "b2\na1\nc1\na3\nc3\nb1\na2\nc2\nb3\n";

#[test]
fn a_whole_game() {
    for (seat, seed) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
        let line = format!("play tic-tac-toe mcps --playouts 300 --seed {seed} --seat {seat}");
        let out = play(&line, EVERYWHERE);
        let end = out.lines().last().unwrap();
        assert!(["You win.", "A draw.", "mcps wins."].contains(&end), "{out}");
        assert!(out.contains(&format!("You are player {seat}.")) && out.contains("mcps plays "), "{out}");
        assert!(out.contains("(expects 0.") && out.contains("after 300 playouts)"), "{out}");
        assert_eq!(play(&line, EVERYWHERE), out, "the seed is the game");
    }
}

#[test]
fn a_win_in_words() {
    // One choice each, and the one who moves gets everything.
    assert!(play("play tree:(1) --playouts 10", "a\n").ends_with("You win.\n"));
    assert!(play("play tree:(0) --playouts 10", "a\n").ends_with("best wins.\n"));
    assert!(play("play tree:(0.5) uct --playouts 10", "a\n").ends_with("A draw.\n"));
    let shared = play_with(&["play", "tree:([0.5 0.5 0])", "--playouts", "10"], "a\n");
    assert!(shared.ends_with("You and player 2 share the win.\n"), "{shared}");
    let alone = play_with(&["play", "tree:([0.7371428571])", "--playouts", "10"], "a\n");
    assert!(alone.ends_with("You get 0.737.\n"), "{alone}");
}

#[test]
fn commands() {
    let picture = std::env::temp_dir().join(format!("permutree-{}.svg", std::process::id()));
    let path = picture.display();
    let input = format!(
        "help\nmoves\nhint\nundo\nb2\nundo\nb2\n\nnonsense\nboard\nsave\nsave notes.txt\nsave {path}\nresign\n"
    );
    let out = play("play tic-tac-toe grave --playouts 200 --seed 1", &input);
    for part in [
        "goes back to your previous turn",
        "\na1 b1 c1 a2 b2 c2 a3 b3 c3\n",
        " visits\n",
        "there is nothing to undo",
        "illegal move 'nonsense'",
        "save needs a file name that ends in .svg",
        "saved ",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(out.ends_with("You resign. grave wins.\n"), "{out}");
    assert_eq!(out.matches("grave plays ").count(), 2, "the move that was taken back is answered again");
    let svg = std::fs::read_to_string(&picture).unwrap();
    std::fs::remove_file(&picture).unwrap();
    assert!(svg.starts_with("<svg"), "{svg}");
    assert!(!out.contains('\u{1b}'), "no colour where there is no terminal");
}

#[test]
fn undo_goes_back_to_the_same_turn() {
    let out = play("play hex:4 --playouts 50 --seed 1", "a1\nundo\nmoves\nquit\n");
    let all = "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4";
    assert!(out.contains(&format!("\n{all}\n")) && out.ends_with("Goodbye.\n"), "{out}");
}

#[test]
fn hints_do_not_change_the_game() {
    let game = |input: &str| {
        let out = play("play tic-tac-toe --playouts 100 --seed 5", input);
        out.lines().filter(|line| line.starts_with("mcps plays")).map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(game("hint\na1\nhint\n"), game("a1\n"));
}

#[test]
fn dice_are_rolled_and_shown() {
    let out = play("play pig:10 --playouts 50 --seed 1", &"roll\n".repeat(200));
    assert!(out.contains("\nchance: "), "{out}");
    let end = out.lines().last().unwrap();
    assert!(["You win.", "mcps wins."].contains(&end), "{out}");
    // A die that rolls first decides who the user is.
    let out = play_with(&["play", "tree:?(2(1 0) 2(1 0))", "--seed", "1"], "");
    assert!(out.contains("You are player 2."), "{out}");
}

#[test]
fn three_players() {
    let out = play("play nogo:3,players=3 uct --playouts 50 --seed 1 --seat 2", "moves\nresign\n");
    assert!(out.contains("uct as player 1 plays ") && out.ends_with("You resign.\n"), "{out}");
}

#[test]
fn the_end_of_input_ends_the_game() {
    assert!(play("play hex --playouts 50", "").ends_with("\nGoodbye.\n"));
    assert!(play("play hex --playouts 50", "a1").ends_with("\nGoodbye.\n"), "a last line without its end");
}

/// Pondering follows the game, ends with it, and is only for agents that can keep their results.
#[test]
fn pondering() {
    let text = play("play tic-tac-toe mcps --playouts 50 --ponder --seed 1", "b2\nundo\nb2\nquit\n");
    assert_eq!(text.matches("mcps plays").count(), 2, "{text}");
    assert!(text.trim_end().ends_with("Goodbye."), "{text}");
    let refused = permutree(&["play", "tic-tac-toe", "flat", "--ponder"]);
    let line = "error: --ponder: flat keeps nothing between moves; agents that do: best, mcps, ";
    assert!(refused.status == Some(2) && refused.err.starts_with(line), "{}", refused.err);
    assert_eq!(refused.err.lines().count(), 1, "{}", refused.err);
}
