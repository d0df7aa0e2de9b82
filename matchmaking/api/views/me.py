"""The player's own account, with what matchmaking knows of it."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.inputs import Profile
from ladder.api.views import me
from ladder.api.views.base import describe, note_shown
from ladder.models import User
from ladder.queries import events
from matchmaking.api.resources.tickets import Me as Shown
from matchmaking.api.resources.tickets import ticket_shown
from matchmaking.queries.open import open_of, queue_again_at
from matchmaking.services import tickets


class Me(me.Me):
    @describe("read_me", "Your profile, your standings, and what waits for you", responses=Shown)
    def get(self, request: Request) -> Response:
        answer: Response = super().get(request)
        return answer

    @describe("change_me", "Change your profile", request=Profile, responses=Shown)
    def patch(self, request: Request) -> Response:
        answer: Response = super().patch(request)
        return answer

    def everything(self, account: User) -> Shown:
        # The number first: whatever happens from here on is either shown below or comes as a later event.
        last_event = events.last_number(account)
        waits = open_of(account)
        note_shown(self.request, waits.offers)
        base = self.profile(account, waits.offers, waits.matches)
        ticket, suspension = waits.ticket, base["suspension"]
        until = suspension["until"] if suspension else None
        return {
            **base,
            "queue_again_at": queue_again_at(account, suspended=suspension is not None, until=until),
            "last_event": last_event,
            "open": {
                **base["open"],
                "ticket": ticket_shown(ticket, waits.offers, account, tickets.silent_at(ticket)) if ticket else None,
            },
        }
