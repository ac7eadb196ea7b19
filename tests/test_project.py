"""What holds for the files of the project, whatever they say."""

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MACHINE_PATH = re.compile(r"(?<![\w.~}])/(root|home|work)(/|\b)")
INDEX_HOST = re.compile(r"pypi\.org|pythonhosted\.org|npmjs\.(org|com)|yarnpkg\.com", re.IGNORECASE)
LOCK_LINE = re.compile(r"#.*|[a-z0-9][a-z0-9._-]*==[^:/@]+ \\|    --hash=sha256:[0-9a-f]{64}( \\)?|    #[^:]*|")
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")
MODULE_LINES, FUNCTION_LINES = 500, 40
COMPONENT_LINES, WEB_COLUMNS = 300, 120
GENERATED = "http.ts"
"""Made by a tool, for tools."""


def tracked() -> list[Path]:
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [path for name in names.split("\0") if name and (path := ROOT / name).is_file()]


def modules() -> list[Path]:
    return [path for folder in ("src", "tests") for path in sorted((ROOT / folder).rglob("*.py"))]


def strangers(text: str) -> list[str]:
    """Machine paths and index hosts, which no file may name."""
    return [match.group() for pattern in (MACHINE_PATH, INDEX_HOST) for match in pattern.finditer(text)]


def bad_lock_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if not LOCK_LINE.fullmatch(line) or "://" in line]


def long_functions(text: str) -> Iterator[str]:
    """Functions over the limit whose first line does not say `# long: reason`."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES and not re.search(r"# long: \w+", lines[node.lineno - 1]):
                yield f"{node.name} has {length} lines"


def dead_links(path: Path, text: str) -> list[str]:
    return [link for link in LINK.findall(text) if not (path.parent / link).exists()]


def test_no_file_names_a_machine_or_an_index() -> None:
    files = tracked()
    assert ROOT / "pyproject.toml" in files
    found = {path.name: strangers(path.read_text(encoding="utf-8", errors="replace")) for path in files}
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-bench.lock"])
def test_a_lock_holds_versions_and_hashes_alone(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert "--hash=sha256:" in text
    assert bad_lock_lines(text) == []


def test_modules_and_functions_are_short() -> None:
    texts = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in modules()}
    too_long = [f"{path} has {n} lines" for path, text in texts.items() if (n := text.count("\n")) > MODULE_LINES]
    too_long += [f"{path}: {what}" for path, text in texts.items() for what in long_functions(text)]
    assert too_long == []


def web_sources() -> dict[str, list[str]]:
    """The lines of every file of the page and its tests that people write."""
    folders = (ROOT / "web" / "src", ROOT / "tests" / "web")
    files = [path for path in tracked() if any(path.is_relative_to(folder) for folder in folders)]
    kept = [path for path in files if path.name != GENERATED]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8").splitlines() for path in kept}


def wide_lines(lines: list[str]) -> list[int]:
    return [number for number, line in enumerate(lines, 1) if len(line) > WEB_COLUMNS]


def test_lines_of_the_page_are_short() -> None:
    sources = web_sources()
    assert "web/src/app/Table.svelte" in sources
    assert {name: wide for name, lines in sources.items() if (wide := wide_lines(lines))} == {}


def test_components_of_the_page_are_short() -> None:
    components = {name: len(lines) for name, lines in web_sources().items() if name.endswith(".svelte")}
    assert len(components) > 50
    assert {name: lines for name, lines in components.items() if lines > COMPONENT_LINES} == {}


def test_a_wide_line_is_found() -> None:
    assert wide_lines(["x" * WEB_COLUMNS, "y" * (WEB_COLUMNS + 1)]) == [2]


def test_the_lock_of_the_page_names_no_host() -> None:
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    locked = {name: package for name, package in packages.items() if name}
    assert len(locked) > 50
    assert [name for name, package in locked.items() if "resolved" in package or "integrity" not in package] == []


def test_links_lead_somewhere() -> None:
    pages = [path for path in tracked() if path.suffix == ".md"]
    assert ROOT / "README.md" in pages
    assert {page.name: dead for page in pages if (dead := dead_links(page, page.read_text(encoding="utf-8")))} == {}


@pytest.mark.parametrize("folder", ["root", "home", "work"])
def test_a_machine_path_is_found(folder: str) -> None:
    assert strangers(f"see /{folder}/notes") == [f"/{folder}/"]
    assert strangers(f"cd /{folder}") == [f"/{folder}"]
    assert strangers(f"docs/{folder}/page, ~/{folder}, a/{folder}") == []


def test_an_index_host_is_found() -> None:
    assert strangers("from https://" + "pypi" + ".org/simple") == ["pypi" + ".org"]


@pytest.mark.parametrize(
    "line",
    [
        "--index-url x",
        "-e .",
        "numpy @ https://host/numpy.whl",
        "numpy==1",
        "    # from https://host",
        "    --hash=md5:1",
    ],
)
def test_a_bad_lock_line_is_found(line: str) -> None:
    assert bad_lock_lines(f"numpy==2.4.6 \\\n{line}\n") == [line]


def test_a_long_function_is_found() -> None:
    body = "    pass\n" * FUNCTION_LINES
    assert list(long_functions(f"def f():\n{body}")) == ["f has 41 lines"]
    assert list(long_functions(f"def f():  # long: a table of cases\n{body}")) == []
    assert list(long_functions(f"def f():  # long:\n{body}")) == ["f has 41 lines"]


def test_a_dead_link_is_found() -> None:
    page = "[a](README.md) [b](nowhere.md#part) [c](https://example.com) [d](#here)"
    assert dead_links(ROOT / "README.md", page) == ["nowhere.md"]
