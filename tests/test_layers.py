"""Imports go one way: core <- games <- bots <- analysis <- {arena, envs, pictures, server, training} <- api <- cli.

Puzzles stand on arena; server and cli stand on puzzles. The client stands on core alone, loadtest on games and client.

Inside the server: {database, preparation} <- tables <- output
<- {bots, uploads, analysis, practice, puzzles, notifications} <- {http, websocket} <- process.
A game's folder also holds modules for others: chain, observation and outlook stand on core and the rules, evaluation is
part of bots, measures are part of analysis, notes are part of arena. The rules import none of them.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
BASE = {"core", "games", "bots"}
BASE_AND_ANALYSIS = BASE | {"analysis"}
MAY_IMPORT = {
    "": {"api"},  # resolved lazily: the last test of this file
    "core": {"core"},
    "games": {"core", "games"},
    "bots": BASE,
    "analysis": BASE_AND_ANALYSIS,
    "arena": BASE_AND_ANALYSIS | {"arena"},
    "envs": BASE_AND_ANALYSIS | {"envs"},
    "puzzles": BASE_AND_ANALYSIS | {"arena", "puzzles"},
    "server": BASE_AND_ANALYSIS | {"puzzles", "server"},
    "pictures": BASE_AND_ANALYSIS | {"pictures"},
    "training": BASE_AND_ANALYSIS | {"training"},
    "client": {"core", "client"},
    "loadtest": {"core", "games", "client", "loadtest"},
    "api": BASE_AND_ANALYSIS | {"", "arena", "pictures", "api"},  # its page of names reads the package itself
    "cli": BASE_AND_ANALYSIS
    | {"api", "arena", "envs", "pictures", "puzzles", "server", "training", "client", "loadtest", "cli"},
    "__main__": {"cli"},
}
SHARED = {
    "errors",
    "guest_tokens",
    "logs",
    "page_files",
    "metrics",
    "rate_limits",
    "settings",
    "tokens",
    "gc_schedule",
    "text",
    "",
}
"""Modules of the server that stand below its folders."""
LOW = SHARED | {"database", "preparation", "tables", "output"}
MIDDLE = LOW | {
    "workers",
    "bots",
    "uploads",
    "analysis",
    "practice",
    "puzzles",
    "notifications",
    "background",
    "services",
}
SERVER_MAY_IMPORT = {
    **dict.fromkeys(SHARED, SHARED),
    "database": SHARED | {"database"},
    "preparation": SHARED | {"workers", "preparation"},
    "tables": SHARED | {"database", "preparation", "tables"},
    "output": LOW,
    "workers": SHARED | {"workers"},
    "bots": LOW | {"workers", "bots"},
    "uploads": LOW | {"workers", "uploads"},
    "analysis": LOW | {"workers", "bots", "analysis"},
    "practice": LOW | {"practice"},
    "puzzles": LOW | {"puzzles"},
    "notifications": LOW | {"notifications"},
    "background": LOW | {"notifications"},
    "services": MIDDLE,
    "http": MIDDLE | {"http"},
    "websocket": MIDDLE | {"websocket"},
    "process": MIDDLE | {"http", "websocket", "process"},
}
PLUG_INS = {
    "chain": "games",
    "observation": "games",
    "outlook": "games",
    "evaluation": "bots",
    "measures": "analysis",
    "notes": "arena",
}
"""Modules of a game's folder that its rules must not import, and the layer whose imports each may have."""
MODULE_IN_TEXT = re.compile(r"quadriga(\.\w+)+")


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_sources() -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}


def absolute(path: Path, node: ast.ImportFrom) -> str:
    """The module that a possibly relative `from` names."""
    if not node.level:
        return node.module or ""
    folder = path.relative_to(SOURCE).parts[: -node.level]
    return ".".join([*folder, *([node.module] if node.module else [])])


