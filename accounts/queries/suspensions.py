"""Queries about suspensions that are in force."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Suspension, User
from common.errors import Forbidden

_NEARLY_A_MINUTE = timedelta(minutes=1) - timedelta.resolution


def in_force() -> QuerySet[Suspension]:
    """The suspensions that are in force now."""
    return Suspension.objects.filter(Suspension.in_force(timezone.now()))


def is_any_suspended(*account_ids: int) -> bool:
    """Whether any of these accounts is suspended now."""
    return in_force().filter(account__in=account_ids).exists()


def check_not_suspended(account: User) -> None:
    """Raises ``Forbidden``, with the reason and the end, if the account is suspended."""
    suspension = in_force().filter(account=account).first()
    if suspension is None:
        return
    if suspension.until is None:
        detail = _("You are suspended for good: %(reason)s") % {"reason": suspension.reason}
    else:
        values = {"until": minute_text(suspension.until), "reason": suspension.reason}
        detail = _("You are suspended until %(until)s: %(reason)s") % values
    raise Forbidden("suspended", detail, until=suspension.until)


def minute_text(moment: datetime) -> str:
    """A time as text, rounded up to whole minutes."""
    return f"{moment.astimezone(UTC) + _NEARLY_A_MINUTE:%Y-%m-%d %H:%M} UTC"
