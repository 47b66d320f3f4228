use permutree_zoo::{AnyGame, AnyPosition, Budget, Error, Hasher, Rng, Turn, agent, game};

const GAMES: &[&str] = &[
    "atarigo",
    "breakthrough",
    "connect4",
    "domineering",
    "go",
    "gomoku",
    "hex",
    "hnefatafl",
    "investment",
    "knightthrough",
    "nim",
    "nogo",
    "order-and-chaos",
    "pig",
    "reversi",
    "same-game",
    "skirmish",
    "skirmish-arena",
    "tic-tac-chess",
    "tic-tac-mo",
    "tic-tac-toe",
    "tree",
    "triad",
    "tsp",
    "ultimate-tic-tac-toe",
    "wargame",
    "yavalade",
    "yavalath",
    "investment:10,players=3",
    "nogo:5,players=3",
    "wargame:10,players=3",
];
const AGENTS: &[&str] = &[
    "ams",
    "ams-mast",
    "ams-nst",
    "ams-playouts",
    "ams-priority",
    "best",
    "flat",
    "global:w=4,d=2,g=5,pre=100",
    "gobble",
    "grave",
    "grave:form=report",
    "heuristic",
    "lnmcs",
    "mcps",
    "mcps:weights=optimal",
    "nmcs",
    "nrpa",
    "pattern",
    "random",
    "rave",
    "sarsa-uct",
    "uct",
    "uct:playout=heuristic",
    "uct:playout=mast",
    "uct:playout=nst",
    "uct:tuned=true",
    "vgs:w=4,d=2,pre=100",
];

/// A number that changes when any search finds anything else, and with nothing else: not with the machine, the run or
/// the speed. A commit that is meant to change no result leaves it alone.
pub(crate) fn signature() -> Result<String, Error> {
    let mut hash = Hasher::new();
    for spec in GAMES {
        let start = first_choice(&*game(spec)?);
        for spec in AGENTS {
            let mut session = match start.session(&agent(spec)?, 1) {
                Err(Error::NoEvaluation { .. } | Error::NoPatterns { .. }) => continue,
                session => session?,
            };
            session.advance(&Budget::playouts(300));
            for found in session.report().moves {
                hash = hash.word(found.index as u64).word(found.visits).word(found.mean.to_bits());
            }
        }
    }
    Ok(format!("{:016x}", hash.finish()))
}

/// The start, past any die that is thrown and any move that is forced before a player has a choice.
pub(crate) fn first_choice(game: &dyn AnyGame) -> Box<dyn AnyPosition> {
    let (mut position, mut rng) = (game.start(), Rng::new(1));
    while position.turn() == Turn::Chance || position.moves().len() == 1 {
        match position.random(&mut rng) {
            Some(outcome) => position.play(outcome),
            None => break,
        }
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_in_it() {
        for entry in permutree_zoo::GAMES {
            assert!(GAMES.contains(&entry.facts.name), "{} is missing", entry.facts.name);
        }
    }

    #[test]
    fn every_agent_is_in_it() {
        for facts in permutree_zoo::AGENTS.iter().filter(|facts| facts.name != "external") {
            let named = |spec: &&&str| spec.split(':').next() == Some(facts.name);
            assert!(AGENTS.iter().any(|spec| named(&spec)), "{} is missing", facts.name);
        }
    }
}
