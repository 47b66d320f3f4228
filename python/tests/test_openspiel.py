"""OpenSpiel games and bots."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

import permutree

pyspiel = pytest.importorskip("pyspiel")
from permutree import openspiel  # noqa: E402

NATIVE = {
    "hex(board_size=5)": "hex:5",
    "hex(board_size=7)": "hex:7",
    "breakthrough": "breakthrough:8",
    "breakthrough(rows=6,columns=5)": None,
    "connect_four": "connect4",
    "connect_four(rows=5,columns=6,x_in_row=4)": None,
    "othello": "reversi",
    "gomoku(size=9)": "gomoku:9",
    "tic_tac_toe": "tic-tac-toe",
    "nim": None,
    "nim(pile_sizes=3;4;5,is_misere=false)": "nim",
}


@pytest.mark.parametrize("text", NATIVE)
def test_both_implementations_agree_at_every_ply(text: str) -> None:
    rules = pyspiel.load_game(text)
    found = openspiel._found_native(rules)
    assert found is not None
    spec, name = found
    if NATIVE[text] is not None:
        assert permutree.game(spec) == permutree.game(NATIVE[text] or "")
    rng = random.Random(1)
    for _ in range(25):
        state, position = rules.new_initial_state(), permutree.game(spec).start()
        while True:
            assert position.is_over == state.is_terminal()
            if position.is_over:
                break
            assert position.player == state.current_player()
            actions = {name(state, action): action for action in state.legal_actions()}
            assert sorted(actions) == sorted(position.moves())
            move = rng.choice(sorted(actions))
            state.apply_action(actions[move])
            position = position.play(move)
        assert position.outcome is not None
        assert [2 * reward - 1 for reward in position.outcome] == list(state.returns())


def test_native_games_are_preferred() -> None:
    assert openspiel.load("hex(board_size=7)").spec == "hex:7"
    assert openspiel.load("hex(board_size=7)", native=False).spec == "openspiel:hex(board_size=7)"
    assert openspiel.load(pyspiel.load_game("clobber")).spec == "openspiel:clobber()"
    assert openspiel.native_spec("hex(board_size=7,swap=True)") is None
    assert openspiel.native_spec("gomoku(size=9,connect=4)") is None


@pytest.mark.parametrize(
    "text", ["clobber(rows=4,columns=4)", "amazons", "ultimate_tic_tac_toe", "pig(winscore=20)", "mancala", "2048", "y(board_size=4)"]
)
def test_games_without_a_native_implementation(text: str) -> None:
    game = openspiel.load(text)
    assert game == permutree.game(f"openspiel:{text}")
    rules = pyspiel.load_game(text)
    position, state = game.start(), rules.new_initial_state()
    for seed in range(30):
        assert len(position.moves()) == len(state.legal_actions()) and position.is_chance == state.is_chance_node()
        if position.is_over or state.is_terminal():
            assert position.is_over and state.is_terminal()
            break
        index = position._inside.random(seed)
        assert index is not None
        position, state = position._after(index), state.child(state.legal_actions()[index])
        assert len(set(position.moves())) == len(position.moves())
    while position.is_chance:
        position = position.play_random(1)
    if not position.is_over:
        report = position.search("mcps", playouts=30)
        assert report.best in position.moves()
        assert [m.visits for m in report.moves] == [m.visits for m in position.search("mcps", playouts=30).moves]
        assert pickle.loads(pickle.dumps(position)) == position


@pytest.mark.parametrize("text", ["breakthrough(rows=6,columns=4)", "mancala", *sorted(openspiel._ALTERNATE)])
def test_playouts_are_whole_games(text: str) -> None:
    rules = openspiel.OpenSpielGame(text)
    start = rules.start()
    for seed in range(20):
        # From both players' turns.
        start = rules.play(start, rules.moves(start)[0]) if seed == 10 else start
        rewards, steps = rules.playout(start, seed)
        assert rules._playout(start, seed, False) == (rewards, None, [])
        state = start
        for player, action in steps:
            assert state.current_player() == player
            state = state.child(action)
        assert state.is_terminal() and rewards == rules.rewards(state)
        assert (rewards, steps) == rules.playout(start, seed)


def test_codes_distinguish_the_steps_of_a_turn() -> None:
    assert openspiel.OpenSpielGame("amazons")._by_string
    assert openspiel.OpenSpielGame("ultimate_tic_tac_toe")._by_string
    assert not openspiel.OpenSpielGame("clobber")._by_string
    assert not openspiel.OpenSpielGame("breakthrough")._by_string
    rules = openspiel.OpenSpielGame("amazons")
    start = rules.start()
    move = rules.moves(start)[0]
    assert rules.code(start, move) != rules.code(rules.play(start, move), move)


def test_unsupported_games() -> None:
    for text, message in [
        ("kuhn_poker", "kuhn_poker: imperfect information"),
        ("goofspiel", "goofspiel: players move simultaneously"),
        ("no_such_game", "openspiel:no_such_game: "),
        ("hex(board_size=x)", "openspiel:hex"),
    ]:
        with pytest.raises(permutree.PermutreeError, match=message) as error:
            openspiel.load(text)
        assert "\n" not in str(error.value)
    with pytest.raises(permutree.PermutreeError, match="imperfect information"):
        permutree.experiment({"game": "openspiel:kuhn_poker", "agents": ["random"]})


@pytest.mark.parametrize("text, native", [("hex(board_size=5)", True), ("hex(board_size=5)", False), ("clobber", True)])
def test_agents_are_bots(text: str, native: bool) -> None:
    """They beat OpenSpiel's random bot in OpenSpiel's own match loop, in both seats."""
    rules = pyspiel.load_game(text)
    wins = 0
    for number in range(6):
        seat = number % 2
        ours = openspiel.Bot(rules, "mcps", playouts=60, seed=number, native=native)
        theirs = pyspiel.make_uniform_random_bot(1 - seat, number)
        bots = [ours, theirs] if seat == 0 else [theirs, ours]
        returns = pyspiel.evaluate_bots(rules.new_initial_state(), bots, number)
        wins += returns[seat] > 0
    assert wins >= 5


def test_bots_start_from_any_state() -> None:
    rules = pyspiel.load_game("hex(board_size=5)")
    state = rules.new_initial_state()
    for action in (12, 3, 7, 8):
        state.apply_action(action)
    bot = openspiel.Bot(rules, "mcps", playouts=100)
    bot.restart_at(state)
    assert " ".join(bot._position.history) == "c3 d1 c2 d2"
    assert bot.step(state) in state.legal_actions()
    # The next state need not follow from the last one.
    other = rules.new_initial_state()
    other.apply_action(24)
    assert bot.step(other) in other.legal_actions() and " ".join(bot._position.history) == "e5"
    bot.restart()
    assert len(bot._position.history) == 0 and bot.report is not None

    def first(seed: int) -> Any:
        return openspiel.Bot(rules, "mcps", playouts=100, seed=seed).step(state)

    assert first(3) == first(3)


@pytest.mark.parametrize("native", [True, False])
def test_bots_reuse_their_trees(native: bool) -> None:
    rules = pyspiel.load_game("hex(board_size=5)")
    state = rules.new_initial_state()
    bot = openspiel.Bot(rules, "uct:reuse=true", playouts=3000, native=native)
    state.apply_action(bot.step(state))
    state.apply_action(state.legal_actions()[0])
    bot.step(state)
    assert bot.report.playouts == 3000 < sum(found.visits for found in bot.report.moves)


def test_bots_follow_chance() -> None:
    rules = pyspiel.load_game("pig(winscore=15)")
    bot = openspiel.Bot(rules, "uct", playouts=40)
    random_bot: Any = pyspiel.make_uniform_random_bot(1, 3)
    assert sum(pyspiel.evaluate_bots(rules.new_initial_state(), [bot, random_bot], 5)) == 0


def test_a_match_in_a_game_of_openspiel(tmp_path: Any) -> None:
    result = permutree.match("openspiel:clobber(rows=3,columns=4)", "mcps", "random", games=6, playouts=40, progress=False)
    assert result.agents[0].score >= 0.5
    table = permutree.experiment(
        {"game": "openspiel:clobber(rows=3,columns=4)", "agents": ["mcps", "random"], "games": 2, "playouts": 10}
    )
    assert table.run(tmp_path / "x.db", progress=False).is_complete
