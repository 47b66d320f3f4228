"""Matches and experiments."""

from __future__ import annotations

import json
import subprocess
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


def test_the_same_match_on_any_number_of_threads_and_from_the_program(permutree_program: str) -> None:
    results = [
        permutree.match("nim", "mcps", "uct", games=10, playouts=40, threads=threads, progress=False)
        for threads in (1, 3)
    ]
    assert [record.moves for record in results[0].records] == [record.moves for record in results[1].records]
    command = [permutree_program, "match", "nim", "mcps", "uct", "--games", "10", "--playouts", "40", "--json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert [agent["score"] for agent in found["agents"]] == [agent.score for agent in results[0].agents]


def test_refused_matches() -> None:
    wrong: list[tuple[Callable[[], object], str]] = [
        (lambda: permutree.match("hex:5", "mcps", "uct", "rave"), "hex:5 takes 1 to 2 agents, not 3"),
        (lambda: permutree.match("hex:5"), "hex:5 takes 1 to 2 agents, not 0"),
        (lambda: permutree.match("hex:5", "mcps", games=0), "a match has at least 1 game"),
        (lambda: permutree.match("hex:5", "mcps:coding=x"), "hex:5 has no coding 'x'"),
    ]
    for make, message in wrong:
        with pytest.raises(permutree.PermutreeError, match=message):
            make()


def test_progress_is_told_and_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    game, agent = permutree.game("nim")._inside, permutree.agent("random")._inside
    limits: Any = {"playouts": 1, "time": None, "game_time": None, "wall": False}
    permutree._native.play_match(game, [agent, agent], 5, 1, 1, limits, told.append)
    assert told == [1, 2, 3, 4, 5]
    with pytest.raises(ZeroDivisionError):
        permutree._native.play_match(game, [agent, agent], 5, 1, 1, limits, lambda done: 1 // 0)
    assert permutree.match("nim", "random", "random", games=5, progress=True).games == 5


def test_an_experiment_from_a_dict_is_that_of_its_file(tmp_path: Path) -> None:
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


def test_shards_make_the_whole(tmp_path: Path) -> None:
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


def test_refused_experiments(tmp_path: Path) -> None:
    for source, message in [
        ({"game": "hx", "agents": ["mcps"]}, "experiment:1: unknown game 'hx'; did you mean 'hex'"),
        ({"agents": object()}, "agents is <object"),
        ({3: "x"}, "the key 3 of an experiment is no text"),
        (tmp_path / "none.toml", "No such file"),
    ]:
        with pytest.raises(permutree.PermutreeError, match=message):
            permutree.experiment(source)  # type: ignore[arg-type]
    table = permutree.experiment({"game": "nim", "agents": ["random", "random"], "games": 2})
    with pytest.raises(permutree.PermutreeError, match="give store="):
        table.run()
    with pytest.raises(permutree.PermutreeError, match="shard=3/2: must be a part such as 2/5"):
        table.run(tmp_path / "x.db", shard="3/2")


def test_quick_takes_a_part_of_the_games() -> None:
    assert permutree.experiment({**TABLE, "quick": 0.5, "games": 12}, quick=True).games < 60
