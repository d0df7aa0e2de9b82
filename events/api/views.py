"""What happens to an account, as it happens."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.authentication import BearerAuthentication
from accounts.api.views.base import PlayerView, player
from common.api.inputs import Empty, read_body, read_query
from common.api.problems import BadQuery
from common.api.schema import describe
from events import queries as events
from events.points import KINDS
from events.queries import Caller, Position, Reading
from events.resources import EventPage, EventToken, page_shown
from events.services import presence
from events.streams import responses, tokens
from events.streams.frames import Closed
from events.streams.responses import EventStreamResponse, PollResponse

LAST_EVENT_ID = "Last-Event-ID"
MAX_NUMBER = 2**31 - 1
MAX_SECONDS = 30

STREAM = """
Server-sent events. `id` is the number of the event, which counts those of your account without a gap; `event` is its
kind; `data` is the event as JSON, as `/events/poll` lists it.

The first frame has nothing but an `id`: the number after which you are listening. `event: reset` says that something
after your `Last-Event-ID` is not kept any more: read `/me` again. `event: closed` says that coming back at once is no
use: `signed_out`, or `too_many_streams` of one account. A line with a colon alone is a sign of life. When the
connection ends otherwise, come back with the last `id`.
"""
# What each frame is; OpenAPI has no type of its own for a stream.
FRAME = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": r"^\d+$", "examples": ["17"]},
        "event": {"type": "string", "enum": [*(kind.code for kind in KINDS), "reset", "closed"]},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {
                "anyOf": [
                    {"$ref": "#/components/schemas/Event"},
                    {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
                    {
                        "type": "object",
                        "properties": {"reason": {"type": "string", "enum": [reason.value for reason in Closed]}},
                        "required": ["reason"],
                    },
                ]
            },
        },
    },
}


class EventTokenAuthentication(BearerAuthentication):
    """A token in the address, for browsers, whose EventSource sends no ``Authorization``. That header goes first."""

    def get_session_token(self, request: Request) -> str | None:
        token = request.query_params.get("token")
        return None if token is None else tokens.session_key_of(token) or "-"


class EventStreamRenderer(BaseRenderer):
    """Only a name for negotiation: the response writes itself."""

    media_type = responses.MEDIA_TYPE
    format = "events"


class After(serializers.Serializer[Any]):
    after = serializers.IntegerField(
        required=False, min_value=0, max_value=MAX_NUMBER, help_text="Everything after this number; default: from now."
    )


class LastEvent(serializers.Serializer[Any]):
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {LAST_EVENT_ID: serializers.IntegerField(min_value=0, max_value=MAX_NUMBER)}


class Poll(After):
    timeout = serializers.IntegerField(
        required=False, min_value=0, max_value=MAX_SECONDS, default=25,
        help_text="How many seconds to wait for something to happen.",
    )  # fmt: skip


class ListenersView(PlayerView):
    authentication_classes = [BearerAuthentication, EventTokenAuthentication]


class Events(ListenersView):
    renderer_classes = [EventStreamRenderer]

    @describe(
        "stream_events",
        "What happens to you, as it happens",
        parameters=[
            After,
            OpenApiParameter(
                LAST_EVENT_ID, {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER}, OpenApiParameter.HEADER,
                description="The same as `after`, and goes before it: browsers send it when they come back.",
            ),
        ],
        responses={(200, responses.MEDIA_TYPE): OpenApiResponse(FRAME, description=STREAM)},
    )  # fmt: skip
    def get(self, request: Request) -> HttpResponseBase:
        account = player(request)
        after = read_query(After, request).get("after")
        last_event = _last_event(request)
        if last_event is not None:
            after = last_event
        if request.method == "HEAD":
            return HttpResponse(content_type=responses.MEDIA_TYPE, headers=responses.HEADERS)
        presence.seen([account.pk])
        return EventStreamResponse(_caller(request), events.last_number(account) if after is None else after)


class PollEvents(ListenersView):
    @describe("poll_events", "What happened to you, waiting for it", parameters=[Poll], responses=EventPage)
    def get(self, request: Request) -> HttpResponseBase:
        """Answers as soon as there is something after `after`, or when the time is over. Without `after` it answers at
        once with the number to begin with."""
        account = player(request)
        query = read_query(Poll, request)
        if "after" not in query or request.method == "HEAD":
            # It tells of nothing that happened, so it is no sign that the player would hear of an offer either.
            return Response(page_shown(Reading([], events.last_number(account), reset=False)))
        presence.seen([account.pk])
        reading = events.read_one(Position(account.pk, query["after"]))
        return PollResponse(_caller(request), reading, query["timeout"])


class MakeToken(PlayerView):
    @describe("make_event_token", "A token for the address of an event stream", request=None, responses=EventToken)
    def post(self, request: Request) -> Response:
        """For browsers: `new EventSource("/api/v1/events?token=...")`."""
        read_body(Empty, request)
        token, expires_at = tokens.issue(_caller(request).session_key)
        return Response(EventToken(token=token, expires_at=expires_at))


def _last_event(request: Request) -> int | None:
    """Where a client that comes back wants to go on. Raises ``BadQuery``."""
    header = request.headers.get(LAST_EVENT_ID)
    if header is None:
        return None
    given = LastEvent(data={LAST_EVENT_ID: header})
    if not given.is_valid():
        raise BadQuery(given.errors)
    number: int = given.validated_data[LAST_EVENT_ID]
    return number


def _caller(request: Request) -> Caller:
    assert isinstance(request.auth, SessionBase)
    assert request.auth.session_key
    return Caller.of(player(request), request.auth.session_key)
