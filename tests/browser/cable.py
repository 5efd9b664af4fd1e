"""A line between a browser and the server that can be cut, for engines whose drivers cannot.

Knows: bytes and sockets.  Must not know: HTTP, browsers.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from urllib.parse import urlsplit


class Cable:
    """A port of this machine that leads to a server.  While it is cut, nothing answers there."""

    def __init__(self, address: str) -> None:
        self._sockets: set[socket.socket] = set()
        self._listener: socket.socket | None = None
        self._port = 0
        self.leads_to(address)
        self.mend()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def leads_to(self, address: str) -> None:
        """Connections from now on lead there."""
        parts = urlsplit(address)
        self._target = (parts.hostname or "", parts.port or 80)

    def mend(self) -> None:
        """Answer, at the same port as ever."""
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self._port))
            self._port = self._listener.getsockname()[1]
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        """End all connections and take no other."""
        if self._listener is not None:
            listener, self._listener = self._listener, None
            # Wakes the thread that accepts.
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for each in list(self._sockets):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    close = cut

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        with contextlib.suppress(OSError), near, socket.create_connection(self._target) as far:
            ends = {near, far}
            self._sockets |= ends
            back = threading.Thread(target=self._carry, args=(far, near), daemon=True)
            back.start()
            self._carry(near, far)
            back.join()
            self._sockets -= ends

    @staticmethod
    def _carry(source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)
