"""Tables on a network: HTTP, websockets, storage, bots and clocks around the matches of core."""

PROTOCOL = 1
"""Raised when a page of the old protocol could no longer play; docs/protocol.md describes it."""
