"""Games written in Python, and errors in them."""

from __future__ import annotations

import gc
import importlib
import pickle
import threading
from pathlib import Path
from typing import Any

import pytest
from own_games import Board, Dice, Nim, TicTacToe

import permutree

AGENTS = ["best", "mcps", "grave", "rave", "uct", "uct:policy=mast", "uct:policy=nst", "flat", "ams-playouts"]
AGENTS += ["nmcs", "lnmcs", "nrpa", "vgs", "global", "gobble", "heuristic", "random", "sarsa-uct", "mcps:threads=2"]
AGENTS += ["mcps:threads=2,parallel=tree", "mcps:solver=true", "uct:transpositions=true", "uct:policy=heuristic"]


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_plays_them(agent: str) -> None:
    position = permutree.game(TicTacToe()).start()
    report = permutree.agent(agent).search(position, playouts=40)
    assert report.best in position.moves() and len(report.moves) == 9


def test_good_moves_are_found() -> None:
    # The player to move loses 1-2-3, and wins 3-4-5 only with 0-2.
    assert permutree.game(Nim()).start().search("mcps", playouts=1500).best == "0-2"
    win = permutree.game(TicTacToe()).position("a1 b1 a2 b2")
    assert win.search("best", playouts=100).best == "a3"


def test_python_rules_agree_with_the_built_in_ones() -> None:
    ours, theirs = permutree.game(TicTacToe()), permutree.game("tic-tac-toe")
    one, other = ours.start(), theirs.start()
    for seed in range(1, 40):
        assert sorted(one.moves()) == sorted(other.moves())
        assert (one.player, one.outcome, one.is_over) == (other.player, other.outcome, other.is_over)
        if one.is_over:
            one, other = ours.start(), theirs.start()
            continue
        other = other.play_random(seed)
        one = one.play(other.history[-1])
    assert ours.start().perft(4) == theirs.start().perft(4)


def test_results_do_not_depend_on_earlier_searches() -> None:
    game = permutree.game(Nim("4-4-4"))
    first = game.start().search("mcps", playouts=300)
    game.start().search("mcps", playouts=100, seed=9)
    again = permutree.game("py:own_games:Nim,heaps=4-4-4").start().search("mcps", playouts=300)
    assert [(m.move, m.visits, m.mean) for m in first.moves] == [(m.move, m.visits, m.mean) for m in again.moves]


def test_matches_do_not_depend_on_threads() -> None:
    def moves(threads: int) -> list[list[str]]:
        result = permutree.match(Nim, "mcps", "uct", playouts=60, games=6, threads=threads, progress=False)
        return [record.moves for record in result.records]

    assert moves(1) == moves(3)


def test_chance_and_one_player() -> None:
    game = permutree.game(Dice)
    found = game.random_games(400)
    assert 0.6 < found["rewards"][0] < 0.9
    shown = [game.start().play_random(seed).history[-1] for seed in range(400)]
    assert 150 < shown.count("6") < 250 and set(shown) == set("123456")
    assert game.position("6").search("mcps", playouts=300).best == "keep"
    assert game.position("1").search("mcps", playouts=300).best == "throw"


def test_experiments(tmp_path: Any) -> None:
    table = permutree.experiment(
        {"game": ["py:own_games:Nim,heaps=1-2", "nim:1-2"], "agents": ["mcps", "random"], "playouts": 50, "games": 10}
    )
    result = table.run(tmp_path / "x.db")
    assert result.is_complete and [cell.game for cell in result.cells] == ["py:own_games:Nim,heaps=1-2", "nim:1-2"]
    assert result.cells[0].agents[0].score >= 0.8
    assert permutree.game(Nim("1-2")).spec == "py:own_games:Nim,heaps=1-2"


def test_names_and_parameters() -> None:
    assert permutree.game("py:own_games:Nim").start().moves()[0] == "0-1"
    for spec, message in [
        ("py:own_games", "expected py:module:Class or py:module:Class,key=value"),
        ("py:no_such_module:X", "No module named 'no_such_module'"),
        ("py:own_games:Chess", "own_games has no Chess"),
        ("py:own_games:Board", "Board is not a subclass of permutree.Game"),
        ("py:own_games:Nim,size=3", "unexpected keyword argument 'size'"),
        ("py:own_games:Nim,3", "'3': must be key=value"),
        ("py:own_games:Nim,heaps=x-y", "ValueError: invalid literal"),
    ]:
        with pytest.raises(permutree.PermutreeError) as error:
            permutree.game(spec)
        assert message in str(error.value) and str(error.value).startswith(spec) and "\n" not in str(error.value)


