"""Reports of trusted game servers."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.views.base import GameServerView
from common.api.idempotency import idempotent
from common.api.inputs import read_body
from common.api.schema import describe
from ladder.api.inputs import ServerResult
from ladder.api.resources.matches import MatchShown, match_shown
from ladder.queries import matches
from ladder.rules.match_life import Ending
from ladder.rules.ranked import Unrated
from ladder.services.matches import reporting


class Result(GameServerView):
    @describe("report_server_result", "Report the result of a match", request=ServerResult, responses=MatchShown)
    @idempotent
    def post(self, request: Request, match_id: UUID) -> Response:
        """The report is final: the match is confirmed and settles at once, or is void for the given reason."""
        body = read_body(ServerResult, request)
        if "void_reason" in body:
            outcome = reporting.server_void(match_id, reason=Unrated(body["void_reason"]))
        else:
            outcome = reporting.server_result(
                match_id,
                winner=body["winner"],
                loser_score=body.get("loser_score"),
                ending=Ending(body.get("ending", Ending.PLAYED)),
            )
        # A settlement just made is at hand already; only a repeated report has to ask for it.
        settlements = outcome.entries or matches.settlements_of(outcome.match)
        return Response(match_shown(outcome.match, settlements=settlements))
