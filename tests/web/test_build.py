"""What the build makes of the page's parts."""

import re
from pathlib import Path

ASSETS = Path(__file__).parents[2] / "src" / "quadriga" / "server" / "static" / "assets"


def test_the_style_of_components_comes_after_that_of_the_page() -> None:
    (style,) = ASSETS.glob("*.css")
    text = style.read_text(encoding="utf-8")
    first_component = re.search(r"\._[0-9a-z]+\b", text)
    assert first_component
    assert text.index(".btn.small{") < first_component.start()
