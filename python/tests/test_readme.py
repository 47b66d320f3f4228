"""The examples in the documentation."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import permutree

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "python/README.md", "docs/python.md"]


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(
    page: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Modules and stores that a page creates are temporary.
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(permutree.__path__)])
def test_doctests(name: str) -> None:
    if name == "_native":
        return
    module = importlib.import_module(f"permutree.{name}")
    assert doctest.testmod(module).failed == 0


def test_doctests_of_the_package() -> None:
    found = doctest.testmod(permutree)
    assert found.failed == 0 and found.attempted > 0
