"""Which account a server runs as, and that it never outlives its parent."""

import ctypes
import os
import pwd
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from config.embedded.errors import EmbeddedError

_PR_SET_PDEATHSIG = 1
# Loaded before any fork: the hook below runs between fork and exec, where loading a library is not safe.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def unprivileged_account(data: Path) -> pwd.struct_passwd | None:
    """The account for the servers: None is our own; PostgreSQL refuses to run as root, so root lends it another.

    Data that exists keeps its owner: sudo on one day and a root shell on the next have to end at the same account.
    """
    if os.geteuid() != 0:
        return None
    if data.exists() and (owner := data.stat().st_uid) != 0:
        return pwd.getpwuid(owner)
    for name in (os.environ.get("SUDO_USER", ""), "nobody"):
        try:
            account = pwd.getpwnam(name)
        except KeyError:
            continue
        if account.pw_uid != 0:
            return account
    raise EmbeddedError(
        "PostgreSQL does not run as root, and there is no account `nobody` to run it as: be another user"
    )


def die_with_parent(sig: signal.Signals) -> Callable[[], None]:
    """A hook that has the kernel send `sig` to the child when its parent is gone, even by SIGKILL (Linux only).

    The parent is the thread that forks, so servers must be started from a thread that lives as long as they should.
    """
    parent = os.getpid()

    def hook() -> None:
        if _libc is not None:
            _libc.prctl(_PR_SET_PDEATHSIG, int(sig), 0, 0, 0)
            if os.getppid() != parent:  # it died before the kernel knew our wish
                os._exit(1)

    return hook


def as_account(account: pwd.struct_passwd | None, cwd: Path) -> dict[str, Any]:
    """Arguments for subprocess: that account, and none of the PG* variables that would redirect PostgreSQL's tools."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
    options: dict[str, Any] = {"cwd": cwd, "env": env, "stdin": subprocess.DEVNULL}
    if account:
        options |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    return options


def command_line(pid: int) -> str:
    """What a process was started as, if there is one: tells our server from a stranger that got its old number."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        if sys.platform == "linux":
            return ""
    return subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
