"""The event stream, the long poll, and the token for their addresses."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
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
from events.limits import MAX_EVENT_NUMBER, MAX_POLL_SECONDS, POLL_SECONDS
from events.points import KINDS
from events.queries import EventBatch, StreamPosition, StreamSession
from events.resources import EventPage, EventToken, page_shown
from events.services import presence
from events.streams import responses, tokens
from events.streams.frames import CloseReason
from events.streams.responses import EventStreamResponse, PollResponse

LAST_EVENT_ID = "Last-Event-ID"

STREAM = """
Server-sent events. `id` is the number of the event, which counts the events of your account without a gap; `event` is
its kind; `data` is the event as JSON, as in `/events/poll`.

The first frame has only an `id`: the number after which events follow. `event: reset` means that events after your
`Last-Event-ID` were deleted: read `/me` again. `event: closed` means that you should not connect again at once, because
of `signed_out`, or `too_many_streams` of one account. A line with only a colon is a heartbeat. If the connection ends
in another way, connect again with the last `id`.
"""
# The JSON schema of one frame, because OpenAPI has no type for streams.
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
                        "properties": {"reason": {"type": "string", "enum": [reason.value for reason in CloseReason]}},
                        "required": ["reason"],
                    },
                ]
            },
        },
    },
}


class EventTokenAuthentication(BearerAuthentication):
    """A token in the address, because a browser's EventSource sends no ``Authorization`` header. The header is checked
    first."""

    def get_session_token(self, request: Request) -> str | None:
        token = request.query_params.get("token")
        return None if token is None else tokens.session_key_of(token) or "-"


class EventTokenScheme(OpenApiAuthenticationExtension):
    target_class = "events.api.views.EventTokenAuthentication"
    name = "event_token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "apiKey", "in": "query", "name": "token", "description": "From `/events/token`."}


class EventStreamRenderer(BaseRenderer):
    """Only for content negotiation. The response renders itself."""

    media_type = responses.MEDIA_TYPE
    format = "events"


class After(serializers.Serializer[Any]):
    after = serializers.IntegerField(
        required=False, min_value=0, max_value=MAX_EVENT_NUMBER,
        help_text="Send the events after this number. Default: only new events.",
    )  # fmt: skip


class LastEvent(serializers.Serializer[Any]):
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {LAST_EVENT_ID: serializers.IntegerField(min_value=0, max_value=MAX_EVENT_NUMBER)}


class Poll(After):
    timeout = serializers.IntegerField(
        required=False, min_value=0, max_value=MAX_POLL_SECONDS, default=POLL_SECONDS,
        help_text="How many seconds to wait for an event.",
    )  # fmt: skip


class EventView(PlayerView):
    authentication_classes = [BearerAuthentication, EventTokenAuthentication]


class Events(EventView):
    renderer_classes = [EventStreamRenderer]

    @describe(
        "stream_events",
        "Your events, as they happen",
        parameters=[
            After,
            OpenApiParameter(
                LAST_EVENT_ID, {"type": "integer", "minimum": 0, "maximum": MAX_EVENT_NUMBER}, OpenApiParameter.HEADER,
                description="The same as `after`, and used instead of it: browsers send it when they reconnect.",
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
        presence.record_seen([account.pk])
        return EventStreamResponse(_session(request), events.last_number(account) if after is None else after)


class PollEvents(EventView):
    @describe("poll_events", "Your events, after waiting for one", parameters=[Poll], responses=EventPage)
    def get(self, request: Request) -> HttpResponseBase:
        """Answers when there are events after `after`, or when the time is over. Without `after`, it answers at once
        with the number to start from."""
        account = player(request)
        query = read_query(Poll, request)
        if "after" not in query or request.method == "HEAD":
            # This delivers no events, so it does not count as presence.
            return Response(page_shown(EventBatch([], events.last_number(account), reset=False)))
        presence.record_seen([account.pk])
        batch = events.read_events_after(StreamPosition(account.pk, query["after"]))
        return PollResponse(_session(request), batch, query["timeout"])


class MakeToken(PlayerView):
    @describe("make_event_token", "A token for the address of an event stream", request=None, responses=EventToken)
    def post(self, request: Request) -> Response:
        """For browsers: `new EventSource("/api/v1/events?token=...")`."""
        read_body(Empty, request)
        token, expires_at = tokens.issue(_session(request).session_key)
        return Response(EventToken(token=token, expires_at=expires_at))


def _last_event(request: Request) -> int | None:
    """The number in ``Last-Event-ID``. Raises ``BadQuery``."""
    header = request.headers.get(LAST_EVENT_ID)
    if header is None:
        return None
    given = LastEvent(data={LAST_EVENT_ID: header})
    if not given.is_valid():
        raise BadQuery(given.errors)
    number: int = given.validated_data[LAST_EVENT_ID]
    return number


def _session(request: Request) -> StreamSession:
    assert isinstance(request.auth, SessionBase)
    assert request.auth.session_key
    return StreamSession.of(player(request), request.auth.session_key)
