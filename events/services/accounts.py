"""Events about suspensions, and the deletion of events when an account is closed."""

from __future__ import annotations

from accounts.models import Suspension, User
from accounts.points import AccountListener, EventFields
from events.kinds import ACCOUNT_SUSPENDED, SUSPENSION_LIFTED
from events.models import Event, Presence
from events.services import writing


class EventAccountListener(AccountListener):
    def suspended(self, suspension: Suspension, fields: EventFields) -> None:
        until = writing.iso_time(suspension.until)
        data = {"reason": suspension.reason, "until": until, **fields}
        writing.write_events(ACCOUNT_SUSPENDED, {suspension.account_id: data})

    def suspension_lifted(self, suspension: Suspension) -> None:
        data = {"reason": suspension.lifted_reason}
        writing.write_events(SUSPENSION_LIFTED, {suspension.account_id: data})

    def closing(self, account: User) -> None:
        Event.objects.filter(account=account).delete()
        Presence.objects.filter(account=account).delete()
