"""What a search costs through Python, beside the same search from Rust: `python benches/python_overhead.py PROGRAM`.

PROGRAM is `target/release/permutree`, and the package must be built the same way (`make wheel`, `pip install`). The two take turns
on one core, search by search, each with memory that it has already: Rust as `permutree gtp`, which is asked for a move of the start
position, and Python by `Agent.search`. The cost is the CPU time of the whole process until the answer is there. `more %` is the
median over pairs of searches one after the other, with its 95 % interval: a machine that is slow for a while is slow for both.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from statistics import median

import permutree

CASES = [("hex:7", "mcps", 10_000), ("breakthrough:8", "mcps", 10_000), ("connect4", "uct", 20_000), ("gomoku:9", "grave", 10_000)]
PAIRS = 100


class Engine:
    """The program, which searches when it is asked to."""

    def __init__(self, program: str, game: str, agent: str, playouts: int) -> None:
        command = [program, "gtp", game, agent, "--playouts", str(playouts)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def search(self) -> float:
        """Its CPU time."""
        assert self.process.stdin and self.process.stdout
        begun = self.cpu_time()
        print("reg_genmove black", file=self.process.stdin, flush=True)
        while self.process.stdout.readline().strip():
            pass
        return self.cpu_time() - begun

    def cpu_time(self) -> float:
        # How Linux names the CPU clock of another process.
        return time.clock_gettime(~self.process.pid << 3 | 2)


def pairs(program: str, game: str, agent: str, playouts: int) -> list[tuple[float, float]]:
    engine, position, searcher = Engine(program, game, agent, playouts), permutree.game(game).start(), permutree.agent(agent)

    def from_python(seed: int) -> float:
        begun = time.process_time()
        searcher.search(position, playouts, seed=seed)
        return time.process_time() - begun

    # The first ones get the memory.
    engine.search()
    from_python(0)
    costs = []
    for seed in range(PAIRS):
        if seed % 2:
            costs.append((engine.search(), from_python(seed)))
        else:
            python = from_python(seed)
            costs.append((engine.search(), python))
    engine.process.communicate()
    return costs


def main() -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{'game':<16}{'agent':<8}{'playouts':>10}{'Rust ms':>10}{'Python ms':>11}{'more %':>8}  95 %")
    worst = 0.0
    for game, agent, playouts in CASES:
        costs = pairs(sys.argv[1], game, agent, playouts)
        rust, python = (1000 * median(side) for side in zip(*costs))
        more = sorted(100 * (python / rust - 1) for rust, python in costs)
        # The ranks between which the median of so many lies with this certainty.
        reach = round(0.98 * len(more) ** 0.5)
        low, middle, high = more[len(more) // 2 - reach], median(more), more[len(more) // 2 + reach]
        worst = max(worst, middle)
        print(f"{game:<16}{agent:<8}{playouts:>10,}{rust:>10.2f}{python:>11.2f}{middle:>8.1f}  {low:.1f}..{high:.1f}", flush=True)
    sys.exit(0 if worst < 5 else f"Python costs {worst:.1f} % more; it should be less than 5")


if __name__ == "__main__":
    main()
