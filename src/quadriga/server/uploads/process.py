"""The process in which uploads are checked, `python -m quadriga.server.uploads.process MEGABYTES`."""

import sys
from pathlib import Path

from quadriga.server.workers.loop import answer_all, yield_to_servers


def main() -> None:
    """Answer questions until they end, with a limit on memory beyond what the rules take."""
    yield_to_servers()
    from quadriga.server.uploads.worker import answer_bytes, warm_up

    def begin() -> None:
        warm_up()
        limit_memory(int(sys.argv[1]) << 20)

    answer_all(answer_bytes, begin)


def limit_memory(more: int) -> None:
    """Let this process have so many bytes more than it has now. Only Linux counts what a process really has."""
    if sys.platform == "linux":
        import resource

        status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        (used,) = [int(line.split()[1]) << 10 for line in status if line.startswith("VmData:")]
        resource.setrlimit(resource.RLIMIT_DATA, (used + more, used + more))


if __name__ == "__main__":
    main()
