"""Matches, and the actions of their two players."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.views.base import PlayerView, PublicView, player, reader
from common.api.idempotency import idempotent
from common.api.inputs import Empty, read_body
from common.api.schema import describe
from ladder.api.inputs import Dispute, Report
from ladder.api.resources.matches import MatchShown, fetched_match, match_shown
from ladder.api.shown import note_shown
from ladder.queries import matches
from ladder.rules.match_life import Ending
from ladder.services.matches import offers, reporting
from ladder.services.settlement import Outcome


class OneMatch(PublicView):
    @describe("read_match", "A match", responses=MatchShown)
    def get(self, request: Request, match_id: UUID) -> Response:
        """Before a match starts, only its two players can see it."""
        found = matches.match(match_id, reader(request))
        note_shown(request, [found])
        return Response(fetched_match(found, reader(request)))


class Accept(PlayerView):
    @describe("accept_match", "Accept an offer", request=None, responses=MatchShown)
    @idempotent
    def post(self, request: Request, match_id: UUID) -> Response:
        read_body(Empty, request)
        return _shown(offers.accept(match_id, player(request)))


class Decline(PlayerView):
    @describe("decline_match", "Decline an offer", request=None, responses=MatchShown)
    @idempotent
    def post(self, request: Request, match_id: UUID) -> Response:
        read_body(Empty, request)
        return _shown(offers.decline(match_id, player(request)))


class ReportResult(PlayerView):
    @describe("report_match", "Report who won", request=Report, responses=MatchShown)
    @idempotent
    def post(self, request: Request, match_id: UUID) -> Response:
        """A report that you lost settles the match at once. A report that you won waits for your opponent's answer."""
        body = read_body(Report, request)
        outcome = reporting.report(
            match_id,
            player(request),
            winner=body["winner"],
            loser_score=body["loser_score"],
            ending=Ending(body["ending"]),
        )
        return _shown(outcome)


class Confirm(PlayerView):
    @describe("confirm_match", "Confirm what your opponent reported", request=None, responses=MatchShown)
    @idempotent
    def post(self, request: Request, match_id: UUID) -> Response:
        """The match settles at once: both ratings change in the transaction that confirms it."""
        read_body(Empty, request)
        return _shown(reporting.confirm(match_id, player(request)))


class DisputeResult(PlayerView):
    @describe("dispute_match", "Dispute what your opponent reported", request=Dispute, responses=MatchShown)
    @idempotent
    def post(self, request: Request, match_id: UUID) -> Response:
        """The match settles only after a moderator's ruling."""
        body = read_body(Dispute, request)
        return _shown(reporting.dispute(match_id, player(request), text=body["text"]))


def _shown(outcome: Outcome) -> Response:
    """The match as its players see it."""
    match = outcome.match
    settlements = outcome.entries or matches.settlements_of(match)
    return Response(match_shown(match, settlements=settlements, reports=matches.reports_of(match)))
