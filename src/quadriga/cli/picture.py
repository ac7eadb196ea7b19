"""Pictures of a record: one step, or the whole race in motion."""

from pathlib import Path
from typing import Annotated

import typer

from quadriga.api.race import Race
from quadriga.cli.arguments import Language, system_language
from quadriga.core.errors import InvalidOption
from quadriga.pictures.moving import MOVING

KINDS = (".svg", ".png", *MOVING)


def picture(
    file: Annotated[Path, typer.Argument(help="A record.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="A .svg, .png, .gif or .webp file.")],
    step: Annotated[int | None, typer.Option(help="The step to draw; the last one if left out.")] = None,
    seat: Annotated[int | None, typer.Option(help="Draw what this seat sees, its hand included.")] = None,
    width: Annotated[int | None, typer.Option(min=100, max=4000, help="Pixels, for all but .svg.")] = None,
    language: Language = None,
) -> None:
    """Draw a step of a record (.svg, .png), or the whole race as a moving picture (.gif, .webp)."""
    if output.suffix not in KINDS:
        raise InvalidOption(f"a picture is a {', '.join(KINDS[:-1])} or {KINDS[-1]} file, not {output.name}")
    race, words = Race.open(file), system_language(language)
    if step is not None:
        race = race.at(step)
    if output.suffix in MOVING:
        race.animate(output, seat, words, width or 800)
    elif output.suffix == ".png":
        output.write_bytes(race.png(seat, words, width))
    else:
        output.write_text(race.svg(seat, words), encoding="utf-8")
    print(output)
