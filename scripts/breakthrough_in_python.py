"""Plays MAST or NST playouts against uniform playouts in Breakthrough, at equal CPU time and with slow rules.

"Who Invented MCTS?" (figure 3) compares them at one second per move in Ludii, which is 1,127 or 39,452 playouts, depending on how
its table XV is read. The built-in Breakthrough makes a million, and its uniform playouts are two to three times as fast as the
others. With rules in Python, a second is a few thousand playouts, and the rules take most of the time with any policy.

Requires the Python package (`pip install ./python`).

    python scripts/breakthrough_in_python.py mast --games 30      # half an hour on one core
"""

from __future__ import annotations

import argparse
import random

import permutree

State = tuple[str, int]


class Breakthrough(permutree.Game):
    """Breakthrough on 8 x 8 cells. A state is the board, from a1 on, and the player to move.

    A move is a number, which is also its code: the player, the cell it leaves, and one of five kinds (ahead, left, right, and left
    or right with a capture).
    """

    codes = 2 * 64 * 5

    def start(self) -> State:
        return "1" * 16 + "." * 32 + "2" * 16, 0

    def turn(self, state: State) -> int | None:
        board, player = state
        over = "1" in board[56:] or "2" in board[:8] or "1" not in board or "2" not in board
        return None if over else player

    def moves(self, state: State) -> list[int]:
        board, player = state
        own, step, base = ("1", 8, 0) if player == 0 else ("2", -8, 320)
        found = []
        for cell, piece in enumerate(board):
            if piece == own:
                ahead = cell + step
                if board[ahead] == ".":
                    found.append(base + cell * 5)
                for side, last in ((-1, 0), (1, 7)):
                    if cell & 7 != last and (target := board[ahead + side]) != own:
                        kind = (1 if side < 0 else 2) + (0 if target == "." else 2)
                        found.append(base + cell * 5 + kind)
        return found

    def play(self, state: State, move: int) -> State:
        board, player = state
        cell, kind = divmod(move % 320, 5)
        target = cell + (8 if player == 0 else -8) + (0, -1, 1, -1, 1)[kind]
        cells = list(board)
        cells[target], cells[cell] = cells[cell], "."
        return "".join(cells), 1 - player

    def rewards(self, state: State) -> list[float]:
        board, _ = state
        first = "1" in board[56:] or "2" not in board
        return [float(first), float(not first)]


class WholePlayouts(Breakthrough):
    """The same game with a playout of its own, which keeps lists of cells, makes no states and lists no moves."""

    def playout(self, state: State, seed: int) -> tuple[list[float], list[tuple[int, int]]]:
        board, player = state
        cells = list(board)
        men = [[cell for cell in range(64) if cells[cell] == own] for own in "12"]
        draw, steps = random.Random(seed).random, []
        while True:
            own, ahead, base, last = ("1", 8, 0, 7) if player == 0 else ("2", -8, 320, 0)
            mine, theirs = men[player], men[1 - player]
            while True:
                # A man and a direction, until they are a legal move: so all moves are equally likely.
                place, side = divmod(int(draw() * 3 * len(mine)), 3)
                cell = mine[place]
                if side and cell & 7 == (0, 7)[side - 1]:
                    continue
                target = cell + ahead + (0, -1, 1)[side]
                taken = cells[target]
                if taken == "." or (side and taken != own):
                    break
            steps.append((player, base + cell * 5 + side + (0 if taken == "." else 2)))
            cells[cell], cells[target], mine[place] = ".", own, target
            if taken != ".":
                theirs.remove(target)
            if target >> 3 == last or not theirs:
                return [float(player == 0), float(player == 1)], steps
            player = 1 - player


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policy", choices=["mast", "nst"])
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--time", default="1s", help="CPU time per move")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    plain = "uct:c=0.2,final=mean"
    agents = f"{plain},policy={args.policy}", plain
    print(permutree.match(Breakthrough(), *agents, time=args.time, games=args.games, seed=args.seed))


if __name__ == "__main__":
    main()
