"""Executes the notebooks."""

from __future__ import annotations

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
FOLDER = Path(__file__).resolve().parents[1] / "notebooks"


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.ipynb")))
def test_a_notebook(name: str) -> None:
    notebook = nbformat.read(FOLDER / name, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code and all(not cell.outputs for cell in code), "notebooks are kept without outputs"
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(FOLDER)}}).execute()
    shown = [output.data for cell in code for output in cell.outputs if "data" in output]
    assert any("image/svg+xml" in data for data in shown) and any("text/html" in data for data in shown)
