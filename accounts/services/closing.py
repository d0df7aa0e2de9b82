"""Closing an account: its name and personal data go; what it played stays, under a neutral name."""

from __future__ import annotations

import secrets

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction

from accounts.models import Block, User
from accounts.points import LISTENERS
from accounts.services import audit
from accounts.services.locking import lock_accounts
from accounts.usernames import RESERVED
from common import idempotency


def close_account(account: User) -> None:
    """Close the account for good. Closing it again changes nothing.

    Raises ``Conflict`` while something keeps it open, such as a ranked match under way.

    What other apps must do outside of the transaction follows it (``AccountListener.closed``).
    """
    former_name = account.username
    if (closed := _close(account)) is None:
        return
    for listener in LISTENERS:
        listener.closed(closed, former_name)


@transaction.atomic
def _close(account: User) -> User | None:
    """The account as it is now; ``None`` where it was closed before."""
    (locked,) = lock_accounts(account.pk)
    if not locked.is_active:
        return None
    # First, because an offer that a wave of the queue is just making is a match under way.
    for listener in LISTENERS:
        listener.stopped(locked.pk)
    for listener in LISTENERS:
        listener.check_may_close(locked)
    locked.username = f"{RESERVED}{secrets.token_hex(8)}"
    for listener in LISTENERS:
        listener.closing(locked)
    _delete_personal_data(locked)
    locked.save()
    audit.record(locked, "account.close", locked)
    return locked


def _delete_personal_data(locked: User) -> None:
    for personal in (EmailAddress, Authenticator, SocialAccount):
        personal.objects.filter(user=locked).delete()
    Block.objects.filter(account=locked).delete()
    Block.objects.filter(blocked=locked).delete()
    idempotency.delete_answers_to(idempotency.caller_name(locked.pk))
    locked.groups.clear()
    locked.user_permissions.clear()
    locked.email = ""
    locked.birth_year = None
    locked.is_active = locked.is_staff = locked.is_superuser = False
    locked.last_login = None
    # Sessions hold a hash of the password: without one, each of them is void.
    locked.set_unusable_password()
