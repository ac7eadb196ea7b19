"""A bot's module that cannot be loaded."""

HORSES = 4 / 0
