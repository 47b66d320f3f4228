"""Agents and their searches."""

from __future__ import annotations

import sys
import warnings
from typing import Any, Iterable, Literal, Optional, Union

from . import _native
from ._game import Position
from ._report import Report, parse_report

Time = Union[float, str]
Clock = Literal["thread", "wall"]

_KEPT = 64 << 20
"""The largest search, in bytes, whose memory an agent keeps for the next search."""


def limits(
    playouts: Optional[int], time: Optional[Time], clock: Clock, game_time: Optional[Time] = None
) -> _native._Limits:
    """A budget in the form that the engine expects."""
    if clock not in ("thread", "wall"):
        raise _native.PermutreeError(f"clock={clock}: must be 'thread' or 'wall'")
    if playouts is not None:
        if isinstance(playouts, bool) or int(playouts) != playouts:
            raise _native.PermutreeError(f"playouts={playouts}: must be a whole number")
        playouts = int(playouts)
    return {"playouts": playouts, "time": time, "game_time": game_time, "wall": clock == "wall"}


def agent(spec: Union[str, Agent] = "best") -> Agent:
    """The agent with a spec such as ``"mcps:ref=100"``.

    `permutree.agents` lists the agents with their sources and parameters.

    >>> agent("mcps:playouts=500")
    permutree.agent('mcps:playouts=500')
    """
    if isinstance(spec, Agent):
        return spec
    inside = _native.agent(spec)
    for note in inside.notes:
        warnings.warn(f"{spec}: {note}", FutureWarning, stacklevel=_caller())
    return Agent(inside)


def _caller() -> int:
    """The stack level, for a warning in the calling function, of the first caller outside this package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, level = frame.f_back, level + 1
    return level


class Agent:
    """An agent, which can play any game. `permutree.agent` creates it."""

    __slots__ = ("_inside", "_idle")

    def __init__(self, inside: _native.Agent) -> None:
        self._inside = inside
        # At most one finished search. The next one takes over its memory, because getting new memory from the system takes
        # up to a fifth of the time of a short search.
        self._idle: list[Search] = []

    @property
    def spec(self) -> str:
        """The canonical spec, which identifies the agent in stored results."""
        return self._inside.spec

    @property
    def deterministic(self) -> bool:
        """Whether the same seed and number of playouts give the same moves. False for searches on several threads that
        share their playouts (``threads=2``), and for external engines."""
        return self._inside.deterministic

    def search(
        self,
        position: Position,
        playouts: Optional[int] = None,
        time: Optional[Time] = None,
        *,
        seed: int = 1,
        clock: Clock = "thread",
    ) -> Report:
        """Searches a position with a budget of playouts or time.

        `time` is in seconds, or a string such as ``"20ms"``; `clock` selects the CPU time of the searching thread or
        wall-clock time. The default is 10,000 playouts. The same seed and number of playouts give the same report on every
        machine if the agent is deterministic. Other Python threads run during the search, and Ctrl-C stops it.
        """
        if playouts is None and time is None:
            playouts = 10_000
        search = self._begin_again(position, seed) or self.begin(position, seed=seed)
        report = search.advance(playouts, time, clock=clock)
        if search._inside.forgets and report.memory <= _KEPT and not self._idle:
            self._idle.append(search)
        return report

    def _begin_again(self, position: Position, seed: int) -> Optional[Search]:
        """The idle search, restarted from this position, if there is one in the same game."""
        try:
            search = self._idle.pop()
        except IndexError:
            return None
        same = isinstance(position, Position) and position.game == search.position.game
        if not same or position.is_chance:
            return None
        search._restart(position, seed)
        return search

    def begin(self, position: Position, *, seed: int = 1) -> Search:
        """A search that can be continued, inspected, and moved on through a game."""
        if not isinstance(position, Position):
            raise TypeError(f"expected a permutree.Position, not {type(position).__name__}")
        if position.is_chance:
            outcomes = " ".join(position.moves())
            raise _native.PermutreeError(f"cannot search at a chance node; play one of its outcomes first: {outcomes}")
        return Search(self, position, seed)

    def __repr__(self) -> str:
        return f"permutree.agent({self.spec!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Agent) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return (agent, (self.spec,))


class Search:
    """A search that can be continued. `Agent.begin` creates it."""

    __slots__ = ("_agent", "_position", "_inside", "_seed")

    def __init__(self, agent: Agent, position: Position, seed: int) -> None:
        self._agent = agent
        self._position = position
        self._seed = seed
        self._inside = position._inside.session(agent._inside, seed)

    @property
    def agent(self) -> Agent:
        """The agent."""
        return self._agent

    @property
    def position(self) -> Position:
        """The position being searched."""
        return self._position

    def advance(
        self, playouts: Optional[int] = None, time: Optional[Time] = None, *, clock: Clock = "thread"
    ) -> Report:
        """Continues the search with a further budget of playouts or time. A budget in the agent's spec takes precedence."""
        self._inside.advance(limits(playouts, time, clock))
        return self.report()

    def report(self) -> Report:
        """The report of the search so far. It is also available after Ctrl-C."""
        return parse_report(self._agent.spec, *self._inside.report())

    def play(self, moves: Union[str, Iterable[str]]) -> Position:
        """Moves the search on to the position after these moves, and returns that position.

        An agent with ``reuse=true`` keeps the playouts that went through them.
        """
        indices = []
        position = self._position
        for move in moves.split() if isinstance(moves, str) else moves:
            index = position._inside.find(move)
            indices.append(index)
            position = position._after(index)
        self._follow(indices, position)
        return position

    def _follow(self, indices: list[int], position: Position) -> None:
        """Moves the search on by legal moves, given as indices, to the position that they lead to."""
        self._seed += 1
        self._inside.follow(indices, self._seed)
        self._position = position

    def _restart(self, position: Position, seed: int) -> None:
        """Starts a new search in the same memory."""
        self._inside.restart(position._inside, seed)
        self._position, self._seed = position, seed

    def __repr__(self) -> str:
        return f"<Search by {self._agent.spec} at {self._position!r}>"
