"""Drawings have one source, which the page and the pictures of Python both read."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from quadriga.pictures import art

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "web" / "src"
SOURCE = ROOT / "src" / "quadriga" / "pictures"
DRAWINGS = sorted((SOURCE / "art").glob("*.svg"))
PATH = re.compile(r"""["'`]\s*([Mm][-\d. ,MmLlHhVvCcSsQqTtAaZz'+\n]{24,}?)\s*["'`]""")
"""A path that is written out; lines of two points and what is computed from sizes are shorter."""


def code() -> Iterator[Path]:
    """What must not hold a drawing: the page's components and modules, and the modules that draw pictures."""
    for folder, ends in ((PAGE, ("*.svelte", "*.ts")), (SOURCE, ("*.py",))):
        for end in ends:
            yield from folder.rglob(end)


def written_out(text: str) -> list[str]:
    return [match[1] for match in PATH.finditer(text)]


@pytest.mark.parametrize("path", list(code()), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_drawing_is_written_out_in_code(path: Path) -> None:
    assert written_out(path.read_text(encoding="utf-8")) == []


def test_a_drawing_written_out_would_be_found() -> None:
    paths = [path for kind in art.PATHS.values() for path in kind.values() if len(path) > 25]
    assert len(paths) > 50
    for path in paths:
        assert written_out(f'<path d="{path}" />')
        assert written_out(f"icon: '{path[:30]}' +\n    '{path[30:]}',") or len(path) < 60


def test_drawings_are_drawn_with_known_colours() -> None:
    own = {"own", "deep", "body"}
    for file in DRAWINGS:
        ElementTree.parse(file)
        used = set(re.findall(r"var\(--([\w-]+)\)", file.read_text(encoding="utf-8")))
        assert used <= set(art.PALETTE) | own, file.name
        assert "var(" not in art.drawing(file.stem, **dict.fromkeys(own, "#000"))


def test_the_page_names_every_drawing() -> None:
    text = (PAGE / "board" / "art.ts").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\| '(\w+)'", text)) == [file.stem for file in DRAWINGS]


def test_pictures_have_the_colours_of_the_page_by_day() -> None:
    style = (PAGE / "app.css").read_text(encoding="utf-8")
    day = dict(re.findall(r"--([\w-]+): (#\w+);", style.split(":root[")[0]))
    assert {name: day.get(name) for name in art.PALETTE} == art.PALETTE


def test_the_built_page_holds_the_same_drawings() -> None:
    (built,) = (ROOT / "src/quadriga/server/static/assets").glob("art-*.json")
    found = json.loads(built.read_text(encoding="utf-8"))
    drawings = found.pop("drawings")
    assert found == art.PATHS
    assert list(drawings) == [file.stem for file in DRAWINGS]
    page = (ROOT / "src/quadriga/server/static/index.html").read_text(encoding="utf-8")
    assert f'rel="preload" as="fetch" crossorigin href="/assets/{built.name}"' in page
