"""The container's files: what the image is built from suffices for a wheel with the page in it."""

import fnmatch
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")


def test_base_images_are_pinned() -> None:
    images = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) + re.findall(r"image: (\S+)", COMPOSE)
    assert len(images) >= 5
    assert [image for image in images if not re.search(r":\d+\.\d+(\.\d+)?-", image)] == []


def test_the_proxy_keeps_metrics_inside_and_sets_the_address() -> None:
    caddy = (ROOT / "Caddyfile").read_text(encoding="utf-8")
    assert "respond /metrics 404" in caddy
    assert "header_up X-Forwarded-For {remote_host}" in caddy
    address = re.search(r"ipv4_address: ([\d.]+)", COMPOSE)
    assert address is not None
    assert f"QUADRIGA_PROXIES: {address[1]}\n" in COMPOSE


def build_context() -> list[str]:
    """The tracked files that .dockerignore lets through."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\n")
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    kept = [line[1:] for line in lines if line.startswith("!")]
    dropped = [line for line in lines if not line.startswith("!") and line != "*"]
    found = [name for name in names if any(name == one or name.startswith(f"{one}/") for one in kept)]
    return [name for name in found if not any(fnmatch.fnmatch(name, f"{one}*") for one in dropped)]


def test_the_build_context_holds_no_tests_and_no_secrets() -> None:
    context = build_context()
    assert "pyproject.toml" in context
    assert [name for name in context if name.startswith(("tests", ".git", "bench"))] == []


@pytest.mark.long
def test_the_build_context_makes_a_wheel_with_the_page(tmp_path: Path) -> None:
    for name in build_context():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for command in ("npm install --no-save --no-audit --no-fund --loglevel=error", "npm run build -- --logLevel error"):
        subprocess.run(command.split(), cwd=tmp_path / "web", check=True)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "dist", "."]
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
    wheel = next((tmp_path / "dist").glob("*.whl"))
    assert "quadriga/server/static/index.html" in zipfile.ZipFile(wheel).namelist()
