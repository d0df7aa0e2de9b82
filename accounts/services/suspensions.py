"""Suspensions: moderators keep an account from starting matches, for a while or for good, and let it play again."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Suspension, User
from accounts.points import LISTENERS
from accounts.queries.suspensions import clock, in_force
from accounts.services import audit
from common.errors import Conflict, Forbidden, Invalid, NotFound

# What ends later is a mistyped year, or meant for good.
LONGEST = timedelta(days=3653)


@transaction.atomic
def suspend(account_id: int, *, actor: User, reason: str, until: datetime | None) -> Suspension:
    """Let an account start no match until then (``None``: for good): it leaves the queue. Matches under way go on.

    Raises ``Forbidden`` for whoever may not, for oneself, and for staff unless a superuser asks; ``Invalid`` without a
    reason or with an end in the past or in more than ten years; ``Conflict`` while another suspension is in force.
    """
    _check(actor, reason)
    # Two who press at once wait for each other here; offers and settlements, which need only a share, do not.
    account = User.objects.select_for_update(no_key=True).filter(pk=account_id).first()
    if account is None:
        raise NotFound("player_not_found", _("There is no such player."))
    _check_account(account, actor)
    now = timezone.now()
    if until is not None and not now < until <= now + LONGEST:
        raise Invalid("until_out_of_range", _("A suspension ends in the future, within ten years."), field="until")
    if other := in_force().filter(account=account).first():
        raise Conflict("already_suspended", _already(other), until=other.until)
    suspension = Suspension.objects.create(
        account=account, reason=reason, created_by=actor, created_at=now, until=until
    )
    data = {"suspension": suspension.pk, "until": until.isoformat() if until else None}
    audit.record(actor, "account.suspend", account, reason=reason, data=data)
    notes = {name: note for listener in LISTENERS for name, note in listener.stopped(account.pk).items()}
    for listener in LISTENERS:
        listener.suspended(suspension, notes)
    return suspension


@transaction.atomic
def lift(suspension_id: int, *, actor: User, reason: str) -> Suspension:
    """Let the account play again before its time. Raises as :func:`suspend`, and ``Conflict`` when it has ended."""
    _check(actor, reason)
    suspension = (
        Suspension.objects.select_related("account").select_for_update(of=("self",)).filter(pk=suspension_id).first()
    )
    if suspension is None:
        raise NotFound("suspension_not_found", _("There is no such suspension."))
    check_lift(suspension, actor)
    suspension.lifted_at, suspension.lifted_by, suspension.lifted_reason = timezone.now(), actor, reason
    suspension.save(update_fields=["lifted_at", "lifted_by", "lifted_reason"])
    data = {"suspension": suspension.pk}
    audit.record(actor, "account.lift_suspension", suspension.account, reason=reason, data=data)
    for listener in LISTENERS:
        listener.suspension_lifted(suspension)
    return suspension


def check_lift(suspension: Suspension, actor: User) -> None:
    """Raises ``Forbidden`` or ``Conflict`` where a moderator may not lift this suspension now."""
    _check_account(suspension.account, actor)
    if not suspension.is_in_force(timezone.now()):
        raise Conflict("suspension_has_ended", _("The suspension has ended already."))


def may_suspend(account: User, actor: User) -> bool:
    """Whether the actor may suspend this account, and lift what suspends it."""
    if account.pk == actor.pk or not _is_moderator(actor):
        return False
    return actor.is_superuser or not (account.is_staff or account.is_superuser)


def _already(suspension: Suspension) -> str:
    if suspension.until is None:
        return _("The account is suspended already, for good: lift that suspension first.")
    text = _("The account is suspended already, until %(until)s: lift that suspension first.")
    return text % {"until": clock(suspension.until)}


def _is_moderator(actor: User) -> bool:
    return actor.is_active and actor.has_perm("accounts.suspend_account")


def _check(actor: User, reason: str) -> None:
    if not _is_moderator(actor):
        raise Forbidden("not_a_moderator", _("Only moderators suspend accounts."))
    if not reason.strip():
        raise Invalid("reason_required", _("Say why: the player reads it."), field="reason")


def _check_account(account: User, actor: User) -> None:
    if account.pk == actor.pk:
        raise Forbidden("own_account", _("Nobody suspends himself, or lifts a suspension of his own."))
    if not may_suspend(account, actor):
        raise Forbidden("account_of_staff", _("Only a superuser suspends members of the staff."))
