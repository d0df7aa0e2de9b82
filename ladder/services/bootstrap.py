"""The rows of a new installation: the default ladder, the roles and a first administrator."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from accounts.services import audit
from accounts.services.roles import ensure_roles
from ladder.models import Match
from ladder.services.ladders import DEFAULT_SLUG, ensure_ladder

ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Installation:
    """The result of :func:`bootstrap`. ``admin_password`` is only set if the account is new;

    ``empty``: there are no matches.
    """

    admin_created: bool
    admin_password: str | None
    empty: bool


@transaction.atomic
def bootstrap() -> Installation:
    """Create the missing rows. Existing ones do not change."""
    ensure_ladder(DEFAULT_SLUG, name="Backgammon")
    ensure_roles()
    password = _first_admin()
    return Installation(admin_created=password is not None, admin_password=password, empty=not Match.objects.exists())


def _first_admin() -> str | None:
    """Create an administrator if there is none and the name is free. Returns the password of a new one."""
    if User.objects.filter(is_superuser=True).exists() or User.objects.is_taken(ADMIN):
        return None
    password = secrets.token_urlsafe(12)
    account = User.objects.create_superuser(ADMIN, password=password)
    audit.record(None, "account.create", account, data={"username": ADMIN})
    return password
