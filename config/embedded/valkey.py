"""A private Valkey: only on 127.0.0.1, with a password. Its data can be lost without harm."""

import signal
import socket
from pathlib import Path
from typing import ClassVar

from config.embedded.binaries import runnable, valkey_server
from config.embedded.service import Service


class Valkey(Service):
    name: ClassVar[str] = "valkey"
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM

    @property
    def _password(self) -> str:
        return self.home.secret("valkey.password")

    @property
    def url(self) -> str:
        return f"redis://:{self._password}@127.0.0.1:{self.port}/0"

    @property
    def pid_file(self) -> Path:
        return self.data / "valkey.pid"

    def prepare(self) -> None:
        self.program = runnable(valkey_server(), 1, self.home.account, self.home.path)
        self.home.folder(self.name)

    def command(self) -> list[str]:
        # The log of all writes keeps queued tasks when the system stops.
        keep = 'appendonly yes\nsave ""' if self.durable else 'appendonly no\nsave ""'
        config = self.home.write(
            "valkey.conf",
            f"bind 127.0.0.1\nport {self.port}\nrequirepass {self._password}\n"
            f'dir "{self.data}"\npidfile "{self.pid_file}"\n'
            f"databases 128\ndaemonize no\nset-proc-title no\nmaxmemory 256mb\nmaxmemory-policy noeviction\n{keep}\n",
        )
        self.home.give_to_servers(config)
        return [str(self.program), str(config)]

    def ready(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.sendall(f"AUTH {self._password}\r\nPING\r\n".encode())
                answer = b""
                while chunk := connection.recv(64):
                    answer += chunk
                    if b"PONG" in answer:
                        return True
        except OSError:
            pass
        return False
