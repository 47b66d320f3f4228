"""Matches and experiments."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest

import permutree

TABLE = {
    "title": "A small table",
    "agents": ["mcps:ref={ref}", "uct"],
    "vary": {"ref": [50, 100]},
    "games": 6,
    "playouts": 30,
    "rows": [{"game": "nim", "paper": [60, "70 ± 5"]}, {"game": ["tic-tac-toe", "hex:3"], "games": 4}],
}


def test_a_match() -> None:
    result = permutree.match("hex:4", "mcps", "random", games=20, playouts=60, progress=False)
    first, second = result.agents
    assert result.games == 20 and first.score > 0.8 and abs(first.score + second.score - 1) < 1e-9
    assert first.wins + first.draws + first.losses == 20 and first.wins == second.losses
    assert first.ci95[0] < first.score <= first.ci95[1] and first.elo is not None and first.elo > 0
    assert [seat.seat for seat in first.seats] == [0, 1] and [seat.games for seat in first.seats] == [10, 10]
    assert result.deterministic and len(result.records) == 20
    assert [record.number for record in result.records] == list(range(20))
    record = result.records[1]
    assert record.seating == [1, 0] and permutree.game("hex:4").position(record.moves).outcome == tuple(record.rewards)
    table = result.to_pandas()
    assert list(table["agent"]) == ["mcps", "random"] and len(result.games_to_pandas()) == 20
    assert "hex:4, 20 games" in str(result) and "<table>" in result._repr_html_()


def test_infinite_elo_differences() -> None:
    """If one of two agents wins every game, its Elo difference is infinite and so is one end of the interval."""
    first, second = permutree.match("nim:1-2", "mcps", "mcps", games=2, playouts=200, progress=False).agents
    assert first.score == 0.5 and first.elo == 0.0
    first, second = permutree.match("hex:4", "mcps", "random", games=10, playouts=200, progress=False).agents
    assert (first.score, second.score) == (1.0, 0.0) and (first.elo, second.elo) == (math.inf, -math.inf)
    assert first.elo_ci95 is not None and second.elo_ci95 is not None
    assert first.elo_ci95[1] == math.inf and 0 < first.elo_ci95[0] < math.inf
    assert second.elo_ci95 == pytest.approx((-math.inf, -first.elo_ci95[0]))
    assert permutree.match("pig:20", "random", games=2, progress=False).agents[0].elo is None


def test_matches_with_threads_that_share_playouts_are_not_deterministic(tmp_path: Path) -> None:
    for spec, expected in [("uct", True), ("uct:threads=2", False)]:
        assert permutree.match("nim", spec, "random", games=2, playouts=50, progress=False).deterministic is expected
        table = permutree.experiment({"game": "nim", "agents": [spec, "random"], "playouts": 50, "games": 2})
        result = table.run(tmp_path / f"{expected}.db", progress=False)
        assert result.is_complete and [cell.deterministic for cell in result.cells] == [expected]
    assert not permutree.match("nim", "uct", "random", games=2, time="1ms", progress=False).deterministic


def test_an_engine_that_resigns_forfeits(tmp_path: Path) -> None:
    engine = tmp_path / "engine.py"
    engine.write_text("while True: print('= resign' if 'genmove' in input() else '=', end='\\n\\n', flush=True)")
    spec = f"external:cmd={sys.executable} {engine}"
    result = permutree.match("tic-tac-toe", "random", spec, games=2, progress=False)
    assert result.forfeits == 2 and not result.deterministic and result.agents[0].score == 1.0
    for record in result.records:
        assert record.forfeit is not None and record.forfeit[0] == 1 and "resign" in record.forfeit[1]


def test_cells_without_games(tmp_path: Path) -> None:
    table = permutree.experiment(TABLE)
    table.run(tmp_path / "x.db", shard="3/3", progress=False)
    result = table.result(tmp_path / "x.db")
    empty = [cell for cell in result.cells if cell.games == 0]
    assert 0 < len(empty) < len(result.cells) and all(cell.agrees is None for cell in empty) and not result.is_complete
    rows = result.to_pandas()
    assert rows[rows["games"] == 0]["score"].isna().all()
    assert "<table>" in result._repr_html_()


def test_a_match_does_not_depend_on_threads_or_interface(permutree_program: str) -> None:
    results = [
        permutree.match("nim", "mcps", "uct", games=10, playouts=40, threads=threads, progress=False)
        for threads in (1, 3)
    ]
    assert [record.moves for record in results[0].records] == [record.moves for record in results[1].records]
    command = [permutree_program, "match", "nim", "mcps", "uct", "--games", "10", "--playouts", "40", "--json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert [agent["score"] for agent in found["agents"]] == [agent.score for agent in results[0].agents]


def test_invalid_matches() -> None:
    wrong: list[tuple[Callable[[], object], str]] = [
        (lambda: permutree.match("hex:5", "mcps", "uct", "rave"), "hex:5 takes 1 to 2 agents, not 3"),
        (lambda: permutree.match("hex:5"), "hex:5 takes 1 to 2 agents, not 0"),
        (lambda: permutree.match("hex:5", "mcps", games=0), "games must be at least 1"),
        (lambda: permutree.match("hex:5", "mcps:coding=x"), "hex:5 has no coding 'x'"),
    ]
    for make, message in wrong:
        with pytest.raises(permutree.PermutreeError, match=message):
            make()


def test_progress_callbacks_may_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    game, agent = permutree.game("nim")._inside, permutree.agent("random")._inside
    limits: Any = {"playouts": 1, "time": None, "game_time": None, "wall": False}
    permutree._native.play_match(game, [agent, agent], 5, 1, 1, limits, told.append)
    assert told == [1, 2, 3, 4, 5]
    with pytest.raises(ZeroDivisionError):
        permutree._native.play_match(game, [agent, agent], 5, 1, 1, limits, lambda done: 1 // 0)
    assert permutree.match("nim", "random", "random", games=5, progress=True).games == 5


def test_an_experiment_from_a_dict_equals_one_from_a_file(tmp_path: Path) -> None:
    table = permutree.experiment(TABLE)
    assert (table.title, table.games) == ("A small table", 28)
    result = table.run(tmp_path / "a.db", threads=2, progress=False)
    assert result.is_complete and len(result.cells) == 6
    assert result.cells[0].paper == 0.6 and result.cells[0].agrees is not None and result.cells[2].paper is None
    frame = result.to_pandas()
    assert len(frame) == 12 and set(frame["game"]) == {permutree.game("nim").spec, "tic-tac-toe", "hex:3"}
    assert result.markdown.startswith("# A small table") and "A small table" in result._repr_html_()

    file = tmp_path / "table.toml"
    file.write_text(table.text, encoding="utf-8")
    again = permutree.experiment(file)
    assert again.run(progress=False).markdown == result.markdown
    assert again.store() == tmp_path / "table.db"
    moves = [record["moves"] for record in table.records(tmp_path / "a.db")]
    assert len(moves) == 28 and moves == [record["moves"] for record in again.records()]


def test_merged_shards_equal_a_whole_run(tmp_path: Path) -> None:
    table = permutree.experiment(TABLE)
    whole = table.run(tmp_path / "whole.db", progress=False)
    parts = [tmp_path / f"{part}.db" for part in (1, 2, 3)]
    for part, store in zip(("1/3", "2/3", "3/3"), parts):
        assert not table.run(store, shard=part, progress=False).is_complete
    assert permutree.merge(tmp_path / "all.db", *parts) == 28
    assert permutree.merge(tmp_path / "all.db", *parts) == 0
    assert table.result(tmp_path / "all.db").markdown == whole.markdown


def test_counts_of_codes(tmp_path: Path) -> None:
    table = permutree.experiment({"game": ["nim", "hex:3"], "codes": 100})
    found = table.run(tmp_path / "x.db", progress=False).to_pandas()
    assert list(found["random_games"]) == [100, 100] and found["exact"].between(0, 1).all()


def test_searches(tmp_path: Path) -> None:
    agents = ["mcps:playouts=200", "flat:playouts=100"]
    table = permutree.experiment({"game": "hex:5", "agents": agents, "searches": 3})
    result = table.run(tmp_path / "x.db", progress=False)
    found = result.to_pandas()
    assert list(found["agent"]) == agents and list(found["playouts"]) == [200, 100]
    assert (found["seconds"] > 0).all() and not result.codes
    assert "seconds" in result._repr_html_()


def test_invalid_experiments(tmp_path: Path) -> None:
    for source, message in [
        ({"game": "hx", "agents": ["mcps"]}, "experiment:1: unknown game 'hx'; did you mean 'hex'"),
        ({"agents": object()}, "agents=<object"),
        ({3: "x"}, "experiment keys must be strings, not 3"),
        (tmp_path / "none.toml", "No such file"),
    ]:
        with pytest.raises(permutree.PermutreeError, match=message):
            permutree.experiment(source)  # type: ignore[arg-type]
    table = permutree.experiment({"game": "nim", "agents": ["random", "random"], "games": 2})
    with pytest.raises(permutree.PermutreeError, match="pass store="):
        table.run()
    with pytest.raises(permutree.PermutreeError, match="shard=3/2: must be a part such as 2/5"):
        table.run(tmp_path / "x.db", shard="3/2")


def test_quick_plays_a_fraction_of_the_games() -> None:
    assert permutree.experiment({**TABLE, "quick": 0.5, "games": 12}, quick=True).games < 60
