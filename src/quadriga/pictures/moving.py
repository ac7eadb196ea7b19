"""Pictures in pixels: PNG by resvg, races as GIF or WebP by Pillow; both come with `quadriga[pictures]`."""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

from quadriga.core.errors import InvalidOption
from quadriga.core.extras import require
from quadriga.pictures.art import PALETTE

EXTRA = "pictures"
MOVING = (".gif", ".webp")
MOST_COLOURS = 256
QUALITY = 80
"""Of WebP, from 0 to 100."""
LAST = 6
"""How many times as long the last picture stays."""


def png(svg: str, width: int | None = None) -> bytes:
    """An SVG as PNG, as wide as it says or in so many pixels."""
    drawn: bytes = bytes(require("resvg_py", EXTRA).svg_to_bytes(svg_string=svg, width=width))
    return drawn


def write_moving(svgs: Iterable[str], path: Path, width: int = 800, seconds: float = 0.5) -> None:
    """Write pictures as one that moves: `.gif` or `.webp`."""
    if path.suffix not in MOVING:
        raise InvalidOption(f"a moving picture is a {' or '.join(MOVING)} file, not {path.name}")
    image = require("PIL.Image", EXTRA)
    frames = [_frame(image, png(svg, width)) for svg in svgs]
    if path.suffix == ".gif":
        colours = _colours(image, frames[0])
        frames = [frame.quantize(palette=colours, dither=0) for frame in frames]
    pace = max(1, round(1000 * seconds))
    durations = [pace] * (len(frames) - 1) + [pace * LAST]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=durations, loop=0, quality=QUALITY)


def _frame(image: Any, data: bytes) -> Any:
    """A frame without transparent corners."""
    drawn = image.open(BytesIO(data)).convert("RGBA")
    frame = image.new("RGB", drawn.size, PALETTE["page"])
    frame.paste(drawn, mask=drawn)
    return frame


def _colours(image: Any, frame: Any) -> Any:
    """The colours of a GIF: those of the palette, which small things bear, and the most frequent of a frame."""
    own = [byte for colour in dict.fromkeys(PALETTE.values()) for byte in bytes.fromhex(colour[1:7])]
    frequent = frame.quantize(MOST_COLOURS - len(own) // 3).getpalette()
    colours = image.new("P", (1, 1))
    colours.putpalette((own + frequent)[: 3 * MOST_COLOURS])
    return colours
