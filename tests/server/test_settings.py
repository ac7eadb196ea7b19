"""Where the server keeps its data if nothing is said."""

from pathlib import Path

import pytest

from quadriga.server.settings import Settings


def test_the_database_lies_in_the_users_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Settings().database_url == f"sqlite:///{tmp_path}/quadriga/quadriga.sqlite"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings().database_url == f"sqlite:///{tmp_path}/.local/share/quadriga/quadriga.sqlite"
