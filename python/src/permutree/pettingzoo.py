"""Every game as a PettingZoo environment, for training agents.

>>> from permutree.pettingzoo import env
>>> hex = env("hex:5")
>>> hex.reset(seed=1)
>>> observation, reward, termination, truncation, info = hex.last()
>>> int(observation["action_mask"].sum())
25

Requires the packages ``pettingzoo``, ``gymnasium`` and ``numpy``.
"""

from __future__ import annotations

from typing import Any, Optional

import gymnasium
import numpy
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from . import _native
from ._game import Playable, Position, game as make_game

__all__ = ["GameEnv", "env"]


def env(game: Playable, render_mode: Optional[str] = None) -> Any:
    """The environment of a game, in PettingZoo's usual wrappers: an illegal action loses the game."""
    made: Any = GameEnv(game, render_mode)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


class GameEnv(AECEnv):  # type: ignore[misc]
    """A game as an AEC environment.

    The agents are ``player_0``, ``player_1`` and so on. An action is the code of a move, so it means the same in every
    position; ``action_mask`` is 1 for legal actions. The observation is the text of the board, one character per cell of the
    array. Chance outcomes are drawn automatically. At the end each agent gets its reward, 0 to 1.
    """

    def __init__(self, game: Playable, render_mode: Optional[str] = None) -> None:
        super().__init__()
        self._game = make_game(game)
        if render_mode not in (None, "ansi", "human"):
            raise _native.PermutreeError(f"render_mode={render_mode}: must be 'ansi' or 'human'")
        self.render_mode = render_mode
        self.metadata = {
            "name": f"permutree_{self._game.spec}",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        # Of several codings, the exact one distinguishes all moves.
        self._coding = "exact" if "exact" in self._game.codings else self._game.codings[0]
        actions = self._game.codes(self._coding)
        self._shape = self._board_shape()
        self.possible_agents = [f"player_{player}" for player in range(self._game.players)]
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents}
        seen = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(0, 255, self._shape, numpy.uint8),
                "action_mask": gymnasium.spaces.Box(0, 1, (actions,), numpy.int8),
            }
        )
        self.observation_spaces = {agent: seen for agent in self.possible_agents}
        self._seed = 0
        self._position: Position = self._game.start()

    @property
    def position(self) -> Position:
        """The current position."""
        return self._position

    def _board_shape(self) -> tuple[int, int]:
        """The number of lines and columns of the text of a board, with room for boards that grow."""
        lines = width = 0
        for seed in range(3):
            position = self._game.start()
            for ply in range(200):
                board = str(position).splitlines()
                lines, width = max(lines, len(board)), max([width, *map(len, board)])
                if position.is_over:
                    break
                position = position.play_random(seed * 1000 + ply)
        return lines + 2, width + 8

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Starts a new game. The seed determines the chance outcomes."""
        self._seed = int(numpy.random.default_rng(seed).integers(1 << 62))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._position = self._after_chance(self._game.start())
        self.agent_selection = self.agents[self._position.player or 0]

    def _after_chance(self, position: Position) -> Position:
        while position.is_chance:
            self._seed += 1
            position = position.play_random(self._seed)
        return position

    def _actions(self) -> dict[int, int]:
        """The legal actions, each with the index of its move."""
        codes = self._position.codes(self._coding)
        actions = {code: place for place, code in enumerate(codes)}
        if len(actions) < len(codes):
            raise _native.PermutreeError(f"{self._game.spec}: several legal moves have the same code, so codes cannot be actions")
        return actions

    def observe(self, agent: str) -> dict[str, Any]:
        """The text of the board as an array, and the mask of the agent's legal actions."""
        board = numpy.full(self._shape, ord(" "), numpy.uint8)
        for row, line in enumerate(str(self._position).splitlines()[: self._shape[0]]):
            letters = [min(ord(letter), 255) for letter in line[: self._shape[1]]]
            board[row, : len(letters)] = letters
        mask = numpy.zeros(self._game.codes(self._coding), numpy.int8)
        player = self._position.player
        if player is not None and agent == self.possible_agents[player]:
            mask[list(self._actions())] = 1
        return {"observation": board, "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        """Plays an action of the agent to move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        place = self._actions().get(int(action)) if action is not None else None
        if place is None:
            raise _native.PermutreeError(f"{action} is not a legal action of {agent}; action_mask is 1 for legal actions")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._position = self._after_chance(self._position._after(place))
        outcome = self._position.outcome
        if outcome is not None:
            self.rewards = {name: float(outcome[self.possible_agents.index(name)]) for name in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self._position.player or 0]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Optional[str]:
        """The text of the board. With the mode ``human``, it is printed instead."""
        if self.render_mode == "human":
            print(self._position)
            return None
        return str(self._position)

    def close(self) -> None:
        """Does nothing: the environment has no resources."""
