"""Accounts, changed by staff or by their owners. Each change by staff leaves an audit row in the same transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.contrib.auth.models import Group
from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from accounts.services import audit
from common.errors import Forbidden

# What a moderator may change of a player. An e-mail address or a password would give him the account.
MODERATOR_FIELDS = frozenset({"username", "is_active"})

# Values that the audit trail keeps; of everything else only the field's name, since the trail cannot forget.
_REMEMBERED = ("username", "is_active", "is_staff", "is_superuser")


@transaction.atomic
def create_account(*, actor: User, username: str, email: str, password: str | None, language: str) -> User:
    """Make an account. Raises ``ValidationError`` for a bad name, as everywhere."""
    if not actor.has_perm("accounts.add_user"):
        raise Forbidden("not_an_operator", gettext("Only operators make accounts here."))
    account = User.objects.create_user(username, email, password, language=language)
    audit.record(actor, "account.create", account, data={"username": account.username})
    return account


@transaction.atomic
def change_account(
    account: User, *, actor: User, changed: Collection[str], groups: Iterable[Group] | None = None
) -> None:
    """Store the ``changed`` fields of an account that has passed ``full_clean``; ``groups`` None leaves them alone.

    Moderators change the name of a player and whether he may sign in; staff accounts and rights only a superuser.
    """
    if not changed:
        return
    before = User.objects.select_for_update(no_key=True).get(pk=account.pk)
    if not may_change_account(before, actor) or not set(changed) <= fields_of_account(actor):
        raise Forbidden("not_an_operator", gettext("Only a superuser changes staff accounts, addresses and rights."))
    account.save(update_fields=[name for name in changed if name != "groups"])
    values = {
        name: [getattr(before, name), getattr(account, name)] for name in _REMEMBERED if name in changed
    }  # fmt: skip
    if "groups" in changed and groups is not None:
        names = sorted(before.groups.values_list("name", flat=True))
        account.groups.set(groups)
        values["groups"] = [names, sorted(account.groups.values_list("name", flat=True))]
    audit.record(actor, "account.change", account, data={"changed": sorted(changed), "values": values})


@transaction.atomic
def note_new_password(account: User, *, actor: User) -> None:
    """Write down that a superuser set an account's password."""
    audit.record(actor, "account.password", account)


def may_change_account(account: User, actor: User) -> bool:
    """Whether the actor may change this account at all."""
    if actor.is_superuser:
        return True
    return actor.has_perm("accounts.change_user") and not (account.is_staff or account.is_superuser)


def fields_of_account(actor: User) -> frozenset[str]:
    """Which fields of an account the actor may change."""
    if actor.is_superuser:
        return MODERATOR_FIELDS | {"email", "language", "birth_year", "is_staff", "is_superuser", "groups"}
    return MODERATOR_FIELDS


def set_language(account: User, language: str) -> None:
    """The language of the e-mails that the account gets."""
    account.language = language
    account.save(update_fields=["language"])
