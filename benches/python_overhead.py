"""What a search costs through Python, beside the same search from Rust: `python benches/python_overhead.py PROGRAM`.

PROGRAM is `target/release/permutree`, and the package must be built the same way (`make wheel`, `pip install`). Both search the same
position with the same seed, so they do the same playouts. Rust says the CPU time of its search; for Python it is the CPU time of
the whole call on all its threads, making the report included. The two take turns, and the best of several counts for each.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

import permutree

CASES = [("hex:7", "mcps", 10_000), ("breakthrough:8", "mcps", 10_000), ("connect4", "uct", 20_000), ("gomoku:9", "grave", 2_000)]
ROUNDS = 15


def from_rust(program: str, game: str, agent: str, playouts: int) -> float:
    command = [program, "search", game, agent, "--playouts", str(playouts), "--json"]
    return float(json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["time_s"])


def from_python(game: str, agent: str, playouts: int) -> float:
    position, searcher = permutree.game(game).start(), permutree.agent(agent)
    begun = time.process_time()
    searcher.search(position, playouts=playouts)
    return time.process_time() - begun


def main() -> None:
    program = sys.argv[1]
    print(f"{'game':<16}{'agent':<8}{'playouts':>10}{'Rust ms':>10}{'Python ms':>11}{'more %':>8}")
    worst = 0.0
    for game, agent, playouts in CASES:
        pairs = [(from_rust(program, game, agent, playouts), from_python(game, agent, playouts)) for _ in range(ROUNDS)]
        rust, python = (min(times) for times in zip(*pairs))
        more = 100 * (python / rust - 1)
        worst = max(worst, more)
        print(f"{game:<16}{agent:<8}{playouts:>10,}{1000 * rust:>10.2f}{1000 * python:>11.2f}{more:>8.1f}")
    sys.exit(0 if worst < 5 else f"through Python it costs {worst:.1f} % more; it should be less than 5")


if __name__ == "__main__":
    main()
