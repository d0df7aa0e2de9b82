"""The port of the web server, and the check that it answers."""

import errno
import socket
from contextlib import closing

from config.embedded.errors import EmbeddedError

FIRST = 8000
TRIES = 100


def reserve(wanted: int | None) -> socket.socket:
    """Reserve the wanted port, or the first free one, so that two checkouts can run at the same time.

    The web server uses it seconds later, when the database is ready. It shares the port with the returned socket,
    because granian sets SO_REUSEPORT. Other processes cannot use it.
    """
    if wanted is not None and not 0 < wanted < 65536:
        raise EmbeddedError(f"port {wanted} is not between 1 and 65535")
    for port in range(FIRST, FIRST + TRIES) if wanted is None else (wanted,):
        if (held := _hold(port)) is not None:
            return held
    if wanted is None:
        raise EmbeddedError(f"no free port from {FIRST} to {FIRST + TRIES - 1}: name one (make run PORT=...)")
    raise EmbeddedError(f"port {wanted} is in use: name another, as in make run PORT={wanted + 1}, or none")


def _hold(port: int) -> socket.socket | None:
    with closing(socket.socket()) as probe:
        probe.settimeout(1)
        if probe.connect_ex(("127.0.0.1", port)) == 0:  # also finds a server on all addresses, unlike bind
            return None
    held = socket.socket()
    try:
        with closing(socket.socket()) as probe:  # SO_REUSEPORT alone would succeed next to another owner of the port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # old connections may still be closing
            probe.bind(("127.0.0.1", port))
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.bind(("127.0.0.1", port))
    except OSError as error:
        held.close()
        if error.errno == errno.EADDRINUSE:
            return None
        raise EmbeddedError(f"port {port} cannot be used: {error.strerror}") from error
    return held


class HealthCheck:
    """Asks the web server without waiting. Its port is open long before the application behind it can answer."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None

    def has_answer(self) -> bool:
        try:
            if self._socket is None:
                self._socket = socket.create_connection(("127.0.0.1", self._port), 0.5)
                self._socket.sendall(b"GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
                self._socket.setblocking(False)
            if self._socket.recv(1):
                self._socket.close()
                return True
        except BlockingIOError:
            return False
        except OSError:
            pass
        if self._socket:  # closed without an answer: try again
            self._socket.close()
            self._socket = None
        return False
