"""The state folder: the data, the passwords, and the locks of the processes that use them."""

import fcntl
import json
import os
import secrets
import stat
import time
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from pwd import struct_passwd
from typing import Any

from config.embedded.errors import EmbeddedError
from config.embedded.process import unprivileged_account

CHECKOUT = Path(__file__).resolve().parents[2]
START_TIMEOUT = 90.0  # longest wait for another process that is starting the servers


def default_path() -> Path:
    """A folder in the checkout. For root, a folder outside, because the servers' account may have no access to it."""
    if path := os.environ.get("EMBEDDED_HOME"):
        return Path(path).resolve()
    if os.geteuid() == 0:
        return Path("/var/tmp") / f"backgammon-ladder-{sha256(bytes(CHECKOUT)).hexdigest()[:12]}"
    return CHECKOUT / ".state"


class Home:
    """One state folder. Only the process that holds its lock may start servers in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None
        self._guest: int | None = None

    @cached_property
    def account(self) -> struct_passwd | None:
        return unprivileged_account(self.path / "postgres")

    def prepare(self) -> None:
        """Create the folder. Refuse one that belongs to another user, because all users can write to /var/tmp."""
        self.path.mkdir(parents=True, exist_ok=True)
        found = self.path.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            raise EmbeddedError(f"{self.path} is not a folder of yours: move it away, or set EMBEDDED_HOME to another")
        self.path.chmod(0o711 if os.geteuid() == 0 else 0o700)

    def folder(self, name: str) -> Path:
        """A folder that only the servers' account can use."""
        path = self.path / name
        path.mkdir(exist_ok=True)
        path.chmod(0o700)
        self.give_to_servers(path)
        return path

    def give_to_servers(self, path: Path) -> None:
        if self.account:
            os.chown(path, self.account.pw_uid, self.account.pw_gid)

    def write(self, name: str, text: str) -> Path:
        """Write a file atomically. Other users can never read it."""
        path, partial = self.path / name, self.path / f"{name}.partial"
        partial.unlink(missing_ok=True)
        with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
        return partial.replace(path)

    def secret(self, name: str) -> str:
        """A random secret, created at first use and stored."""
        path = self.path / name
        if not path.exists():
            self.write(name, secrets.token_urlsafe(48))
        return path.read_text()

    def acquire(self) -> bool:
        """Become the owner. False if there is one. The kernel releases the lock when the process ends."""
        self.prepare()
        lock = self._open("lock")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return False
        self._lock = lock
        self.withdraw()
        return True

    def release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _open(self, name: str) -> int:
        """Open a file to lock. The servers do not inherit it, or they would keep the lock after this process ends."""
        return os.open(self.path / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def announce(self, facts: dict[str, Any]) -> None:
        """Publish that the servers are running, with their addresses, for other processes."""
        self.write("running.json", json.dumps({"pid": os.getpid(), **facts}))

    def announced(self) -> dict[str, Any]:
        try:
            facts: dict[str, Any] = json.loads((self.path / "running.json").read_text())
        except FileNotFoundError:
            return {}
        return facts

    def withdraw(self) -> None:
        (self.path / "running.json").unlink(missing_ok=True)

    def enter(self) -> dict[str, Any] | None:
        """Become the owner (None), or a guest: then return what the owner has announced."""
        deadline = time.monotonic() + START_TIMEOUT
        while not self.acquire():
            if facts := self._join():
                return facts
            if time.monotonic() > deadline:
                raise EmbeddedError(f"another process holds {self.path / 'lock'} but its servers do not start")
            time.sleep(0.05)
        return None

    def _join(self) -> dict[str, Any]:
        """Become a guest, if the owner has announced its servers.

        An owner removes the announcement before it waits for guests. So if it is still there, the owner waits for us.
        """
        self._guest = self._open("guests")
        fcntl.flock(self._guest, fcntl.LOCK_SH)
        facts = self.announced()
        if not facts:
            self.leave()
        return facts

    def leave(self) -> None:
        if self._guest is not None:
            os.close(self._guest)
            self._guest = None

    def wait_for_guests(self) -> None:
        guests = self._open("guests")
        fcntl.flock(guests, fcntl.LOCK_EX)
        os.close(guests)
