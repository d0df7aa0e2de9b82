"""The player's own account."""

from __future__ import annotations

from django.contrib.sessions.backends.base import SessionBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.me import answer_type, read_me
from accounts.api.views.base import PlayerView, player
from accounts.services import administration, closing
from common.api.inputs import Body, example, read_body
from common.api.schema import describe

Answer = answer_type()


@example({"language": "ko"})
class Profile(Body):
    """The fields of the profile that a player can change."""

    language = serializers.ChoiceField(choices=["en", "ko"], required=False, help_text="The language of your e-mails.")


class Me(PlayerView):
    @describe("read_me", "Your profile, your standings, and what is open", responses=Answer)
    def get(self, request: Request) -> Response:
        return Response(read_me(player(request)))

    @describe("change_me", "Change your profile", request=Profile, responses=Answer)
    def patch(self, request: Request) -> Response:
        body = read_body(Profile, request)
        if "language" in body:
            administration.set_language(player(request), body["language"])
        return Response(read_me(player(request)))

    @describe("close_me", "Close your account for good", request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        """Deletes your name, e-mail address and sessions. Your matches and ratings stay, under a neutral name."""
        closing.close_account(player(request))
        if isinstance(request.auth, SessionBase):
            request.auth.flush()
        return Response(status=204)
