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
"""What `Game.turn` returns when chance is to move: a die, a deck."""


class Game(ABC, Generic[State, Move]):
    """The rules of a game of your own: five methods, and the number of players.

    A state is any value; `play` returns a new one and leaves the old one as it is. A move is a value such as a number, a
    text or a tuple. Every agent, match and experiment takes the game, as `permutree.game(MyGame())` or by the name
    `py:module:MyGame`. A mistake in a method is raised as `permutree.GameError`, which names the method and the state.

    >>> class Countdown(Game[int, int]):
    ...     "Players take one or two in turn; who takes the last one wins. The state is what is left, and who is to move."
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
    """How many players there are, 1 to 8."""

    codes: Optional[int] = None
    """How many codes each player's moves have, if `code` gives numbers below that. It makes a search a little faster."""

    @abstractmethod
    def start(self) -> State:
        """The state before the first move."""

    @abstractmethod
    def turn(self, state: State) -> Optional[int]:
        """Who is to move: a player from 0, `permutree.CHANCE`, or None when the game is over."""

    @abstractmethod
    def moves(self, state: State) -> Iterable[Move]:
        """The legal moves, or the outcomes of chance. Asked only when the game is not over."""

    @abstractmethod
    def play(self, state: State, move: Move) -> State:
        """A new state, after the move."""

    @abstractmethod
    def rewards(self, state: State) -> Sequence[float]:
        """What each player gets, 0 to 1. Asked only when the game is over."""

    def chance(self, state: State, outcome: Move) -> float:
        """The probability of an outcome of chance. All are equal unless the game says otherwise."""
        return 1.0 / len(list(self.moves(state)))

    def key(self, state: State) -> Any:
        """What decides the future of a state, as numbers, texts, tuples and the like: states with equal keys are one."""
        return state

    def code(self, state: State, move: Move) -> Any:
        """What statistics of a move are kept by, beside its player: moves with equal codes are thought to be alike."""
        return move

    def move_text(self, state: State, move: Move) -> str:
        """The move as people write it, unique among the legal moves."""
        return "-".join(map(str, move)) if isinstance(move, (tuple, list)) else str(move)

    def board(self, state: State) -> str:
        """The state as text."""
        return f"{state}\n"

    def picture(self, state: State) -> str:
        """The state as an SVG document. The board as text, unless the game draws it."""
        raise NotImplementedError

    def evaluate(self, state: State) -> Sequence[float]:
        """A guess of the rewards of a state that is not over, for agents that want one (`ams`)."""
        raise NotImplementedError

    def playout(self, state: State, seed: int) -> tuple[Sequence[float], list[tuple[int, Any]]]:
        """Plays to the end at random: the rewards, and the player and the code of every move that a player made.

        Made of `moves` and `play` unless the game has a faster way. The same seed must give the same game.
        """
        raise NotImplementedError

    @property
    def spec(self) -> str:
        """The name that identifies the game in stored results, with which `permutree.game` can make it again."""
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
    """The game that `module:Class` or `module:Class,key=value` names, and its spec."""
    named, *given = text.split(",")
    module, _, name = named.partition(":")
    if not module or not name:
        raise PermutreeError("a game in Python is py:module:Class, or py:module:Class,key=value")
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise PermutreeError(f"{error}; is its folder in sys.path?") from error
    for part in name.split("."):
        if not hasattr(found, part):
            raise PermutreeError(f"{getattr(found, '__name__', named)} has no {part}")
        found = getattr(found, part)
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise PermutreeError(f"{name} is no subclass of permutree.Game")
    arguments = {}
    for item in given:
        key, equals, value = item.partition("=")
        if not equals:
            raise PermutreeError(f"'{item}' is not key=value")
        arguments[key.strip()] = _value(value.strip())
    try:
        game = found(**arguments)
    except TypeError as error:
        raise PermutreeError(str(error)) from error
    return game, game.spec


def _value(text: str) -> Any:
    """A number, True, False, None, or the text itself."""
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
