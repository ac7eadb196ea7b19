"""What holds for all tests."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("quadriga", deadline=None)  # a busy machine is no bug
settings.load_profile("quadriga")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the server's tests: they wait much, and no worker should be left alone with them at the end."""
    items.sort(key=lambda item: "server" not in item.path.parts)


@pytest.fixture(scope="session")
def learners(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has PyTorch and sb3-contrib besides what this one has; they are downloaded."""
    folder = tmp_path_factory.mktemp("learners")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    site = next((folder / "lib").glob("python*/site-packages"))
    (site / "ours.pth").write_text(f"import site; site.addsitedir({sysconfig.get_paths()['purelib']!r})\n")
    wanted = ("torch", "sb3-contrib")
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", *wanted], check=True)
    return python
