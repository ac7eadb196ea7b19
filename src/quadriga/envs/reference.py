"""The ids and observations of every game, as they are declared, for docs/environments.md."""

from collections.abc import Iterator

from quadriga.core.game import Game
from quadriga.envs.learnable import Block, Learnable, Part, learnable, starts


def reference(game: Game) -> str:
    """The section of a game, in Markdown."""
    brought = learnable(game)
    return "\n".join([f"## {game.meta.title}", *_ids(brought), "", *_observation(brought), ""])


def _ids(brought: Learnable) -> Iterator[str]:
    yield f"\n{brought.id_count} ids:\n\n| ids | names | what is chosen |\n|---|---|---|"
    at = 0
    for ids in brought.ids:
        yield f"| {_span(at, len(ids.names))} | {_names(ids.names)} | {ids.meaning} |"
        at += len(ids.names)


def _names(names: tuple[str, ...]) -> str:
    shown = names if len(names) <= 10 else (*names[:2], "…", names[-1])
    return ", ".join(name if name == "…" else f"`{name}`" for name in shown)


def _observation(brought: Learnable) -> Iterator[str]:
    yield f"{brought.observation_count} numbers:\n\n| numbers | part | what it says |\n|---|---|---|"
    for part, at in starts(brought.layout):
        if isinstance(part, Part):
            yield f"| {_span(at, part.count)} | `{part.name}` | {part.meaning} |"
        else:
            yield from _block(part, at)
    at = brought.view_count
    yield f"| {_span(at, brought.id_count)} | `chosen` | 1 for each id of one's own choice so far |"
    yield f"| {at + brought.id_count} | `stage` | how far that choice is, of 8; 0 at its beginning |"


def _block(block: Block, at: int) -> Iterator[str]:
    each = block.count // block.times
    yield f"| {_span(at, block.count)} | `{block.name}` | {block.meaning}: {block.times} times {each} |"
    for part, offset in starts(block.parts):
        yield f"| +{_span(offset, part.count)} | `{block.name}` `{part.name}` | {part.meaning} |"


def _span(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first}–{first + count - 1}"
