"""Experiments on a Ray cluster.

    permutree.ray.run("experiments/mcps-table-1.toml", address="10.0.0.1:6379")

Ray tasks play the games in shards, and the results go into the local store: the table is the same as that of a local run,
game by game. A run can be interrupted and continued later. Requires the package ``ray``.

By default, Ray accepts anyone who can reach its ports. Importing this module enables token authentication
(``RAY_AUTH_MODE=token``) and disables usage statistics, unless the environment already sets these variables. Import it before
``ray``.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping, Optional, Union

os.environ.setdefault("RAY_AUTH_MODE", "token")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray  # noqa: E402

from . import _native  # noqa: E402
from ._experiment import Experiment, ExperimentResult, PathLike, experiment as make_experiment  # noqa: E402
from ._tables import progress_bar  # noqa: E402

__all__ = ["Shard", "manifest", "run"]

RETRIES = 20
"""How often a task is retried when its process or its machine fails."""


@dataclass(frozen=True)
class Shard:
    """The games that one task plays: parts of cells, such as the second fifth of cell 3. Shards are independent."""

    parts: tuple[tuple[int, str], ...]
    probes: tuple[int, ...] = ()


def run(
    source: Union[PathLike, Mapping[str, Any]],
    address: Optional[str] = None,
    store: Optional[PathLike] = None,
    *,
    quick: bool = False,
    shard_seconds: float = 5.0,
    progress: Optional[bool] = None,
) -> ExperimentResult:
    """Plays, on a cluster, the games of an experiment that the store does not have yet. Returns the result of all games.

    `address` is the address of the head node of a running cluster. Without it, the function uses the running Ray instance, or
    starts one on this machine. Every cell first plays one round of seatings, to estimate how long its games take; the other
    games are then divided into shards of at least `shard_seconds`. If the process or machine of a task fails, the task is
    retried. A game that is played twice is stored once.
    """
    table = make_experiment(source, quick=quick)
    path = table.store(store)
    ours = not ray.is_initialized()
    if ours:
        ray.init(address=address, log_to_driver=False, include_dashboard=False if address is None else None)
    try:
        _run(table, path, shard_seconds, progress)
    finally:
        if ours:
            ray.shutdown()
    return table.result(path)


def _run(table: Experiment, path: Path, shard_seconds: float, progress: Optional[bool]) -> None:
    cells = table._inside.cells()
    rounds = [games for *_, games in table._inside.first_rounds().cells()]
    stored = _stored(table, path)
    with progress_bar(progress, table.games + table._inside.probes(), "game") as tell:
        done = sum(len(numbers) for numbers in stored)

        def added(games: int) -> None:
            nonlocal done
            done += games
            if tell is not None:
                tell(done)

        added(0)
        # One round of every unfinished cell, to estimate how long its games take.
        lacking = [place for place, (*_, games) in enumerate(cells) if len(stored[place]) < games]
        seconds = dict.fromkeys(lacking, 0.0)
        tasks = {_task.remote(table.text, table._quick, Shard(((place, "1/1"),)), True): place for place in lacking}
        for task, (bytes, spent) in _finished(tasks):
            place = tasks[task]
            seconds[place] = spent / rounds[place]
            added(_kept(path, bytes))
        shards = manifest(
            {place: cells[place][3] for place in lacking}, seconds, shard_seconds, range(table._inside.probes())
        )
        stored = _stored(table, path)
        wanted = [shard for shard in shards if _lacks(shard, cells, rounds, stored)]
        later = [_task.remote(table.text, table._quick, shard, False) for shard in wanted]
        for _, (bytes, _) in _finished(later):
            added(_kept(path, bytes))


def manifest(
    games: Mapping[int, int], seconds: Mapping[int, float], shard_seconds: float, probes: Iterable[int] = ()
) -> list[Shard]:
    """Divides the games of cells into shards of at least `shard_seconds`, given the seconds of a game in each cell.

    Long cells are split into equal parts. Short cells share shards, and the probes go into the last one.
    """
    shards = []
    small: list[tuple[int, str]] = []
    waiting = 0.0
    for cell, count in games.items():
        whole = count * seconds[cell]
        parts = int(min(whole // shard_seconds, count))
        if parts >= 1:
            shards += [Shard(((cell, f"{part + 1}/{parts}"),)) for part in range(parts)]
            continue
        small.append((cell, "1/1"))
        waiting += whole
        if waiting >= shard_seconds:
            shards.append(Shard(tuple(small)))
            small, waiting = [], 0.0
    rest = tuple(probes)
    if small or rest:
        shards.append(Shard(tuple(small), rest))
    return shards


def _lacks(
    shard: Shard, cells: list[tuple[str, list[str], str, int]], rounds: list[int], stored: list[set[int]]
) -> bool:
    """Whether the store lacks a game of the shard."""
    for cell, text in shard.parts:
        part, of = map(int, text.split("/"))
        numbers = range(cells[cell][3])
        if any(number // rounds[cell] % of == part - 1 and number not in stored[cell] for number in numbers):
            return True
    return bool(shard.probes)


def _stored(table: Experiment, path: Path) -> list[set[int]]:
    """The numbers of the stored games of each cell."""
    keys = [(game, tuple(agents), budget) for game, agents, budget, _ in table._inside.cells()]
    found: dict[tuple[str, tuple[str, ...], str], set[int]] = {}
    if path.exists():
        for record in table.records(path):
            key = (record["game"], tuple(record["agents"]), record["budget"])
            found.setdefault(key, set()).add(record["number"])
    return [found.get(key, set()) for key in keys]


@ray.remote(num_cpus=1, max_retries=RETRIES)  # type: ignore[untyped-decorator]
def _task(text: str, quick: bool, shard: Shard, first: bool) -> tuple[bytes, float]:
    """Plays a shard, or only its first rounds, into a new store. Returns the store and the time in seconds."""
    inside = _native.Experiment("experiment", text)
    inside = inside.quickly() if quick else inside
    inside = inside.first_rounds() if first else inside
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "shard.db"
        for cell, part in shard.parts:
            inside.part([cell], []).run(store, part, 1, None)
        if shard.probes:
            inside.part([], list(shard.probes)).run(store, "1/1", 1, None)
        return store.read_bytes(), time.perf_counter() - begun


def _finished(tasks: Iterable[Any]) -> Iterator[tuple[Any, tuple[bytes, float]]]:
    """The tasks with their results, as they finish. If the iteration stops early, the other tasks are cancelled."""
    waiting = list(tasks)
    try:
        while waiting:
            ready, waiting = ray.wait(waiting, num_returns=1)
            for task in ready:
                yield task, ray.get(task)
    finally:
        for task in waiting if ray.is_initialized() else []:
            ray.cancel(task, force=True)


def _kept(path: Path, bytes: bytes) -> int:
    """Adds the games of a task to the store. Returns the number of new games."""
    with tempfile.TemporaryDirectory() as folder:
        shard = Path(folder) / "shard.db"
        shard.write_bytes(bytes)
        ((new, _, _),) = _native.merge(path, [shard])
        return new
