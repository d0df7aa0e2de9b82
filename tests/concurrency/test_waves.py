"""Waves, tickets and answers to offers at the same time: no player gets two offers, and no ticket is lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import pytest
from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from common.errors import Conflict, Refusal
from events.models import Event
from ladder.models import Match
from ladder.rules.match_life import State
from ladder.services.matches import offers, sweeps
from ladder.services.matches.offers import ensure_standings
from matchmaking.models import OfferSide, Penalty, Ticket
from matchmaking.services import tickets, waves
from tests.concurrency.ledger import assert_events_are_whole
from tests.concurrency.racing import Callers, errors_of, gate_after, meet
from tests.factories import make_ladder, make_players
from tests.matchmaking.queueing import paired, queued

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

MakeCallers = Callable[[int], Callers]


def assert_one_offer_each() -> None:
    per_player: Counter[int] = Counter()
    for match in Match.objects.filter(state=State.OFFERED):
        assert match.player_one_id != match.player_two_id
        per_player.update((match.player_one_id, match.player_two_id))
    assert set(per_player.values()) <= {1}
    offered = Ticket.objects.filter(state=Ticket.State.OFFERED).values_list("account_id", flat=True)
    assert set(offered) == set(per_player)
    assert_events_are_whole()


def behind(match: Match) -> QuerySet[Ticket]:
    return Ticket.objects.filter(offer_sides__offer=match.pk)


def without_advisory_lock(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(waves, "advisory_lock", lambda _work, _ladder: nullcontext())


@pytest.mark.parametrize("with_advisory_lock", [True, False])
def test_ten_workers_at_once(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, with_advisory_lock: bool) -> None:
    """Row locks are enough. The advisory lock only saves work."""
    if not with_advisory_lock:
        without_advisory_lock(monkeypatch)
    ladder = make_ladder()
    threads = callers(10)
    for _ in range(3):
        for player in make_players(12):
            queued(player)
        answers = threads.at_once(*[lambda: waves.pair_waiting(ladder)] * 10)
        assert not errors_of(answers)
        waves.pair_waiting(ladder)  # for players that two workers wanted to pair differently
        assert_one_offer_each()
    assert Match.objects.count() == 18


def meet_at_the_locks(callers: MakeCallers, patch: pytest.MonkeyPatch) -> tuple[int, list[BaseException]]:
    """Two waves want the same two tickets. Returns how many held them together, and the errors."""
    without_advisory_lock(patch)
    ladder = make_ladder()
    # They have standings, because otherwise one wave would wait for the other's new standings.
    ensure_standings(ladder, [queued().account_id, queued().account_id])
    gate_after(patch, waves, "_lock_tickets")
    together, answers = meet(callers(2), *[lambda: waves.pair_waiting(ladder)] * 2)
    return together, errors_of(answers)


def test_two_waves_at_the_same_tickets(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    assert meet_at_the_locks(callers, monkeypatch) == (1, [])
    assert Match.objects.count() == 1
    assert_one_offer_each()


def test_without_the_row_locks_the_database_refuses(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waves, "_LOCK_TICKETS", waves._LOCK_TICKETS.replace("FOR UPDATE", ""))
    together, errors = meet_at_the_locks(callers, monkeypatch)
    assert together == 2
    assert [type(error) for error in errors] == [IntegrityError]
    assert re.search("one_open_offer_per_ticket", str(errors[0]))
    assert Match.objects.count() == 1


def test_repeated_requests_create_one_ticket(callers: MakeCallers) -> None:
    ladder, threads = make_ladder(), callers(4)
    for player in make_players(8):
        answers = threads.at_once(*[lambda player=player: tickets.join_queue(player, ladder, [5])] * 4)
        assert not errors_of(answers)
        assert len({ticket.pk for ticket, _ in answers}) == 1
        assert sum(is_new for _, is_new in answers) == 1


def test_joining_and_leaving_while_waves_run(callers: MakeCallers) -> None:
    ladder, players, threads = make_ladder(), make_players(6), callers(8)

    def tap(player: User) -> None:
        for _ in range(6):
            try:
                ticket, _is_new = tickets.join_queue(player, ladder, [5])
                tickets.cancel(ticket.pk, player)
            except Refusal:
                Penalty.objects.filter(account=player).update(until=timezone.now(), created_at=timezone.now())

    def pair() -> None:
        for _ in range(10):
            waves.pair_waiting(ladder)

    calls = [lambda player=player: tap(player) for player in players]
    answers = threads.at_once(*calls, pair, pair)
    assert not errors_of(answers)
    assert_one_offer_each()
    assert not OfferSide.objects.filter(is_open=True).exclude(ticket__state="offered").exists()


def test_both_accept_in_the_same_instant(callers: MakeCallers) -> None:
    threads = callers(2)
    for _ in range(10):
        match = paired()
        answers = threads.at_once(
            *(partial(offers.accept, match.pk, player) for player in (match.player_one, match.player_two))
        )
        assert not errors_of(answers)
        match.refresh_from_db()
        assert match.state == State.IN_PROGRESS
        assert set(behind(match).values_list("state", flat=True)) == {"matched"}


def test_accepting_declining_and_expiry_at_once(callers: MakeCallers) -> None:
    threads = callers(4)
    for _ in range(10):
        match = paired()
        Ticket.objects.filter(state="waiting").update(state="cancelled", closed_at=timezone.now())
        offers.accept(match.pk, match.player_one)
        answers = threads.at_once(
            partial(offers.accept, match.pk, match.player_two),
            partial(offers.decline, match.pk, match.player_two),
            partial(tickets.cancel, behind(match).get(offer_sides__seat=1).pk, match.player_one),
            partial(sweeps.expire, match.pk),
        )
        assert not [error for error in errors_of(answers) if not isinstance(error, Conflict)]
        match.refresh_from_db()
        states = list(behind(match).order_by("offer_sides__seat").values_list("state", flat=True))
        if match.state == State.IN_PROGRESS:
            assert states == ["matched", "matched"]
        else:
            assert match.state == State.CANCELLED
            assert states in (["waiting", "declined"], ["declined", "waiting"], ["cancelled", "declined"])
        assert Penalty.objects.filter(match=match).count() == (match.state == State.CANCELLED)
        assert not OfferSide.objects.filter(offer=match.pk, is_open=True).exists()
        Penalty.objects.update(created_at=timezone.now(), until=timezone.now())


def test_two_expiry_tasks_penalize_once(callers: MakeCallers) -> None:
    threads = callers(4)
    match = paired()
    OfferSide.objects.update(shown_at=timezone.now())
    Match.objects.update(expires_at=timezone.now())
    assert not errors_of(threads.at_once(*[sweeps.expire_matches] * 4))
    assert Penalty.objects.filter(match=match).count() == 2
    assert Counter(Event.objects.values_list("kind", flat=True)) == {"match_offered": 2, "offer_expired": 2}
