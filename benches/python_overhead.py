"""Compares the CPU time of searches from Python and from Rust: `python benches/python_overhead.py PROGRAM`.

PROGRAM is `target/release/permutree`; build the package in release mode too (`make wheel`, `pip install`). Two processes take turns
on one core, search by search: `permutree gtp`, which is asked for a move in the start position, and a Python program that answers
the same request with `Agent.search`. Both have allocated their memory before. The cost of a search is the CPU time of its process
until the answer. `more %` is the median over pairs of consecutive searches, because a machine that is temporarily slow is slow for
both. The memory layout of a process makes it a few per cent faster or slower for its whole life, so the benchmark measures several
pairs of processes and shows the median, with the minimum and the maximum next to it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from statistics import median

import permutree

CASES = [("hex:7", "mcps", 10_000), ("breakthrough:8", "mcps", 10_000), ("connect4", "uct", 20_000), ("gomoku:9", "grave", 10_000)]
PROCESSES, PAIRS = 7, 25
ASK = "reg_genmove black"


class Engine:
    """A process that searches on request."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # The first search allocates the memory.
        self.search()

    def search(self) -> float:
        """The CPU time of a search."""
        assert self.process.stdin and self.process.stdout
        begun = self.cpu_time()
        print(ASK, file=self.process.stdin, flush=True)
        while self.process.stdout.readline().strip():
            pass
        return self.cpu_time() - begun

    def cpu_time(self) -> float:
        # The id of the CPU clock of another process on Linux.
        return time.clock_gettime(~self.process.pid << 3 | 2)


def answer(game: str, agent: str, playouts: int) -> None:
    """The Python program."""
    position, searcher = permutree.game(game).start(), permutree.agent(agent)
    for seed, _ in enumerate(sys.stdin):
        print(f"= {searcher.search(position, playouts, seed=seed).best}\n", flush=True)


def costs(program: str, case: tuple[str, str, int]) -> list[tuple[float, float]]:
    """The costs of pairs of searches from Rust and from Python, in seconds."""
    game, agent, playouts = case[0], case[1], str(case[2])
    rust = Engine(program, "gtp", game, agent, "--playouts", playouts)
    python = Engine(sys.executable, __file__, game, agent, playouts)
    pairs = []
    for pair in range(PAIRS):
        first, second = (rust, python) if pair % 2 else (python, rust)
        cost = {first: first.search()}
        cost[second] = second.search()
        pairs.append((cost[rust], cost[python]))
    for engine in (rust, python):
        engine.process.communicate()
    return pairs


def main() -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{'game':<16}{'agent':<8}{'playouts':>10}{'Rust ms':>10}{'Python ms':>11}{'more %':>8}  least..greatest")
    worst = 0.0
    for case in CASES:
        rounds = [costs(sys.argv[1], case) for _ in range(PROCESSES)]
        rust, python = (1000 * median(side) for side in zip(*sum(rounds, [])))
        more = sorted(median(100 * (python / rust - 1) for rust, python in pairs) for pairs in rounds)
        worst = max(worst, median(more))
        game, agent, playouts = case
        times = f"{rust:>10.2f}{python:>11.2f}{median(more):>8.1f}"
        print(f"{game:<16}{agent:<8}{playouts:>10,}{times}  {more[0]:.1f}..{more[-1]:.1f}", flush=True)
    sys.exit(0 if worst < 5 else f"Python costs {worst:.1f} % more; the limit is 5")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        main()
    else:
        answer(sys.argv[1], sys.argv[2], int(sys.argv[3]))
