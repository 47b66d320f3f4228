"""Experiments: tables of many matches."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from . import _native
from ._match import AgentResult, agent_results, pair
from ._tables import html, progress_bar

if TYPE_CHECKING:
    import pandas

PathLike = Union[str, "os.PathLike[str]"]


def experiment(source: Union[PathLike, Mapping[str, Any]], *, quick: bool = False) -> Experiment:
    """An experiment from a TOML file, or from a dict with the same keys.

    With ``quick=True`` it has only the share of the games that the file defines as `quick`. The experiment is validated
    here: an error raises `PermutreeError` with the file, the line and the expected values.

    >>> table = experiment({"game": "nim", "agents": ["mcps", "random"], "playouts": 20, "games": 4})
    >>> table.games
    4
    """
    if isinstance(source, Mapping):
        path, text = None, to_toml(source)
    else:
        path = Path(source)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise _native.PermutreeError(f"{path}: {error}") from error
    inside = _native.Experiment(path or "experiment", text)
    return Experiment(inside.quickly() if quick else inside, text, path, quick)


class Experiment:
    """An experiment: the matches of one or more tables. `permutree.experiment` creates it."""

    def __init__(self, inside: _native.Experiment, text: str, path: Optional[Path], quick: bool) -> None:
        self._inside = inside
        self._text = text
        self._path = path
        self._quick = quick

    @property
    def title(self) -> str:
        """The title."""
        return self._inside.title

    @property
    def text(self) -> str:
        """The experiment as TOML."""
        return self._text

    @property
    def games(self) -> int:
        """The number of games in all cells."""
        return sum(games for *_, games in self._inside.cells())

    def run(
        self,
        store: Optional[PathLike] = None,
        *,
        shard: str = "1/1",
        threads: int = 0,
        progress: Optional[bool] = None,
    ) -> ExperimentResult:
        """Plays the games that the store does not have yet, and returns the result of all its games.

        The store is an SQLite file; the default is the path of the experiment file with the suffix ``.db``. A run can be
        interrupted at any time and continued later. ``shard="2/5"`` plays the second of five parts.
        """
        path = self.store(store)
        if threads < 0:
            raise _native.PermutreeError(f"threads={threads}: must be 0 or more")
        with progress_bar(progress, self.games + self._inside.probes(), "game") as tell:
            self._inside.run(path, shard, threads, tell)
        return self.result(path)

    def result(self, store: Optional[PathLike] = None) -> ExperimentResult:
        """The result of the games in the store."""
        markdown, text = self._inside.report(self.store(store))
        report: _native._ExperimentReport = json.loads(text)
        tables = report["tables"]
        codes: list[dict[str, Any]] = []
        searches: list[dict[str, Any]] = []
        for probe in (probe for table in tables for probe in table["probes"]):
            game, agent, count, seed = probe["game"], probe["agent"], probe["count"], probe["seed"]
            if agent is None:
                codes.append({"game": game, "random_games": count, "seed": seed, **probe["found"]})
            else:
                searches.append({"game": game, "agent": agent, "searches": count, "seed": seed, **probe["found"]})
        return ExperimentResult(
            title=self.title,
            cells=[_cell(table["title"], cell) for table in tables for cell in table["cells"]],
            codes=codes,
            searches=searches,
            markdown=markdown,
        )

    def records(self, store: Optional[PathLike] = None) -> list[dict[str, Any]]:
        """The games in the store, with their seats, rewards and moves."""
        lines = self._inside.export(self.store(store), "jsonl").splitlines()
        return [json.loads(line) for line in lines]

    def store(self, store: Optional[PathLike] = None) -> Path:
        """The path of the store."""
        if store is not None:
            return Path(store)
        if self._path is None:
            raise _native.PermutreeError("an experiment from a dict has no default store; pass store=")
        return self._path.with_suffix(".db")

    def __repr__(self) -> str:
        return f"<Experiment {self.title!r}: {len(self._inside.cells())} cells, {self.games:,} games>"


@dataclass(frozen=True)
class Cell:
    """One cell of a table: the games between its agents."""

    table: str
    """The title of the table."""
    game: str
    names: list[str]
    """The agents as the file names them."""
    budget: str
    wanted: int
    """The number of games in the experiment."""
    games: int
    """The number of games in the store."""
    plies: float
    """The mean length of a game."""
    deterministic: bool
    """Whether the same seed gives the same result, as in `MatchResult`."""
    agents: list[AgentResult]
    paper: Optional[float]
    """The first agent's score in the paper, if the file gives it."""
    paper_ci95: Optional[tuple[float, float]]
    agrees: Optional[bool]
    """Whether the confidence intervals of the paper and of the first agent overlap."""


@dataclass(frozen=True)
class ExperimentResult:
    """The result of an experiment. A notebook shows it as a table."""

    title: str
    cells: list[Cell]
    codes: list[dict[str, Any]]
    """Frequencies of codes in random games."""
    searches: list[dict[str, Any]]
    """Median seconds and playouts of searches from the start position."""
    markdown: str = field(repr=False)
    """The report that ``permutree experiment report`` prints."""

    @property
    def is_complete(self) -> bool:
        """Whether the store has every game."""
        return all(cell.games == cell.wanted for cell in self.cells)

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with one row per agent and cell, or one row per measurement of codes or searches."""
        import pandas

        return pandas.DataFrame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        if not self.cells:
            return self.codes + self.searches
        rows = []
        for cell in self.cells:
            for place, (name, agent) in enumerate(zip(cell.names, cell.agents)):
                rows.append(
                    {
                        "table": cell.table,
                        "game": cell.game,
                        "agent": name,
                        "against": ", ".join(cell.names[:place] + cell.names[place + 1 :]),
                        "budget": cell.budget,
                        "games": cell.games,
                        "score": agent.score if cell.games else None,
                        "low": agent.ci95[0] if cell.games else None,
                        "high": agent.ci95[1] if cell.games else None,
                        "elo": agent.elo if cell.games else None,
                        "paper": cell.paper if place == 0 else None,
                        "agrees": cell.agrees if place == 0 else None,
                    }
                )
        return rows

    def _repr_html_(self) -> str:
        rows = self._rows()
        columns = list(dict.fromkeys(name for row in rows for name in row))
        filled = [name for name in columns if any(row.get(name) not in (None, "") for row in rows)]
        return html(filled, rows, self.title, bars={"score": 1.0})


def merge(out: PathLike, *stores: PathLike) -> int:
    """Copies the games of stores into `out`, and returns the number of new games. Games already in `out` are kept."""
    return sum(added for added, _, _ in _native.merge(out, list(stores)))


def _cell(table: str, cell: _native._Cell) -> Cell:
    paper = cell["paper"]
    return Cell(
        table=table,
        game=cell["game"],
        names=cell["names"],
        budget=cell["budget"],
        wanted=cell["wanted"],
        games=cell["games"],
        plies=cell["plies"],
        deterministic=cell["deterministic"],
        agents=agent_results(cell["agents"]),
        paper=paper and paper["score"],
        paper_ci95=paper and pair(paper["ci95"]),
        agrees=cell["agrees"],
    )


def to_toml(table: Mapping[str, Any]) -> str:
    """A dict as a TOML file."""
    return "".join(f"{_key(key)} = {_value(key, value)}\n" for key, value in table.items())


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise _native.PermutreeError(f"experiment keys must be strings, not {key!r}")
    return json.dumps(key)


def _value(key: object, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float, str)):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_value(name, item)}" for name, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(key, item) for item in value) + "]"
    raise _native.PermutreeError(f"{key}={value!r}: must be a string, number, list or dict")
