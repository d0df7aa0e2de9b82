"""Matches and offers whose time is over. Each is a transaction of its own, and is checked again after it is locked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from ladder.limits import MATCHES_PER_SWEEP
from ladder.models import Match
from ladder.rules import match_life
from ladder.rules.match_life import Cancel, ConfirmedBy, State, Step
from ladder.rules.ranked import Unrated
from ladder.services.matches.locking import lock_match, lock_match_to_settle
from ladder.services.matches.offers import cancel_offer
from ladder.services.matches.reporting import confirm_as_reported, void_without_result

log = logging.getLogger(__name__)


def confirm_overdue_matches(limit: int = MATCHES_PER_SWEEP) -> int:
    """Confirm the reported results whose time to confirm is over. Returns their number."""
    due = Match.objects.filter(state=State.AWAITING_CONFIRMATION, confirm_by__lte=timezone.now())
    return _each(due.order_by("confirm_by").values_list("pk", flat=True)[:limit], confirm_overdue)


def expire_matches(limit: int = MATCHES_PER_SWEEP) -> int:
    """Cancel the offers and void the matches that have expired. Returns their number."""
    due = Match.objects.filter(state__in=[State.OFFERED, State.IN_PROGRESS], expires_at__lte=timezone.now())
    return _each(due.order_by("expires_at").values_list("pk", flat=True)[:limit], expire)


@transaction.atomic
def confirm_overdue(match_id: UUID) -> bool:
    """Confirm the reported result of one match, if its deadline has passed."""
    locked = lock_match_to_settle(match_id)
    decision = match_life.deadline(locked.for_rules())
    deadline = locked.match.confirm_by
    if decision.step == Step.NOTHING or deadline is None or deadline > timezone.now():
        return False
    confirm_as_reported(locked, decision, ConfirmedBy.DEADLINE)
    return True


@transaction.atomic
def expire(match_id: UUID) -> bool:
    """Cancel one offer or void one match without a report, if it has expired."""
    locked = lock_match(match_id)
    decision = match_life.expiry(locked.for_rules())
    end = locked.match.expires_at
    if decision.step == Step.NOTHING or end is None or end > timezone.now():
        return False
    if decision.step == Step.CANCEL:
        cancel_offer(locked, Cancel.OFFER_EXPIRED)
    else:
        void_without_result(locked, Unrated.NO_RESULT)
    return True


def _each(match_ids: Iterable[UUID], work: Callable[[UUID], bool]) -> int:
    done = 0
    for match_id in list(match_ids):
        try:
            done += work(match_id)
        except Exception:
            # An error with one match must not stop the others.
            log.exception("sweep failed", extra={"match": str(match_id)})
    return done
