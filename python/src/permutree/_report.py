"""Reports of searches."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from ._tables import html, text_table

if TYPE_CHECKING:
    import pandas

    from . import _native


# Not frozen: a report has one of these for every legal move, and a frozen one takes three times as long to construct.
@dataclass
class Source:
    """Statistics of a set of playouts."""

    count: int
    """The number of playouts."""
    mean: float
    """Their mean reward for the player to move, 0 to 1."""


@dataclass
class MoveReport:
    """The statistics of one move."""

    move: str
    """The move."""
    index: int
    """The index of the move in `Position.moves`."""
    visits: int
    """The number of playouts that started with the move."""
    mean: float
    """Their mean reward for the player to move, 0 to 1."""
    amaf: Optional[Source]
    """Playouts that contain the move anywhere, if the agent keeps AMAF statistics."""
    permutation: Optional[Source]
    """Playouts that contain the move and all moves of the path in any order, if the agent keeps permutation statistics."""
    weights: tuple[float, float, float]
    """The weights of the move's own mean, of AMAF and of permutations in its score."""
    proven: Optional[float]
    """The proven reward, if there is one."""


@dataclass(frozen=True)
class Report:
    """The result of a search. A notebook shows it as a table with bars."""

    agent: str
    """The agent's spec."""
    player: Optional[int]
    """The player to move, from 0; None when the game is over."""
    playouts: int
    """The number of playouts."""
    time: float
    """Seconds of search, by the clock of the budget."""
    deterministic: bool
    """Whether the same seed gives the same report: False with a time budget, or if `Agent.deterministic` is False."""
    nodes: int
    """The number of nodes in the tree."""
    memory: int
    """Memory in use, in bytes."""
    full: bool
    """Whether the tree reached its memory limit and stopped growing."""
    moves: list[MoveReport]
    """The legal moves, best first."""
    pv: list[str]
    """The principal variation: the most visited line."""

    @property
    def best(self) -> Optional[str]:
        """The move to play; None when the game is over."""
        return self.moves[0].move if self.moves else None

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with one row per move, best first."""
        import pandas

        return pandas.DataFrame(self._rows(), columns=[*_COLUMNS])

    def _rows(self) -> list[dict[str, Any]]:
        def row(found: MoveReport) -> dict[str, Any]:
            amaf, permutation = found.amaf, found.permutation
            own, by_amaf, by_permutation = found.weights
            values = (
                found.move,
                found.visits,
                found.mean if found.visits else None,
                amaf and amaf.count,
                amaf.mean if amaf and amaf.count else None,
                permutation and permutation.count,
                permutation.mean if permutation and permutation.count else None,
                own,
                by_amaf,
                by_permutation,
                found.proven,
            )
            return dict(zip(_COLUMNS, values))

        return [row(found) for found in self.moves]

    def _shown(self) -> tuple[list[str], list[dict[str, Any]]]:
        """The columns with values, except the weights, and the rows."""
        rows = self._rows()
        columns = [
            name
            for name in _COLUMNS
            if any(row[name] is not None for row in rows) and not name.startswith("weight")
        ]
        return columns, rows

    def __str__(self) -> str:
        columns, rows = self._shown()
        table = text_table(columns, rows[:15])
        return f"{table}{_more(len(rows) - 15)}{self._caption()}\n"

    def _repr_html_(self) -> str:
        columns, rows = self._shown()
        caption = f"{_more(len(rows) - 25)}{self._caption()}"
        return html(columns, rows[:25], caption, bars={"visits": max((m.visits for m in self.moves), default=0)})

    def _caption(self) -> str:
        line = " ".join(self.pv)
        return f"{self.agent}: {self.playouts:,} playouts in {self.time * 1000:.1f} ms; line {line}"

    def __repr__(self) -> str:
        return f"<Report of {self.agent}: best {self.best!r}, {self.playouts:,} playouts>"


def _more(moves: int) -> str:
    return f"... and {moves} more\n" if moves > 0 else ""


_COLUMNS = (
    "move",
    "visits",
    "mean",
    "amaf_count",
    "amaf_mean",
    "permutation_count",
    "permutation_mean",
    "weight_own",
    "weight_amaf",
    "weight_permutation",
    "proven",
)


def _move(found: _native._Move) -> MoveReport:
    amaf, permutation = found["amaf"], found["permutation"]
    return MoveReport(
        found["move"],
        found["index"],
        found["visits"],
        found["mean"],
        amaf and Source(amaf["count"], amaf["mean"]),
        permutation and Source(permutation["count"], permutation["mean"]),
        found["weights"],
        found["proven"],
    )


def parse_report(agent: str, text: str, moves: list[_native._Move]) -> Report:
    """The report of an agent, from its JSON and its moves."""
    found: _native._Report = json.loads(text)
    turn = found["turn"]
    return Report(
        agent=agent,
        player=None if turn is None else turn - 1,
        playouts=found["playouts"],
        time=found["time_s"],
        deterministic=found["deterministic"],
        nodes=found["nodes"],
        memory=found["memory"],
        full=found["full"],
        moves=[_move(move) for move in moves],
        pv=found["principal_variation"],
    )
