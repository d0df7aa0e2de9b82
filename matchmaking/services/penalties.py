"""Recording and lifting penalties for offers that were declined or not answered."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries.suspensions import minute_text
from accounts.services import audit
from common.errors import Conflict, Forbidden, Invalid, NotFound
from ladder.models import Match
from matchmaking.cooldowns import COUNTED_FOR, Fault, cooldown
from matchmaking.models import Penalty
from matchmaking.queries.penalties import counting, in_force


def record(account_id: int, match: Match, fault: Fault) -> Penalty:
    """Record a penalty, in the caller's transaction, which has locked the player's ticket."""
    now = timezone.now()
    until = now + cooldown(counting(account_id, now).count())
    return Penalty.objects.create(account_id=account_id, match=match, fault=fault, created_at=now, until=until)


def check_none(account: User) -> None:
    """Raises ``Conflict``, with the end, if the player has a penalty."""
    penalty = in_force(account)
    if penalty is not None:
        text = _("You declined or did not answer offers. You can join the queue again at %(until)s.")
        raise Conflict("queue_penalty", text % {"until": minute_text(penalty.until)}, until=penalty.until)


@transaction.atomic
def lift(penalty_id: int, *, actor: User, reason: str) -> Penalty:
    """Lift a penalty: it ends, and later penalties are not longer because of it.

    Raises ``Forbidden`` for other accounts than moderators and for one's own penalty, ``Invalid`` without a reason,
    ``NotFound``, and ``Conflict`` if it was lifted before or no longer counts.
    """
    if not (actor.is_active and actor.has_perm("matchmaking.lift_penalty")):
        raise Forbidden("not_a_moderator", _("Only moderators can lift penalties."))
    if not reason.strip():
        raise Invalid("reason_required", _("Enter a reason: the audit trail keeps it."), field="reason")
    penalty = Penalty.objects.select_for_update(of=("self",)).filter(pk=penalty_id).first()
    if penalty is None:
        raise NotFound("penalty_not_found", _("There is no such penalty."))
    check_lift(penalty, actor)
    penalty.lifted_at, penalty.lifted_by, penalty.lifted_reason = timezone.now(), actor, reason
    penalty.save(update_fields=["lifted_at", "lifted_by", "lifted_reason"])
    audit.record(actor, "penalty.lift", penalty, reason=reason, data={"account": penalty.account_id})
    return penalty


def check_lift(penalty: Penalty, actor: User) -> None:
    """Raises ``Forbidden`` for the moderator's own penalty, ``Conflict`` for one that no longer counts."""
    if penalty.account_id == actor.pk:
        raise Forbidden("own_penalty", _("You cannot lift your own penalty: ask another moderator."))
    if penalty.lifted_at is not None:
        raise Conflict("already_lifted", _("The penalty has already been lifted."))
    if penalty.created_at <= timezone.now() - COUNTED_FOR:
        raise Conflict("penalty_forgotten", _("The penalty is more than a day old and no longer counts."))
