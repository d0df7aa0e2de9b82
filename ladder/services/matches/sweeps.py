"""What happens to matches because time passes. Each match is a transaction of its own, re-checked under its lock."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from ladder.models import Match
from ladder.rules import match_life
from ladder.rules.match_life import Cancel, ConfirmedBy, State, Step
from ladder.rules.ranked import Unrated
from ladder.services.matches.locking import lock_match, lock_match_to_settle
from ladder.services.matches.offers import call_off
from ladder.services.matches.reporting import confirm_as_reported, void_without_result

log = logging.getLogger(__name__)

BATCH = 500


def confirm_overdue_matches(limit: int = BATCH) -> int:
    """Confirm, on the report that stands, the matches whose time to confirm has passed; how many there were."""
    due = Match.objects.filter(state=State.AWAITING_CONFIRMATION, confirm_by__lte=timezone.now())
    return _each(due.order_by("confirm_by").values_list("pk", flat=True)[:limit], confirm_overdue)


def expire_matches(limit: int = BATCH) -> int:
    """Cancel the offers and void the matches whose time is over; how many there were."""
    due = Match.objects.filter(state__in=[State.OFFERED, State.IN_PROGRESS], expires_at__lte=timezone.now())
    return _each(due.order_by("expires_at").values_list("pk", flat=True)[:limit], expire)


@transaction.atomic
def confirm_overdue(match_id: UUID) -> bool:
    """Confirm one match on the standing report, if its deadline has passed."""
    locked = lock_match_to_settle(match_id)
    verdict = match_life.deadline(locked.life())
    deadline = locked.match.confirm_by
    if verdict.step == Step.NOTHING or deadline is None or deadline > timezone.now():
        return False
    confirm_as_reported(locked, verdict, ConfirmedBy.DEADLINE)
    return True


@transaction.atomic
def expire(match_id: UUID) -> bool:
    """Cancel one offer, or void one match without a report, if its time is over."""
    locked = lock_match(match_id)
    verdict = match_life.expiry(locked.life())
    end = locked.match.expires_at
    if verdict.step == Step.NOTHING or end is None or end > timezone.now():
        return False
    if verdict.step == Step.CANCEL:
        call_off(locked, Cancel.OFFER_EXPIRED)
    else:
        void_without_result(locked, Unrated.NO_RESULT)
    return True


def _each(match_ids: Iterable[UUID], work: Callable[[UUID], bool]) -> int:
    done = 0
    for match_id in list(match_ids):
        try:
            done += work(match_id)
        except Exception:
            # One match that cannot be swept must not keep all others waiting.
            log.exception("sweep failed", extra={"match": str(match_id)})
    return done
