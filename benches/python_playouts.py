"""What a playout costs in games written in Python and in OpenSpiel's, as a page: `python benches/python_playouts.py [OTHER]`.

OTHER is a directory with another build of the package, such as `python/src` of an older checkout with its compiled module. Both
then take turns, each in a process of its own. `make python-playouts` builds this one in release mode and writes the page.
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

import pyspiel

import permutree
import permutree.openspiel

ROOT = Path(__file__).resolve().parent.parent

PAGE = """# What a playout costs in Python

`make python-playouts`: microseconds of CPU time per playout of a search from the start, in games written in Python
(classes of `python/tests/own_games.py` and `scripts/breakthrough_in_python.py`) and in OpenSpiel's own implementations
(`native=False`), {playouts:,} playouts a search, medians of {rounds} rounds. A game is new at every search, so that no state is known.

`bare` is a random game from the start with nothing around it: in a loop of plain Python over the game's own methods, in the
game's own `playout` (`WholePlayouts` is Breakthrough with one), or in C++ by OpenSpiel's random bots. Playouts cannot go below
it: of a search in Breakthrough, 2 % of the time is spent outside of Python (`perf`). A search is cheaper than `bare` where much of
its games lies in the tree, whose states are remembered.
"""

# Where the classes of games in Python are, and OpenSpiel's names.
WRITTEN = {
    "Nim": "python/tests/own_games.py",
    "TicTacToe": "python/tests/own_games.py",
    "Breakthrough": "scripts/breakthrough_in_python.py",
    "WholePlayouts": "scripts/breakthrough_in_python.py",
}
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
    if type(game).playout is not permutree.Game.playout:
        for seed in range(games):
            game.playout(game.start(), seed)
        return
    turn, moves, play, draw = game.turn, game.moves, game.play, random.Random(1).random
    for _ in range(games):
        state = game.start()
        while turn(state) is not None:
            options = moves(state)
            state = play(state, options[int(draw() * len(options))])
        game.rewards(state)


def bare_open_spiel(game: Any, games: int) -> None:
    """Random games in C++."""
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]
    for seed in range(games):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)


def worker(playouts: int) -> None:
    """Answers one request for a line: what a playout costs in a game, by an agent or bare."""
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
    parser.add_argument("--name", default="other", help="what the table calls it")
    parser.add_argument("--playouts", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", nargs="+", default=[*WRITTEN, *OPEN_SPIEL])
    parser.add_argument("--agents", nargs="+", default=AGENTS)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        return worker(args.playouts)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    workers = [Worker(ROOT / "python/src", args.playouts)]
    head = ["game", "agent", "bare", "µs per playout"]
    if args.other:
        workers.append(Worker(args.other, args.playouts))
        head += [args.name, "ratio"]
    print(PAGE.format(playouts=args.playouts, rounds=args.rounds))
    print(f"| {' | '.join(head)} |\n{'|---' * len(head)}|", flush=True)
    for game in args.games:
        bare = median(workers[0].cost(game, "bare", 0) for _ in range(args.rounds))
        for agent in args.agents:
            rounds = [[worker.cost(game, agent, seed) for worker in workers] for seed in range(args.rounds)]
            costs = [median(costs) for costs in zip(*rounds)]
            ratio = [f"{costs[1] / costs[0]:.2f}"] if args.other else []
            row = [f"`{game}`", f"`{agent}`", *(f"{cost:.1f}" for cost in [bare, *costs]), *ratio]
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
