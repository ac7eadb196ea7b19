"""What attacks bring along: a webhook that hangs, and ends without a trace."""

import asyncio

import pytest

from quadriga.loadtest.attacks import HangingWebhook


def test_a_hanging_webhook_answers_a_byte_at_a_time_until_it_is_closed(caplog: pytest.LogCaptureFixture) -> None:
    async def call() -> tuple[bytes, bytes, int]:
        webhook = HangingWebhook()
        host, _, port = (await webhook.open()).removeprefix("http://").rstrip("/").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        first = await asyncio.wait_for(reader.read(100), 5)
        await asyncio.wait_for(webhook.close(), 5)
        try:
            rest = await asyncio.wait_for(reader.read(100), 5)
        except ConnectionResetError:
            rest = b""
        writer.close()
        return first, rest, webhook.taken

    assert asyncio.run(call()) == (b"H", b"", 1)
    assert caplog.records == []
