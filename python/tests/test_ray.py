"""Experiments on a real Ray cluster on this machine, in which a process and then a node is killed."""

from __future__ import annotations

import importlib.util
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Iterator

import pytest

import permutree

if importlib.util.find_spec("ray") is None:
    pytest.skip("ray is not installed", allow_module_level=True)
# Ray reads it once, when it is imported.
os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
# Nodes start slowly on a machine that is busy with other tests.
os.environ["RAY_raylet_start_wait_time_s"] = "120"

import permutree.ray  # noqa: E402
import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

TABLE = {
    "title": "A table for a cluster",
    "agents": ["mcps:ref={ref}", "grave"],
    "vary": {"ref": [50, 100]},
    "games": 40,
    # Enough for dozens of shards on any machine, so that some are still running when others are killed.
    "rows": [{"game": "hex:6", "playouts": 3000}, {"game": "nim", "playouts": 50, "games": 10}],
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head node that plays no games, and two nodes that do."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    made.add_node(num_cpus=1)
    made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def games(table: permutree.Experiment, store: Path) -> list[dict[str, Any]]:
    """The stored games without their times."""
    return [{key: value for key, value in record.items() if key != "time_s"} for record in table.records(store)]


def playing() -> list[int]:
    """The ids of the processes that play shards."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if b"ray::_task" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def until(condition: Any, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.02)


def test_failures_lose_and_duplicate_no_games(cluster: Any, tmp_path: Path) -> None:
    table = permutree.experiment(TABLE)
    local = table.run(tmp_path / "local.db", progress=False)
    store = tmp_path / "cluster.db"
    results: list[permutree.ExperimentResult] = []

    def run() -> None:
        results.append(permutree.ray.run(TABLE, store=store, shard_seconds=0.5, progress=False))

    def stored() -> int:
        try:
            return len(table.records(store))
        except permutree.PermutreeError:
            # The store is being created.
            return 0

    thread = threading.Thread(target=run)
    thread.start()
    until(lambda: stored() > 10 and playing())
    os.kill(playing()[0], signal.SIGKILL)
    before = stored()
    until(lambda: stored() > before and playing())
    assert thread.is_alive()
    # The last node fails with all its tasks, and another replaces it.
    cluster.remove_node(list(cluster.worker_nodes)[-1], allow_graceful=False)
    cluster.add_node(num_cpus=1)
    thread.join(300)
    assert not thread.is_alive() and results[0].is_complete
    assert results[0].markdown == local.markdown
    assert games(table, store) == games(table, tmp_path / "local.db")
    # A second run plays no games.
    begun = time.monotonic()
    assert permutree.ray.run(TABLE, store=store, progress=False).markdown == local.markdown
    assert time.monotonic() - begun < 10 and not playing()


def test_connections_without_the_token_are_refused(cluster: Any) -> None:
    program = f"import ray; ray.init(address={cluster.address!r}, log_to_driver=False); print('in', flush=True)"
    strangers = []
    for mode, token in (("token", "0" * 64), ("disabled", "")):
        env = {**os.environ, "RAY_AUTH_MODE": mode, "RAY_AUTH_TOKEN": token}
        command = [sys.executable, "-c", program]
        strangers.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL))
    friend = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
    assert friend.stdout == b"in\n"
    # They had more time than the process with the token.
    time.sleep(2)
    for stranger in strangers:
        stranger.kill()
        assert stranger.communicate()[0] == b""
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"


def test_errors_are_raised(cluster: Any, tmp_path: Path) -> None:
    with pytest.raises(permutree.PermutreeError, match="unknown game 'hx'"):
        permutree.ray.run({"game": "hx", "agents": ["mcps"]}, store=tmp_path / "x.db")


def test_shards_take_long_enough() -> None:
    deal = permutree.ray.manifest
    assert [shard.parts for shard in deal({0: 100}, {0: 0.12}, 5.0)] == [((0, "1/2"),), ((0, "2/2"),)]
    assert [shard.parts for shard in deal({0: 10, 1: 10}, {0: 0.3, 1: 0.3}, 5.0)] == [((0, "1/1"), (1, "1/1"))]
    assert deal({}, {}, 5.0, range(2)) == [permutree.ray.Shard((), (0, 1))]
    many = deal({cell: 50 for cell in range(6)}, {cell: 0.05 + 0.03 * cell for cell in range(6)}, 5.0)
    played = sorted(part for shard in many for part in shard.parts)
    assert {cell for cell, _ in played} == set(range(6)) and len(set(played)) == len(played)


def test_counts_of_codes(cluster: Any, tmp_path: Path) -> None:
    table = {"game": ["nim", "hex:3"], "codes": 100}
    found = permutree.ray.run(table, store=tmp_path / "x.db", progress=False)
    assert found.codes == permutree.experiment(table).run(tmp_path / "y.db", progress=False).codes
