"""What each app tells the tests that look at all apps: ``SCENES`` in its module ``scenes``.

The tests (``tests/contract``) ask Django what there is. Where the scenes of no app
speak of it, they fail by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from django.apps import apps
from django.db import transaction

from accounts.models import User
from events.points import Kind

DONE = 0
"""Callers get what they asked for."""


class Who(NamedTuple):
    """What each caller of an address is answered: ``DONE``, or the status of the refusal."""

    anonymous: int = DONE
    player: int = DONE
    other_player: int = DONE
    game_server: int = DONE
    key_without_scope: int = DONE
    moderator: int = DONE
    superuser: int = DONE


EVERYONE = Who()
PLAYERS = Who(anonymous=401, game_server=401, key_without_scope=401)
# Moderators rule matches in the admin; they do not play for others.
ITS_PLAYERS = PLAYERS._replace(other_player=403, moderator=403, superuser=403)
ITS_OWNER = PLAYERS._replace(other_player=404, moderator=404, superuser=404)
GAME_SERVERS = Who(401, 401, 401, DONE, 403, 401, 401)


@dataclass(frozen=True)
class Scene:
    """What an address is about: the values of the names in it, and the body to send."""

    names: Mapping[str, object] = field(default_factory=dict)
    body: object = None


Make = Callable[[User], Scene]
"""Makes what an address is about; it belongs to this player."""


def nothing(player: User) -> Scene:
    return Scene()


@dataclass(frozen=True)
class Address:
    """An address of the API, such as ``GET /api/v1/matches/<uuid:match_id>``; ``done`` is the status of success."""

    address: str
    who: Who
    make: Make = nothing
    done: int = 200


@dataclass(frozen=True)
class Read:
    """How many statements the app needs to answer a GET, beside the two that find out who calls.

    Where several apps fill one answer, each says its own part. ``address`` may have a query. ``make`` is for another
    scene than that of the address. An open address may need more when it knows who reads: ``signed_in`` is how many.
    """

    address: str
    statements: int
    make: Make | None = None
    signed_in: int = 0

    @property
    def name(self) -> str:
        return f"{self.address} {self.make.__name__ if self.make else ''}".strip()


SUPERUSERS = "a permission that no role has"


@dataclass(frozen=True)
class AdminPage:
    """A page that a ``ModelAdmin`` adds, by the name of its view; ``values`` makes what is in its address."""

    view: str
    permission: str
    values: Callable[[User], Sequence[object]] = lambda player: ()


@dataclass(frozen=True)
class Scenes:
    addresses: Sequence[Address] = ()
    reads: Sequence[Read] = ()
    grow: Callable[[User], object] = lambda player: None
    """Makes one more of all that the app can show of a player, and of all that has a page in the admin."""
    admin_forms: Collection[str] = ()
    """Permissions (``app.add_model``) for which the admin has a form. Nothing else is written there."""
    admin_pages: Sequence[AdminPage] = ()
    events: Sequence[tuple[Kind, Callable[[], object]]] = ()
    """How events of each kind come about: one way or several, each by the real services."""


def of_apps() -> dict[str, Scenes]:
    """The scenes of all installed apps, in their order."""
    here = Path(__file__).parent
    names = [app.label for app in apps.get_app_configs() if (here / app.label / "scenes.py").exists()]
    return {name: import_module(f"tests.{name}.scenes").SCENES for name in names}


@contextmanager
def undone() -> Iterator[None]:
    """What is done to the database in here is taken back at the end."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
