"""Metrics for Prometheus. None of them names a guest or a table."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """The numbers of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.sockets = Gauge("quadriga_sockets", "open websockets", registry=self.registry)
        self.live_tables = Gauge("quadriga_live_tables", "tables in memory", registry=self.registry)
        self.commands = Counter(
            "quadriga_commands", "commands by type and outcome", ["type", "outcome"], registry=self.registry
        )
        self.command_seconds = Histogram(
            "quadriga_command_seconds",
            "from a command to its commit and views",
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.entries = Counter("quadriga_entries", "entries written to logs", registry=self.registry)
        self.conflicts = Counter("quadriga_conflicts", "writes that another node won", registry=self.registry)
        self.sent = Counter("quadriga_messages_sent", "messages sent to sockets", registry=self.registry)
        self.slow = Counter("quadriga_slow_sockets", "sockets closed for being slow", registry=self.registry)
        self.bot_failures = Gauge("quadriga_bot_failures", "bots that died or stalled", registry=self.registry)
        self.bots_waiting = Gauge("quadriga_bots_waiting", "bots that wait for a worker", registry=self.registry)
        self.wakeups = Counter("quadriga_wakeups", "notices from other nodes", registry=self.registry)
        self.listener_restarts = Counter(
            "quadriga_listener_restarts", "times the listener had to connect again", registry=self.registry
        )
        self.requests = Counter(
            "quadriga_requests", "HTTP requests by method and status", ["method", "status"], registry=self.registry
        )

    def text(self) -> bytes:
        """All metrics in the Prometheus text format."""
        return generate_latest(self.registry)
