"""The terminal. Names come from outside: nothing in them is read as markup."""

from rich.console import Console


def open_console(stderr: bool = False, wrap: bool = True) -> Console:
    """A console that prints texts as they are; without `wrap` long lines stay one."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False, soft_wrap=not wrap)
