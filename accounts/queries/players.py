"""Accounts, found by name."""

from __future__ import annotations

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.usernames import RESERVED, BadUsername, check_username, normal_form
from common.errors import NotFound


def find_player(username: str) -> User:
    """The account of that name, without regard to case. Raises ``NotFound``."""
    try:
        # A name that nobody can carry is not looked up: it may hold what the database does not even store. Closed
        # accounts carry one that nobody can choose.
        check_username(normal_form(username).removeprefix(RESERVED))
        return User.objects.named(username)
    except (BadUsername, User.DoesNotExist):
        raise NotFound("player_not_found", _("There is no such player.")) from None
