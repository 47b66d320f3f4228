"""Games and positions."""

from __future__ import annotations

import random as _random
from typing import TYPE_CHECKING, Any, Iterable, Optional, Union

from . import _native
from ._own import Game

if TYPE_CHECKING:
    from ._report import Report

Playable = Union[str, "LoadedGame", Game[Any, Any], type[Game[Any, Any]]]


def game(spec: Playable) -> LoadedGame:
    """The game with a spec such as ``"hex:7,opening=b2"``, or a game of your own.

    `permutree.games` lists the built-in games with their rules and parameters. Pass your own game as an object, as a class,
    or by name as ``"py:module:Class"``.

    >>> game("hex:size=7")
    permutree.game('hex:7')
    """
    if isinstance(spec, LoadedGame):
        return spec
    if isinstance(spec, type) and issubclass(spec, Game):
        spec = spec()
    if isinstance(spec, Game):
        return LoadedGame(_native.own_game(spec, spec.spec), spec)
    if not isinstance(spec, str):
        raise TypeError(f"expected a spec such as 'hex:7' or a permutree.Game, not {type(spec).__name__}")
    return LoadedGame(_native.game(spec))


class LoadedGame:
    """A game that is ready to play: built in, from OpenSpiel, or your own. `permutree.game` creates it."""

    __slots__ = ("_inside", "_rules")

    def __init__(self, inside: _native.Game, rules: Optional[Game[Any, Any]] = None) -> None:
        self._inside = inside
        self._rules = rules

    @property
    def spec(self) -> str:
        """The canonical spec, which identifies the game in stored results."""
        return self._inside.spec

    @property
    def players(self) -> int:
        """The number of players. Players are counted from 0."""
        return self._inside.players

    @property
    def codings(self) -> list[str]:
        """The names of the codings, which map moves to codes. The first is the default."""
        return self._inside.codings

    def codes(self, coding: Optional[str] = None) -> int:
        """The number of codes in a coding."""
        return self._inside.codes(self._coding(coding))

    def start(self) -> Position:
        """The position before the first move."""
        return Position(self, self._inside.start(), ())

    def position(self, moves: Union[str, Iterable[str]] = ()) -> Position:
        """The position after these moves: ``game.position("a1 b2")``."""
        return self.start().play_all(moves)

    def random_games(self, games: int = 1000, seed: int = 1) -> dict[str, Any]:
        """Plays random games, validates the rules, and returns the mean length, branching factor and rewards.

        An inconsistency, such as two moves with the same text, raises `PermutreeError` with the moves that lead to it.
        """
        plies, branching, rewards = self._inside.soak(games, seed)
        return {"games": games, "plies": plies, "branching": branching, "rewards": rewards}

    def presence(self, playouts: int = 1000, seed: int = 1) -> dict[str, Any]:
        """The mean length of random games and, for each coding, the probability that the code of a move occurs in one."""
        moves, plies, codings = self._inside.presence(playouts, seed)
        return {"moves": moves, "plies": plies, "presence": dict(codings)}

    def _coding(self, name: Optional[str]) -> int:
        codings = self.codings
        if name is None:
            return 0
        if name not in codings:
            raise _native.PermutreeError(f"{self.spec} has no coding '{name}'; codings: {', '.join(codings)}")
        return codings.index(name)

    def __repr__(self) -> str:
        return f"permutree.game({self.spec!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LoadedGame) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return (game, (self._rules or self.spec,))


class Position:
    """A position in a game. Positions are immutable: `play` returns a new one. A notebook shows a picture."""

    __slots__ = ("_game", "_inside", "_history")

    def __init__(self, game: LoadedGame, inside: _native.Position, history: tuple[str, ...]) -> None:
        self._game = game
        self._inside = inside
        self._history = history

    @property
    def game(self) -> LoadedGame:
        """The game."""
        return self._game

    @property
    def history(self) -> tuple[str, ...]:
        """The moves and chance outcomes from the start position to this one."""
        return self._history

    @property
    def player(self) -> Optional[int]:
        """The player to move, counted from 0. None at chance nodes and when the game is over."""
        turn = self._inside.turn()
        return turn if turn >= 0 else None

    @property
    def is_chance(self) -> bool:
        """Whether this is a chance node."""
        return self._inside.turn() == -1

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._inside.turn() == -2

    @property
    def outcome(self) -> Optional[tuple[float, ...]]:
        """The reward of each player, 0 to 1. None if the game is not over."""
        return tuple(self._inside.rewards()) if self.is_over else None

    def moves(self) -> list[str]:
        """The legal moves, or the outcomes at a chance node. Empty when the game is over."""
        return self._inside.moves()

    def play(self, move: str) -> Position:
        """The position after a move."""
        if not isinstance(move, str):
            raise TypeError(f"expected a move such as 'c3', not {type(move).__name__}")
        return self._after(self._inside.find(move))

    def play_all(self, moves: Union[str, Iterable[str]]) -> Position:
        """The position after these moves, given as a list or as a string separated by spaces."""
        position = self
        for move in moves.replace(",", " ").split() if isinstance(moves, str) else moves:
            position = position.play(move)
        return position

    def play_random(self, seed: Optional[int] = None) -> Position:
        """The position after a random move. At a chance node, outcomes are drawn by their probabilities."""
        index = self._inside.random(_random.getrandbits(63) if seed is None else seed)
        if index is None:
            raise _native.PermutreeError("the game is over; there are no moves")
        return self._after(index)

    def codes(self, coding: Optional[str] = None) -> list[int]:
        """The codes of the legal moves, in the order of `moves`. Moves with the same code share statistics."""
        return self._inside.codes(self._game._coding(coding))

    def perft(self, depth: int) -> list[int]:
        """The number of move sequences of each length up to `depth`."""
        return self._inside.perft(depth)

    def search(self, agent: str = "best", **limits: Any) -> Report:
        """Searches this position: ``permutree.agent(agent).search(self, ...)``."""
        from ._search import agent as make

        return make(agent).search(self, **limits)

    def _after(self, index: int) -> Position:
        text = self._inside.moves()[index]
        return Position(self._game, self._inside.play(index), (*self._history, text))

    def __str__(self) -> str:
        return self._inside.board()

    def __repr__(self) -> str:
        return f"permutree.game({self._game.spec!r}).position({' '.join(self._history)!r})"

    def _repr_svg_(self) -> str:
        return self._inside.picture()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self._game, hash(self)) == (other._game, hash(other))

    def __hash__(self) -> int:
        return hash((self._game.spec, self._inside.hash()))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_replayed, (self._game, self._history))


def _replayed(game: LoadedGame, history: tuple[str, ...]) -> Position:
    return game.position(history)
