"""Prepares the environment for manage.py, before Django is loaded."""

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from config.embedded.errors import EmbeddedError
from config.embedded.home import Home, default_path
from config.embedded.stack import KINDS, SECRET_KEY, missing, shared

# These commands read the settings but connect to no server.
WITHOUT_SERVERS = {
    "help", "version", "check", "collectstatic", "compilemessages", "diffsettings", "draw_decay", "findstatic",
    "makemessages", "spectacular", "startapp", "startproject",
}  # fmt: skip
# The settings need addresses. Nothing listens on port 1, so a command that is listed by mistake fails at once.
NOWHERE = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "REDIS_URL": "redis://127.0.0.1:1/0"}


@contextmanager
def environment_for(arguments: list[str]) -> Iterator[None]:
    """Set the addresses of the database and Valkey, and the secret key, while a command runs."""
    command = next((each for each in arguments if not each.startswith("-")), "help")
    if command in WITHOUT_SERVERS or {"-h", "--help"} & {*arguments}:
        for variable in KINDS:
            os.environ.setdefault(variable, NOWHERE[variable])
        os.environ.setdefault(SECRET_KEY, secrets.token_urlsafe(48))
        yield
        return
    if "DATABASE_URL" in missing():
        os.environ["EMBEDDED_DATABASE"] = "1"
    try:
        with shared(Home(default_path()), f"manage.py {command}"):
            yield
    except EmbeddedError as error:
        sys.exit(str(error))
