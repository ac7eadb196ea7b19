"""A seat at a server's table, in the terminal."""

import asyncio
from typing import Annotated

import typer

from quadriga.cli.arguments import Language, system_language
from quadriga.core.errors import InvalidOption


def join(
    link: Annotated[str, typer.Argument(metavar="LINK", help="The link of a table: https://HOST/t/TABLE.")],
    name: Annotated[str, typer.Option(help="What the others call you.")] = "Guest",
    token: Annotated[str | None, typer.Option(help="Come back as a guest of before.")] = None,
    language: Language = None,
) -> None:
    """Play at a server's table in the terminal."""
    try:
        from quadriga.cli.terminal import app
    except ModuleNotFoundError:
        raise InvalidOption("this needs Textual: pip install quadriga[terminal]") from None
    from quadriga.cli.terminal.remote import RemoteTable, read_link
    from quadriga.client import Client

    address, table = read_link(link)

    async def play() -> None:
        async with Client(address, name, token) as client:
            found = await RemoteTable.join(client, table, system_language(language))
            await app.RaceApp(found).run_async()
            print(f"To come back: quadriga join {link} --token {client.token}")

    asyncio.run(play())
