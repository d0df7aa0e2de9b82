"""Both servers together: for one owner, for its guests, or to throw away."""

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
    """The servers that the environment does not name, so that ours have to do."""
    return [variable for variable in KINDS if not os.environ.get(variable)]


@contextmanager
def servers(home: Home, *, durable: bool, variables: Collection[str]) -> Iterator[dict[str, Service]]:
    """Run these in a home whose lock we hold; yields them by variable."""
    started: dict[str, Service] = {}
    try:
        for variable in variables:
            started[variable] = KINDS[variable](home, durable=durable)
            started[variable].start()
        yield started
    finally:
        home.withdraw()
        with deaf():
            for service in reversed(started.values()):
                service.stop()


def addresses(running: dict[str, Service]) -> dict[str, str]:
    return {variable: service.url for variable, service in running.items()}


@contextmanager
def deaf() -> Iterator[None]:
    """Ignore the wish to stop while stopping: a second Ctrl-C must not leave half of it."""
    before = {each: signal.signal(each, signal.SIG_IGN) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def shared(home: Home, command: str) -> Iterator[None]:
    """Complete the environment for one command: from the running servers, or from ones started for its duration."""
    wanted = missing()
    if not wanted:
        _have_secret_key(home)
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
                home.withdraw()  # no new guests; those who are in may finish
                home.wait_for_guests()
        home.release()


def publish(home: Home, urls: dict[str, str], command: str, **facts: str) -> None:
    """Complete our own environment, and let other processes of this checkout find it."""
    os.environ.update(urls)
    _have_secret_key(home)
    home.announce({"command": command, "environment": {key: os.environ[key] for key in (*KINDS, SECRET_KEY)}, **facts})


def _have_secret_key(home: Home) -> None:
    if not os.environ.get(SECRET_KEY):  # only then: in a container there may be no place for a state folder
        home.prepare()
        os.environ[SECRET_KEY] = home.secret("secret_key")


@contextmanager
def throwaway(*, durable: bool, variables: Collection[str] = tuple(KINDS)) -> Iterator[dict[str, str]]:
    """Fresh servers, gone with their data at the end; yields {"DATABASE_URL": ..., "REDIS_URL": ...}.

    `durable` has them write to disk as in real life; otherwise they are faster and a power cut would ruin them.
    """
    parent = _parent(durable=durable)
    _sweep(parent)
    home = Home(Path(tempfile.mkdtemp(prefix=THROWAWAY_PREFIX, dir=parent)))
    home.acquire()
    try:
        with servers(home, durable=durable, variables=variables) as running:
            yield addresses(running)
    finally:
        home.release()
        shutil.rmtree(home.path, ignore_errors=True)


def _parent(*, durable: bool) -> Path:
    """Root's temporary folder may be closed to the servers' account; a disk in memory would flatter a benchmark."""
    return Path("/var/tmp" if durable or os.geteuid() == 0 else tempfile.gettempdir())


def _sweep(parent: Path) -> None:
    """Remove what runs that were killed have left. A minute's grace: a new folder is not locked at once."""
    for path in parent.glob(f"{THROWAWAY_PREFIX}*"):
        try:
            found = path.lstat()
            if found.st_uid != os.geteuid() or time.time() - found.st_mtime < 60 or not (home := Home(path)).acquire():
                continue
        except FileNotFoundError:  # somebody else sweeps too
            continue
        for kind in KINDS.values():
            kind(home, durable=False).stop_leftover()
        shutil.rmtree(path, ignore_errors=True)
        home.release()
