"""The player's own account."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from allauth.account.models import EmailAddress
from django.contrib.sessions.backends.base import SessionBase
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.inputs import Profile, read_body
from ladder.api.resources import players as shown
from ladder.api.resources.matches import fetched_match
from ladder.api.views.base import PlayerView, describe, note_shown, player
from ladder.models import Match, User
from ladder.queries import decay, matches, players
from ladder.services import accounts, suspensions


class Me(PlayerView):
    @describe("read_me", "Your profile, your standings, and what waits for you", responses=shown.Me)
    def get(self, request: Request) -> Response:
        return Response(self.everything(player(request)))

    @describe("change_me", "Change your profile", request=Profile, responses=shown.Me)
    def patch(self, request: Request) -> Response:
        body = read_body(Profile, request)
        if "language" in body:
            accounts.set_language(player(request), body["language"])
        return Response(self.everything(player(request)))

    @describe("close_me", "Close your account for good", request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        """Your name, e-mail address and sessions go; your matches and ratings stay, under a neutral name."""
        accounts.close_account(player(request))
        if isinstance(request.auth, SessionBase):
            request.auth.flush()
        return Response(status=204)

    def everything(self, account: User) -> Mapping[str, object]:
        """All of it. Packages above the ladder show more."""
        offers, started = matches.open_matches(account)
        note_shown(self.request, offers)
        return self.profile(account, offers, started)

    def profile(self, account: User, offers: Sequence[Match], started: Sequence[Match]) -> shown.Me:
        standings = list(players.standings_of(account))
        suspension = suspensions.in_force().filter(account=account).first()
        verified = EmailAddress.objects.filter(user=account, email__iexact=account.email, verified=True)
        return {
            **shown.player_shown(account, standings, decay.forecasts(standings)),
            "email": account.email or None,
            "email_verified": bool(account.email) and verified.exists(),
            "language": account.language,
            "suspension": {"reason": suspension.reason, "until": suspension.until} if suspension else None,
            "open": {
                "offers": [fetched_match(match, account) for match in offers],
                "matches": [fetched_match(match, account) for match in started],
            },
        }
