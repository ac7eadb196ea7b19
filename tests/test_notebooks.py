"""The notebooks of examples/ run, show pictures, and hold the outputs of a run."""

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parents[1] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
WITH_PICTURES = ("first_race", "own_bot")


def outputs(book: Any) -> list[Any]:
    return [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]


def test_there_are_three_with_outputs_and_pictures() -> None:
    assert len(NOTEBOOKS) == 3
    for path in NOTEBOOKS:
        book = nbformat.read(path, as_version=4)
        nbformat.validate(book)
        assert outputs(book)
        assert not [output for output in outputs(book) if output.output_type == "error"]
        assert ("image/svg+xml" in json.dumps(outputs(book))) == (path.stem in WITH_PICTURES)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert outputs(book)
