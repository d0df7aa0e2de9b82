"""Suspending accounts and lifting suspensions."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.limits import LONGEST_SUSPENSION
from accounts.models import Suspension, User
from accounts.points import LISTENERS
from accounts.queries.suspensions import in_force, minute_text
from accounts.services import audit
from accounts.services.locking import lock_accounts
from common.errors import Conflict, Forbidden, Invalid, NotFound


@transaction.atomic
def suspend(account_id: int, *, actor: User, reason: str, until: datetime | None) -> Suspension:
    """Suspend an account until a time (``None``: for good). It leaves the queue; matches under way go on.

    Raises ``Forbidden`` if the actor is no moderator, for the actor's own account, and for staff unless the actor is a
    superuser; ``Invalid`` without a reason, or if the end is in the past or more than ten years ahead; ``Conflict`` if
    another suspension is in force.
    """
    _check(actor, reason)
    locked = lock_accounts(account_id)
    if not locked:
        raise NotFound("player_not_found", _("There is no such player."))
    (account,) = locked
    _check_account(account, actor)
    now = timezone.now()
    if until is not None and not now < until <= now + LONGEST_SUSPENSION:
        text = _("The end of a suspension must be in the future, within ten years.")
        raise Invalid("until_out_of_range", text, field="until")
    if other := in_force().filter(account=account).first():
        raise Conflict("already_suspended", _already_suspended(other), until=other.until)
    suspension = Suspension.objects.create(
        account=account, reason=reason, created_by=actor, created_at=now, until=until
    )
    data = {"suspension": suspension.pk, "until": until.isoformat() if until else None}
    audit.record(actor, "account.suspend", account, reason=reason, data=data)
    fields = {name: value for listener in LISTENERS for name, value in listener.stopped(account.pk).items()}
    for listener in LISTENERS:
        listener.suspended(suspension, fields)
    return suspension


@transaction.atomic
def lift(suspension_id: int, *, actor: User, reason: str) -> Suspension:
    """Lift a suspension before it ends. Raises like :func:`suspend`, and ``Conflict`` if it has ended."""
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
    """Raises ``Forbidden`` or ``Conflict`` if the actor cannot lift this suspension now."""
    _check_account(suspension.account, actor)
    if not suspension.is_in_force(timezone.now()):
        raise Conflict("suspension_has_ended", _("The suspension has ended already."))


def may_suspend(account: User, actor: User) -> bool:
    """Whether the actor may suspend this account and lift its suspensions."""
    if account.pk == actor.pk or not _is_moderator(actor):
        return False
    return actor.is_superuser or not (account.is_staff or account.is_superuser)


def _already_suspended(suspension: Suspension) -> str:
    if suspension.until is None:
        return _("The account is suspended already, for good: lift that suspension first.")
    text = _("The account is suspended already, until %(until)s: lift that suspension first.")
    return text % {"until": minute_text(suspension.until)}


def _is_moderator(actor: User) -> bool:
    return actor.is_active and actor.has_perm("accounts.suspend_account")


def _check(actor: User, reason: str) -> None:
    if not _is_moderator(actor):
        raise Forbidden("not_a_moderator", _("Only moderators can suspend accounts."))
    if not reason.strip():
        raise Invalid("reason_required", _("Enter a reason: the player reads it."), field="reason")


def _check_account(account: User, actor: User) -> None:
    if account.pk == actor.pk:
        raise Forbidden("own_account", _("You cannot suspend yourself or lift your own suspension."))
    if not may_suspend(account, actor):
        raise Forbidden("account_of_staff", _("Only a superuser can suspend staff."))
