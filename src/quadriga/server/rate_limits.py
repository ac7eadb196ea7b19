"""Rate limits by token buckets, for each address, guest or socket."""

import time
from collections import OrderedDict
from collections.abc import Callable

from quadriga.server.errors import Refused

MOST_KEYS = 20_000


class Bucket:
    """Holds `burst` at most and gains `rate` a second."""

    __slots__ = ("at", "level")

    def __init__(self, burst: float, now: float) -> None:
        self.level, self.at = burst, now

    def take(self, rate: float, burst: float, now: float) -> float:
        """Take one; 0, or the seconds until there is one."""
        self.level = min(burst, self.level + (now - self.at) * rate)
        self.at = now
        if self.level >= 1:
            self.level -= 1
            return 0.0
        return (1 - self.level) / rate

    def charge(self, rate: float, burst: float, now: float) -> float:
        """Take one even if there is none; 0, or the seconds until the debt is paid."""
        self.level = min(burst, self.level + (now - self.at) * rate) - 1
        self.at = now
        return max(0.0, -self.level / rate)


class Limit:
    """A rate for many keys; the ones not seen for longest are forgotten."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self.clock: Callable[[], float] = time.monotonic
        """Seconds; tests set their own."""
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def wait(self, key: str) -> float:
        """Count one; the seconds until it would be allowed, 0 if it is."""
        now = self.clock()
        bucket = self._buckets.pop(key, None) or Bucket(self.burst, now)
        self._buckets[key] = bucket
        if len(self._buckets) > MOST_KEYS:
            self._buckets.popitem(last=False)
        return bucket.take(self.rate, self.burst, now)

    def require(self, key: str) -> None:
        """Count one, or refuse it."""
        if seconds := self.wait(key):
            raise Refused("too_fast", seconds=max(1, round(seconds)))
