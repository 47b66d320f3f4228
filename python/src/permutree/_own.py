"""Games written in Python."""

from __future__ import annotations

import importlib
import inspect
from abc import ABC, abstractmethod
from typing import Any, Generic, Hashable, Iterable, Optional, Sequence, TypeVar

from ._native import PermutreeError

State = TypeVar("State")
Move = TypeVar("Move", bound=Hashable)

CHANCE = -1
"""What `Game.turn` returns at a chance node, such as the roll of a die."""


class Game(ABC, Generic[State, Move]):
    """The base class for games written in Python. A game needs five methods and the number of players.

    A state can be any value; `play` must return a new one and leave the old one unchanged. A move is a hashable value such
    as a number, a string or a tuple. All agents, matches and experiments accept the game, as `permutree.game(MyGame())` or
    by the name `py:module:MyGame`. An error in a method raises `permutree.GameError`, which names the method and the state.

    >>> class Countdown(Game[int, int]):
    ...     "Players take one or two in turn; whoever takes the last one wins. The state is what is left and who is to move."
    ...     def start(self): return (10, 0)
    ...     def turn(self, state): return None if state[0] == 0 else state[1]
    ...     def moves(self, state): return [n for n in (1, 2) if n <= state[0]]
    ...     def play(self, state, move): return (state[0] - move, 1 - state[1])
    ...     def rewards(self, state): return [state[1], 1 - state[1]]
    >>> import permutree
    >>> permutree.agent("mcps").search(permutree.game(Countdown()).start(), playouts=500).best
    '1'
    """

    players: int = 2
    """The number of players, 1 to 8."""

    codes: Optional[int] = None
    """The number of codes per player, if `code` returns whole numbers below it. Searches are then a little faster."""

    @abstractmethod
    def start(self) -> State:
        """The state before the first move."""

    @abstractmethod
    def turn(self, state: State) -> Optional[int]:
        """The player to move, counted from 0; `permutree.CHANCE` at a chance node; None when the game is over."""

    @abstractmethod
    def moves(self, state: State) -> Iterable[Move]:
        """The legal moves, or the outcomes at a chance node. Not called when the game is over."""

    @abstractmethod
    def play(self, state: State, move: Move) -> State:
        """The state after a move, as a new value."""

    @abstractmethod
    def rewards(self, state: State) -> Sequence[float]:
        """The reward of each player, 0 to 1. Called only when the game is over."""

    def chance(self, state: State, outcome: Move) -> float:
        """The probability of an outcome at a chance node. By default all outcomes are equally likely."""
        return 1.0 / len(list(self.moves(state)))

    def key(self, state: State) -> Any:
        """Everything that determines the rest of the game, as numbers, strings, tuples and the like.

        States with equal keys are treated as the same state.
        """
        return state

    def code(self, state: State, move: Move) -> Any:
        """The key of a move's statistics: moves of a player with equal codes share them."""
        return move

    def move_text(self, state: State, move: Move) -> str:
        """The notation of a move, which must be unique among the legal moves."""
        return "-".join(map(str, move)) if isinstance(move, (tuple, list)) else str(move)

    def board(self, state: State) -> str:
        """The state as text."""
        return f"{state}\n"

    def picture(self, state: State) -> str:
        """The state as an SVG document. The default shows the text of `board`."""
        raise NotImplementedError

    def evaluate(self, state: State) -> Sequence[float]:
        """An estimate of the rewards in a state that is not over, for agents that need one (`ams`)."""
        raise NotImplementedError

    def playout(self, state: State, seed: int) -> tuple[Sequence[float], list[tuple[int, Any]]]:
        """Plays a random game to its end. Returns the rewards and, for every player's move, the player and the code.

        Override it only for speed: the default uses `moves` and `play`. The same seed must give the same game.
        """
        raise NotImplementedError

    @property
    def spec(self) -> str:
        """The spec, which identifies the game in stored results and from which `permutree.game` can create it again."""
        kind = type(self)
        given = ",".join(f"{name}={value}" for name, value in self._given.items())
        return f"py:{kind.__module__}:{kind.__qualname__}" + (f",{given}" if given else "")

    _given: dict[str, Any] = {}

    def __new__(cls, *args: Any, **kwargs: Any) -> Game[State, Move]:
        made = super().__new__(cls)
        if args or kwargs:
            bound = inspect.signature(cls.__init__).bind(made, *args, **kwargs).arguments
            made._given = dict(list(bound.items())[1:])
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return (_made, (type(self), self._given))


def _made(kind: type[Game[Any, Any]], given: dict[str, Any]) -> Game[Any, Any]:
    return kind(**given)


def load(text: str) -> tuple[Game[Any, Any], str]:
    """The game with the name `module:Class` or `module:Class,key=value`, and its spec."""
    named, *given = text.split(",")
    module, _, name = named.partition(":")
    if not module or not name:
        raise PermutreeError("expected py:module:Class or py:module:Class,key=value")
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise PermutreeError(f"{error}; is its directory in sys.path?") from error
    for part in name.split("."):
        if not hasattr(found, part):
            raise PermutreeError(f"{getattr(found, '__name__', named)} has no {part}")
        found = getattr(found, part)
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise PermutreeError(f"{name} is not a subclass of permutree.Game")
    arguments = {}
    for item in given:
        key, equals, value = item.partition("=")
        if not equals:
            raise PermutreeError(f"'{item}': must be key=value")
        arguments[key.strip()] = _value(value.strip())
    try:
        game = found(**arguments)
    except TypeError as error:
        raise PermutreeError(str(error)) from error
    return game, game.spec


def _value(text: str) -> Any:
    """The value that a text stands for: a number, True, False, None, or the text itself."""
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
