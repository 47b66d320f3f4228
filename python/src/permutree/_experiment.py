"""Experiments: tables of many matches."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from . import _native
from ._match import AgentResult, agent_results
from ._tables import html, progress_bar

if TYPE_CHECKING:
    import pandas

PathLike = Union[str, "os.PathLike[str]"]


def experiment(source: Union[PathLike, Mapping[str, Any]], *, quick: bool = False) -> Experiment:
    """An experiment from a TOML file, or from a dict with the same keys.

    ``quick=True`` takes only the part of the games that the file calls quick. Everything is checked here: a mistake is
    raised as `PermutreeError` with the file, the line and what was meant.

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
    """What an experiment asks for. `permutree.experiment` makes it."""

    def __init__(self, inside: _native.Experiment, text: str, path: Optional[Path], quick: bool) -> None:
        self._inside = inside
        self._text = text
        self._path = path
        self._quick = quick

    @property
    def title(self) -> str:
        """What is found out."""
        return self._inside.title

    @property
    def text(self) -> str:
        """The experiment as TOML."""
        return self._text

    @property
    def games(self) -> int:
        """How many games all cells have."""
        return sum(games for *_, games in self._inside.cells())

    def run(
        self,
        store: Optional[PathLike] = None,
        *,
        shard: str = "1/1",
        threads: int = 0,
        progress: Optional[bool] = None,
    ) -> ExperimentResult:
        """Plays what the store lacks, and gives what it then holds.

        The store is an SQLite file, beside the experiment's own file with the ending ``.db`` unless you say where. It may be
        interrupted at any time and run again. ``shard="2/5"`` plays the second of five parts.
        """
        path = self.store(store)
        if threads < 0:
            raise _native.PermutreeError(f"threads={threads}: must be 0 or more")
        with progress_bar(progress, self.games + self._inside.probes(), "game") as tell:
            self._inside.run(path, shard, threads, tell)
        return self.result(path)

    def result(self, store: Optional[PathLike] = None) -> ExperimentResult:
        """What the store holds of the experiment."""
        path = self.store(store)
        markdown, cells, probes = self._inside.report(path)
        codes = [
            {"game": game, "random_games": count, "seed": seed, **dict(found)}
            for game, agent, count, seed, found in probes
            if agent is None
        ]
        searches = [
            {"game": game, "agent": agent, "searches": count, "seed": seed, **dict(found)}
            for game, agent, count, seed, found in probes
            if agent is not None
        ]
        return ExperimentResult(self.title, [_cell(parts) for parts in cells], codes, searches, markdown)

    def records(self, store: Optional[PathLike] = None) -> list[dict[str, Any]]:
        """The stored games, with seats, rewards and moves."""
        lines = self._inside.export(self.store(store), "jsonl").splitlines()
        return [json.loads(line) for line in lines]

    def store(self, store: Optional[PathLike] = None) -> Path:
        """Where the games are kept."""
        if store is not None:
            return Path(store)
        if self._path is None:
            raise _native.PermutreeError("an experiment from a dict has no file beside which to keep games; give store=")
        return self._path.with_suffix(".db")

    def __repr__(self) -> str:
        return f"<Experiment {self.title!r}: {len(self._inside.cells())} cells, {self.games:,} games>"


@dataclass(frozen=True)
class Cell:
    """The games of one figure of a table."""

    table: str
    game: str
    names: list[str]
    """The agents as the file names them."""
    budget: str
    wanted: int
    """Games that were asked for."""
    games: int
    """Games that there are."""
    plies: float
    """The mean length of a game."""
    deterministic: bool
    agents: list[AgentResult]
    paper: Optional[float]
    """The paper's score of the first agent, if it has one."""
    paper_ci95: Optional[tuple[float, float]]
    agrees: Optional[bool]
    """Whether the intervals of the paper and of the first agent have a value in common."""


@dataclass(frozen=True)
class ExperimentResult:
    """What a store holds of an experiment. In a notebook it is a table."""

    title: str
    cells: list[Cell]
    codes: list[dict[str, Any]]
    """Counts of codes in random games."""
    searches: list[dict[str, Any]]
    """What agents use for the first move: medians of seconds and playouts."""
    markdown: str = field(repr=False)
    """The report, as ``permutree experiment report`` writes it."""

    @property
    def is_complete(self) -> bool:
        """Whether every game was played."""
        return all(cell.games == cell.wanted for cell in self.cells)

    def to_pandas(self) -> pandas.DataFrame:
        """A line for each agent of each cell; or for each count of codes and each agent's searches."""
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
        says = [name for name in columns if any(row.get(name) not in (None, "") for row in rows)]
        return html(says, rows, self.title, bars={"score": 1.0})


def merge(out: PathLike, *stores: PathLike) -> int:
    """Puts stores together, and gives the number of games that were new in `out`. A game that is there already stays."""
    return sum(added for added, _, _ in _native.merge(out, list(stores)))


def _cell(parts: _native._CellParts) -> Cell:
    paper, paper_ci95 = parts["paper"] if parts["paper"] is not None else (None, None)
    return Cell(
        parts["table"],
        parts["game"],
        parts["names"],
        parts["budget"],
        parts["wanted"],
        parts["games"],
        parts["plies"],
        parts["deterministic"],
        agent_results(parts["agents"]),
        paper,
        paper_ci95,
        parts["agrees"],
    )


def to_toml(table: Mapping[str, Any]) -> str:
    """A dict as a TOML file."""
    return "".join(f"{_key(key)} = {_value(key, value)}\n" for key, value in table.items())


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise _native.PermutreeError(f"the key {key!r} of an experiment is no text")
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
    raise _native.PermutreeError(f"{key} is {value!r}; an experiment is made of texts, numbers, lists and dicts")
