use super::faults::mistake;
use super::rules::{Answer, CODES, Choice, Position, Rules, State, Wrong, drawn};
use permutree_game::{Code, Game, Recorder, Rewards, Rng, Turn, draw};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};

/// A game written in Python.
///
/// A state is asked once for its turn and, when the game is over, its rewards, and once for its moves. States that a search comes
/// back to are kept ([`Rules::next`]), so that most descents ask nothing. Playouts hold Python from beginning to end. A mistake in any method ends the work (`Faults::fail`).
#[derive(Clone)]
pub(super) struct OwnGame(pub(super) Arc<Rules>);

impl OwnGame {
    /// Asks Python something about a state, and ends the work if the answer is wrong.
    fn ask<T>(
        &self,
        method: &str,
        state: &State,
        question: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> Answer<T>,
    ) -> T {
        let Some(object) = &state.object else {
            self.0.faults.fail(PyException::new_err("a playout was asked for more than its rewards"));
        };
        let answer = Python::attach(|py| {
            question(py, object.bind(py))
                .map_err(|why| mistake(py, self.0.object.bind(py), method, Some(object), why))
        });
        answer.unwrap_or_else(|error| self.0.faults.fail(error))
    }

    /// The legal moves of a state.
    fn choices<'a>(&self, state: &'a State) -> &'a [Choice] {
        if state.turn == Turn::Over {
            return &[];
        }
        known::<Vec<_>>(&state.moves, || self.ask("moves", state, |_, object| self.0.choices(object)))
    }

    /// The probability of each outcome of chance.
    fn weights<'a>(&self, state: &'a State) -> &'a [f64] {
        let choices = self.choices(state);
        known::<Vec<_>>(&state.weights, || {
            self.ask("chance", state, |py, object| {
                self.0.weights(object, choices.iter().map(|choice| choice.object.bind(py).clone()))
            })
        })
    }

    /// A legal move. There is no answer about one that is not legal.
    fn choice<'a>(&self, method: &str, state: &'a State, mv: u64) -> &'a Choice {
        let found = self.choices(state).iter().find(|choice| choice.key == mv);
        let why = "positions that are equal have different moves; key(state) must tell them apart";
        found.unwrap_or_else(|| self.ask(method, state, |_, _| Err(why.to_string().into())))
    }

    /// Asks about a move.
    fn ask_move<T>(
        &self,
        method: &str,
        state: &State,
        mv: u64,
        question: impl FnOnce(&Bound<'_, PyAny>, &Bound<'_, PyAny>) -> Answer<T>,
    ) -> T {
        let choice = self.choice(method, state, mv);
        self.ask(method, state, |py, object| question(object, choice.object.bind(py)))
    }

    /// Plays to the end in one go.
    fn play_out<R: Recorder>(&self, from: &State, rng: &mut Rng, recorder: &mut R) -> State {
        let rules = &self.0;
        // What went wrong is said of the state at which it did.
        let mut at: Option<Py<PyAny>> = None;
        let end = Python::attach(|py| {
            let mut state: Option<State> = None;
            loop {
                let &State { ref object, turn, plies, .. } = state.as_ref().unwrap_or(from);
                at = object.as_ref().map(|object| object.clone_ref(py));
                let Some(object) = at.as_ref().map(|object| object.bind(py)) else { break };
                let moves = rules.listed(object).map_err(|why| Wrong::new("moves", why))?;
                let index = match turn {
                    Turn::Chance if rules.weighs_chance => {
                        let weights = rules.weights(object, moves.iter());
                        drawn(&weights.map_err(|why| Wrong::new("chance", why))?, rng)
                    }
                    _ => rng.below(moves.len()),
                };
                let mv = moves.get_item(index).map_err(|error| Wrong::new("moves", error))?;
                if R::RECORDS
                    && let Turn::Player(player) = turn
                {
                    recorder.record(
                        player,
                        rules.code(object, &mv, player).map_err(|why| Wrong::new("code", why))?,
                    );
                }
                let next = rules.after(plies, object, &mv)?;
                if next.turn == Turn::Over {
                    return Ok(next);
                }
                state = Some(next);
            }
            Err(Wrong::new("playout", "began after its end".to_string()))
        });
        end.unwrap_or_else(|wrong| self.fail(wrong, at.as_ref()))
    }

    /// Ends the work for what went wrong at a state.
    fn fail(&self, wrong: Wrong, asked: Option<&Py<PyAny>>) -> ! {
        let Wrong { method, why, at } = wrong;
        let error =
            Python::attach(|py| mistake(py, self.0.object.bind(py), method, at.as_ref().or(asked), why));
        self.0.faults.fail(error)
    }
}

