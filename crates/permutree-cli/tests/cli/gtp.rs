use super::permutree_reads;

fn session(line: &str, input: &str) -> String {
    let run = permutree_reads(&line.split_whitespace().collect::<Vec<_>>(), input);
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{line}: {}", run.out);
    run.out
}

#[test]
fn a_session() {
    let out =
        session("gtp go:5 --playouts 20", "1 boardsize 3\nnonsense\nplay b b2\n\nfinal_score\nquit\nname\n");
    assert_eq!(out, "=1\n\n? unknown command\n\n=\n\n= B+1.5\n\n=\n\n");
}

#[test]
fn the_seed_is_the_game() {
    let moves = "genmove b\ngenmove w\n".repeat(8);
    let game = |seed: u64| session(&format!("gtp connect4 uct --playouts 30 --seed {seed}"), &moves);
    assert_eq!(game(1), game(1));
    assert!((2..9).any(|seed| game(seed) != game(1)));
}
