"""Both servers together: for an owner, for its guests, or temporary."""

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from config.embedded.home import Home
from config.embedded.postgres import Postgres
from config.embedded.service import Service
from config.embedded.valkey import Valkey

KINDS: dict[str, type[Service]] = {"DATABASE_URL": Postgres, "REDIS_URL": Valkey}
SECRET_KEY = "DJANGO_SECRET_KEY"
THROWAWAY_PREFIX = "backgammon-ladder-throwaway-"


def missing() -> list[str]:
    """The variables of servers that are not set, so that our own servers are needed."""
    return [variable for variable in KINDS if not os.environ.get(variable)]


@contextmanager
def servers(home: Home, *, durable: bool, variables: Collection[str]) -> Iterator[dict[str, Service]]:
    """Run these servers in a state folder that we have locked. Yields them by variable."""
    started: dict[str, Service] = {}
    try:
        for variable in variables:
            started[variable] = KINDS[variable](home, durable=durable)
            started[variable].start()
        yield started
    finally:
        home.withdraw()
        with ignoring_signals():
            for service in reversed(started.values()):
                service.stop()


def addresses(running: dict[str, Service]) -> dict[str, str]:
    return {variable: service.url for variable, service in running.items()}


@contextmanager
def ignoring_signals() -> Iterator[None]:
    """Ignore stop signals while stopping, so that a second Ctrl-C does not interrupt it."""
    before = {each: signal.signal(each, signal.SIG_IGN) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def shared(home: Home, command: str) -> Iterator[None]:
    """Set the addresses for one command: of the running servers, or of servers that run as long as the command."""
    wanted = missing()
    if not wanted:
        _set_secret_key(home)
        yield
    elif facts := home.enter():
        os.environ.update({key: facts["environment"][key] for key in wanted})
        os.environ.setdefault(SECRET_KEY, facts["environment"][SECRET_KEY])
        try:
            yield
        finally:
            home.leave()
    else:
        with servers(home, durable=True, variables=wanted) as running:
            publish(home, addresses(running), command)
            try:
                yield
            finally:
                home.withdraw()  # no new guests; the current ones can finish
                home.wait_for_guests()
        home.release()


def publish(home: Home, urls: dict[str, str], command: str, **facts: str) -> None:
    """Set our own environment, and publish it for other processes of this checkout."""
    os.environ.update(urls)
    _set_secret_key(home)
    home.announce({"command": command, "environment": {key: os.environ[key] for key in (*KINDS, SECRET_KEY)}, **facts})


def _set_secret_key(home: Home) -> None:
    if not os.environ.get(SECRET_KEY):  # only then, because a container may have no place for a state folder
        home.prepare()
        os.environ[SECRET_KEY] = home.secret("secret_key")


@contextmanager
def throwaway(*, durable: bool, variables: Collection[str] = tuple(KINDS)) -> Iterator[dict[str, str]]:
    """Temporary servers, deleted with their data at the end. Yields {"DATABASE_URL": ..., "REDIS_URL": ...}.

    `durable`: they write to disk as in production. Otherwise they are faster, and lose data in a power cut.
    """
    parent = _parent(durable=durable)
    _remove_leftovers(parent)
    home = Home(Path(tempfile.mkdtemp(prefix=THROWAWAY_PREFIX, dir=parent)))
    home.acquire()
    try:
        with servers(home, durable=durable, variables=variables) as running:
            yield addresses(running)
    finally:
        home.release()
        shutil.rmtree(home.path, ignore_errors=True)


def _parent(*, durable: bool) -> Path:
    """/var/tmp, if the servers' account may have no access to the temporary folder, or if it may be in memory."""
    return Path("/var/tmp" if durable or os.geteuid() == 0 else tempfile.gettempdir())


def _remove_leftovers(parent: Path) -> None:
    """Remove the folders of runs that were killed. Folders of the last minute may not be locked yet and are kept."""
    for path in parent.glob(f"{THROWAWAY_PREFIX}*"):
        try:
            found = path.lstat()
            if found.st_uid != os.geteuid() or time.time() - found.st_mtime < 60 or not (home := Home(path)).acquire():
                continue
        except FileNotFoundError:  # another process removes it at the same time
            continue
        for kind in KINDS.values():
            kind(home, durable=False).stop_leftover()
        shutil.rmtree(path, ignore_errors=True)
        home.release()
