"""Blocks, suspensions and closed accounts while an offer is open, and players who are busy."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Block, User
from accounts.services import blocks, suspensions
from accounts.services import closing as accounts
from accounts.services.roles import ensure_moderators
from common.errors import Conflict
from events.services.writing import iso_time
from ladder.models import Ladder, Match
from ladder.rules.match_life import Seat, State
from ladder.services.matches import offers, reporting
from matchmaking.models import Offer, OfferSide, Penalty, Ticket
from matchmaking.queries import queue
from matchmaking.queries.tickets import live_ticket
from matchmaking.services import arranged, tickets, waves
from matchmaking.services.outcomes import QueueAccountListener
from tests import factories
from tests.matchmaking.queueing import deliver, event_kinds, paired, queued

pytestmark = pytest.mark.django_db

SEATS = pytest.mark.parametrize("seat", [1, 2])


def suspend(account: User, until: datetime | None = None) -> None:
    moderator = factories.make_player(is_staff=True)
    moderator.groups.add(ensure_moderators())
    suspensions.suspend(account.pk, actor=moderator, reason="Stalling.", until=until)


def ticket_states(match: Match) -> list[str]:
    return list(OfferSide.objects.filter(offer=match.pk).order_by("seat").values_list("ticket__state", flat=True))


def assert_called_off(match: Match, tickets: list[str]) -> None:
    match.refresh_from_db()
    assert (match.state, match.void_reason) == (State.CANCELLED, "called_off")
    assert match.offer.outcome == Offer.Outcome.CALLED_OFF
    assert ticket_states(match) == tickets
    assert not Penalty.objects.exists()


@SEATS
@pytest.mark.parametrize("accepted", [1, 2, None])
def test_a_suspension_calls_the_offer_off(seat: Seat, accepted: Seat | None) -> None:
    match = paired()
    if accepted:
        offers.accept(match.pk, factories.player_of(match, accepted))
    suspend(account := factories.player_of(match, seat))
    assert_called_off(match, ["stopped", "waiting"] if seat == 1 else ["waiting", "stopped"])
    assert event_kinds(account)[-2:] == ["offer_called_off", "account_suspended"]
    assert account.events.latest("number").data["ticket_state"] == "stopped"
    opponent = factories.player_of(match, 2 if seat == 1 else 1)
    event = opponent.events.latest("number")
    assert (event.kind, event.data["ticket_state"]) == ("offer_called_off", "waiting")
    assert "Stalling" not in str(event.data)


def test_the_event_says_when_the_player_can_queue_again() -> None:
    until = timezone.now() + timedelta(hours=2)
    ticket = queued()
    suspend(ticket.account, until)
    assert ticket.account.events.latest("number").data["queue_again_at"] == iso_time(until)
    match = paired()
    suspend(match.player_one, until)
    for event in match.player_one.events.order_by("-number")[:2]:
        assert (event.data["ticket_state"], event.data["queue_again_at"]) == ("stopped", iso_time(until))


def test_a_suspended_player_leaves_the_queue() -> None:
    ticket = queued()
    suspend(ticket.account)
    ticket.refresh_from_db()
    assert (ticket.state, ticket.closed_at is not None) == ("stopped", True)
    event = ticket.account.events.get()
    assert (event.kind, event.data["ticket"], event.data["ticket_state"]) == (
        "account_suspended", str(ticket.pk), "stopped"
    )  # fmt: skip


@SEATS
def test_an_offer_made_during_a_suspension_starts_no_match(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    match = paired()
    account, opponent = factories.player_of(match, seat), factories.player_of(match, 2 if seat == 1 else 1)
    # The wave commits just after the suspension has searched for tickets and offers.
    monkeypatch.setattr(QueueAccountListener, "stopped", lambda listener, account_id: {})
    suspend(account)
    offers.accept(match.pk, opponent)
    assert_called_off(match, ["stopped", "waiting"] if seat == 1 else ["waiting", "stopped"])


@SEATS
@pytest.mark.parametrize("accepted", [1, 2, None])
def test_blocking_the_opponent_declines_the_offer(seat: Seat, accepted: Seat | None) -> None:
    match = paired()
    blocker, other = factories.player_of(match, seat), factories.player_of(match, 2 if seat == 1 else 1)
    deliver(match, blocker)
    if accepted:
        offers.accept(match.pk, factories.player_of(match, accepted))
    blocks.block(blocker, other.username)
    match.refresh_from_db()
    assert (match.state, match.void_reason) == (State.CANCELLED, "declined")
    assert ticket_states(match) == (["declined", "waiting"] if seat == 1 else ["waiting", "declined"])
    assert Penalty.objects.get().account_id == blocker.pk
    # The event does not show the block.
    assert "block" not in str(other.events.latest("number").data)


@SEATS
def test_blocking_before_delivery_has_no_penalty(seat: Seat) -> None:
    match = paired()
    blocker, other = factories.player_of(match, seat), factories.player_of(match, 2 if seat == 1 else 1)
    blocks.block(blocker, other.username)
    assert_called_off(match, ["cancelled", "waiting"] if seat == 1 else ["waiting", "cancelled"])
    queued(blocker)
    assert waves.pair_waiting(match.ladder).offers == 0


@SEATS
def test_an_offer_made_during_a_block_starts_no_match(seat: Seat) -> None:
    match = paired()
    Block.objects.create(account=factories.player_of(match, seat), blocked=factories.player_of(match, 3 - seat))  # type: ignore[arg-type]
    offers.accept(match.pk, match.player_one)
    assert_called_off(match, ["waiting", "waiting"])


def test_a_block_declines_all_offers_between_the_two() -> None:
    one, two = factories.make_players(2)
    proposed = [
        arranged.challenge(one, two.username, factories.make_ladder(), match_length=length)[0] for length in (1, 3)
    ]
    started = factories.started_match(one, two, origin="challenge")
    blocks.block(two, one.username)
    for match in proposed:
        match.refresh_from_db()
        assert (match.state, match.void_reason) == (State.CANCELLED, "declined")
    started.refresh_from_db()
    assert started.state == State.IN_PROGRESS


def test_recall_does_nothing_if_the_two_may_meet() -> None:
    match = paired()
    assert not offers.cancel_if_not_allowed(match.pk)
    offers.accept(match.pk, match.player_one)
    offers.accept(match.pk, match.player_two)
    blocks.block(match.player_one, match.player_two.username)
    match.refresh_from_db()
    assert match.state == State.IN_PROGRESS


def test_a_closed_account_leaves_the_queue() -> None:
    ticket = queued()
    accounts.close_account(ticket.account)
    ticket.refresh_from_db()
    assert ticket.state == "stopped"


# --- busy players ---


def disputed() -> Match:
    match = factories.awaiting_match(claimant=1)
    return reporting.dispute(match.pk, match.player_two).match


@pytest.mark.parametrize(
    ("match", "one_is_busy", "two_is_busy"),
    [
        (factories.started_match, True, True),
        (lambda: factories.awaiting_match(claimant=1), False, True),
        (lambda: factories.awaiting_match(claimant=2), True, False),
        (disputed, False, False),
        (factories.confirmed_match, False, False),
    ],
    ids=["in progress", "one waits for two", "two waits for one", "disputed", "confirmed"],
)
def test_a_player_who_must_answer_is_busy(match: Callable[[], Match], one_is_busy: bool, two_is_busy: bool) -> None:
    played = match()
    for player, is_busy in ((played.player_one, one_is_busy), (played.player_two, two_is_busy)):
        if is_busy:
            with pytest.raises(Conflict) as refused:
                queued(player)
            assert refused.value.code == "match_under_way"
        else:
            assert queued(player).is_live


def test_three_unconfirmed_wins_make_a_player_busy() -> None:
    player, ladder = factories.make_player(), factories.make_ladder()
    claimed = [factories.awaiting_match(player, factories.make_player(), claimant=1) for _ in range(2)]
    factories.awaiting_match(player, factories.make_player(), claimant=1, origin="challenge")
    assert tickets.cancel(queued(player).pk, player).state == "cancelled"
    third = factories.awaiting_match(factories.make_player(), player, claimant=2)
    reporting.dispute(third.pk, third.player_one)
    with pytest.raises(Conflict) as refused:
        queued(player)
    assert refused.value.code == "wins_unconfirmed"
    reporting.confirm(claimed[0].pk, claimed[0].player_two)
    assert queued(player, ladder=ladder).is_live


def test_a_busy_player_is_not_paired() -> None:
    ticket, other = queued(), queued()
    factories.started_match(ticket.account, factories.make_player())
    assert waves.pair_waiting(other.ladder).offers == 0


# --- tickets that are closed at the same time ---


def test_a_heartbeat_returns_a_closed_ticket_unchanged() -> None:
    ticket = queued()
    Ticket.objects.filter(pk=ticket.pk).update(state="silent", closed_at=ticket.created_at)
    assert tickets.keep_alive(ticket).state == "silent"


def test_joining_with_a_ticket_that_was_just_closed_creates_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = queued()
    stale = live_ticket(ticket.account)
    Ticket.objects.filter(pk=ticket.pk).update(state="silent", closed_at=ticket.created_at)
    monkeypatch.setattr(tickets, "live_ticket", lambda account: stale)
    entered, is_new = tickets.join_queue(ticket.account, ticket.ladder, [5])
    assert is_new
    assert entered.pk != ticket.pk
    assert entered.is_live


def test_an_error_on_one_ladder_does_not_stop_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = factories.make_ladder("broken"), factories.make_ladder("sound")
    for ladder in (broken, sound):
        queued(ladder=ladder), queued(ladder=ladder)
    usual = queue.pairable_tickets

    def snapshot(ladder: Ladder, *arguments: Any) -> object:
        if ladder == broken:
            raise RuntimeError("out of order")
        return usual(ladder, *arguments)

    monkeypatch.setattr(queue, "pairable_tickets", snapshot)
    assert waves.pair_all_ladders() == 1
    assert "wave failed" in caplog.text


def test_a_queue_of_all_the_lengths_a_ladder_can_offer() -> None:
    ladder = factories.make_ladder("long")
    ladder.match_lengths = list(range(1, 51))
    ladder.save()
    for _ in range(4):
        queued(None, *ladder.match_lengths, ladder=ladder)
    assert waves.pair_waiting(ladder).offers == 2
