"""Agents and their searches."""

from __future__ import annotations

from typing import Any, Iterable, Literal, Optional, Union

from . import _native
from ._game import Position
from ._report import Report, report_of

Time = Union[float, str]
Clock = Literal["thread", "wall"]

_KEPT = 64 << 20
"""An agent keeps a search of up to so many bytes for the next one."""


def limits(
    playouts: Optional[int], time: Optional[Time], clock: Clock, game_time: Optional[Time] = None
) -> _native._Limits:
    """A budget as the engine takes it."""
    if clock not in ("thread", "wall"):
        raise _native.PermutreeError(f"clock={clock}: must be 'thread' or 'wall'")
    if playouts is not None:
        if isinstance(playouts, bool) or int(playouts) != playouts:
            raise _native.PermutreeError(f"playouts={playouts}: must be a whole number")
        playouts = int(playouts)
    return {"playouts": playouts, "time": time, "game_time": game_time, "wall": clock == "wall"}


def agent(spec: Union[str, Agent] = "best") -> Agent:
    """The agent that a spec such as ``"mcps:ref=100"`` names.

    `permutree.agents` lists the agents, each with its source and parameters.

    >>> agent("mcps:playouts=500")
    permutree.agent('mcps:playouts=500')
    """
    return spec if isinstance(spec, Agent) else Agent(_native.agent(spec))


class Agent:
    """An agent that can play any game. `permutree.agent` makes it."""

    __slots__ = ("_inside", "_idle")

    def __init__(self, inside: _native.Agent) -> None:
        self._inside = inside
        # At most one search that has ended. The next one takes over its memory: to get new memory from the system takes as
        # long as a fifth of a short search.
        self._idle: list[Search] = []

    @property
    def spec(self) -> str:
        """The canonical spec, which identifies the agent in stored results."""
        return self._inside.spec

    def search(
        self,
        position: Position,
        playouts: Optional[int] = None,
        time: Optional[Time] = None,
        *,
        seed: int = 1,
        clock: Clock = "thread",
    ) -> Report:
        """Searches a position, for so many playouts or so much time: seconds, or a text such as ``"20ms"``.

        The same seed and number of playouts give the same report, on every machine. Without a limit it is 10,000 playouts.
        Other threads of Python run meanwhile, and Ctrl-C ends it. `clock` says whether time is the CPU time of the
        searching thread or that of the clock on the wall.
        """
        if playouts is None and time is None:
            playouts = 10_000
        search = self._begin_again(position, seed) or self.begin(position, seed=seed)
        report = search.advance(playouts, time, clock=clock)
        if search._inside.forgets and report.memory <= _KEPT and not self._idle:
            self._idle.append(search)
        return report

    def _begin_again(self, position: Position, seed: int) -> Optional[Search]:
        """The idle search, at this position, if it is one of the same game."""
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
        """A search that can be advanced, looked at, and told how the game went on."""
        if not isinstance(position, Position):
            raise TypeError(f"a search begins at a permutree.Position, not at {type(position).__name__}")
        if position.is_chance:
            outcomes = " ".join(position.moves())
            raise _native.PermutreeError(f"it is chance's turn; a search begins after one of: {outcomes}")
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
    """A search under way. `Agent.begin` makes it."""

    __slots__ = ("_agent", "_position", "_inside", "_seed")

    def __init__(self, agent: Agent, position: Position, seed: int) -> None:
        self._agent = agent
        self._position = position
        self._seed = seed
        self._inside = position._inside.session(agent._inside, seed)

    @property
    def agent(self) -> Agent:
        """Who searches."""
        return self._agent

    @property
    def position(self) -> Position:
        """What is searched."""
        return self._position

    def advance(
        self, playouts: Optional[int] = None, time: Optional[Time] = None, *, clock: Clock = "thread"
    ) -> Report:
        """Goes on searching, for so many more playouts or so much more time. An agent with a budget in its spec uses that."""
        self._inside.advance(limits(playouts, time, clock))
        return self.report()

    def report(self) -> Report:
        """What was found so far. Also after Ctrl-C."""
        return report_of(self._agent.spec, self._inside.report())

    def play(self, moves: Union[str, Iterable[str]]) -> Position:
        """The game went on by these moves. An agent with ``reuse=true`` keeps what it knows of the position after them."""
        indices = []
        position = self._position
        for move in moves.split() if isinstance(moves, str) else moves:
            index = position._inside.find(move)
            indices.append(index)
            position = position._after(index)
        self._follow(indices, position)
        return position

    def _follow(self, indices: list[int], position: Position) -> None:
        """The game went on by the legal moves at these places of their lists, to this position."""
        self._seed += 1
        self._inside.follow(indices, self._seed)
        self._position = position

    def _restart(self, position: Position, seed: int) -> None:
        """As if it were new."""
        self._inside.restart(position._inside, seed)
        self._position, self._seed = position, seed

    def __repr__(self) -> str:
        return f"<Search of {self._agent.spec} at {self._position!r}>"
