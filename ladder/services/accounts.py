"""Accounts: found by name, and what players do to their own."""

from __future__ import annotations

import secrets

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from ladder.models import Match, User
from ladder.rules.match_life import LIVE, State
from ladder.rules.usernames import RESERVED, BadUsername, check_username, normal_form
from ladder.services import audit, forgetting, offers, watching
from ladder.services.errors import Conflict, NotFound
from ladder.services.locking import lock_accounts


def find_player(username: str) -> User:
    """The account of that name, without regard to case. Raises ``NotFound``."""
    try:
        # A name that nobody can carry is not looked up: it may hold what the database does not even store. Closed
        # accounts carry one that nobody can choose.
        check_username(normal_form(username).removeprefix(RESERVED))
        return User.objects.named(username)
    except (BadUsername, User.DoesNotExist):
        raise NotFound("player_not_found", _("There is no such player.")) from None


def set_language(account: User, language: str) -> None:
    """The language of the e-mails that the account gets."""
    account.language = language
    account.save(update_fields=["language"])


def close_account(account: User) -> None:
    """Close the account for good and forget whose it was. Its matches and its ledger stay, under a neutral name.

    Raises ``Conflict`` while a ranked match of the player is under way.

    One transaction, and one for each offer that is still open: from the first on, none of them can be accepted.
    """
    former = account.username
    if (closed := _close(account)) is None:
        return
    open_offers = Match.objects.filter(Q(player_one=account) | Q(player_two=account), state=State.OFFERED)
    for match_id in list(open_offers.values_list("pk", flat=True)):
        offers.recall(match_id)
    forgetting.when_all_have_spoken(timezone.now())
    forgetting.forget(closed, former)


@transaction.atomic
def _close(account: User) -> User | None:
    """The account as it is now; ``None`` where it was closed before."""
    (locked,) = lock_accounts(account.pk)
    if not locked.is_active:
        return None
    # His ticket goes first: an offer that a wave is just making of it is a match under way.
    watching.account_stopped(locked.pk)
    ranked = Match.objects.filter(Q(player_one=locked) | Q(player_two=locked), unrated_reason__isnull=True)
    if ranked.filter(state__in=LIVE).exists():
        raise Conflict("match_under_way", _("A ranked match of yours is still under way."))
    watching.account_closed(locked.pk)
    former, locked.username = locked.username, f"deleted-{secrets.token_hex(8)}"
    forgetting.forget(locked, former)
    for personal in (EmailAddress, Authenticator, SocialAccount):
        personal.objects.filter(user=locked).delete()
    locked.groups.clear()
    locked.user_permissions.clear()
    locked.email = ""
    locked.is_active = locked.is_staff = locked.is_superuser = False
    locked.last_login = None
    # Sessions hold a hash of the password: without one, each of them is void.
    locked.set_unusable_password()
    locked.save()
    audit.record(locked, "account.close", locked)
    return locked
