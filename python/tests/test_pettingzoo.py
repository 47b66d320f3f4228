"""PettingZoo environments."""

from __future__ import annotations

import numpy
import pytest
from own_games import TicTacToe

import permutree
from permutree import _registry

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402

from permutree.pettingzoo import GameEnv, env  # noqa: E402


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("spec", [game["name"] for game in _registry.games()])
def test_every_game_passes_the_api_test(spec: str) -> None:
    api_test(env(spec), num_cycles=60, verbose_progress=False)


def test_seeds_and_pictures() -> None:
    seed_test(lambda: env("pig:20"), num_cycles=40)
    made = env("hex:4", render_mode="ansi")
    made.reset(seed=1)
    assert "a b c d" in made.render()


def test_a_game_of_your_own() -> None:
    made = GameEnv(TicTacToe())
    made.reset(seed=0)
    for action in (0, 9 + 4, 1, 9 + 5, 2):
        seen = made.observe(made.agent_selection)
        assert seen["action_mask"][action] == 1 and seen["action_mask"].sum() == len(made.position.moves())
        assert seen["observation"].dtype == numpy.uint8
        made.step(action)
    assert made.terminations == {"player_0": True, "player_1": True}
    assert made.rewards == {"player_0": 1.0, "player_1": 0.0} and made.position.outcome == (1.0, 0.0)


def test_illegal_actions() -> None:
    bare = GameEnv("tic-tac-toe")
    bare.reset()
    with pytest.raises(permutree.PermutreeError, match="17 is not a legal action of player_0"):
        bare.step(17)
    wrapped = env("tic-tac-toe")
    wrapped.reset()
    wrapped.step(17)
    assert wrapped.terminations["player_0"] and wrapped.rewards["player_0"] == -1
    with pytest.raises(permutree.PermutreeError, match="render_mode=x"):
        GameEnv("nim", render_mode="x")
