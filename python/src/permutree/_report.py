"""What a search found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from ._tables import html, text_table

if TYPE_CHECKING:
    import pandas

    from ._native import _MoveParts, _ReportParts


# Not frozen: there is one for every legal move, and frozen ones take three times as long to make.
@dataclass
class Source:
    """Statistics over playouts: how many, and their mean reward for the player to move."""

    count: int
    mean: float


@dataclass
class MoveReport:
    """What a search found about one move."""

    move: str
    """The move."""
    index: int
    """Its place in the list of legal moves."""
    visits: int
    """How many playouts started with it."""
    mean: float
    """Their mean reward for the player to move, 0 to 1."""
    amaf: Optional[Source]
    """Playouts that contain it anywhere, if the agent looks at them."""
    permutation: Optional[Source]
    """Playouts that contain it together with the moves of the path in any order, if the agent looks at them."""
    weights: tuple[float, float, float]
    """How much of the score comes from its own mean, from AMAF and from permutations."""
    proven: Optional[float]
    """The reward that is proven, if one is."""


@dataclass(frozen=True)
class Report:
    """What a search found. In a notebook it is a table with bars."""

    agent: str
    """The agent's spec."""
    player: Optional[int]
    """The player to move, from 0; None when the game is over."""
    playouts: int
    """Playouts done."""
    time: float
    """Seconds used, by the clock of the budget."""
    deterministic: bool
    """Whether the same seed gives the same report: not with a budget in time."""
    nodes: int
    """Nodes in the tree."""
    memory: int
    """Bytes in use."""
    full: bool
    """Whether the memory limit was reached, so that the tree stopped growing."""
    moves: list[MoveReport]
    """The legal moves, best first."""
    pv: list[str]
    """The principal variation: the most visited line."""

    @property
    def best(self) -> Optional[str]:
        """The move to play; None when the game is over."""
        return self.moves[0].move if self.moves else None

    def to_pandas(self) -> pandas.DataFrame:
        """A line for each move, best first."""
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
        """The columns that say something, and the rows."""
        rows = self._rows()
        says = [
            name
            for name in _COLUMNS
            if any(row[name] is not None for row in rows) and not name.startswith("weight")
        ]
        return says, rows

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


def _move(parts: _MoveParts) -> MoveReport:
    move, index, visits, mean, amaf, permutation, weights, proven = parts
    return MoveReport(
        move, index, visits, mean, amaf and Source(*amaf), permutation and Source(*permutation), weights, proven
    )


def report_of(agent: str, parts: _ReportParts) -> Report:
    """The report that the parts are of."""
    turn, playouts, time, deterministic, nodes, memory, full, moves, pv = parts
    player = turn if turn >= 0 else None
    return Report(agent, player, playouts, time, deterministic, nodes, memory, full, [_move(m) for m in moves], pv)
