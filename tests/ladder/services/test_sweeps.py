"""What happens to matches because time passes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from django.utils import timezone

from ladder.models import Match, MatchReport
from ladder.rules.match_life import ConfirmedBy, Ending, Seat, State
from ladder.rules.ranked import Origin
from ladder.services.matches import offers, reporting, sweeps
from tests import factories

pytestmark = pytest.mark.django_db

CONFIRM = timedelta(hours=settings.MATCH_CONFIRM_HOURS)
EXPIRY = timedelta(hours=settings.MATCH_EXPIRY_HOURS)
OFFER = timedelta(seconds=settings.MATCH_OFFER_SECONDS)
MOMENT = timedelta(seconds=1)


class Clock:
    def __init__(self, traveller: time_machine.Traveller) -> None:
        self._traveller = traveller

    def advance(self, by: timedelta) -> datetime:
        self._traveller.shift(by)
        return timezone.now()


@pytest.fixture
def clock() -> Iterator[Clock]:
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield Clock(traveller)


def test_defaults_are_a_day_to_confirm_and_two_to_report() -> None:
    assert (timedelta(hours=24), timedelta(hours=48)) == (CONFIRM, EXPIRY)


def test_the_deadline_confirms_the_standing_report_and_settles_it(clock: Clock) -> None:
    match = factories.started_match()
    one = match.player_one
    reporting.report(match.pk, one, winner=one.username, loser_score=2, ending=Ending.TIMED_OUT)
    clock.advance(CONFIRM - MOMENT)
    assert sweeps.confirm_overdue_matches() == 0
    assert not sweeps.confirm_overdue(match.pk)  # asked again under the lock
    now = clock.advance(MOMENT)
    assert sweeps.confirm_overdue_matches() == 1
    match.refresh_from_db()
    assert (match.state, match.winner, match.confirmed_by) == (State.CONFIRMED, one, ConfirmedBy.DEADLINE)
    assert (match.loser_score, match.ending, match.finished_at) == (2, Ending.TIMED_OUT, now)
    assert [entry.won for entry in factories.entries_of(match)] == [True, False]
    assert sweeps.confirm_overdue_matches() == 0


@pytest.mark.parametrize("claimant", [1, 2])
def test_the_claimant_wins_by_the_deadline(claimant: Seat) -> None:
    match = factories.overdue_match(claimant=claimant)
    assert sweeps.confirm_overdue(match.pk)
    match.refresh_from_db()
    assert match.winner == factories.player_of(match, claimant)


def test_an_unrated_match_is_confirmed_by_the_deadline_and_moves_nothing() -> None:
    match = factories.overdue_match(origin=Origin.INVITE)
    assert sweeps.confirm_overdue_matches() == 1
    match.refresh_from_db()
    assert (match.state, match.settled_at, factories.entries_of(match)) == (State.CONFIRMED, None, [])


def test_the_deadline_leaves_a_dispute_to_the_moderators(clock: Clock) -> None:
    match = factories.disputed_match()
    clock.advance(CONFIRM * 30)
    assert (sweeps.confirm_overdue_matches(), sweeps.expire_matches()) == (0, 0)
    assert not sweeps.confirm_overdue(match.pk)
    match.refresh_from_db()
    assert match.state == State.DISPUTED


def test_a_match_without_any_report_is_voided(clock: Clock) -> None:
    match = factories.started_match()
    clock.advance(EXPIRY - MOMENT)
    assert sweeps.expire_matches() == 0
    assert not sweeps.expire(match.pk)
    clock.advance(MOMENT)
    assert sweeps.expire_matches() == 1
    match.refresh_from_db()
    assert (match.state, match.void_reason, match.winner) == (State.VOIDED, "no_result", None)
    assert factories.entries_of(match) == []
    assert sweeps.expire_matches() == 0


def test_a_report_keeps_a_match_from_expiring(clock: Clock) -> None:
    match = factories.awaiting_match()
    Match.objects.filter(pk=match.pk).update(confirm_by=timezone.now() + EXPIRY * 2)
    clock.advance(EXPIRY)
    assert sweeps.expire_matches() == 0
    assert not sweeps.expire(match.pk)


@pytest.mark.parametrize("accepted", [(), (1,), (2,)])
def test_an_offer_that_not_both_accepted_is_cancelled(clock: Clock, accepted: tuple[Seat, ...]) -> None:
    match = factories.offered_match()
    for seat in accepted:
        offers.accept(match.pk, factories.player_of(match, seat))
    clock.advance(OFFER)
    assert sweeps.expire_matches() == 1
    match.refresh_from_db()
    assert (match.state, match.void_reason) == (State.CANCELLED, "offer_expired")


def test_finished_matches_do_not_change(clock: Clock) -> None:
    finished = [factories.confirmed_match(), factories.voided_match(), factories.cancelled_match()]
    stood = list(Match.objects.order_by("pk").values())
    clock.advance(EXPIRY * 10)
    assert (sweeps.confirm_overdue_matches(), sweeps.expire_matches()) == (0, 0)
    for match in finished:
        assert not sweeps.confirm_overdue(match.pk)
        assert not sweeps.expire(match.pk)
    assert list(Match.objects.order_by("pk").values()) == stood


def test_one_match_that_cannot_be_swept_does_not_keep_the_others_waiting(caplog: pytest.LogCaptureFixture) -> None:
    broken, sound = factories.overdue_match(), factories.overdue_match()
    MatchReport.objects.filter(match=broken).delete()
    assert sweeps.confirm_overdue_matches() == 1
    sound.refresh_from_db()
    assert sound.state == State.CONFIRMED
    assert [vars(record)["match"] for record in caplog.records] == [str(broken.pk)]


def test_a_sweep_takes_the_longest_overdue_first_and_no_more_than_asked() -> None:
    late, later = factories.overdue_match(), factories.overdue_match()
    Match.objects.filter(pk=later.pk).update(confirm_by=timezone.now() - timedelta(hours=1))
    assert sweeps.confirm_overdue_matches(limit=1) == 1
    late.refresh_from_db()
    later.refresh_from_db()
    assert (later.state, late.state) == (State.CONFIRMED, State.AWAITING_CONFIRMATION)
