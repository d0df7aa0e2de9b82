"""The settlement with the ORM: the same endpoint and formula, with each row read and saved separately."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.views.base import GameServerView
from accounts.models import User
from common.api.inputs import read_body
from ladder.api.inputs import ServerResult
from ladder.api.resources.matches import match_shown
from ladder.models import Match, RatingEntry, Standing
from ladder.rules.record import next_streak
from ladder.rules.systems.system import Change, Player, Score
from ladder.rules.systems.system import Match as Played


class Result(GameServerView):
    def post(self, request: Request, match_id: UUID) -> Response:
        body = read_body(ServerResult, request)
        match, entries = settle(match_id, body["winner"])
        return Response(match_shown(match, settlements=entries))


@transaction.atomic
def settle(match_id: UUID, winner_name: str) -> tuple[Match, list[RatingEntry]]:
    match = Match.objects.select_for_update().get(pk=match_id)
    winner = User.objects.named(winner_name)
    loser = match.player_two if winner == match.player_one else match.player_one
    standings = list(
        Standing.objects.select_for_update().filter(ladder=match.ladder, player__in=[winner, loser]).order_by("pk")
    )
    mine = next(standing for standing in standings if standing.player_id == winner.pk)
    theirs = next(standing for standing in standings if standing.player_id == loser.pk)
    rules, now = match.ladder.rules, timezone.now()
    gained, lost = rules.system.settle(
        Player(mine.rating, mine.experience), Player(theirs.rating, theirs.experience), Score.WIN,
        Played(match.match_length),
    )  # fmt: skip
    match.state, match.winner, match.ending, match.confirmed_by = "confirmed", winner, "played", "server"
    match.finished_at = match.settled_at = now
    match.save()
    entries = [
        _move(match, mine, gained, won=True),
        _move(match, theirs, lost, won=False),
    ]
    return match, entries


def _move(match: Match, standing: Standing, change: Change, *, won: bool) -> RatingEntry:
    standing.rating, standing.experience = change.after, change.experience_after
    standing.peak_rating = max(standing.peak_rating, change.after)
    standing.wins += won
    standing.losses += not won
    standing.streak = next_streak(standing.streak, won=won)
    standing.last_sequence += 1
    standing.last_ranked_at = match.finished_at
    standing.save()
    return RatingEntry.objects.create(
        standing=standing, sequence=standing.last_sequence, kind="settlement", match=match, before=change.before,
        delta=change.delta, after=change.after, experience_before=change.experience_before,
        experience_after=change.experience_after, won=won, basis=change.basis, rule_set=match.ladder.rule_set,
        rule_set_version=match.ladder.rule_set_version,
    )  # fmt: skip
