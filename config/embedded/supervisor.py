"""Run the product's processes side by side: their output in one place, and none outlives the others."""

import os
import selectors
import signal
import subprocess
import sys
import time
from contextlib import suppress

from config.embedded.process import die_with_parent

COLOURS = ("\033[36m", "\033[33m", "\033[35m")
GRACE_SECONDS = 6.0  # for requests and tasks to finish; tasks are redelivered, so the rest loses nothing


class Supervisor:
    def __init__(self) -> None:
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._minded: dict[str, subprocess.Popen[bytes]] = {}
        self._partial_lines: dict[str, bytes] = {}
        self._selector = selectors.DefaultSelector()

    def start(self, name: str, *module_and_arguments: str, **environment: str) -> None:
        child = subprocess.Popen(
            [sys.executable, "-m", *module_and_arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"PYTHONUNBUFFERED": "1", **environment, **os.environ},  # what the user set wins
            start_new_session=True,  # Ctrl-C is for us; a group of its own can be ended as a whole
            preexec_fn=die_with_parent(signal.SIGTERM),
        )
        assert child.stdout
        os.set_blocking(child.stdout.fileno(), False)
        self._selector.register(child.stdout, selectors.EVENT_READ, name)
        self._children[name] = child

    def mind(self, name: str, process: subprocess.Popen[bytes] | None) -> None:
        """Notice when this process ends, too; whoever started it also stops it."""
        if process:
            self._minded[name] = process

    def ended(self) -> tuple[str, int] | None:
        """The first process found to have ended, and its code."""
        for name, child in (self._children | self._minded).items():
            if (code := child.poll()) is not None:
                return name, code
        return None

    def pump(self, seconds: float) -> None:
        """Print what the processes said, waiting for it at most so long."""
        for key, _ in self._selector.select(seconds):
            chunk = os.read(key.fd, 65536)
            if not chunk:
                self._selector.unregister(key.fileobj)
            *lines, rest = (self._partial_lines.pop(key.data, b"") + chunk).split(b"\n")
            self._partial_lines[key.data] = rest
            for line in lines if chunk else [rest] * bool(rest):
                self._print(key.data, line.decode(errors="replace"))

    def _print(self, name: str, line: str) -> None:
        prefix = f"{name:<6} |"
        if sys.stdout.isatty():
            prefix = f"{COLOURS[list(self._children).index(name) % len(COLOURS)]}{prefix}\033[0m"
        print(prefix, line, flush=True)

    def stop(self) -> None:
        """Ask all to finish; end those that do not, and whatever they started."""
        for child in reversed(self._children.values()):
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + GRACE_SECONDS
        while any(child.poll() is None for child in self._children.values()) and time.monotonic() < deadline:
            self.pump(0.1)
        for child in self._children.values():
            with suppress(ProcessLookupError, PermissionError):  # the second is macOS's word for a group of zombies
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        self._children.clear()
