"""The ids and observations of every game, as they are declared, for docs/environments.md."""

from collections.abc import Iterator

from quadriga.core.game import Game
from quadriga.core.observation import Block, Layout, Part, starts
from quadriga.envs.learnable import Learnable, learnable

HEAD = "| numbers | part | what it says |\n|---|---|---|"


def reference(game: Game) -> str:
    """The section of a game, in Markdown."""
    found = learnable(game)
    return "\n".join([f"## {game.meta.title}", *_ids(found), "", *_observation(found), *_outlook(found), ""])


def _ids(found: Learnable) -> Iterator[str]:
    yield f"\n{found.id_count} ids:\n\n| ids | names | what is chosen |\n|---|---|---|"
    at = 0
    for ids in found.chain.ids:
        yield f"| {_span(at, len(ids.names))} | {_names(ids.names)} | {ids.meaning} |"
        at += len(ids.names)


def _names(names: tuple[str, ...]) -> str:
    shown = names if len(names) <= 10 else (*names[:2], "…", names[-1])
    return ", ".join(name if name == "…" else f"`{name}`" for name in shown)


def _observation(found: Learnable) -> Iterator[str]:
    yield f"{found.observation_count} numbers:\n\n{HEAD}"
    yield from _parts(found.observation.layout, 0)
    at = found.observation.count
    yield f"| {_span(at, found.id_count)} | `chosen` | 1 for each id of one's own choice so far |"
    yield f"| {at + found.id_count} | `stage` | how far that choice is, of 8; 0 at its beginning |"


def _outlook(found: Learnable) -> Iterator[str]:
    observation = found.observation
    if observation.outlook:
        yield f"\nThe outlook, which networks may read behind the first {observation.count} of these:\n\n{HEAD}"
        yield from _parts(observation.outlook, observation.count)


def _parts(layout: Layout, first: int) -> Iterator[str]:
    for part, at in starts(layout):
        if isinstance(part, Part):
            yield f"| {_span(first + at, part.count)} | `{part.name}` | {part.meaning} |"
        else:
            yield from _block(part, first + at)


def _block(block: Block, at: int) -> Iterator[str]:
    each = block.count // block.times
    yield f"| {_span(at, block.count)} | `{block.name}` | {block.meaning}: {block.times} times {each} |"
    for part, offset in starts(block.parts):
        yield f"| +{_span(offset, part.count)} | `{block.name}` `{part.name}` | {part.meaning} |"


def _span(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first}–{first + count - 1}"
