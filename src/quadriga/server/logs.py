"""Logs: one JSON object a line, or plain text. Only fields passed as `extra` are logged.

The text of an error may hold user data, so only its type and the lines of its traceback are logged.
"""

import hashlib
import json
import logging
import sys
import time
import traceback
from typing import Any

PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def mark(secret: str) -> str:
    """Eight letters that stand for an id: equal for equal ids, and not reversible."""
    return hashlib.sha256(secret.encode()).hexdigest()[:8]


def describe_error(error: BaseException) -> str:
    """An error and what led to it: types and places, no texts."""
    lines, seen = list[str](), set[int]()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(one.__traceback__)]
        lines = [*places, f"{type(one).__module__}.{type(one).__qualname__}", *lines]
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return "\n".join(lines)


class Formatter(logging.Formatter):
    """Writes errors without their texts."""

    def formatException(self, ei: Any) -> str:  # noqa: N802  logging's own name
        """Types and places."""
        return describe_error(ei[1]) if ei[1] is not None else ""


class JsonLines(Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level, source, sentence, and what came with it."""
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in PLAIN}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def set_up_logs(level: str, as_json: bool) -> None:
    """Send everything to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    plain = Formatter("%(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JsonLines() if as_json else plain)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in ("uvicorn", "alembic", "sqlalchemy.engine"):  # uvicorn would log addresses
        logging.getLogger(name).setLevel(logging.WARNING)
