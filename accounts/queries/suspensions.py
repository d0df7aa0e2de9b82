"""Which accounts may start no match now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Suspension, User
from common.errors import Forbidden

_NEARLY_A_MINUTE = timedelta(minutes=1) - timedelta.resolution


def in_force() -> QuerySet[Suspension]:
    """The suspensions that keep somebody from starting a match now."""
    return Suspension.objects.filter(Suspension.in_force(timezone.now()))


def is_any_suspended(*account_ids: int) -> bool:
    """Whether any of these accounts may start no match now."""
    return in_force().filter(account__in=account_ids).exists()


def check_not_suspended(account: User) -> None:
    """Raises ``Forbidden``, with the reason and until when, for an account that may start no match."""
    suspension = in_force().filter(account=account).first()
    if suspension is None:
        return
    if suspension.until is None:
        detail = _("You are suspended for good: %(reason)s") % {"reason": suspension.reason}
    else:
        words = {"until": clock(suspension.until), "reason": suspension.reason}
        detail = _("You are suspended until %(until)s: %(reason)s") % words
    raise Forbidden("suspended", detail, until=suspension.until)


def clock(moment: datetime) -> str:
    """A time as it is written in a sentence: the first whole minute by which it has come."""
    return f"{moment.astimezone(UTC) + _NEARLY_A_MINUTE:%Y-%m-%d %H:%M} UTC"
