"""Pages in Spanish say so, to browsers and screen readers: the theme knows one language for the whole site."""

from typing import Any

ENGLISH, SPANISH = '<html lang="en"', '<html lang="es"'


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Mark a page whose file ends with `.es.md` as Spanish."""
    return output.replace(ENGLISH, SPANISH, 1) if page.file.src_uri.endswith(".es.md") else output
