//! Every agent plays described games, which are erased like all others.

use permutree_agents::{AGENTS, Budget, agent};
use permutree_game::Turn;
use std::path::Path;

fn file(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../permutree-gdl/games").join(name).display().to_string()
}

#[test]
fn every_agent_finds_a_legal_move() {
    for name in
        ["tic-tac-toe.kif", "nim.kif", "roshambo.kif", "tic-tac-mo.kif", "pig.kif", "eight-puzzle.kif"]
    {
        let game = permutree_zoo_gdl::game(&file(name)).unwrap();
        for facts in AGENTS {
            // A program outside needs its command.
            let Ok(agent) = agent(facts.name) else { continue };
            let mut position = game.start();
            let chance = |position: &mut Box<dyn permutree_agents::AnyPosition>| {
                while position.turn() == Turn::Chance {
                    // A die that shows 2: a 1 would go on to the next player, who must roll too.
                    position.play(1).unwrap();
                }
            };
            chance(&mut position);
            for seed in 0..2 {
                // Some agents do without chance, several players or a single one, and say so.
                let Ok(mut session) = position.session(&agent, seed) else { break };
                session.advance(&Budget::playouts(100));
                let report = session.report();
                assert!(!report.moves.is_empty(), "{} in {name}", facts.name);
                let best = &report.moves[0].mv;
                let index = position.find(best).unwrap();
                position.play(index).unwrap();
                chance(&mut position);
            }
        }
    }
}

#[test]
fn a_search_finds_the_winning_move() {
    let game = permutree_zoo_gdl::game(&file("tic-tac-toe.kif")).unwrap();
    let mut position = game.start();
    position.play_all("mark.1.1 mark.3.1 (mark,1,2) mark.3.2").unwrap_err();
    position.play_all("mark.1.2 mark.3.2").unwrap();
    for name in ["uct", "grave", "mcps"] {
        let mut session = position.session(&agent(name).unwrap(), 1).unwrap();
        session.advance(&Budget::playouts(1000));
        assert_eq!(session.report().moves[0].mv, "mark.1.3", "{name}");
    }
}
