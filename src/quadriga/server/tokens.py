"""Names and tokens that nobody can guess."""

import hashlib
import secrets


def new_id() -> str:
    """An unguessable name for a table or a guest."""
    return secrets.token_urlsafe(12)


def new_token() -> str:
    """An unguessable token for a seat or a link."""
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
