"""Running servers under an unprivileged account, and ending them with their parent process."""

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
# Loaded here, because the function below runs between fork and exec, where loading a library is not safe.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def unprivileged_account(data: Path) -> pwd.struct_passwd | None:
    """The account of the servers. None is our own, unless that is root, because PostgreSQL does not run as root.

    Existing data keeps its owner, so that sudo and a root shell use the same account.
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
    raise EmbeddedError("PostgreSQL does not run as root, and there is no account `nobody` for it: use another account")


def die_with_parent(sig: signal.Signals) -> Callable[[], None]:
    """A `preexec_fn`: the kernel sends `sig` to the child when its parent ends, even by SIGKILL (Linux only).

    The parent is the thread that forks, so that thread must live as long as the server.
    """
    parent = os.getpid()

    def hook() -> None:
        if _libc is not None:
            _libc.prctl(_PR_SET_PDEATHSIG, int(sig), 0, 0, 0)
            if os.getppid() != parent:  # the parent ended before the call above
                os._exit(1)

    return hook


def as_account(account: pwd.struct_passwd | None, cwd: Path) -> dict[str, Any]:
    """Arguments for subprocess: the account, and the environment without PG* variables, which PostgreSQL would use."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
    options: dict[str, Any] = {"cwd": cwd, "env": env, "stdin": subprocess.DEVNULL}
    if account:
        options |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    return options


def command_line(pid: int) -> str:
    """The command line of a process, or "". It shows whether a process id now belongs to another program."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        if sys.platform == "linux":
            return ""
    return subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
