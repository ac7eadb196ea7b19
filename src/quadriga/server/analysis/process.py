"""The process in which races are analysed, `python -m quadriga.server.analysis.process NICENESS`."""

import sys

from quadriga.server.workers.loop import answer_telling, yield_to_servers


def main() -> None:
    """Answer questions until they end, less urgent than everything that people wait for."""
    yield_to_servers(int(sys.argv[1]))
    from quadriga.server.analysis.worker import answer_bytes, warm_up

    answer_telling(answer_bytes, warm_up)


if __name__ == "__main__":
    main()
