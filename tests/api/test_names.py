"""The public names: listed once, documented, and the same in code and page."""

import doctest
import inspect
import os
import re
from importlib import import_module
from pathlib import Path

import pytest

import quadriga
from quadriga.api.reference import GROUPS, page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "python.md"


def test_all_lists_what_can_be_resolved() -> None:
    assert sorted(quadriga.__all__) == sorted([*quadriga._HOME, "__version__"])
    assert dir(quadriga) == sorted(quadriga.__all__)
    for name in quadriga.__all__:
        assert getattr(quadriga, name) is not None


def test_what_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Chariot'"):
        getattr(quadriga, "Chariot")  # noqa: B009


def test_names_for_the_type_checker_are_the_public_ones() -> None:
    source = inspect.getsource(quadriga)
    typed = source[source.index("if TYPE_CHECKING") : source.index("__version__ =")]
    listed = set(re.findall(r"\w+", re.sub(r"from quadriga\.api\.\w+ import", "", typed)))
    assert listed - {"if", "TYPE_CHECKING"} == set(quadriga._HOME)


def test_the_reference_is_up_to_date() -> None:
    """To write it anew: REWRITE=1 .venv/bin/pytest tests/api/test_names.py"""
    written = page()
    if os.environ.get("REWRITE"):
        PAGE.write_text(written, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == written


def test_the_reference_has_every_name_with_a_sentence() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(quadriga.__all__)
    for entry in page().split("\n### ")[1:]:
        assert re.search(r"^[A-Z][^|]*\.$", entry, re.MULTILINE), f"no sentence: {entry}"
    rows = re.findall(r"^\| `.*$", page(), re.MULTILINE)
    assert len(rows) > 50
    assert [row for row in rows if not re.search(r"\| [A-Z].*\. \|$", row)] == []


@pytest.mark.parametrize("module", ["games", "race"])
def test_examples_in_docstrings_hold(module: str) -> None:
    result = doctest.testmod(import_module(f"quadriga.api.{module}"))
    assert result.attempted > 0
    assert result.failed == 0
