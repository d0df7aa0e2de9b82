"""The player's own account, with what matchmaking knows of it."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.inputs import Profile
from ladder.api.views import me
from ladder.api.views.base import describe
from ladder.models import EventStream, User
from ladder.queries import matches
from matchmaking.api.resources.tickets import Me as Shown
from matchmaking.api.resources.tickets import ticket_shown
from matchmaking.services import offers, penalties, tickets


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
        last_event = EventStream.objects.filter(account=account).values_list("last_number", flat=True).first()
        open_offers, started = matches.open_matches(account)
        ticket = tickets.live_ticket(account)
        if ticket is not None and open_offers:
            offers.shown(account)
        penalty = penalties.in_force(account)
        base = self.profile(account, open_offers, started)
        return {
            **base,
            "queue_again_at": penalty.until if penalty else None,
            "last_event": last_event or 0,
            "open": {
                **base["open"],
                "ticket": ticket_shown(ticket, open_offers, account, tickets.silent_at(ticket)) if ticket else None,
            },
        }
