"""The process in which bots think, `python -m quadriga.server.bot_process`: less urgent than a server from the first
moment on, for loading the rules takes a second or two."""

from quadriga.server.worker_loop import answer_all, yield_to_servers


def main() -> None:
    """Answer questions until they end."""
    yield_to_servers()
    from quadriga.server.bot_worker import answer_bytes, warm_up

    answer_all(answer_bytes, warm_up)


if __name__ == "__main__":
    main()
