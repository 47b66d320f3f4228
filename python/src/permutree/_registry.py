"""Functions for games and agents, built from the engine's own listings.

``python -m permutree._registry`` writes the type stubs of `permutree.games` and `permutree.agents`.
"""

from __future__ import annotations

import inspect
import json
import keyword
import sys
import textwrap
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from . import _native

if TYPE_CHECKING:
    from ._native import _AgentListing, _AnyParam, _GameListing

Made = TypeVar("Made")

_TYPES: dict[str, type] = {"int": int, "real": float, "flag": bool, "choice": str, "text": str}


def games() -> list[_GameListing]:
    """Every game with its parameters."""
    listing: list[_GameListing] = json.loads(_native.games())
    return listing


def agents() -> list[_AgentListing]:
    """Every agent with its parameters."""
    listing: list[_AgentListing] = json.loads(_native.agents())
    return listing


def function_name(name: str) -> str:
    """The name of a game, an agent or a parameter as a Python identifier."""
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def values(param: _AnyParam) -> str:
    """The valid values of a parameter, in the words of the engine's error messages."""
    if param["kind"] == "int":
        low, high = param["min"], param["max"]
        return f"a whole number from {low}" if high == 2**63 - 1 else f"a whole number {low}..{high}"
    if param["kind"] == "real":
        least, most = param["min"], param["max"]
        if most == sys.float_info.max:
            return f"a number from {_plain(least)}"
        return f"a number {_plain(least)}..{_plain(most)}"
    if param["kind"] == "choice":
        return " or ".join(param["choices"])
    return "true or false" if param["kind"] == "flag" else "text"


def _plain(number: float) -> str:
    return str(int(number)) if number == int(number) else str(number)


def _default(param: _AnyParam) -> Any:
    default = param["default"]
    return default == "true" if param["kind"] == "flag" else _TYPES[param["kind"]](default)


def _documented(params: list[_AnyParam]) -> str:
    if not params:
        return ""
    lines = ["", "Parameters:"]
    for param in params:
        default = f", {param['default']}" if param["default"] else ""
        lines.append(f"    {function_name(param['key'])}: {param['help'].rstrip('.')} ({values(param)}{default}).")
    return "\n".join(lines)


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(text, 110))


def described(name: str, make: Callable[[str], Made], params: list[_AnyParam], doc: str) -> Callable[..., Made]:
    """A function that creates a game or an agent from keyword arguments."""
    keys = {function_name(param["key"]): param["key"] for param in params}
    renamed = {param["formerly"]: function_name(param["key"]) for param in params if "formerly" in param}
    signature = inspect.Signature(
        [
            inspect.Parameter(
                function_name(param["key"]),
                inspect.Parameter.POSITIONAL_OR_KEYWORD if place == 0 else inspect.Parameter.KEYWORD_ONLY,
                default=_default(param),
                annotation=_TYPES[param["kind"]],
            )
            for place, param in enumerate(params)
        ]
    )

    def create(*args: Any, **kwargs: Any) -> Made:
        for old, new in renamed.items():
            if old in kwargs and new not in kwargs:
                warnings.warn(f"{create.__name__}: {old}= is now {new}=", FutureWarning, stacklevel=2)
                kwargs[new] = kwargs.pop(old)
        given = signature.bind(*args, **kwargs).arguments
        text = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in given.items()}
        items = [f"{keys[key]}={value}" for key, value in text.items() if value != ""]
        # A command takes the rest of the spec, so it comes last.
        items.sort(key=lambda item: item.startswith("cmd="))
        return make(name + (":" if items else "") + ",".join(items))

    create.__name__ = create.__qualname__ = function_name(name)
    create.__doc__ = doc
    create.__signature__ = signature  # type: ignore[attr-defined]
    return create


def _doc(listing: _GameListing | _AgentListing, *paragraphs: str) -> str:
    source = [f"Source: {listing['source']}"] if listing["source"] else []
    text = "\n\n".join([f"{listing['title']}.", *map(_wrapped, paragraphs), *source])
    return f"{text}\n{_documented(listing['params'])}".rstrip() + "\n"


def game_docs() -> dict[str, tuple[str, list[_AnyParam]]]:
    """The documentation and the parameters of every game."""
    return {game["name"]: (_doc(game, game["rules"]), game["params"]) for game in games()}


def agent_docs() -> dict[str, tuple[str, list[_AnyParam]]]:
    """The documentation and the parameters of every agent."""
    return {agent["name"]: (_doc(agent, agent["about"], agent["advice"]), agent["params"]) for agent in agents()}


def stub(what: str) -> str:
    """The type stub of `permutree.games` or `permutree.agents`."""
    docs = game_docs() if what == "games" else agent_docs()
    result, module = ("LoadedGame", "_game") if what == "games" else ("Agent", "_search")
    lines = [f"from .{module} import {result}", ""]
    for name, (_, params) in docs.items():
        parts = []
        for place, param in enumerate(params):
            parts += ["*"] if place == 1 else []
            kind = _TYPES[param["kind"]].__name__
            parts.append(f"{function_name(param['key'])}: {kind} = {_default(param)!r}")
        lines.append(f"def {function_name(name)}({', '.join(parts)}) -> {result}: ...")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    for what in ("games", "agents"):
        Path(__file__).with_name(f"{what}.pyi").write_text(stub(what), encoding="utf-8")
