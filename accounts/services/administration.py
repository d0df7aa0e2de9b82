"""Creating and changing accounts. Changes by staff are recorded in the audit trail, in the same transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.contrib.auth.models import Group
from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from accounts.services import audit
from common.errors import Forbidden

# The fields that a moderator may change. With the e-mail address or password, they could take over the account.
MODERATOR_FIELDS = frozenset({"username", "is_active"})

# The audit trail keeps the values of these fields, and only the names of others, because it cannot be deleted.
_RECORDED_VALUES = ("username", "is_active", "is_staff", "is_superuser")


@transaction.atomic
def create_account(*, actor: User, username: str, email: str, password: str | None, language: str) -> User:
    """Create an account. Raises ``ValidationError`` for an invalid name."""
    if not actor.has_perm("accounts.add_user"):
        raise Forbidden("not_an_operator", gettext("Only operators can create accounts."))
    account = User.objects.create_user(username, email, password, language=language)
    audit.record(actor, "account.create", account, data={"username": account.username})
    return account


@transaction.atomic
def change_account(
    account: User, *, actor: User, changed: Collection[str], groups: Iterable[Group] | None = None
) -> None:
    """Save the ``changed`` fields of an account that has passed ``full_clean``. ``groups`` None: they are not changed.

    Moderators can change a player's name and whether the player can sign in. Only superusers can change staff accounts
    and rights.
    """
    if not changed:
        return
    before = User.objects.select_for_update(no_key=True).get(pk=account.pk)
    if not may_change_account(before, actor) or not set(changed) <= fields_of_account(actor):
        raise Forbidden("not_an_operator", gettext("Only a superuser can change staff accounts, addresses and rights."))
    account.save(update_fields=[name for name in changed if name != "groups"])
    values = {
        name: [getattr(before, name), getattr(account, name)] for name in _RECORDED_VALUES if name in changed
    }  # fmt: skip
    if "groups" in changed and groups is not None:
        names = sorted(before.groups.values_list("name", flat=True))
        account.groups.set(groups)
        values["groups"] = [names, sorted(account.groups.values_list("name", flat=True))]
    audit.record(actor, "account.change", account, data={"changed": sorted(changed), "values": values})


@transaction.atomic
def record_password_change(account: User, *, actor: User) -> None:
    """Record that a superuser set an account's password."""
    audit.record(actor, "account.password", account)


def may_change_account(account: User, actor: User) -> bool:
    """Whether the actor may change any field of this account."""
    if actor.is_superuser:
        return True
    return actor.has_perm("accounts.change_user") and not (account.is_staff or account.is_superuser)


def fields_of_account(actor: User) -> frozenset[str]:
    """The fields of an account that the actor may change."""
    if actor.is_superuser:
        return MODERATOR_FIELDS | {"email", "language", "birth_year", "is_staff", "is_superuser", "groups"}
    return MODERATOR_FIELDS


def set_language(account: User, language: str) -> None:
    """Set the language of the account's e-mails."""
    account.language = language
    account.save(update_fields=["language"])
