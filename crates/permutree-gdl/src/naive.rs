//! Random games beside an evaluation of the rules as they stand, one state at a time.

use crate::ground::exact::follows;
use crate::rules::{Program, Term, key};
use crate::syntax;
use crate::{Described, Options};
use permutree_game::{Game, Rng, Turn};
use std::collections::BTreeSet;

/// A term as GDL.
fn written(program: &Program, term: &Term) -> String {
    match term {
        Term::Var(_) => panic!("a ground term has no variables"),
        Term::Fun(name, args) if args.is_empty() => program.symbols.name(*name).to_string(),
        Term::Fun(name, args) => {
            let args: Vec<String> = args.iter().map(|arg| written(program, arg)).collect();
            format!("({} {})", program.symbols.name(*name), args.join(" "))
        }
    }
}

/// Plays random games and compares the moves, the end and the goals of every state. At most `plies` states are compared.
pub(crate) fn check(description: &str, games: u64, plies: usize) -> Result<(), String> {
    let game = Described::read(description, Options::default()).map_err(|error| error.to_string())?;
    let program = Program::read(&syntax::parse(description).unwrap()).unwrap();
    let column =
        |facts: &BTreeSet<Vec<Term>>| -> Vec<Term> { facts.iter().map(|args| args[0].clone()).collect() };
    let first = column(&follows(&program, &[], &[], &[key::INIT])[0]);
    let mut seen = 0;
    for number in 0..games {
        let mut rng = Rng::stream(1, number);
        let (mut position, mut state, mut steps) = (game.start(), first.clone(), 0);
        let mut chosen: Vec<Option<Term>> = vec![None; game.roles().len()];
        loop {
            let [legal, ends, goals] =
                &follows(&program, &state, &[], &[key::LEGAL, key::TERMINAL, key::GOAL])[..]
            else {
                panic!("three relations")
            };
            let own = |role: usize| -> Vec<Term> {
                let of = |args: &&Vec<Term>| written(&program, &args[0]) == game.roles()[role];
                legal.iter().filter(of).map(|args| args[1].clone()).collect()
            };
            let moves: Vec<Vec<Term>> = (0..chosen.len()).map(own).collect();
            if !ends.is_empty() || moves.iter().any(Vec::is_empty) || steps == 1000 {
                if game.turn(&position) != Turn::Over {
                    return Err(format!("game {number} goes on after step {steps}"));
                }
                let rewards = game.rewards(&position);
                let players = game.roles().iter().filter(|role| *role != "random");
                for (role, reward) in players.zip(rewards.as_slice()) {
                    let own = goals.iter().filter(|args| written(&program, &args[0]) == *role);
                    let values = own.filter_map(|args| written(&program, &args[1]).parse::<u32>().ok());
                    let most = values.filter(|&value| value <= 100).max().unwrap_or(0);
                    if (f64::from(most) / 100.0 - reward).abs() > 1e-9 {
                        return Err(format!("game {number} gives {role} {reward} and not {most}"));
                    }
                }
                break;
            }
            // The roles with a choice choose, chance last.
            let mut order: Vec<usize> = (0..chosen.len()).collect();
            order.sort_by_key(|&role| game.roles()[role] == "random");
            for role in order {
                if let [only] = &moves[role][..] {
                    chosen[role] = Some(only.clone());
                    continue;
                }
                let mut listed = Vec::new();
                game.moves(&position, &mut listed);
                let texts: BTreeSet<String> = listed.iter().map(|&mv| game.written(mv).to_string()).collect();
                let expected: BTreeSet<String> = moves[role].iter().map(|mv| written(&program, mv)).collect();
                if texts != expected {
                    let facts: Vec<String> = state.iter().map(|fluent| written(&program, fluent)).collect();
                    let role = &game.roles()[role];
                    return Err(format!(
                        "game {number}, {role}: {texts:?} and not {expected:?} in {facts:?}"
                    ));
                }
                let mv = rng.choose(&listed).unwrap();
                chosen[role] =
                    moves[role].iter().find(|term| written(&program, term) == game.written(mv)).cloned();
                game.play(&mut position, mv);
            }
            let role = |name: &String| Term::Fun(program_symbol(&program, name), Vec::new());
            let does: Vec<(Term, Term)> =
                game.roles().iter().map(role).zip(chosen.iter_mut().map(|mv| mv.take().unwrap())).collect();
            state = column(&follows(&program, &state, &does, &[key::NEXT])[0]);
            steps += 1;
            seen += 1;
            if seen >= plies {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The symbol with this name.
fn program_symbol(program: &Program, name: &str) -> u32 {
    (0..).find(|&symbol| program.symbols.name(symbol) == name).unwrap()
}

/// Every description of ours, or in the directory that the environment variable `GDL_GAMES` names.
#[test]
fn descriptions_play_as_their_rules_stand() {
    let ours = || concat!(env!("CARGO_MANIFEST_DIR"), "/games").into();
    let directory = std::env::var_os("GDL_GAMES").unwrap_or_else(ours);
    let mut faults = Vec::new();
    for file in std::fs::read_dir(directory).unwrap() {
        let file = file.unwrap().path();
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        faults.extend(check(&text, 6, 120).err().map(|fault| format!("{}: {fault}", file.display())));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
