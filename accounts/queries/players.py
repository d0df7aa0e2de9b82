"""Finding accounts by name."""

from __future__ import annotations

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.usernames import RESERVED, BadUsername, check_username, normal_form
from common.errors import NotFound


def find_player(username: str) -> User:
    """The account with this name, ignoring case. Raises ``NotFound``."""
    try:
        # Invalid names are not looked up, because the database cannot store some characters. Names of closed accounts
        # are valid without their prefix.
        check_username(normal_form(username).removeprefix(RESERVED))
        return User.objects.named(username)
    except (BadUsername, User.DoesNotExist):
        raise NotFound("player_not_found", _("There is no such player.")) from None
