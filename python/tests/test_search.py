"""Searches and their reports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict

import pytest

import permutree


def test_a_report_has_everything() -> None:
    position = permutree.game("hex:5").start().play("c3")
    report = permutree.agent("mcps").search(position, playouts=500, seed=7)
    assert report.best == report.moves[0].move == report.pv[0]
    assert report.playouts == 500 and sum(found.visits for found in report.moves) == 500
    assert report.player == 1 and report.deterministic and not report.full and report.nodes > 1
    assert sorted(found.move for found in report.moves) == sorted(position.moves())
    best = report.moves[0]
    assert position.moves()[best.index] == best.move
    assert best.amaf is not None and best.permutation is not None and best.amaf.count > best.visits
    assert abs(sum(best.weights) - 1) < 1e-9
    assert permutree.agent("uct").search(position, playouts=50).moves[0].amaf is None


def test_searches_that_share_playouts_between_threads_are_not_deterministic() -> None:
    position = permutree.game("hex:4").start()
    for spec, expected in [("uct", True), ("uct:threads=2", False), ("uct:threads=2,parallel=root", True)]:
        agent = permutree.agent(spec)
        assert agent.deterministic is expected
        assert agent.search(position, playouts=200).deterministic is expected
        assert not agent.search(position, time="1ms").deterministic
    assert not permutree.agent("external:cmd=x").deterministic


def test_a_renamed_parameter_still_works_and_warns() -> None:
    agent = permutree.agent("uct:policy=mast")
    with pytest.warns(FutureWarning, match="^uct:playout=mast: playout=mast is now policy=mast$") as told:
        assert permutree.agent("uct:playout=mast") == agent
    assert [warning.filename for warning in told] == [__file__]
    with pytest.warns(FutureWarning, match="^uct: playout= is now policy=$") as told:
        assert permutree.agents.uct(playout="mast") == agent  # type: ignore[call-arg]
    assert [warning.filename for warning in told] == [__file__]
    with pytest.warns(FutureWarning, match="^flat:playout=nst: ") as told:
        permutree.match("nim", "flat:playout=nst", "random", games=2, playouts=5, progress=False)
    assert [warning.filename for warning in told] == [__file__]
    with pytest.raises(TypeError, match="playout"):
        permutree.agents.uct(playout="mast", policy="mast")  # type: ignore[call-arg]


def test_the_seed_determines_the_report() -> None:
    position = permutree.game("breakthrough:6").start()

    def visits(seed: int) -> list[tuple[str, int]]:
        report = permutree.agent("mcps").search(position, playouts=300, seed=seed)
        return [(found.move, found.visits) for found in report.moves]

    assert visits(1) == visits(1) != visits(2)


def test_the_same_as_the_command_line(permutree_program: str) -> None:
    command = [permutree_program, "search", "hex:5", "mcps", "--moves", "c3", "--playouts", "400", "--json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    report = permutree.agent("mcps").search(permutree.game("hex:5").position("c3"), playouts=400)
    assert found["moves"] == [{**asdict(move), "weights": list(move.weights)} for move in report.moves]
    assert found["principal_variation"] == report.pv and found["turn"] == 2 and report.player == 1


def test_searches_continue_and_follow_a_game() -> None:
    search = permutree.agent("mcps:reuse=true").begin(permutree.game("hex:5").start())
    assert search.advance(200).playouts == 200
    report = search.advance(300)
    assert report.playouts == 500
    whole = permutree.agent("mcps:reuse=true").search(permutree.game("hex:5").start(), playouts=500)
    assert [found.visits for found in whole.moves] == [found.visits for found in report.moves]
    position = search.play(report.pv[:2])
    assert position.history == tuple(report.pv[:2]) == search.position.history
    assert sum(found.visits for found in search.report().moves) > 0
    with pytest.raises(permutree.PermutreeError, match="illegal move"):
        search.play(report.pv[0])


def test_repeated_searches_share_no_statistics() -> None:
    """A search takes over only the memory of the agent's last one."""
    hex5, hex6 = permutree.game("hex:5").start(), permutree.game("hex:6").start()
    for spec in ("mcps", "mcps:policy=mast", "mcps:policy=mast,keep=0.5", "uct:reuse=true,solver=true"):
        agent = permutree.agent(spec)
        agent.search(hex5, time="1ms")
        for position in (hex5, hex5.play("c3"), hex6, hex5, hex6.play("a1")):
            new = permutree.agent(spec).search(position, playouts=200, seed=3)
            report = agent.search(position, playouts=200, seed=3)
            assert report.deterministic and report.moves == new.moves and report.pv == new.pv
    with pytest.raises(TypeError):
        agent.search("hex:5", playouts=200)  # type: ignore[arg-type]


