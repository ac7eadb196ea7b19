"""The signed text that says who a guest is, in a cookie or in a header."""

import hashlib
import secrets

from itsdangerous import BadSignature
from itsdangerous import Signer as TextSigner
from itsdangerous.signer import HMACAlgorithm

COOKIE = "quadriga"
COOKIE_SECONDS = 400 * 86_400
SIGNATURE_BYTES = 24


class ShortHmac(HMACAlgorithm):
    """SHA-256, cut to the length that cookies have had from the first version on."""

    def get_signature(self, key: bytes, value: bytes) -> bytes:
        return super().get_signature(key, value)[:SIGNATURE_BYTES]


class GuestSigner:
    """Signs the ids of guests, so that nobody can write another's."""

    def __init__(self, key: str) -> None:
        derived = hashlib.sha256(b"quadriga guest" + key.encode()).digest()
        self._signer = TextSigner(derived, key_derivation="none", algorithm=ShortHmac(hashlib.sha256))

    def sign(self, guest: str) -> str:
        """The text a guest shows."""
        return self._signer.sign(guest).decode()

    def read(self, text: str | None) -> str | None:
        """The guest a text stands for; None if it was not signed here."""
        try:
            return self._signer.unsign((text or "").encode()).decode() or None
        except (BadSignature, UnicodeError):
            return None


def draw_key() -> str:
    """A new key to sign with."""
    return secrets.token_hex(32)
