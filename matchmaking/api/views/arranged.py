"""Arranged matches: challenges, rematches and invites. They are never rated."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.views.base import PlayerView, player
from common.api.idempotency import idempotent
from common.api.inputs import Empty, PageQuery, read_body, read_query
from common.api.pagination import envelope, read_page
from common.api.schema import describe
from ladder.api.resources.matches import MatchShown, fetched_match, match_shown
from ladder.queries import matches
from ladder.queries.ladders import find_ladder
from matchmaking.api.inputs import Challenge, InviteToken, NewInvite
from matchmaking.api.resources import arranged as shown
from matchmaking.services import arranged, invites


class Challenges(PlayerView):
    limit = "arranged"

    @describe(
        "challenge", "Challenge a player to an unrated match", request=Challenge,
        responses={201: MatchShown, 200: MatchShown},
    )  # fmt: skip
    @idempotent
    def post(self, request: Request) -> Response:
        """You have accepted the match; the other player accepts or declines it. To withdraw it, decline it."""
        body = read_body(Challenge, request)
        match, is_new = arranged.challenge(
            player(request), body["opponent"], find_ladder(body["ladder"]), match_length=body["match_length"]
        )
        return Response(match_shown(match, settlements=[], reports=[]), status=201 if is_new else 200)


class Rematch(PlayerView):
    limit = "arranged"

    @describe("rematch", "Propose another match, unrated", request=None, responses={201: MatchShown, 200: MatchShown})
    @idempotent
    def post(self, request: Request, match_id: UUID) -> Response:
        """If your opponent has proposed it already, this accepts it, and the match starts."""
        read_body(Empty, request)
        account = player(request)
        match, is_new = arranged.rematch(match_id, account)
        return Response(fetched_match(matches.match(match.pk, account), account), status=201 if is_new else 200)


class Invites(PlayerView):
    limit = "arranged"

    @describe("list_invites", "Your open invites, the newest first", parameters=[PageQuery], responses=shown.InvitePage)
    def get(self, request: Request) -> Response:
        query = read_query(PageQuery, request)
        page = read_page(request, query, invites.open_invites(player(request)), ("-pk",))
        return Response(envelope(request, page, [shown.invite_shown(invite) for invite in page.rows]))

    @describe(
        "create_invite", "Create an invite to an unrated match", request=NewInvite,
        responses={201: shown.NewInvite},
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        """Does not use an idempotency key, because the stored answer would contain the token."""
        body = read_body(NewInvite, request)
        invite, token = invites.create(player(request), find_ladder(body["ladder"]), match_length=body["match_length"])
        return Response({**shown.invite_shown(invite), "token": token}, status=201)


class OneInvite(PlayerView):
    @describe("withdraw_invite", "Withdraw an invite", request=None, responses={204: None})
    def delete(self, request: Request, invite_id: UUID) -> Response:
        invites.withdraw(player(request), invite_id)
        return Response(status=204)


class AcceptInvite(PlayerView):
    limit = "arranged"

    @describe("accept_invite", "Use an invite", request=InviteToken, responses=MatchShown)
    @idempotent
    def post(self, request: Request) -> Response:
        """The match starts at once. The invite cannot be used again."""
        account = player(request)
        match = invites.accept(account, read_body(InviteToken, request)["token"])
        return Response(fetched_match(matches.match(match.pk, account), account))
