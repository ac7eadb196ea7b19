"""One server on SQLite and one PostgreSQL for all tests of a process."""

from collections.abc import Iterator

import pytest

from tests.server.postgres import Postgres, postgres
from tests.server.serving import Server, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    with serving(str(folder / "tables.sqlite"), folder) as one:
        yield one


@pytest.fixture(scope="session")
def cluster() -> Iterator[Postgres]:
    with postgres() as one:
        yield one
