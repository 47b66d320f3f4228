#!/usr/bin/env python3
"""Plays MCPS against GRAVE at equal playouts and at equal time, and writes docs/results/mcps-vs-grave.md.

Every match is one `permutree match` command, which the page shows next to its result. Finished matches are stored as JSON lines
in docs/results/mcps-vs-grave.jsonl and are not played again, so the script can be interrupted and continued.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = ROOT / "target" / "release" / "permutree"
STORE = ROOT / "docs" / "results" / "mcps-vs-grave.jsonl"
PAGE = ROOT / "docs" / "results" / "mcps-vs-grave.md"

# Game and the paper's win rates at 1,000 and 5,000 playouts (tables 1 and 2, ref = 50, 800 games each).
GAMES = [
    ("hex:7,opening=b2", 65.9, 74.1),
    ("nogo:5", 59.6, 63.3),
    ("atarigo:6", 56.5, 60.3),
    ("breakthrough:8", 54.8, 57.0),
    ("knightthrough:8", 52.6, 56.4),
    ("gomoku:9", 53.3, 61.2),
    ("wargame:10", 52.5, 55.9),
]
BUDGETS = ["--playouts 1000", "--playouts 5000", "--time 10ms"]


def command(game, budget, seed=1):
    return f"match {game} mcps grave {budget} --games 800 --seed {seed}"


def stored():
    lines = STORE.read_text().splitlines() if STORE.exists() else []
    return {row["command"]: row["result"] for row in map(json.loads, lines)}


def run(words):
    known = stored()
    if words not in known:
        print(words, file=sys.stderr)
        out = subprocess.run([BINARY, *words.split(), "--json"], check=True, capture_output=True, text=True).stdout
        with STORE.open("a") as store:
            store.write(json.dumps({"command": words, "result": json.loads(out)}) + "\n")
    return stored()[words]["agents"]


def percent(agent):
    low, high = agent["ci95"]
    return f"{100 * agent['score']:.1f} ({100 * low:.1f}..{100 * high:.1f})"


def rate(agent):
    return agent["playouts"] / agent["time_s"] if agent["time_s"] else 0


def rows(budget, column):
    for game, *paper in GAMES:
        words = command(game, budget)
        mcps, grave = run(words)
        cells = [game, percent(mcps)]
        if column is not None:
            cells += [f"{paper[column]:.1f}", f"{100 * mcps['score'] - paper[column]:+.1f}"]
        else:
            cells += [f"{mcps['playouts'] / grave['playouts']:.2f}"]
        yield "| " + " | ".join(cells + [f"`permutree {words}`"]) + " |"


def write():
    page = [
        "# MCPS against GRAVE",
        "",
        "Score of `mcps` in percent with its 95 % interval (Wilson), seats alternating. The paper is Cazenave 2025, tables 1",
        "and 2, ref = 50, 800 games, with intervals of about ±3.4. Made by `make tables`.",
    ]
    for title, budget, column in [
        ("Equal playouts: 1,000", BUDGETS[0], 0),
        ("Equal playouts: 5,000", BUDGETS[1], 1),
    ]:
        page += ["", f"## {title}", "", "| game | mcps | paper | difference | command |", "|---|---|---|---|---|"]
        page += rows(budget, column)
    page += [
        "",
        "## Equal time: 10 ms of thread CPU time a move",
        "",
        "The last figure is how many playouts MCPS did for one of GRAVE. Times differ from machine to machine.",
        "",
        "| game | mcps | playouts | command |",
        "|---|---|---|---|",
    ]
    page += rows(BUDGETS[2], None)
    PAGE.write_text("\n".join(page) + "\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        for game, *_ in GAMES:
            run(command(game, BUDGETS[int(sys.argv[1])]))
    else:
        write()
