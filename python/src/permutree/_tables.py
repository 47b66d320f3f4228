"""Tables for terminals and notebooks, and progress bars."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from html import escape
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence

Row = Mapping[str, Any]


def shown(value: Any) -> str:
    """A value formatted for display."""
    if value is None:
        return ""
    if isinstance(value, float):
        large = abs(value) >= 1000
        return f"{value:,.0f}" if large else f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, tuple):
        return "..".join(map(shown, value))
    return str(value)


def text_table(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """A table in plain text. The first column is left-aligned, the others are right-aligned."""
    cells = [list(columns), *([shown(row[name]) for name in columns] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(columns))]
    cells.insert(1, ["-" * width for width in widths])

    def line(texts: Sequence[str]) -> str:
        placed = (f"{t:<{w}}" if place == 0 else f"{t:>{w}}" for place, (t, w) in enumerate(zip(texts, widths)))
        return "  ".join(placed).rstrip() + "\n"

    return "".join(map(line, cells))


def html(columns: Sequence[str], rows: Sequence[Row], caption: str, bars: Mapping[str, float] = {}) -> str:
    """A table for a notebook. `bars` maps columns that are drawn as bars to the value of a full bar."""

    def cell(name: str, value: Any) -> str:
        style = "text-align:left" if isinstance(value, str) else "text-align:right"
        if bars.get(name):
            part = 100.0 * float(value or 0) / bars[name]
            style += f";background:linear-gradient(90deg,rgba(80,140,220,.35) {part:.1f}%,transparent {part:.1f}%)"
            style += ";min-width:8em"
        return f'<td style="{style}">{escape(shown(value))}</td>'

    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in columns)
    body = "".join("<tr>" + "".join(cell(name, row[name]) for name in columns) + "</tr>" for row in rows)
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
        f'<caption style="caption-side:bottom;text-align:left">{escape(caption)}</caption></table>'
    )


@contextmanager
def progress_bar(wanted: Optional[bool], total: int, what: str) -> Iterator[Optional[Callable[[int], None]]]:
    """A function that updates a tqdm progress bar, or None.

    By default (`wanted` is None) the bar appears after one second, and there is none if tqdm is not installed.
    """
    if wanted is False:
        yield None
        return
    try:
        # tqdm warns in notebooks without widgets, and then shows text.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        if wanted:
            raise
        yield None
        return
    with tqdm(total=total, unit=what, delay=0 if wanted else 1, leave=False) as bar:

        def tell(done: int) -> None:
            bar.update(done - bar.n)

        yield tell
