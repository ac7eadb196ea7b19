"""Races as pictures."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from quadriga.core.geometry import geometry_of
from quadriga.pictures.drawing import draw
from quadriga.pictures.moving import write_moving
from quadriga.pictures.scene import Scene

if TYPE_CHECKING:
    from quadriga.api.race import Race


def svg_of(race: "Race", seat: int | None, language: str, since: int | None) -> str:
    """A race as SVG, with arrows for what moved after step `since`; None: in the last step."""
    view, game = race.view(seat), race._match.game
    last = race.step - 1 if since is None else since
    places = {standing.seat: standing.place for standing in race.standings}
    return draw(
        Scene(
            game=game,
            geometry=geometry_of(game) or {},
            view=view.to_dict(),
            before=race.at(last).view(seat).to_dict() if last >= 0 else None,
            text=view.board(language),
            seat=seat,
            events=[{"kind": event.kind} | event.fields for event in race.events(seat, last)],
            story=[event.text(language) for event in race.events(seat, last)],
            players=race.players,
            places=[places[number] for number in range(len(race.players))],
            to_act=race.to_act,
            step=race.step,
            is_over=race.is_over,
            language=language,
        )
    )


def animate(race: "Race", path: Path, seat: int | None, language: str, width: int, seconds: float, frames: int) -> None:
    """Write a race as a moving picture of at most so many frames."""
    write_moving(_svgs(race, seat, language, frames), path, width, seconds)


def _svgs(race: "Race", seat: int | None, language: str, frames: int) -> Iterator[str]:
    before = None
    for step in frame_steps(race, frames):
        yield svg_of(race.at(step), seat, language, before)
        before = step


def frame_steps(race: "Race", frames: int) -> list[int]:
    """The steps to draw: all in which something can be seen to move, or as many of them as there are frames."""
    moving = sorted({event.step for event in race.events()} | {0, race.step})
    if len(moving) <= frames:
        return moving
    picked = {moving[round(number * (len(moving) - 1) / (frames - 1))] for number in range(frames)}
    return sorted(picked)
