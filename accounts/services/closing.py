"""Closing an account: its name and personal data are deleted; its matches stay, under a neutral name."""

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

    Raises ``Conflict`` if it cannot be closed now, for example during a ranked match. After the transaction,
    ``AccountListener.closed`` is called.
    """
    former_name = account.username
    if (closed := _close(account)) is None:
        return
    for listener in LISTENERS:
        listener.closed(closed, former_name)


@transaction.atomic
def _close(account: User) -> User | None:
    """Returns the closed account, or ``None`` if it was closed before."""
    (locked,) = lock_accounts(account.pk)
    if not locked.is_active:
        return None
    # Before the check, because this waits for offers that are being made, and these keep the account open.
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
    for model in (EmailAddress, Authenticator, SocialAccount):
        model.objects.filter(user=locked).delete()
    Block.objects.filter(account=locked).delete()
    Block.objects.filter(blocked=locked).delete()
    idempotency.delete_answers_to(idempotency.account_caller(locked.pk))
    locked.groups.clear()
    locked.user_permissions.clear()
    locked.email = ""
    locked.birth_year = None
    locked.is_active = locked.is_staff = locked.is_superuser = False
    locked.last_login = None
    # Sessions contain a hash of the password, so this ends all of them.
    locked.set_unusable_password()
