"""Web Push: a message that a browser's push service keeps for a page that is closed.

The body is encrypted for the browser alone (RFC 8291, aes128gcm) and the request is signed with the server's own key
(RFC 8292, VAPID), so that a push service can neither read it nor be used by others.
"""

import base64
import json
import os
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from quadriga.server.database.subscriptions import Subscription
from quadriga.server.notifications.push_services import find_endpoint, post

CURVE = ec.SECP256R1()
KEPT_SECONDS = 86_400
"""How long a push service keeps a message for a browser that is off."""
SIGNED_SECONDS = 12 * 3600
SECONDS = 10.0
RECORD_BYTES = 4096
AUTH_BYTES, POINT_BYTES = 16, 65
GONE = (404, 410)


class SubscriptionGone(Exception):
    """The browser does not want messages any more."""


def to_text(raw: bytes) -> str:
    """Base64url without padding, as everything in Web Push is written."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def from_text(text: str) -> bytes:
    """The bytes of `to_text`; ValueError if it is none."""
    return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def browser_key(subscription: Subscription) -> ec.EllipticCurvePublicKey:
    """The key that messages are encrypted for; ValueError if the keys are no keys."""
    if len(from_text(subscription.keys.auth)) != AUTH_BYTES:
        raise ValueError("auth has 16 bytes")
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, from_text(subscription.keys.p256dh))
    except InvalidKey as error:
        raise ValueError("p256dh is no point") from error


# ---------------------------------------------------------------- RFC 8291


def encrypt(
    body: bytes, subscription: Subscription, ours: ec.EllipticCurvePrivateKey | None = None, salt: bytes | None = None
) -> bytes:
    """A message that only the browser of a subscription can read."""
    theirs = browser_key(subscription)
    ours, salt = ours or ec.generate_private_key(CURVE), salt or os.urandom(16)
    sender = point(ours.public_key())
    info = b"WebPush: info\0" + point(theirs) + sender
    secret = _derive(ours.exchange(ec.ECDH(), theirs), from_text(subscription.keys.auth), info, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([POINT_BYTES]) + sender
    return head + AESGCM(key).encrypt(nonce, body + b"\x02", None)  # 2: the last record


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


# ---------------------------------------------------------------- RFC 8292


def draw_key() -> str:
    """A new private key of a server, as text."""
    return f"{ec.generate_private_key(CURVE).private_numbers().private_value:064x}"


@dataclass(frozen=True)
class Sender:
    """This server, as push services know it."""

    key: ec.EllipticCurvePrivateKey
    contact: str
    """Where a push service may complain: mailto: or https:."""
    services: tuple[str, ...] = ()
    """Push services that messages may be sent to."""

    @classmethod
    def of(cls, kept: str, contact: str, services: tuple[str, ...]) -> "Sender":
        """The sender of a key that `draw_key` drew."""
        return cls(ec.derive_private_key(int(kept, 16), CURVE), contact, services)

    @property
    def public(self) -> str:
        """The key that pages subscribe with."""
        return to_text(point(self.key.public_key()))

    def signature(self, endpoint: str, now: float) -> str:
        """The header that says who sends."""
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + SIGNED_SECONDS, "sub": self.contact}
        text = ".".join(to_text(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
        r, s = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        signed = to_text(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return f"vapid t={text}.{signed}, k={self.public}"

    def send(self, subscription: Subscription, body: dict[str, Any], topic: str, now: float) -> None:
        """Hand a message to the push service; a later one of the same topic replaces it."""
        headers = {
            "authorization": self.signature(subscription.endpoint, now),
            "content-type": "application/octet-stream",
            "content-encoding": "aes128gcm",
            "ttl": str(KEPT_SECONDS),
            "topic": topic[:32],
        }
        endpoint = find_endpoint(self.services, subscription.endpoint)
        if endpoint is None:
            raise SubscriptionGone
        status = post(endpoint, encrypt(json.dumps(body).encode(), subscription), headers, SECONDS)
        if status in GONE:
            raise SubscriptionGone
        if not 200 <= status < 300:
            raise OSError(f"the push service answered {status}")
