"""The events of accounts, and their numbers without gaps."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from events.models import Event, EventStream
from events.services import writing as events
from ladder.event_kinds import DECAY_AHEAD
from ladder.models import Match
from ladder.rules.match_life import Seat
from ladder.rules.ranked import Origin
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import offers, reporting, rulings, sweeps
from tests.factories import (
    awaiting_match,
    confirmed_match,
    disputed_match,
    entries_of,
    make_moderator,
    make_player,
    offered_match,
    overdue_match,
    started_match,
    void,
)

pytestmark = pytest.mark.django_db


def events_of(player: User) -> list[Event]:
    return list(player.events.order_by("number"))


def last(match: Match) -> tuple[Event, Event]:
    return events_of(match.player_one)[-1], events_of(match.player_two)[-1]


def test_events_are_numbered_for_each_account() -> None:
    match = confirmed_match()
    for player in (match.player_one, match.player_two):
        assert [event.number for event in events_of(player)] == [1, 2, 3, 4]
        assert EventStream.objects.get(account=player).last_number == 4
    kinds = [event.kind for event in events_of(match.player_one)]
    assert kinds == ["offer_accepted", "match_started", "result_reported", "match_confirmed"]


def test_the_event_of_a_confirmed_match_has_both_rating_changes() -> None:
    match = confirmed_match(winner=2)
    entries = {entry.standing.player_id: entry for entry in entries_of(match)}
    for event in last(match):
        entry = entries[event.account_id]
        assert event.data["rating"] == {
            "before": str(entry.before), "delta": str(entry.delta), "after": str(entry.after),
        }  # fmt: skip
        assert event.data["winner"] == match.player_two_id
        assert event.data["unrated_reason"] is None
    assert {event.data["opponent"] for event in last(match)} == {match.player_one_id, match.player_two_id}


def test_the_event_of_an_unrated_match_has_the_reason() -> None:
    for event in last(confirmed_match(origin=Origin.CHALLENGE)):
        assert event.kind == "match_confirmed"
        assert (event.data["rating"], event.data["unrated_reason"]) == (None, "challenge")


def test_offers_that_are_declined_or_expire() -> None:
    match = offered_match()
    offers.decline(match.pk, match.player_two)
    assert {event.kind for event in last(match)} == {"offer_declined"}
    assert {event.data["by"] for event in last(match)} == {match.player_two_id}
    match = offered_match()
    Match.objects.filter(pk=match.pk).update(expires_at=timezone.now())
    sweeps.expire_matches()
    assert {event.kind for event in last(match)} == {"offer_expired"}


@pytest.mark.parametrize("how", ["contrary report", "dispute"])
def test_both_players_get_an_event_about_a_dispute(how: str) -> None:
    match = awaiting_match(claimant=1)
    if how == "dispute":
        reporting.dispute(match.pk, match.player_two)
    else:
        reporting.report(match.pk, match.player_two, winner=match.player_two.username)
    assert {event.kind for event in last(match)} == {"match_disputed"}
    assert {event.data["by"] for event in last(match)} == {match.player_two_id}


@pytest.mark.parametrize("winner", [1, None])
def test_both_players_get_an_event_with_the_reason_of_a_ruling(winner: Seat | None) -> None:
    match = disputed_match()
    rulings.rule_match(
        match.pk, actor=make_moderator(), winner=winner, reason_code=ReasonCode.EVIDENCE, reason="The recording."
    )
    for event in last(match):
        assert (event.kind, event.data["ruling"]) == ("match_ruled", "The recording.")
        assert (event.data["rating"] is not None) == (winner == 1)


def test_the_event_of_a_correction_has_the_total_rating_changes() -> None:
    match = confirmed_match(winner=1)
    before = events_of(match.player_one)[-1].data["rating"]
    rulings.overturn_match(
        match.pk, actor=make_moderator(), winner=2, reason_code=ReasonCode.EVIDENCE, reason="The recording."
    )
    first, second = (events_of(player)[-1] for player in (match.player_one, match.player_two))
    assert (first.kind, before) == ("match_ruled", {"before": "600.00", "delta": "44.27", "after": "644.27"})
    assert first.data["rating"] == {"before": "644.27", "delta": "-88.54", "after": "555.73"}
    assert second.data["rating"] == {"before": "555.73", "delta": "88.54", "after": "644.27"}


def test_the_event_of_a_voided_result_has_the_reversed_changes() -> None:
    match = confirmed_match()
    delta = events_of(match.player_one)[-1].data["rating"]["delta"]
    void(match)
    event = last(match)[0]
    assert (event.kind, event.data["state"], event.data["winner"]) == ("match_ruled", "voided", None)
    assert event.data["rating"]["delta"] == f"-{delta}"


def test_both_players_get_an_event_when_a_match_expires() -> None:
    match = started_match()
    Match.objects.filter(pk=match.pk).update(expires_at=timezone.now())
    sweeps.expire_matches()
    assert {(event.kind, event.data["reason"]) for event in last(match)} == {("match_voided", "no_result")}


def test_both_players_get_an_event_when_the_deadline_confirms() -> None:
    match = overdue_match()
    sweeps.confirm_overdue_matches()
    assert {event.data["confirmed_by"] for event in last(match)} == {"deadline"}


def test_a_repeated_call_writes_no_second_event() -> None:
    match = confirmed_match(winner=1)
    reporting.confirm(match.pk, match.player_two)
    reporting.report(match.pk, match.player_one, winner=match.player_one.username)
    assert len(events_of(match.player_one)) == 4


def old_events(number: int) -> User:
    player = make_player()
    for _ in range(number):
        events.write_events(DECAY_AHEAD, {player.pk: {}})
    Event.objects.update(created_at=F("created_at") - timedelta(days=31))
    return player


def test_old_events_are_deleted_and_numbers_continue() -> None:
    player = old_events(1)
    assert events.delete_old() == 1
    assert events.write_events(DECAY_AHEAD, {player.pk: {}}) == {player.pk: 2}
    assert events.delete_old() == 0


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_deleted_events_stay_deleted_when_a_later_batch_fails() -> None:
    old_events(5)
    with closing(connection.copy()) as other, other.cursor() as there, connection.cursor() as here:
        there.execute("BEGIN")
        there.execute("SELECT FROM events_event WHERE number = 5 FOR UPDATE")
        here.execute("SET lock_timeout = '50ms'")
        with pytest.raises(OperationalError):
            events.delete_old(batch=2)
        here.execute("RESET lock_timeout")
    assert [event.number for event in Event.objects.all()] == [5]
    assert events.delete_old(batch=2) == 1
