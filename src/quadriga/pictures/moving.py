"""Pictures in pixels: PNG by resvg, races as GIF or WebP by Pillow; both come with `quadriga[pictures]`."""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

from quadriga.core.errors import InvalidOption
from quadriga.core.extras import require

EXTRA = "pictures"
MOVING = (".gif", ".webp")
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
    pace = max(1, round(1000 * seconds))
    durations = [pace] * (len(frames) - 1) + [pace * LAST]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=durations, loop=0)


def _frame(image: Any, data: bytes) -> Any:
    """A frame with colours of its own, few enough for a GIF."""
    return image.open(BytesIO(data)).convert("RGB").quantize(128, dither=0)
