"""Games, positions and their documentation."""

from __future__ import annotations

import inspect
import pickle
from typing import Callable

import pytest

import permutree
from permutree import _registry


def test_a_game_from_start_to_end() -> None:
    game = permutree.game("tic-tac-toe")
    assert (game.spec, game.players) == ("tic-tac-toe", 2)
    position = game.start()
    assert len(position.moves()) == 9 and position.player == 0 and position.outcome is None
    later = position.play("a1")
    assert position.moves() != later.moves() and later.player == 1
    end = later.play_all("b2 a2 c3 a3")
    assert end.is_over and end.outcome == (1.0, 0.0) and end.moves() == [] and end.player is None
    assert end.history == ("a1", "b2", "a2", "c3", "a3")
    assert "x" in str(end) and end._repr_svg_().startswith("<svg")
    assert repr(end) == "permutree.game('tic-tac-toe').position('a1 b2 a2 c3 a3')"


def test_positions_compare_by_value() -> None:
    game = permutree.game("tic-tac-toe")
    one, other = game.position("a1 b2 c3"), game.position(["c3", "b2", "a1"])
    assert one == other and hash(one) == hash(other) and one != game.start()
    assert one != permutree.game("tic-tac-mo").start()
    copy = pickle.loads(pickle.dumps(one))
    assert copy == one and copy.history == one.history
    assert pickle.loads(pickle.dumps(permutree.agent("mcps:100"))) == permutree.agent("mcps:ref=100")


def test_chance_nodes() -> None:
    position = permutree.game("pig").start()
    while not position.is_chance:
        position = position.play_random(seed=1)
    assert position.player is None and len(position.moves()) == 6
    with pytest.raises(permutree.PermutreeError, match="cannot search at a chance node; play one of its outcomes first: 1 2 3"):
        permutree.agent("mcps").search(position)
    assert position.play_random(seed=3) == position.play_random(seed=3)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: permutree.game("hx:7"), "unknown game 'hx'; did you mean 'hex'"),
        (lambda: permutree.game("hex:99"), "hex: size=99: must be a whole number 3..19"),
        (lambda: permutree.agent("mpcs"), "unknown agent 'mpcs'; did you mean 'mcps'"),
        (lambda: permutree.game("hex:5").start().play("z9"), "illegal move 'z9'; legal moves: a1"),
        (lambda: permutree.game("hex:5").codes("x"), "hex:5 has no coding 'x'; codings: exact"),
        (lambda: permutree.game("hex:5").start().search(playouts=0), "playouts=0: must be a whole number"),
    ],
)
def test_error_messages_have_one_line(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(permutree.PermutreeError) as error:
        make()
    text = str(error.value)
    assert message in text and "\n" not in text


def test_wrong_types() -> None:
    with pytest.raises(TypeError, match="expected a move such as 'c3', not int"):
        permutree.game("hex:5").start().play(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a spec such as 'hex:7' or a permutree.Game, not int"):
        permutree.game(7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a permutree.Position, not LoadedGame"):
        permutree.agent("uct").search(permutree.game("hex:5"))  # type: ignore[arg-type]


def test_every_game_is_a_function_with_its_documentation() -> None:
    for game in _registry.games():
        function = getattr(permutree.games, _registry.function_name(game["name"]))
        assert function.__doc__.startswith(game["title"])
        assert all(f"{_registry.function_name(param['key'])}:" in function.__doc__ for param in game["params"])
        assert len(inspect.signature(function).parameters) == len(game["params"])
        assert function().spec == permutree.game(game["name"]).spec
    assert permutree.games.hex(9, swap=True).spec == "hex:9,swap=true"
    assert permutree.agents.uct(c=0.2, policy="mast").spec == "uct:c=0.2,policy=mast"
    for agent in _registry.agents():
        assert callable(getattr(permutree.agents, _registry.function_name(agent["name"])))
    assert permutree.agents.external(cmd="x --y").spec == "external:cmd=x --y"


def test_documented_ranges_match_the_error_messages() -> None:
    wrong = {"int": "x", "real": "x", "flag": "maybe", "choice": "no-such-word"}
    checked = set()
    for listing in [*_registry.games(), *_registry.agents()]:
        make: Callable[[str], object] = permutree.game if "rules" in listing else permutree.agent
        for param in listing["params"]:
            if param["kind"] in wrong:
                text = f"{param['key']}={wrong[param['kind']]}"
                with pytest.raises(permutree.PermutreeError) as error:
                    make(f"{listing['name']}:{text}")
                assert str(error.value).endswith(f"{text}: must be {_registry.values(param)}")
                checked.add(param["kind"])
    assert checked == set(wrong)


@pytest.mark.parametrize("what", ["games", "agents"])
def test_stubs_are_up_to_date(what: str) -> None:
    """If this fails, run `python -m permutree._registry`."""
    path = inspect.getsourcefile(_registry)
    assert path is not None
    with open(path.replace("_registry.py", f"{what}.pyi"), encoding="utf-8") as file:
        assert file.read() == _registry.stub(what)


def test_codes_and_random_games() -> None:
    game = permutree.game("tic-tac-toe")
    codes = game.start().codes()
    assert sorted(codes) == sorted(set(codes)) and max(codes) < game.codes()
    found = game.random_games(200, seed=2)
    assert 7 < found["plies"] < 9 and abs(sum(found["rewards"]) - 1) < 1e-9
    assert game.presence(100)["moves"] == 9
    assert game.start().perft(3) == [9, 72, 504]
