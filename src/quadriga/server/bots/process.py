"""The process in which bots think, `python -m quadriga.server.bots.process`: it has a low
priority from its start, because loading the rules takes a second or two."""

from quadriga.server.workers.loop import answer_all, yield_to_servers


def main() -> None:
    """Answer questions until they end."""
    yield_to_servers()
    from quadriga.server.bots.worker import answer_bytes, warm_up

    answer_all(answer_bytes, warm_up)


if __name__ == "__main__":
    main()
