"""Prints the OpenAPI schema of the server's HTTP interface, from which the page's types are made."""

import sys

import msgspec

from quadriga.server.http.app import make_http
from quadriga.server.settings import Settings

schema = msgspec.to_builtins(make_http(Settings()).openapi_schema.to_schema())
schema["info"]["version"] = "any"  # a release alone changes no type
sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(schema, order="deterministic"), indent=2))
