"""Fixtures for several tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def permutree_program() -> str:
    """The command-line program, as built by cargo."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = target / "debug" / "permutree"
    if not program.exists():
        pytest.skip(f"{program} was not built")
    return str(program)
