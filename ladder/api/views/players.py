"""Players and their histories."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.views.base import PublicView, reader
from accounts.queries.players import find_player
from common.api.inputs import read_query
from common.api.pagination import envelope, read_page
from common.api.schema import describe
from ladder.api.inputs import OfLadder
from ladder.api.resources.matches import MatchPage, fetched_match
from ladder.api.resources.players import Player, player_shown
from ladder.api.resources.rating_entries import EntryPage, entry_shown
from ladder.api.shown import note_shown
from ladder.queries import decay, matches
from ladder.queries import rating_entries as histories
from ladder.queries import standings as players
from ladder.queries.ladders import find_ladder


class OnePlayer(PublicView):
    @describe("read_player", "A player and their standings", responses=Player)
    def get(self, request: Request, username: str) -> Response:
        account = find_player(username)
        standings = list(players.standings_of(account))
        return Response(player_shown(account, standings, decay.forecasts(standings)))


class RatingEntries(PublicView):
    @describe(
        "list_rating_entries",
        "A player's ledger, the newest first, each entry with its explanation",
        parameters=[OfLadder],
        responses=EntryPage,
    )
    def get(self, request: Request, username: str) -> Response:
        query = read_query(OfLadder, request)
        entries = histories.rating_entries_of(find_player(username))
        if "ladder" in query:
            entries = entries.filter(standing__ladder=find_ladder(query["ladder"]))
        page = read_page(request, query, entries, histories.ORDER)
        return Response(envelope(request, page, [entry_shown(entry) for entry in page.rows]))


class Matches(PublicView):
    @describe("list_matches", "A player's matches, the newest first", parameters=[OfLadder], responses=MatchPage)
    def get(self, request: Request, username: str) -> Response:
        query = read_query(OfLadder, request)
        viewer = reader(request)
        played = matches.matches_of(find_player(username), viewer)
        if "ladder" in query:
            played = played.filter(ladder=find_ladder(query["ladder"]))
        page = read_page(request, query, played, matches.ORDER)
        note_shown(request, page.rows)
        return Response(envelope(request, page, [fetched_match(match, viewer) for match in page.rows]))
