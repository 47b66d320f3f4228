"""What a search costs through Python, beside the same search from Rust: `python benches/python_overhead.py PROGRAM`.

PROGRAM is `target/release/permutree`, and the package must be built the same way (`make wheel`, `pip install`). Both search the start
position again and again with memory that they have already. Rust says the CPU time of its search (`permutree bench`, a median);
for Python it is the CPU time of the whole call on all its threads, beginning, waiting and making the report included, and the median
too. The two take turns, and the best of several rounds counts for each (`more %`), which needs a machine that does nothing else.
`added %` does not: it compares the call with what the search inside it says of itself.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from statistics import median

import permutree

CASES = [("hex:7", "mcps", 10_000), ("breakthrough:8", "mcps", 10_000), ("connect4", "uct", 20_000), ("gomoku:9", "grave", 10_000)]
ROUNDS, SEARCHES = 5, 15


def from_rust(program: str, game: str, agent: str, playouts: int) -> float:
    command = [program, "bench", game, "--agents", agent, "--playouts", str(playouts), "--json"]
    rows = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["rows"]
    return playouts / float(rows[1]["playouts_per_s"])


def from_python(game: str, agent: str, playouts: int) -> tuple[float, float]:
    """The CPU time of a call, and what it is above that of the search itself, in percent."""
    position, searcher = permutree.game(game).start(), permutree.agent(agent)
    searcher.search(position, playouts)
    calls, added = [], []
    for seed in range(SEARCHES):
        begun = time.process_time()
        report = searcher.search(position, playouts, seed=seed)
        calls.append(time.process_time() - begun)
        added.append(100 * (calls[-1] / report.time - 1))
    return median(calls), median(added)


def main() -> None:
    program = sys.argv[1]
    print(f"{'game':<16}{'agent':<8}{'playouts':>10}{'Rust ms':>10}{'Python ms':>11}{'more %':>8}{'added %':>9}")
    worst = 0.0
    for game, agent, playouts in CASES:
        rounds = [(from_rust(program, game, agent, playouts), *from_python(game, agent, playouts)) for _ in range(ROUNDS)]
        rust, python = min(r for r, _, _ in rounds), min(p for _, p, _ in rounds)
        added, more = median(a for _, _, a in rounds), 100 * (python / rust - 1)
        worst = max(worst, more)
        print(f"{game:<16}{agent:<8}{playouts:>10,}{1000 * rust:>10.2f}{1000 * python:>11.2f}{more:>8.1f}{added:>9.1f}")
    sys.exit(0 if worst < 5 else f"Python costs {worst:.1f} % more; it should be less than 5")


if __name__ == "__main__":
    main()
