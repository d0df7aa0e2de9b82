"""Ladders, their boards, and previews."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.views.base import PlayerView, PublicView, player
from accounts.queries.players import find_player
from common.api.inputs import PageQuery, read_body, read_query
from common.api.pagination import envelope, read_page
from common.api.schema import describe
from ladder.api.inputs import Around, OfTier, Preview
from ladder.api.resources.ladders import LadderPage, LadderShown, ladder_shown
from ladder.api.resources.players import BoardPage, Neighbourhood, WinsPage, board_row, wins_row
from ladder.api.resources.previews import PreviewShown, preview_shown
from ladder.models import Ladder
from ladder.queries import boards, decay, players, preview
from ladder.queries.ladders import find_ladder
from ladder.rules.systems.system import Player
from ladder.services.matches.offers import check_pairing


class Ladders(PublicView):
    @describe("list_ladders", "All ladders", parameters=[PageQuery], responses=LadderPage)
    def get(self, request: Request) -> Response:
        page = read_page(request, read_query(PageQuery, request), Ladder.objects.all(), ("slug",))
        pauses = decay.coming_pauses(page.rows)
        return Response(envelope(request, page, [ladder_shown(row, pauses.get(row.pk, [])) for row in page.rows]))


class OneLadder(PublicView):
    @describe("read_ladder", "A ladder's rules", responses=LadderShown)
    def get(self, request: Request, slug: str) -> Response:
        ladder = find_ladder(slug)
        return Response(ladder_shown(ladder, decay.coming_pauses([ladder]).get(ladder.pk, [])))


class Leaderboard(PublicView):
    @describe("read_leaderboard", "The leaderboard, best first", parameters=[OfTier], responses=BoardPage)
    def get(self, request: Request, slug: str) -> Response:
        query = read_query(OfTier, request)
        ladder = find_ladder(slug)
        board = boards.ranked(ladder)
        if "tier" in query:
            board = boards.in_tier(board, ladder, query["tier"])
        page = read_page(request, query, board, boards.ORDER)
        ranks = boards.ranks(ladder, page.rows)
        rows = [board_row(standing, rank) for standing, rank in zip(page.rows, ranks, strict=True)]
        return Response(envelope(request, page, rows))


class AroundMe(PlayerView):
    @describe("read_around_me", "The leaderboard around you", parameters=[Around], responses=Neighbourhood)
    def get(self, request: Request, slug: str) -> Response:
        each_side = read_query(Around, request)["each_side"]
        ladder = find_ladder(slug)
        standings = boards.around(ladder, player(request), each_side)
        ranks = boards.ranks(ladder, standings)
        rows = [board_row(standing, rank) for standing, rank in zip(standings, ranks, strict=True)]
        return Response({"results": rows})


class MostWins(PublicView):
    @describe("read_most_wins", "Who won most ranked matches this week", parameters=[PageQuery], responses=WinsPage)
    def get(self, request: Request, slug: str) -> Response:
        query = read_query(PageQuery, request)
        ladder = find_ladder(slug)
        since = boards.week_start(ladder, timezone.now())
        board = boards.most_wins(ladder, since)
        page = read_page(request, query, board, boards.MOST_WINS_ORDER)
        ranks = boards.most_wins_ranks(board, page.rows)
        rows = [wins_row(row, rank) for row, rank in zip(page.rows, ranks, strict=True)]
        return Response({"since": since.astimezone(UTC), **envelope(request, page, rows)})


class PreviewMatch(PublicView):
    only_reads = True

    @describe("preview_match", "All outcomes of a match, step by step", request=Preview, responses=PreviewShown)
    def post(self, request: Request, slug: str) -> Response:
        body = read_body(Preview, request)
        ladder = find_ladder(slug)
        names, two = _players(ladder, body["players"], body["match_length"])
        outcomes = preview.outcomes(ladder.rules, two[0], two[1], body["match_length"])
        return Response(preview_shown(ladder, body["match_length"], names, two, outcomes))


def _players(ladder: Ladder, given: list[dict[str, Any]], match_length: int) -> tuple[list[str | None], list[Player]]:
    """The usernames and players of a preview. Numbers that are given replace those of the ladder."""
    accounts = [find_player(one["username"]) if "username" in one else None for one in given]
    named = [account for account in accounts if account is not None]
    if len(named) == len(given):
        check_pairing(named[0], named[1], match_length)
    known = players.as_they_stand(ladder, named, timezone.now())
    found = []
    for account, one in zip(accounts, given, strict=True):
        stands = known[account.pk] if account else Player(ladder.rules.start)
        found.append(replace(stands, **{name: value for name, value in one.items() if name != "username"}))
    return [account.username if account else None for account in accounts], found
