"""The text board as a picture, for games that have no drawings of their own."""

from xml.sax.saxutils import escape

from quadriga.pictures.art import INK, PAGE, rectangle
from quadriga.pictures.scene import Scene

LINE, LETTER = 18, 8.5


def draw_text(scene: Scene) -> str:
    """The board as text on a sheet."""
    lines = scene.text.rstrip().split("\n")
    width, height = max(map(len, lines)) * LETTER + 32, len(lines) * LINE + 32
    drawn = "".join(
        f'<text x="16" y="{28 + number * LINE}" xml:space="preserve">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f'{rectangle(0, 0, width, height, PAGE)}<g font-family="\'DejaVu Sans Mono\', monospace" font-size="14" '
        f'fill="{INK}">{drawn}</g></svg>'
    )
