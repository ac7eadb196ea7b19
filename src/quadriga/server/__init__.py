"""Tables on a network: HTTP, websockets, storage, bots and clocks around the matches of core."""

PROTOCOL = 1
"""Increased when a page of the old protocol can no longer play; docs/protocol.md describes it."""
