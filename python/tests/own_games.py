"""Games in Python for the tests, as a user would write them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Optional

import permutree


class Nim(permutree.Game[tuple[tuple[int, ...], int], tuple[int, int]]):
    """Nim with the rules of the built-in game: whoever takes the last object wins."""

    def __init__(self, heaps: str = "3-4-5") -> None:
        self.heaps = tuple(map(int, heaps.split("-")))

    def start(self) -> tuple[tuple[int, ...], int]:
        return self.heaps, 0

    def turn(self, state: tuple[tuple[int, ...], int]) -> Optional[int]:
        heaps, player = state
        return player if any(heaps) else None

    def moves(self, state: tuple[tuple[int, ...], int]) -> list[tuple[int, int]]:
        return [(heap, n) for heap, size in enumerate(state[0]) for n in range(1, size + 1)]

    def play(self, state: tuple[tuple[int, ...], int], move: tuple[int, int]) -> tuple[tuple[int, ...], int]:
        heaps, player = state
        heap, n = move
        return (*heaps[:heap], heaps[heap] - n, *heaps[heap + 1 :]), 1 - player

    def rewards(self, state: tuple[tuple[int, ...], int]) -> list[float]:
        return [state[1], 1 - state[1]]


@dataclass(frozen=True)
class Board:
    """A tic-tac-toe board."""

    cells: str = "." * 9


class TicTacToe(permutree.Game[Board, int]):
    """Tic-tac-toe, with a dataclass as the state and cells as moves."""

    LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    codes = 9

    def start(self) -> Board:
        return Board()

    def winner(self, state: Board) -> Optional[int]:
        for line in self.LINES:
            marks = {state.cells[cell] for cell in line}
            if len(marks) == 1 and marks != {"."}:
                return "xo".index(marks.pop())
        return None

    def turn(self, state: Board) -> Optional[int]:
        if self.winner(state) is not None or "." not in state.cells:
            return None
        return state.cells.count("x") - state.cells.count("o")

    def moves(self, state: Board) -> list[int]:
        return [cell for cell in range(9) if state.cells[cell] == "."]

    def play(self, state: Board, move: int) -> Board:
        mark = "xo"[state.cells.count("x") - state.cells.count("o")]
        return replace(state, cells=state.cells[:move] + mark + state.cells[move + 1 :])

    def rewards(self, state: Board) -> list[float]:
        winner = self.winner(state)
        return [0.5, 0.5] if winner is None else [float(winner == player) for player in (0, 1)]

    def move_text(self, state: Board, move: int) -> str:
        return f"{'abc'[move % 3]}{move // 3 + 1}"

    def board(self, state: Board) -> str:
        return "\n".join(state.cells[row : row + 3] for row in (0, 3, 6)) + "\n"


class Dice(permutree.Game[tuple[int, int, bool], Any]):
    """A one-player game: roll a die that shows 6 half of the time up to three times, or keep its value."""

    players = 1

    def start(self) -> tuple[int, int, bool]:
        return 0, 0, True

    def turn(self, state: tuple[int, int, bool]) -> Optional[int]:
        throws, _, thrown = state
        if thrown and throws < 3:
            return permutree.CHANCE
        return None if thrown or throws < 0 else 0

    def moves(self, state: tuple[int, int, bool]) -> list[Any]:
        throws, _, thrown = state
        return [1, 2, 3, 4, 5, 6] if thrown else ["keep", "throw"] if throws < 3 else ["keep"]

    def chance(self, state: tuple[int, int, bool], outcome: Any) -> float:
        return 0.5 if outcome == 6 else 0.1

    def play(self, state: tuple[int, int, bool], move: Any) -> tuple[int, int, bool]:
        throws, face, _ = state
        if isinstance(move, int):
            return throws + 1, move, False
        return (throws, face, True) if move == "throw" else (-1, face, False)

    def rewards(self, state: tuple[int, int, bool]) -> list[float]:
        return [state[1] / 6]
