"""What holds for all tests."""

import pytest
from hypothesis import settings

settings.register_profile("quadriga", deadline=None)  # a busy machine is no bug
settings.load_profile("quadriga")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the server's tests: they wait much, and no worker should be left alone with them at the end."""
    items.sort(key=lambda item: "server" not in item.path.parts)
