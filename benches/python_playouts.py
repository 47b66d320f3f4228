"""What a playout costs in games written in Python and in OpenSpiel's: `python benches/python_playouts.py [OTHER]`.

OTHER is a directory with another build of the package, such as `python/src` of an older checkout with its compiled module. Both
then take turns, each in processes of its own, and the last column is their ratio. The cost of a search is the CPU time of its
process; the table shows the median over rounds, in microseconds per playout.

`bare` is what nothing can go below while a playout is a game: the same number of random games from the start, played in plain
Python by the game's own methods, or in C++ by OpenSpiel's random bots, with nothing recorded.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any, Callable

ROOT = Path(__file__).resolve().parent.parent

# Where the classes of games in Python are, and OpenSpiel's names.
WRITTEN = {"Nim": "python/tests/own_games.py", "TicTacToe": "python/tests/own_games.py", "Breakthrough": "scripts/breakthrough_in_python.py"}
OPEN_SPIEL = ["tic_tac_toe", "connect_four", "breakthrough", "hex(board_size=7)", "go(board_size=9)"]
AGENTS = ["uct", "grave", "mcps"]


def written(name: str) -> Any:
    """A game of WRITTEN."""
    spec = importlib.util.spec_from_file_location(name, ROOT / WRITTEN[name])
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return getattr(module, name)()


def cost(work: Callable[[], Any], playouts: int) -> float:
    """Microseconds of CPU time per playout."""
    begun = time.process_time()
    work()
    return (time.process_time() - begun) / playouts * 1e6


def bare_written(game: Any, games: int) -> None:
    """Random games in plain Python."""
    turn, moves, play, choice = game.turn, game.moves, game.play, random.Random(1).choice
    for _ in range(games):
        state = game.start()
        while turn(state) is not None:
            state = play(state, choice(moves(state)))
        game.rewards(state)


def bare_open_spiel(game: Any, games: int) -> None:
    """Random games in C++."""
    import pyspiel

    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]
    for seed in range(games):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)


def worker(playouts: int) -> None:
    """Answers one request for a line: what a playout costs in a game, by an agent or bare."""
    import pyspiel

    import permutree
    import permutree.openspiel

    for line in sys.stdin:
        name, agent, seed = json.loads(line)
        if name in WRITTEN:
            rules, bare = written(name), bare_written
        else:
            rules, bare = pyspiel.load_game(name), bare_open_spiel
        if agent == "bare":
            print(cost(lambda: bare(rules, playouts), playouts), flush=True)
            continue
        # A new game, so that nothing is known from an earlier search.
        game = permutree.game(rules) if name in WRITTEN else permutree.openspiel.load(rules, native=False)
        start, searcher = game.start(), permutree.agent(agent)
        print(cost(lambda: searcher.search(start, playouts, seed=seed), playouts), flush=True)


class Worker:
    """A process with one build of the package."""

    def __init__(self, package: Path, playouts: int) -> None:
        command = [sys.executable, __file__, "--worker", "--playouts", str(playouts)]
        environment = {**os.environ, "PYTHONPATH": str(package)}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def cost(self, *request: Any) -> float:
        assert self.process.stdin and self.process.stdout
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", nargs="?", type=Path, help="a directory with another build of the package")
    parser.add_argument("--playouts", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", nargs="+", default=[*WRITTEN, *OPEN_SPIEL])
    parser.add_argument("--agents", nargs="+", default=AGENTS)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        return worker(args.playouts)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    ours = Worker(ROOT / "python/src", args.playouts)
    other = Worker(args.other, args.playouts) if args.other else None
    print(f"{'game':<20}{'agent':<8}{'bare':>8}{'other':>9}{'this':>9}{'ratio':>7}")
    for game in args.games:
        bare = median(ours.cost(game, "bare", 0) for _ in range(args.rounds))
        for agent in args.agents:
            mine, others = [], []
            for seed in range(args.rounds):
                mine.append(ours.cost(game, agent, seed))
                if other:
                    others.append(other.cost(game, agent, seed))
            compared = f"{median(others):>9.1f}{median(mine):>9.1f}{median(others) / median(mine):>7.2f}"
            shown = compared if others else f"{'':>9}{median(mine):>9.1f}"
            print(f"{game:<20}{agent:<8}{bare:>8.1f}{shown}", flush=True)


if __name__ == "__main__":
    main()
