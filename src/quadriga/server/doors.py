"""Letting people in: a crowd that comes back is let in together.

Left to itself the loop lets one person in a turn, and serves all who are in between two of them: the last of thousands
would wait for those who are back and play on already.
"""

import asyncio
import errno
import logging
import socket

import uvicorn

log = logging.getLogger("quadriga.doors")
AT_ONCE = 256
"""People who are let in before those who are in are served."""
FULL = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
FULL_SECONDS = 1.0
"""How long nobody is let in when the system has no room for another one."""


class Doors(uvicorn.Server):
    """uvicorn, with doors of its own."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin, then open the doors."""
        await super().startup(sockets=[])
        for listener in sockets or ():
            listener.setblocking(False)
            self._open(listener)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut the doors, then come to an end."""
        for listener in sockets or ():
            asyncio.get_running_loop().remove_reader(listener)
        await super().shutdown(sockets)

    def _open(self, listener: socket.socket) -> None:
        if not self.should_exit:
            asyncio.get_running_loop().add_reader(listener, self._let_in, listener)

    def _let_in(self, listener: socket.socket) -> None:
        """Let in who waits, so many at most."""
        try:
            for _ in range(AT_ONCE):
                connection, _ = listener.accept()
                task = asyncio.get_running_loop().create_task(self._lead_in(connection))
                self.server_state.tasks.add(task)
                task.add_done_callback(self.server_state.tasks.discard)
        except (BlockingIOError, ConnectionAbortedError):
            pass
        except OSError as error:
            if error.errno not in FULL:
                raise
            log.warning("nobody is let in for a moment", extra={"cause": error.strerror})
            asyncio.get_running_loop().remove_reader(listener)
            asyncio.get_running_loop().call_later(FULL_SECONDS, self._open, listener)

    async def _lead_in(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await asyncio.get_running_loop().connect_accepted_socket(self._protocol, connection)

    def _protocol(self) -> asyncio.Protocol:
        kind = self.config.http_protocol_class
        return kind(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)  # type: ignore[call-arg]
