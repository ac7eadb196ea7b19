"""A real PostgreSQL of the tests' own: found on the machine, started on a free port, gone afterwards."""

import contextlib
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path


def binaries() -> Path:
    """The folder of initdb and pg_ctl; the newest, where there are several."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    places = ("usr/lib/postgresql/*", "usr/pgsql*", "opt/homebrew/opt/postgresql*", "usr/local/opt/postgresql*")
    some = [path.parent for place in places for path in Path("/").glob(f"{place}/bin/initdb")]
    assert some, "PostgreSQL is not installed: make postgres installs it"
    return max(some, key=lambda path: [int(number) for number in re.findall(r"\d+", path.parent.name)])


def _user() -> list[str]:
    """PostgreSQL does not run as root: then it runs as somebody else."""
    if os.geteuid() != 0:
        return []
    names = {entry.pw_name for entry in pwd.getpwall()}
    return ["runuser", "-u", "postgres" if "postgres" in names else "nobody", "--"]


class Postgres:
    """A cluster in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bin = folder, binaries()
        if os.geteuid() == 0:
            shutil.chown(folder, _user()[2])
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._run("initdb", "--auth=trust", "--username=quadriga", "--encoding=UTF8", "-D", str(folder / "data"))
        self.start()
        self._databases = 0

    def start(self) -> None:
        options = f"-c listen_addresses=127.0.0.1 -p {self.port} -k {self.folder} -c max_connections=60"
        self._run(
            "pg_ctl", "-w", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "-o", options, "start"
        )

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-w", "-m", mode, "-D", str(self.folder / "data"), "stop")

    def new_database(self) -> str:
        """The address of an empty database."""
        self._databases += 1
        name = f"quadriga{self._databases}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "quadriga", name)
        return f"postgresql://quadriga@127.0.0.1:{self.port}/{name}"

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [*_user(), str(self.bin / program), *arguments],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{program}: {done.stderr.decode()}"


@contextlib.contextmanager
def postgres() -> Iterator[Postgres]:
    """A cluster that runs."""
    folder = Path(tempfile.mkdtemp(prefix="quadriga-pg-"))
    folder.chmod(0o755)
    cluster = Postgres(folder)
    try:
        yield cluster
    finally:
        with contextlib.suppress(AssertionError):
            cluster.stop("immediate")
        shutil.rmtree(folder, ignore_errors=True)
