"""`@kernel`: the one place where rules are compiled.

Kernels allocate nothing, raise nothing, use no floats and bound every loop, so that the same source runs
compiled by Numba, interpreted (NUMBA_DISABLE_JIT=1) and on a GPU: a CUDA kernel that calls one compiles it for there
(core/gpu.py). Numba's CUDA simulator (NUMBA_ENABLE_CUDASIM=1) interprets.
Compiled code is cached on disk, in a folder named by a hash of the sources it was made from:
Numba's own check does not notice a change in a callee of another file. Kernels of core that know no game hold
the rules of any, so they are made anew when a game changes.
"""

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import platformdirs
from numba.core import config, types
from numba.core.types.misc import Omitted

from quadriga.core.discovery import PLUG_INS, ROOT, game_folders, game_packages, installed_folders

F = TypeVar("F", bound=Callable[..., object])

COMPILED: list[Callable[..., object]] = []
"""Every kernel declared so far, for `quadriga warmup` and the source check."""

KEPT = 12
"""Versions of compiled code kept for each part: several checkouts and environments may share the cache."""

SIMULATED = bool(config.ENABLE_CUDASIM)
JIT = not (config.DISABLE_JIT or SIMULATED)


def kernel(function: F) -> F:
    """Compile a function of the rules; the Numba dispatcher stands in for it under the same type."""
    compiled: F = function
    if not SIMULATED:
        config.CACHE_DIR = str(cache_folder(part_of(function.__module__)))
        # Without reference counts: kernels allocate nothing, and counting costs as much time as the rules.
        compiled = numba.njit(cache=True, nogil=True, _nrt=False)(function)
    if JIT:
        _widen(compiled)
    COMPILED.append(compiled)
    return compiled


def _widen(compiled: Any) -> None:
    """Let calls between kernels hand over every whole number as int64.

    Numba would compile a kernel anew for each mix of int8, int16, literals and defaults it is called with:
    half the time a game takes to compile went into that.
    """
    fold = compiled._compiler.fold_argument_types

    def fold_wide(args: Any, kws: Any) -> tuple[Any, tuple[Any, ...]]:
        signature, folded = fold(args, kws)
        return signature, tuple(map(_wide, folded))

    compiled._compiler.fold_argument_types = fold_wide


def _wide(kind: Any) -> Any:
    is_whole = isinstance(kind, types.Integer) or (isinstance(kind, Omitted) and type(kind.value) is int)
    return types.int64 if is_whole else kind


def part_of(module: str) -> str:
    """The part a kernel belongs to: `games/<game>`, a layer such as `core` or `bots`, or a package that is no game."""
    for name, package in game_packages().items():
        if module.startswith(f"{package}."):
            own = module.removeprefix(f"{package}.").partition(".")[0]
            return PLUG_INS.get(own, f"games/{name}")
    top, _, below = module.partition(".")
    return below.partition(".")[0] or "core" if top == ROOT.name else top


@cache
def cache_folder(part: str) -> Path:
    """The folder of one part's compiled code; folders of older sources are removed, the latest few kept."""
    home = _cache_home() / part.replace("/", "-")
    folder = home / _source_hash(ROOT, part, installed_folders())
    folder.mkdir(parents=True, exist_ok=True)
    folder.touch()
    for old in sorted(home.iterdir(), key=_last_used)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def _last_used(folder: Path) -> float:
    """When a folder of compiled code was last asked for; 0 if another process has just removed it."""
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _cache_home() -> Path:
    """QUADRIGA_CACHE, else the user's cache folder, else (where that cannot be written) a temporary one."""
    if chosen := os.environ.get("QUADRIGA_CACHE"):
        return Path(chosen)
    home = platformdirs.user_cache_path("quadriga", appauthor=False)
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.gettempdir()) / "quadriga-cache"
    return home if os.access(home, os.W_OK) else Path(tempfile.gettempdir()) / "quadriga-cache"


def _source_hash(package: Path, part: str, installed: Mapping[str, Path] | None = None) -> str:
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {package} {config.BOUNDSCHECK}".encode())
    for file in _sources(package, part, game_folders(package) | dict(installed or {})):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _sources(package: Path, part: str, games: Mapping[str, Path]) -> Iterator[Path]:
    """The files whose kernels a part's compiled code may hold: a game's those of core and its own, core's those of
    every game (core/dispatch.py), what stands on bots theirs, too, and another package's all of these and its own."""
    layers = {"core", "games"} if part == "core" or part.startswith("games/") else {"core", "games", "bots", part}
    for layer in sorted(layers - {"games"}):
        yield from sorted((package / layer).rglob("*.py"))
    for place in getattr(sys.modules.get(part), "__path__", ()):
        yield from sorted(Path(place).rglob("*.py"))
    for name, folder in sorted(games.items()):
        if not part.startswith("games/") or part == f"games/{name}":
            yield from (file for file in sorted(folder.rglob("*.py")) if _layer(file.relative_to(folder)) in layers)


def _layer(file: Path) -> str:
    """The layer that a file of a game's folder is part of."""
    return PLUG_INS.get(file.parts[0].removesuffix(".py"), "games")
