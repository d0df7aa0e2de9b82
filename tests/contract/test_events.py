"""Events of every kind, made by the services, as a client reads them and as the OpenAPI document describes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from accounts.models import User
from common.types import required_fields
from events.models import Event
from events.points import ADDITIONS, KINDS, Kind
from tests import clients
from tests.contract.documented import Components, document
from tests.scenes import of_apps, undone

pytestmark = pytest.mark.django_db

EVENTS = [event for scenes in of_apps().values() for event in scenes.events]


@pytest.fixture(scope="module")
def types(django_db_blocker: Any) -> Components:
    with django_db_blocker.unblock():
        return Components(document())


def polled(account: User) -> Any:
    return json.loads(b"".join(clients.player(account).get("events/poll?after=0&timeout=0")))


def streamed(account: User) -> Iterator[dict[str, str]]:
    """The frames of a stream, each by the names of its lines."""
    answer = clients.player(account, Accept="text/event-stream").get("events?after=0")
    for frame in b"".join(answer).decode().strip().split("\n\n")[1:]:  # the first has nothing but a number
        yield dict(line.split(": ", 1) for line in frame.split("\n"))


def test_every_kind_is_made_somewhere() -> None:
    assert {kind.code for kind in KINDS} == {kind.code for kind, _ in EVENTS}


@pytest.mark.parametrize(("kind", "happens"), EVENTS, ids=lambda it: getattr(it, "code", ""))
def test_events_are_as_documented(kind: Kind, happens: Callable[[], object], types: Components) -> None:
    happens()
    told = Event.objects.filter(kind=kind.code)
    assert told
    for account in User.objects.filter(pk__in=told.values("account"), is_active=True):
        page = polled(account)
        for event in page["events"]:
            assert types.faults(types.of_kind(event["kind"]), event) == [], event
        assert types.faults("EventPage", page) == []
        assert kind.code in {event["kind"] for event in page["events"]}
        frames = list(streamed(account))
        assert [json.loads(frame["data"]) for frame in frames] == page["events"]
        for frame, event in zip(frames, page["events"], strict=True):
            assert (frame["id"], frame["event"]) == (str(event["number"]), event["kind"])


def test_every_field_is_said_at_some_time() -> None:
    said: set[tuple[str, str]] = set()
    for _, happens in EVENTS:
        with undone():
            happens()
            said |= {(kind, field) for kind, data in Event.objects.values_list("kind", "data") for field in data}
    assert {(kind.code, field) for kind in KINDS for field in kind.fields} == said


def test_a_wrong_event_is_found_out(types: Components) -> None:
    _, happens = next(event for event in EVENTS if event[0].code == "match_confirmed")
    happens()
    event = polled(Event.objects.filter(kind="match_confirmed")[0].account)["events"][-1]
    name = types.of_kind("match_confirmed")
    assert types.faults(name, event) == []
    for change in (
        lambda it: it["data"].update(unknown=1),
        lambda it: it["data"].pop("opponent"),
        lambda it: it["data"].update(match="no id"),
        lambda it: it["data"]["rating"].update(delta=44.27),
        lambda it: it.update(created_at="2026-01-01T12:00:00"),
        lambda it: it.pop("number"),
    ):
        change(wrong := deepcopy(event))
        assert len(types.faults(name, wrong)) == 1


def test_kinds_are_told_apart_and_what_is_added_can_be_left_out() -> None:
    codes = [kind.code for kind in KINDS]
    assert len(codes) == len(set(codes))
    assert all(len(code) <= Event._meta.get_field("kind").max_length for code in codes)  # type: ignore[operator]
    for addition in ADDITIONS:
        assert addition.kind in list(KINDS)
        assert required_fields(addition.payload) == frozenset()


def test_the_stream_names_every_kind(types: Components) -> None:
    assert types.names_of_frames == [*(kind.code for kind in KINDS), "reset", "closed"]
    assert set(types.schemas["Event"]["discriminator"]["mapping"]) == {kind.code for kind in KINDS}
