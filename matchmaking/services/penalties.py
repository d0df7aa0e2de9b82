"""Penalties: what it costs to let others wait for nothing, and how a moderator takes it back."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries.suspensions import clock
from accounts.services import audit
from common.errors import Conflict, Forbidden, Invalid, NotFound
from ladder.models import Match
from matchmaking.cooldowns import FORGOTTEN_AFTER, Fault, cooldown
from matchmaking.models import Penalty
from matchmaking.queries.penalties import counting, in_force


def record(account_id: int, match: Match, fault: Fault) -> Penalty:
    """Hold an offer against a player, in the caller's transaction, which holds his ticket."""
    now = timezone.now()
    until = now + cooldown(counting(account_id, now).count())
    return Penalty.objects.create(account_id=account_id, match=match, fault=fault, created_at=now, until=until)


def check_none(account: User) -> None:
    """Raises ``Conflict``, saying until when, while a penalty keeps the player out of the queue."""
    penalty = in_force(account)
    if penalty is not None:
        raise Conflict(
            "queue_penalty",
            _("You let offers go, and can queue again at %(until)s.") % {"until": clock(penalty.until)},
            until=penalty.until,
        )


@transaction.atomic
def lift(penalty_id: int, *, actor: User, reason: str) -> Penalty:
    """A moderator lifts a penalty: it keeps nobody out any more, and the next ones do not count up from it.

    Raises ``Forbidden``, also for one's own, ``Invalid`` without a reason, ``NotFound``, and ``Conflict`` when it was
    lifted already or counts no more.
    """
    if not (actor.is_active and actor.has_perm("matchmaking.lift_penalty")):
        raise Forbidden("not_a_moderator", _("Only moderators lift penalties."))
    if not reason.strip():
        raise Invalid("reason_required", _("Say why: the audit trail keeps it."), field="reason")
    penalty = Penalty.objects.select_for_update(of=("self",)).filter(pk=penalty_id).first()
    if penalty is None:
        raise NotFound("penalty_not_found", _("There is no such penalty."))
    check_lift(penalty, actor)
    penalty.lifted_at, penalty.lifted_by, penalty.lifted_reason = timezone.now(), actor, reason
    penalty.save(update_fields=["lifted_at", "lifted_by", "lifted_reason"])
    audit.record(actor, "penalty.lift", penalty, reason=reason, data={"account": penalty.account_id})
    return penalty


def check_lift(penalty: Penalty, actor: User) -> None:
    """Raises ``Forbidden`` for a penalty of the moderator's own, ``Conflict`` for one that counts no more."""
    if penalty.account_id == actor.pk:
        raise Forbidden("own_penalty", _("Nobody lifts a penalty of his own: leave it to another moderator."))
    if penalty.lifted_at is not None:
        raise Conflict("already_lifted", _("The penalty was lifted already."))
    if penalty.created_at <= timezone.now() - FORGOTTEN_AFTER:
        raise Conflict("penalty_forgotten", _("The penalty is forgotten already: it counts no more."))