impl Game for OwnGame {
    type Position = Position;
    /// The key of the move.
    type Move = u64;

    fn players(&self) -> usize {
        self.0.players
    }

    fn start(&self) -> Position {
        self.0.start.clone()
    }

    fn turn(&self, state: &Position) -> Turn {
        state.turn
    }

    fn moves(&self, state: &Position, out: &mut Vec<u64>) {
        out.extend(self.choices(state).iter().map(|choice| choice.key));
    }

    fn play(&self, state: &mut Position, mv: u64) {
        let choice = self.choice("play", state, mv);
        let next = self.0.next(choice, || {
            self.ask("play", state, |py, object| {
                Ok(self.0.after(state.plies, object, choice.object.bind(py)))
            })
        });
        *state = next.unwrap_or_else(|wrong| self.fail(wrong, state.object.as_ref()));
    }

    fn rewards(&self, state: &Position) -> Rewards {
        state.rewards
    }

    fn hash(&self, state: &Position) -> u64 {
        *known(&state.hash, || self.ask("key", state, |_, object| self.0.key(object)))
    }

    fn codes(&self, _coding: usize) -> usize {
        self.0.codes.map_or(CODES as usize, |each| each as usize * self.0.players)
    }

    fn code(&self, state: &Position, mv: u64, _coding: usize) -> Code {
        let Turn::Player(player) = state.turn else { return 0 };
        let choice = self.choice("code", state, mv);
        *known(&choice.code, || {
            self.ask("code", state, |py, object| self.0.code(object, choice.object.bind(py), player))
        })
    }

    fn move_text(&self, state: &Position, mv: u64) -> String {
        self.ask_move("move_text", state, mv, |object, mv| self.0.text("move_text", object, Some(mv)))
    }

    fn board(&self, state: &Position, _last: Option<u64>) -> String {
        self.ask("board", state, |_, object| self.0.text("board", object, None))
    }

    fn picture(&self, state: &Position, last: Option<u64>) -> String {
        match self.0.draws {
            true => self.ask("picture", state, |_, object| self.0.text("picture", object, None)),
            false => draw::text_picture(&self.board(state, last)),
        }
    }

    fn chance(&self, state: &Position, outcome: u64) -> f64 {
        match self.0.weighs_chance {
            true => self.ask_move("chance", state, outcome, |object, mv| self.0.probability(object, mv)),
            false => 1.0 / self.choices(state).len() as f64,
        }
    }

    fn evaluate(&self, state: &Position) -> Option<Rewards> {
        self.0.evaluates.then(|| match state.turn {
            Turn::Over => state.rewards,
            _ => self.ask("evaluate", state, |_, object| self.0.rewards("evaluate", object)),
        })
    }

    fn random_move(&self, state: &Position, rng: &mut Rng, _scratch: &mut Vec<u64>) -> Option<u64> {
        let choices = self.choices(state);
        let index = match state.turn {
            Turn::Over => return None,
            Turn::Chance if self.0.weighs_chance => drawn(self.weights(state), rng),
            _ => rng.below(choices.len()),
        };
        choices.get(index).map(|choice| choice.key)
    }

    fn playout<R: Recorder>(
        &self,
        state: &mut Position,
        _coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<u64>,
        recorder: &mut R,
    ) {
        if state.turn == Turn::Over {
            return;
        }
        let end = match self.0.plays_out {
            true => {
                let seed = rng.bits();
                self.ask("playout", state, |_, object| self.0.own_playout(object, state.turn, seed, recorder))
            }
            false => self.play_out(state, rng, recorder),
        };
        *state = Arc::new(end);
    }
}

/// What Python said, or says now. Two threads may both ask: nobody waits for another with Python in hand.
fn known<T>(place: &OnceLock<T>, ask: impl FnOnce() -> T) -> &T {
    match place.get() {
        Some(known) => known,
        None => {
            let found = ask();
            place.get_or_init(|| found)
        }
    }
}
