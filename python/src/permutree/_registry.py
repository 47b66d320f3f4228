"""Functions for games and agents, made from the lists in which the engine describes them.

``python -m permutree._registry`` prints the type stubs of `permutree.games` and `permutree.agents` into their files.
"""

from __future__ import annotations

import inspect
import keyword
import textwrap
from pathlib import Path
from typing import Any, Callable, TypeVar

from . import _native

Made = TypeVar("Made")
Param = tuple[str, str, str, str, str]

_KINDS: dict[str, type] = {"int": int, "float": float, "bool": bool, "str": str}


def function_name(name: str) -> str:
    """A name of a game or an agent, or of a parameter, as Python can write it."""
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def _default(kind: str, default: str) -> Any:
    return default == "true" if kind == "bool" else _KINDS[kind](default)


def _documented(params: list[Param]) -> str:
    if not params:
        return ""
    lines = ["", "Parameters:"]
    for key, _, default, help, values in params:
        given = f", {default}" if default else ""
        lines.append(f"    {function_name(key)}: {help.rstrip('.')} ({values}{given}).")
    return "\n".join(lines)


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(text, 110))


def described(name: str, made: Callable[[str], Made], params: list[Param], doc: str) -> Callable[..., Made]:
    """A function that makes a game or an agent from its parameters."""
    keys = [function_name(key) for key, *_ in params]
    shown = [
        inspect.Parameter(
            key,
            inspect.Parameter.POSITIONAL_OR_KEYWORD if place == 0 else inspect.Parameter.KEYWORD_ONLY,
            default=_default(kind, default),
            annotation=_KINDS[kind],
        )
        for place, (key, (_, kind, default, _, _)) in enumerate(zip(keys, params))
    ]
    signature = inspect.Signature(shown)

    def make(*args: Any, **kwargs: Any) -> Made:
        given = signature.bind(*args, **kwargs).arguments
        real = {function_name(key): key for key, *_ in params}
        text = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in given.items()}
        items = [f"{real[key]}={value}" for key, value in text.items() if value != ""]
        # A command is the rest of the spec, so it comes last.
        items.sort(key=lambda item: item.startswith("cmd="))
        return made(name + (":" if items else "") + ",".join(items))

    make.__name__ = make.__qualname__ = function_name(name)
    make.__doc__ = doc
    make.__signature__ = signature  # type: ignore[attr-defined]
    return make


def game_docs() -> dict[str, tuple[str, list[Param]]]:
    """The documentation and the parameters of every game."""
    return {
        name: (f"{title}.\n\n{_wrapped(rules)}\n\nSource: {source}\n{_documented(params)}".rstrip() + "\n", params)
        for name, title, rules, source, params in _native.games()
    }


def agent_docs() -> dict[str, tuple[str, list[Param]]]:
    """The documentation and the parameters of every agent."""
    return {
        name: (
            f"{title}.\n\n{_wrapped(about)}\n\n{_wrapped(advice)}\n\nSource: {source}\n{_documented(params)}".rstrip()
            + "\n",
            params,
        )
        for name, title, about, advice, source, params in _native.agents()
    }


def stub(what: str) -> str:
    """The type stub of `permutree.games` or `permutree.agents`."""
    docs = game_docs() if what == "games" else agent_docs()
    result, place = ("LoadedGame", "_game") if what == "games" else ("Agent", "_search")
    lines = [f"from .{place} import {result}", ""]
    for name, (_, params) in docs.items():
        parts = []
        for index, (key, kind, default, _, _) in enumerate(params):
            parts += ["*"] if index == 1 else []
            parts.append(f"{function_name(key)}: {kind} = {_default(kind, default)!r}")
        lines.append(f"def {function_name(name)}({', '.join(parts)}) -> {result}: ...")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    for what in ("games", "agents"):
        Path(__file__).with_name(f"{what}.pyi").write_text(stub(what), encoding="utf-8")
