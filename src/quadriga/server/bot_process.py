"""The process in which bots think, `python -m quadriga.server.bot_process`: less urgent than a server from the first
moment on, for loading the rules takes a second or two."""

import os

LESS_URGENT = 10
"""People who are at the table come before bots that think."""


def main() -> None:
    """Answer questions until they end."""
    if hasattr(os, "nice"):
        os.nice(LESS_URGENT)
    from quadriga.server.bot_worker import work

    work()


if __name__ == "__main__":
    main()
