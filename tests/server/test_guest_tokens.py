"""Guests' tokens: nobody can write another's, and those of earlier versions stay valid."""

import base64
import hashlib
import hmac

import pytest

from quadriga.server.guest_tokens import GuestSigner

SIGNER = GuestSigner("key")


def test_a_token_of_an_earlier_version_is_read() -> None:
    key = hashlib.sha256(b"quadriga guest" + b"key").digest()
    signature = base64.urlsafe_b64encode(hmac.digest(key, b"some-guest_1", "sha256")[:24]).decode()
    assert SIGNER.read(f"some-guest_1.{signature}") == "some-guest_1"
    assert SIGNER.sign("some-guest_1") == f"some-guest_1.{signature}"


@pytest.mark.parametrize("text", [None, "", ".", "guest", "guest.", "guest.AAAA", ".AAAA", "\ud800.x", "guest.é"])
def test_what_was_not_signed_here_is_nobody(text: str | None) -> None:
    assert SIGNER.read(text) is None


def test_a_changed_token_and_another_key_are_refused() -> None:
    token = SIGNER.sign("guest")
    assert SIGNER.read("Guest" + token[5:]) is None
    assert GuestSigner("other").read(token) is None
