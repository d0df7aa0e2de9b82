"""Events about the account itself, and what becomes of an account's events when it is closed."""

from __future__ import annotations

from accounts.models import Suspension, User
from accounts.points import AccountListener, Notes
from events.kinds import ACCOUNT_SUSPENDED, SUSPENSION_LIFTED
from events.models import Event, Presence
from events.services import writing


class AccountEvents(AccountListener):
    def suspended(self, suspension: Suspension, notes: Notes) -> None:
        until = writing.moment(suspension.until)
        data = {"reason": suspension.reason, "until": until, **notes}
        writing.tell(ACCOUNT_SUSPENDED, {suspension.account_id: data})

    def suspension_lifted(self, suspension: Suspension) -> None:
        data = {"reason": suspension.lifted_reason}
        writing.tell(SUSPENSION_LIFTED, {suspension.account_id: data})

    def closing(self, account: User) -> None:
        Event.objects.filter(account=account).delete()
        Presence.objects.filter(account=account).delete()
