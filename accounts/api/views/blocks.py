"""Blocked players. A player cannot see who has blocked them."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.resources import BlockPage, block_shown
from accounts.api.views.base import PlayerView, player
from accounts.queries.blocks import blocks_of
from accounts.services import blocks
from common.api.inputs import PageQuery, read_query
from common.api.pagination import envelope, read_page
from common.api.schema import describe


class Blocks(PlayerView):
    @describe(
        "list_blocks",
        "Your blocked players, the newest first",
        parameters=[PageQuery],
        responses=BlockPage,
    )
    def get(self, request: Request) -> Response:
        query = read_query(PageQuery, request)
        page = read_page(request, query, blocks_of(player(request)), ("-pk",))
        return Response(envelope(request, page, [block_shown(block) for block in page.rows]))


class OneBlock(PlayerView):
    @describe("block_player", "Block a player", request=None, responses={204: None})
    def put(self, request: Request, username: str) -> Response:
        """The queue does not pair you with them, and they cannot challenge you. A match under way goes on."""
        blocks.block(player(request), username)
        return Response(status=204)

    @describe("unblock_player", "Unblock a player", request=None, responses={204: None})
    def delete(self, request: Request, username: str) -> Response:
        blocks.unblock(player(request), username)
        return Response(status=204)