def test_a_game_may_play_out_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "scripts"))
    rules: Any = importlib.import_module("breakthrough_in_python").WholePlayouts()
    for seed in range(30):
        rewards, steps = rules.playout(rules.start(), seed)
        state = rules.start()
        for player, move in steps:
            assert rules.turn(state) == player and rules.code(state, move) == move in rules.moves(state)
            state = rules.play(state, move)
        assert rules.turn(state) is None and rules.rewards(state) == rewards
    start = permutree.game(rules).start()
    first, again = (start.search("mcps", playouts=200, seed=3) for _ in range(2))
    assert [(m.move, m.visits) for m in first.moves] == [(m.move, m.visits) for m in again.moves]
    assert sum(m.amaf.count for m in first.moves if m.amaf) > 200
    monkeypatch.setattr(type(rules), "playout", lambda self, state, seed: [1, 0])
    with pytest.raises(permutree.GameError, match=r"WholePlayouts.playout: returned \[1, 0\]; it must be \(rewards, "):
        permutree.game(rules).start().search("mcps", playouts=9)


def test_states_are_kept_and_let_go() -> None:
    class Counted(Nim):
        """Nim that counts its calls, with states that can be counted."""

        class State(tuple):  # type: ignore[type-arg]
            alive = 0

            def __init__(self, *_: Any) -> None:
                Counted.State.alive += 1

            def __del__(self) -> None:
                Counted.State.alive -= 1

        calls = 0

        def start(self) -> Any:
            return self.State(super().start())

        def play(self, state: Any, move: Any) -> Any:
            self.calls += 1
            return self.State(super().play(state, move))

    rules = Counted("30-30")
    game = permutree.game(rules)
    first = game.start().search("uct", playouts=300)
    calls, rules.calls = rules.calls, 0
    again = game.start().search("uct", playouts=300)
    assert [(m.move, m.visits) for m in first.moves] == [(m.move, m.visits) for m in again.moves]
    # The second search finds the states of the first.
    assert rules.calls < calls
    game.start().search("uct", playouts=20_000)
    assert 300 < Counted.State.alive < 10_000
    del game, first, again
    gc.collect()
    assert Counted.State.alive < 10


def test_positions_can_be_pickled() -> None:
    position = permutree.game(Nim("2-2")).position("0-1")
    assert pickle.loads(pickle.dumps(position)) == position
    assert position._repr_svg_().startswith("<svg") and "(1, 2)" in str(position)


class Broken(Nim):
    """Nim with one error, in states where the second heap is empty."""

    method = "none"
    mistake: Any = None

    def at(self, method: str, state: Any, right: Any) -> Any:
        if method != self.method or state[0][1] != 0:
            return right
        if isinstance(self.mistake, type):
            raise self.mistake("on purpose")
        return right + right if self.mistake == "twice" else self.mistake

    def turn(self, state: Any) -> Any:
        return self.at("turn", state, super().turn(state))

    def moves(self, state: Any) -> Any:
        return self.at("moves", state, super().moves(state))

    def play(self, state: Any, move: Any) -> Any:
        return state if self.mistake == "same" else self.at("play", state, super().play(state, move))

    def rewards(self, state: Any) -> Any:
        return self.at("rewards", state, super().rewards(state))

    def key(self, state: Any) -> Any:
        return self.at("key", state, state)

    def code(self, state: Any, move: Any) -> Any:
        return self.at("code", state, move)


MISTAKES = [
    ("turn", ZeroDivisionError, "Broken.turn: ZeroDivisionError: on purpose"),
    ("turn", 2, "Broken.turn: returned 2; it must be a player 0..1, permutree.CHANCE, or None"),
    ("turn", "x", "Broken.turn: returned 'x'"),
    ("moves", KeyError, "Broken.moves: KeyError: 'on purpose'"),
    ("moves", [], "Broken.moves: returned no moves, but the game is not over"),
    ("moves", None, "Broken.moves: returned None; it must be a list of moves"),
    ("moves", 5, "Broken.moves: TypeError: 'int' object is not iterable"),
    ("moves", "twice", "Broken.moves: lists ("),
    ("moves", [(0, 1)], "Broken.play: the game has not ended after 100000 moves"),
    ("play", ValueError, "Broken.play: ValueError: on purpose"),
    ("play", None, "Broken.play: returned None; it must return a new state"),
    ("play", "same", "Broken.play: returned the state that it was given; it must return a new state"),
    ("rewards", [1.5, 0], "Broken.rewards: returned [1.5, 0]; it must be 2 numbers 0..1, one for each player"),
    ("rewards", [1], "Broken.rewards: returned [1]; it must be 2 numbers 0..1"),
    ("rewards", [float("nan"), 0], "Broken.rewards: returned [nan, 0]"),
    ("rewards", None, "Broken.rewards: returned None"),
    ("key", OSError, "Broken.key: OSError: on purpose"),
    ("code", RuntimeError, "Broken.code: RuntimeError: on purpose"),
]


