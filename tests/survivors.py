"""Runs lists of mutations, which need the JIT off, in processes of their own."""

from dataclasses import dataclass

from tests.core.processes import output_of


@dataclass(frozen=True)
class Tried:
    """What became of a list of mutations."""

    count: int
    survivors: tuple[str, ...]
    """Those that no test caught."""


def try_mutations(module: str, every: int = 1) -> Tried:
    """Try one in so many mutations of a module such as `tests.core.mutations`."""
    lines = output_of(module, str(every), NUMBA_DISABLE_JIT="1").splitlines()
    count, _, _ = lines[-1].partition(" mutations, ")
    return Tried(int(count), tuple(line for line in lines if line.endswith("NOT CAUGHT")))


def survivors_of(game: str) -> list[str]:
    """The mutations of a game's rules that no scenario of the rule catches."""
    return list(try_mutations(f"tests.games.{game}.mutations").survivors)
