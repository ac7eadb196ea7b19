"""The wheel works in an environment with nothing but its declared dependencies, and writes nothing into it."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
MOST_BYTES = 15_000_000
TAGS = ("3.11", "3.12", "3.13", "3.14")
OWN = f"{sys.version_info.major}.{sys.version_info.minor}"


def run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """What the command printed; its errors are shown when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=env, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def requirements(name: str, extras: frozenset[str] = frozenset()) -> Iterator[str]:
    """The distribution and all that it requires here."""
    yield name
    for text in distribution(name).requires or []:
        needed = Requirement(text)
        if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras | {""}):
            yield from requirements(needed.name, frozenset(needed.extras))


def link_dependencies(site: Path) -> None:
    """Links the installed dependencies of quadriga, and no others, into site."""
    for name in set(requirements("quadriga")) - {"quadriga"}:
        installed = distribution(name)
        for top in {file.parts[0] for file in installed.files or []} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(installed.locate_file(top))))


def download_dependencies(python: Path, wheel: Path, folder: Path) -> None:
    """Lets pip find the dependencies by itself, at the locked versions."""
    pins = re.findall(r"^[\w.-]+==[^\\]+", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
    (folder / "pins.txt").write_text("\n".join(pins), encoding="utf-8")
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "-c", folder / "pins.txt", wheel)


def contents(site: Path) -> dict[str, tuple[int, int]]:
    files = [path for path in site.rglob("*") if path.is_file() and not path.is_symlink()]
    return {str(path.relative_to(site)): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


def make_read_only(site: Path) -> None:
    for path in [site, *site.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & ~0o222)


def make_writable(site: Path) -> None:
    for path in [site, *site.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o200)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


class Installed:
    """The wheel in an environment of its own, read-only, with no other program on the path."""

    def __init__(self, folder: Path, wheel: Path, download: bool) -> None:
        self.downloaded = download
        self.folder, self.bin = folder, folder / "venv" / "bin"
        run(sys.executable, "-m", "venv", "--without-pip", folder / "venv")
        (self.site,) = (folder / "venv").glob("lib/python*/site-packages")
        if download:
            download_dependencies(self.bin / "python", wheel, folder)
        else:
            link_dependencies(self.site)
            pip = (sys.executable, "-m", "pip", "--python", self.bin / "python", "install", "--quiet")
            run(*pip, "--no-index", "--no-deps", wheel)
        make_read_only(self.site)
        self.before = contents(self.site)

    def run(self, program: str, *arguments: str) -> str:
        """What a program of the environment printed, run from an empty folder with an empty home."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        # Root may write where others may not: Python is told not to, as it would find out elsewhere.
        clean = {"HOME": str(home), "PATH": str(self.bin), "PYTHONDONTWRITEBYTECODE": "1"}
        if not self.downloaded:  # the long run compiles, this one has no time to
            clean["NUMBA_DISABLE_JIT"] = "1"
        return run(self.bin / program, *arguments, cwd=home, env=clean)


@pytest.fixture(scope="module", params=["linked", pytest.param("downloaded", marks=pytest.mark.long)])
def installed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, wheel: Path
) -> Iterator[Installed]:
    environment = Installed(tmp_path_factory.mktemp("empty"), wheel, request.param == "downloaded")
    yield environment
    make_writable(environment.site)
    shutil.rmtree(environment.folder)


def test_data_files_travel_in_the_wheel(wheel: Path) -> None:
    page = "quadriga/server/static/"
    tracked = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "src").splitlines()
    wanted = {Path(name).relative_to("src").as_posix() for name in tracked if (ROOT / name).is_file()}
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("quadriga/")}
    assert {name for name in packed if not name.startswith(page)} == wanted
    assert f"{page}index.html" in packed
    assert {name for name in packed if name.endswith("/weights.npz")} >= {
        f"quadriga/games/{game}/weights.npz" for game in ("chariot_race", "charioteer", "chariots")
    }
    assert wheel.stat().st_size < MOST_BYTES


def test_the_wheel_runs_without_node_and_writes_nothing_into_itself(installed: Installed) -> None:
    assert shutil.which("node", path=str(installed.bin)) is None
    version = installed.run("python", "-c", "import quadriga; print(quadriga.__version__)")
    assert installed.run("quadriga", "--version") == f"quadriga {version}"
    race = installed.run("quadriga", "race", "chariots", "--people", "0", "-o", "laps=1", "--save", "race.json")
    assert "The race is over" in race
    assert "as recorded" in installed.run("quadriga", "replay", "race.json")
    assert contents(installed.site) == installed.before


# ---------------------------------------------------------------- other versions of Python


def interpreters() -> list[Path]:
    """The interpreters on this machine that the package is made for, one of each version."""
    named = {tag: shutil.which(f"python{tag}") for tag in TAGS}
    found = {tag: Path(path) for tag, path in named.items() if path and starts(Path(path), tag)}
    for tag in TAGS:
        for path in sorted((Path.home() / ".pyenv/versions").glob(f"{tag}.*/bin/python3")):
            found.setdefault(tag, path)
    return [found.get(tag, Path(sys.executable)) for tag in TAGS if tag in found or tag == OWN]


def starts(python: Path, tag: str) -> bool:
    """Whether an interpreter runs and is of a version; a shim may name one that is not installed."""
    done = subprocess.run([python, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.startswith(f"Python {tag}.")


@pytest.mark.long
@pytest.mark.parametrize("python", interpreters(), ids=lambda path: str(path.resolve().name))
def test_a_race_is_played_with_the_wheel_alone(python: Path, wheel: Path, tmp_path: Path) -> None:
    """In an empty environment: the page is loaded and choices are made, on the first start and on the second."""
    run(python, "-m", "venv", tmp_path / "venv")
    own = tmp_path / "venv" / "bin" / "python"
    run(own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    home = tmp_path / "home"
    home.mkdir()
    clean = {"HOME": str(home), "PATH": str(own.parent)}
    told = run(
        own, "-m", "quadriga", "bench", "start", "--game", "chariots", "--runs", "1", "--json", cwd=home, env=clean
    )
    figures = json.loads(told)["games"]["chariots"]
    assert figures["first_page"] < 10
    assert figures["first_choice"] < 90
    assert figures["second_page"] < 6