@pytest.mark.parametrize("method, mistake, message", MISTAKES)
@pytest.mark.parametrize("agent", ["mcps", "uct:transpositions=true", "mcps:threads=2", "heuristic"])
def test_errors_in_a_game_are_raised(
    method: str, mistake: Any, message: str, agent: str, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.setattr(Broken, "method", method)
    monkeypatch.setattr(Broken, "mistake", mistake)
    game = permutree.game(Broken("2-1-2"))
    try:
        permutree.agent(agent).search(game.start(), playouts=300)
    except permutree.GameError as error:
        assert str(error).startswith(message), error
        assert "; the position is ((" in str(error) and "\n" not in str(error)
        if method == "rewards":
            assert "; the position is ((0, 0, 0), " in str(error)
        assert isinstance(mistake, type) == (isinstance(error.__cause__, Exception) and mistake is type(error.__cause__))
    else:
        assert (method, agent) in [("code", "heuristic"), ("code", "uct:transpositions=true"), *FEW], "no exception"
    # Nothing is printed, and the game can be used again.
    assert capfd.readouterr().err == ""
    monkeypatch.setattr(Broken, "mistake", None)
    monkeypatch.setattr(Broken, "method", "none")
    assert game.start().search("mcps", playouts=100).playouts > 0


# An agent without a search sees only a move or two ahead, and has no nodes.
FEW = [(method, "heuristic") for method in ("turn", "moves", "play", "rewards", "key")] + [("key", "mcps:threads=2")]


def test_errors_in_a_game_end_matches_and_experiments(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capfd: Any) -> None:
    monkeypatch.setattr(Broken, "method", "rewards")
    monkeypatch.setattr(Broken, "mistake", [2, 2])
    with pytest.raises(permutree.GameError, match=r"Broken.rewards: returned \[2, 2\]"):
        permutree.match(Broken, "mcps", "random", games=1000, playouts=50, threads=2, progress=False)
    table = permutree.experiment(
        {"game": "py:test_own_games:Broken", "agents": ["random", "random"], "games": 1000}
    )
    with pytest.raises(permutree.GameError, match="Broken.rewards"):
        table.run(tmp_path / "x.db", progress=False)
    kept = table.result(tmp_path / "x.db")
    assert kept.cells[0].games < 1000
    assert capfd.readouterr().err == ""


def test_errors_at_the_start_are_found_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoStart(Nim):
        def start(self) -> Any:
            return None

    class ManyPlayers(Nim):
        players = 9

    class WrongCode(TicTacToe):
        def code(self, state: Board, move: int) -> Any:
            return move + 5

    with pytest.raises(permutree.GameError, match="NoStart.start: returned None, not a state"):
        permutree.game(NoStart)
    with pytest.raises(permutree.GameError, match="ManyPlayers.players: must be a whole number 1..8"):
        permutree.game(ManyPlayers)
    with pytest.raises(permutree.GameError, match="WrongCode.code: the code 9 must be a whole number 0..8, because codes = 9"):
        permutree.game(WrongCode).start().search("mcps", playouts=50)
    class NoValues(Nim):
        def moves(self, state: Any) -> Any:
            return [object()]

    with pytest.raises(permutree.GameError, match="NoValues.moves: TypeError: object cannot be hashed by its value"):
        permutree.game(NoValues).start().moves()
    monkeypatch.setattr(Broken, "moves", NoValues.moves)
    with pytest.raises(permutree.GameError, match="Broken.moves: TypeError: object cannot be hashed by its value"):
        permutree.experiment({"game": "py:test_own_games:Broken", "agents": ["mcps", "uct"], "playouts": 9})
    with pytest.raises(TypeError, match="abstract"):
        permutree.game(permutree.Game)


def test_a_search_cannot_continue_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    game = permutree.game(Broken("2-1-2"))
    search = permutree.agent("mcps").begin(game.start())
    search.advance(5)
    monkeypatch.setattr(Broken, "method", "moves")
    monkeypatch.setattr(Broken, "mistake", ZeroDivisionError)
    with pytest.raises(permutree.GameError):
        search.advance(500)
    with pytest.raises(permutree.PermutreeError, match="an error in its game has ended it"):
        search.report()


def test_ctrl_c_in_a_game_is_not_a_game_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Broken, "method", "moves")
    monkeypatch.setattr(Broken, "mistake", KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        permutree.game(Broken("2-1-2")).start().search("uct", playouts=500)


def test_several_python_threads() -> None:
    game = permutree.game(Nim())
    expected = [found.visits for found in game.start().search("mcps", playouts=200).moves]
    found: list[list[int]] = []

    def search() -> None:
        found.append([move.visits for move in game.start().search("mcps", playouts=200).moves])

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