def test_threads_share_an_agent() -> None:
    agent, position = permutree.agent("mcps"), permutree.game("hex:5").start()
    found: list[list[permutree.MoveReport]] = []

    def work() -> None:
        found.extend(agent.search(position, playouts=300).moves for _ in range(20))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 80 and all(moves == found[0] for moves in found)


def test_time_budgets() -> None:
    position = permutree.game("hex:7").start()
    report = permutree.agent("mcps").search(position, time="20ms", clock="wall")
    assert 0.02 <= report.time < 2 and not report.deterministic
    assert permutree.agent("mcps").search(position, time=0.005).playouts > 0
    assert permutree.agent("mcps:playouts=30").search(position, time=60).playouts == 30
    for limits, message in [
        ({"time": "soon"}, "time=soon: must be a time such as"),
        ({"time": -1.0}, "time=-1: must be seconds above 0"),
        ({"playouts": -3}, "playouts=-3: must be a whole number"),
        ({"playouts": 1.5}, "playouts=1.5: must be a whole number"),
        ({"playouts": 5, "clock": "sun"}, "clock=sun: must be 'thread' or 'wall'"),
    ]:
        with pytest.raises(permutree.PermutreeError, match=message):
            permutree.agent("mcps").search(position, **limits)  # type: ignore[arg-type]
    with pytest.raises(permutree.PermutreeError, match="mcps needs a budget: playouts=10_000 or time='20ms'"):
        permutree.agent("mcps").begin(position).advance()


def test_tables_and_data_frames() -> None:
    report = permutree.game("hex:5").start().search("mcps", playouts=300)
    table = report.to_pandas()
    assert list(table["move"]) == [found.move for found in report.moves]
    assert table["visits"].sum() == 300 and table["weight_own"].between(0, 1).all()
    assert "permutation_mean" in str(report) and "... and 10 more" in str(report)
    page = report._repr_html_()
    assert page.count("<tr>") == 26 and "linear-gradient" in page and "300 playouts" in page
    assert "amaf" not in permutree.game("hex:5").start().search("uct", playouts=50)._repr_html_()


def test_other_threads_run_during_a_search() -> None:
    position = permutree.game("hex:7").start()
    done = threading.Event()

    def search() -> None:
        permutree.agent("mcps").search(position, time=0.5, clock="wall")
        done.set()

    thread = threading.Thread(target=search)
    thread.start()
    turns = 0
    while not done.is_set():
        time.sleep(0.005)
        turns += 1
    thread.join()
    assert turns > 20


def test_a_search_is_used_by_one_thread_at_a_time() -> None:
    search = permutree.agent("mcps").begin(permutree.game("hex:7").start())
    thread = threading.Thread(target=lambda: search.advance(time=1.0, clock="wall"))
    thread.start()
    time.sleep(0.3)
    with pytest.raises(permutree.PermutreeError, match="this search is running on another thread"):
        search.report()
    thread.join()
    assert search.report().playouts > 0


@pytest.mark.parametrize(
    "work",
    [
        "permutree.agent('mcps').search(permutree.game('hex:7').start(), time=60)",
        "permutree.match('hex:5', 'mcps', 'uct', playouts=200, games=1_000_000, progress=False)",
        "permutree.game('hex:11').random_games(2_000_000_000)",
    ],
)
def test_ctrl_c_ends_long_work(work: str) -> None:
    program = f"""
import permutree, signal, sys
try:
    print("begins", flush=True)
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    import os; os._exit(7)
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "begins\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    begun = time.monotonic()
    if "random_games" in work:
        # A second Ctrl-C does not wait for work that cannot be stopped.
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "interrupted\n" and time.monotonic() - begun < 5
    assert child.wait(10) == 7


def test_reports_after_ctrl_c() -> None:
    search = permutree.agent("mcps").begin(permutree.game("hex:7").start())
    timer = threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search.advance(time=60.0, clock="wall")
    assert search.report().playouts > 0