def imports(path: Path, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything imported, modules named in a string included (`import_module`)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{absolute(path, node)}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if match := MODULE_IN_TEXT.match(node.value):
                yield node.lineno, match.group()


def part(dotted: str, place: int) -> str:
    names = dotted.split(".")
    return names[place] if len(names) > place else ""


def breach(importer: str, imported: str, layers: set[str], games: set[str]) -> str | None:
    """Why one import is not allowed, or None."""
    here, there = layer_of(importer), layer_of(imported)
    if part(imported, 0) != "quadriga" or part(imported, 1) not in layers:
        return None
    if there not in MAY_IMPORT.get(here, BASE):
        return f"{here or 'quadriga'} must not import {there}"
    game, other = part(importer, 2), part(imported, 2)
    if here == there == "server" and other not in SERVER_MAY_IMPORT.get(game, set()) and other in SERVER_MAY_IMPORT:
        return f"server/{game} must not import server/{other}"
    if part(importer, 1) != "games" or part(imported, 1) != "games" or game not in games:
        return None
    if other != game:
        return f"{game} must not import {other or 'the list of games'}"
    if part(importer, 3) not in PLUG_INS and part(imported, 3) in PLUG_INS:
        return f"the rules of {game} must not import its {part(imported, 3)}"
    return None


def layer_of(dotted: str) -> str:
    """The layer of a module; a game's modules for others count as part of the layer that uses them."""
    layer = part(dotted, 1)
    return PLUG_INS.get(part(dotted, 3), layer) if layer == "games" else layer


def breaches(sources: dict[Path, str]) -> list[str]:
    names = {path: module_name(path) for path in sources}
    layers = {part(name, 1) for name in names.values()} | set(MAY_IMPORT) - {""}
    games = {part(name, 2) for name in names.values() if part(name, 1) == "games"} - {""}
    found = [f"{name} has no layer: give it one in this test" for name in layers - set(MAY_IMPORT)]
    for path, text in sources.items():
        for line, imported in imports(path, ast.parse(text)):
            if why := breach(names[path], imported, layers, games):
                found.append(f"{path.relative_to(SOURCE)}:{line}: {why}")
    return found


def test_imports_go_one_way() -> None:
    sources = package_sources()
    assert SOURCE / "quadriga" / "cli" / "__init__.py" in sources
    assert breaches(sources) == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("__init__.py", "from quadriga import core"),
        ("__init__.py", "from .core import match"),
        ("core/match.py", "import quadriga.games.chariots.rules"),
        ("core/match.py", "from quadriga import games"),
        ("core/match.py", "from .. import games"),
        ("core/match.py", "from ..games.chariots import rules"),
        ("core/match.py", "def load(name): return import_module(f'quadriga.games.{name}')"),
        ("core/match.py", "if TYPE_CHECKING:\n    from quadriga.cli import app"),
        ("games/chariots/rules.py", "from quadriga.bots import greedy"),
        ("games/chariots/rules.py", "from quadriga.games.charioteer import rules"),
        ("games/chariots/rules.py", "from quadriga.games import charioteer"),
        ("games/chariots/rules.py", "from ..charioteer.rules import ready"),
        ("games/chariots/__init__.py", "from .. import charioteer"),
        ("games/chariots/rules.py", "import quadriga.games"),
        ("games/chariots/turn.py", "from quadriga.games.chariots.evaluation import score"),
        ("games/chariots/turn.py", "from .chain import link"),
        ("games/chariots/turn.py", "from .outlook import nearer"),
        ("games/chariots/evaluation.py", "from quadriga.games.chariots.notes import note"),
        ("games/chariots/evaluation.py", "from quadriga.games.charioteer.evaluation import score"),
        ("games/chariots/evaluation.py", "from quadriga.arena import notes"),
        ("games/chariots/observation.py", "from quadriga.bots.evaluation import VETERAN"),
        ("games/chariots/chain.py", "from quadriga.envs import vector"),
        ("games/chariots/notes.py", "from quadriga.server import app"),
        ("core/match.py", "from quadriga.games.chariots.chain import link"),
        ("bots/greedy.py", "from quadriga.games.chariots.notes import note"),
        ("bots/greedy.py", "from quadriga.arena import play"),
        ("arena/play.py", "from quadriga.server import app"),
        ("server/app.py", "from quadriga import cli"),
        ("pictures/track.py", "from quadriga.arena import play"),
        ("arena/play.py", "from quadriga.api.race import Race"),
        ("api/race.py", "from quadriga.server import app"),
        ("client.py", "from quadriga.games import chariots"),
        ("server/database/rows.py", "from quadriga.server.tables import race"),
        ("server/tables/race.py", "from quadriga.server.output import views"),
        ("server/output/views.py", "from quadriga.server.bots import driver"),
        ("server/http/app.py", "from quadriga.server.websocket import connection"),
        ("server/websocket/connection.py", "from quadriga.server.process import run"),
        ("server/folder/new.py", "from quadriga.server.errors import Refused"),
        ("stray.py", ""),
    ],
)
def test_a_breach_is_found(file: str, line: str) -> None:
    planted = {SOURCE / "quadriga" / file: line, SOURCE / "quadriga/games/charioteer/rules.py": ""}
    assert len(breaches(planted)) == 1


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("__init__.py", "if TYPE_CHECKING:\n    from quadriga.api.race import Race"),
        ("core/match.py", "from quadriga import __version__"),
        ("api/race.py", "from quadriga.pictures import track"),
        ("core/match.py", "from . import codec"),
        ("core/match.py", "import numpy"),
        ("games/__init__.py", "from quadriga.games import chariots, charioteer"),
        ("games/chariots/rules.py", "from quadriga.core import draw\nfrom .state import Race\nfrom . import actions"),
        ("games/chariots/chain.py", "from quadriga.core.chain import Chain\nfrom .actions import DO_STEP"),
        ("games/chariots/observation.py", "from quadriga.games.chariots.chain import way"),
        ("games/chariots/evaluation.py", "from quadriga.bots.evaluation import Evaluation\nfrom . import actions"),
        ("games/chariots/notes.py", "from quadriga.arena.notes import Notes\nfrom .evaluation import score"),
        ("bots/greedy.py", "from quadriga.games import chariots"),
        ("server/app.py", "from quadriga.bots import greedy"),
        ("client.py", "from quadriga.core import codec"),
        ("cli.py", "from quadriga.server import app\nfrom quadriga import client"),
    ],
)
def test_an_allowed_import_is_let_through(file: str, line: str) -> None:
    assert breaches({SOURCE / "quadriga" / file: line, SOURCE / "quadriga/games/charioteer/rules.py": ""}) == []


def test_the_package_itself_imports_nothing_before_a_name_is_used() -> None:
    code = "import sys, quadriga; print(sorted(m for m in sys.modules if m.startswith(('quadriga', 'numba', 'numpy'))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['quadriga']\n"
