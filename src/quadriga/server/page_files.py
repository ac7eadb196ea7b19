"""The page: files of the built web client, which lie in the package's folder `server/static`."""

import json
import mimetypes
from functools import cache
from importlib import resources
from pathlib import Path

FOLDER = Path(str(resources.files("quadriga.server"))) / "static"

ABSENT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Quadriga</title></head>
<body><h1>Quadriga</h1><p>The server runs, but the page has not been built into this package.
The API is described at <a href="/api/schema/openapi.json">/api/schema/openapi.json</a>.</p></body></html>
"""


@cache
def page_build() -> str:
    """The build of the page, from `build.json`; empty if none was built."""
    file = FOLDER / "build.json"
    return str(json.loads(file.read_text(encoding="utf-8"))["build"]) if file.is_file() else ""


@cache
def _files() -> dict[str, Path]:
    return {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*") if path.is_file()}


def find(path: str, gzip: bool) -> tuple[bytes, str, str, bool]:
    """Bytes, type, encoding and whether they never change; every path without a file is the page itself."""
    name = path.strip("/")
    name = name if name in _files() else "index.html"
    if name not in _files():
        return ABSENT.encode(), "text/html", "", False
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if gzip and f"{name}.gz" in _files():
        return _files()[f"{name}.gz"].read_bytes(), kind, "gzip", name.startswith("assets/")
    return _files()[name].read_bytes(), kind, "", name.startswith("assets/")
