"""What players do to their own accounts."""

from __future__ import annotations

import secrets

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from ladder.models import Match, User
from ladder.rules.match_life import LIVE
from ladder.services import audit
from ladder.services.errors import Conflict


def set_language(account: User, language: str) -> None:
    """The language of the e-mails that the account gets."""
    account.language = language
    account.save(update_fields=["language"])


@transaction.atomic
def close_account(account: User) -> None:
    """Close the account for good and forget whose it was. Its matches and its ledger stay, under a neutral name.

    Raises ``Conflict`` while a ranked match of the player is under way.
    """
    # An offer made meanwhile needs a share of this row, so it waits; nobody can accept it then, and it expires.
    locked = User.objects.select_for_update().get(pk=account.pk)
    playing = Match.objects.filter(
        Q(player_one=locked) | Q(player_two=locked), state__in=LIVE, unrated_reason__isnull=True
    )
    if playing.exists():
        raise Conflict("match_under_way", _("A ranked match of yours is still under way."))
    for personal in (EmailAddress, Authenticator, SocialAccount):
        personal.objects.filter(user=locked).delete()
    locked.groups.clear()
    locked.user_permissions.clear()
    locked.username = f"deleted-{secrets.token_hex(8)}"
    locked.email = ""
    locked.is_active = locked.is_staff = locked.is_superuser = False
    locked.last_login = None
    # Sessions hold a hash of the password: without one, each of them is void.
    locked.set_unusable_password()
    locked.save()
    audit.record(locked, "account.close", locked)
