"""What holds for all tests."""

from hypothesis import settings

settings.register_profile("quadriga", deadline=None)  # a busy machine is no bug
settings.load_profile("quadriga")
