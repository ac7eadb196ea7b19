"""The checklist for a new game says what every game has, and its commands exist."""

import re
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command

from quadriga.cli import app
from quadriga.core.discovery import game_folders

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
MODULES = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
FOLDERS = game_folders(ROOT / "src" / "quadriga") | {"dash": ROOT / "tests" / "toy" / "dash"}
every_game = pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)


@every_game
def test_every_game_has_the_modules_of_the_checklist(folder: Path) -> None:
    assert len(MODULES) > 15
    present = {path.stem for path in folder.iterdir()}
    assert [name for name in MODULES if name not in present] == []
    assert {"edition", "text"} <= present


@every_game
def test_every_kernel_is_in_the_module_that_the_checklist_names(folder: Path) -> None:
    named = re.findall(r"^\| `(\w+)` \| .*?kernels? ((?:`\w+`[^`|]*)+)", PAGE, re.MULTILINE)
    kernels = {kernel: module for module, text in named for kernel in re.findall(r"`(\w+)`", text)}
    assert {"setup", "owing", "legal", "apply", "observe", "imagine", "check", "settle"} <= kernels.keys()
    for kernel, module in kernels.items():
        text = (folder / f"{module}.py").read_text(encoding="utf-8")
        assert re.search(rf"^def {kernel}\(", text, re.MULTILINE), f"{module} has no {kernel}"


def test_the_package_of_the_checklist_is_that_of_the_toy() -> None:
    shown = tomllib.loads(re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0])
    toy = tomllib.loads((ROOT / "tests" / "toy" / "pyproject.toml").read_text(encoding="utf-8"))
    assert shown["project"].items() <= toy["project"].items()


def test_the_commands_of_the_checklist_exist() -> None:
    commands = re.findall(r"`quadriga ([a-z]+)", PAGE)
    known = set(get_command(app).commands)  # type: ignore[attr-defined]
    assert len(commands) >= 6
    assert set(commands) <= known


def test_no_code_outside_the_games_lists_them() -> None:
    """A list of games would leave the next one out; a default, an example or a drawing of one game is none."""
    names = list(game_folders(ROOT / "src" / "quadriga"))
    sources = [
        *(ROOT / "src").rglob("*.py"),
        *(ROOT / "web" / "src").rglob("*.ts"),
        *(ROOT / "web/src").rglob("*.svelte"),
    ]
    outside = [path for path in sources if not {*names} & {*path.parts}]
    assert len(outside) > 150
    for path in outside:
        text = path.read_text(encoding="utf-8")
        named = [name for name in names if re.search(rf"""["'`/.]{name}["'`/.]""", text)]
        assert len(named) <= 1, f"{path} names {', '.join(named)}"
