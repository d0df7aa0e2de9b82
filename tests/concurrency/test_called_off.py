"""Blocks, suspensions and closed accounts at the same time as waves, acceptances and changes of tickets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone

from accounts.models import User
from accounts.services import closing as accounts
from common.errors import Refusal
from ladder.models import Match
from ladder.rules.match_life import State
from ladder.services.matches import offers
from ladder.services.matches.offers import ensure_standings
from matchmaking import limits
from matchmaking.models import OfferSide, Ticket
from matchmaking.queries.tickets import silence_limit
from matchmaking.services import outcomes, tickets, waves
from matchmaking.services.outcomes import QueueAccountListener, QueueMatchListener
from tests.concurrency.calls import blocking, closing, joining, suspending
from tests.concurrency.racing import (
    Call,
    Callers,
    errors_of,
    gate_after,
    gate_before,
    overtake,
    refusal,
    without_locks_on,
    without_row_locks,
)
from tests.factories import make_player
from tests.matchmaking.queueing import paired, queued

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

MakeCallers = Callable[[int], Callers]


def state_of(ticket: Ticket) -> str:
    return Ticket.objects.get(pk=ticket.pk).state


def ticket_states(match: Match) -> list[str]:
    """The states of the tickets of a match, by seat."""
    sides = OfferSide.objects.filter(offer=match.pk).order_by("seat")
    return list(sides.values_list("ticket__state", flat=True))


# --- during a wave: its offers are written but not committed ---


def a_wave(patch: pytest.MonkeyPatch) -> tuple[Call, Ticket, Ticket]:
    """A wave with the gate after it has locked two tickets and checked that their players may meet."""
    one, two = queued(), queued()
    ensure_standings(one.ladder, [one.account_id, two.account_id])
    gate_before(patch, waves, "new_offer")
    return (lambda: waves.pair_waiting(one.ladder).offers), one, two


def both_accept(match: Match) -> list[Any]:
    """The result of each player's acceptance, one after the other."""
    answers: list[Any] = []
    for player in (match.player_one, match.player_two):
        try:
            answers.append(offers.accept(match.pk, player).match.state)
        except Refusal as refused:
            answers.append(refused.code)
    return answers


def test_a_block_during_a_wave(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    """The block does not see the offer, and the wave does not see the block. The acceptance sees both."""
    wave, one, two = a_wave(monkeypatch)
    raced = overtake(callers(2), wave, blocking(one.account, two.account))
    assert (raced.passed, raced.slow, raced.fast) == (True, 1, None)
    match = Match.objects.get()
    assert both_accept(match) == [State.CANCELLED, "match_cancelled"]
    assert ticket_states(match) == ["waiting", "waiting"]


def test_without_the_check_at_each_acceptance_blocked_players_play(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch
) -> None:
    wave, one, two = a_wave(monkeypatch)
    overtake(callers(2), wave, blocking(one.account, two.account))
    monkeypatch.setattr(offers, "_may_not_play", lambda match: False)
    assert both_accept(Match.objects.get()) == [State.OFFERED, State.IN_PROGRESS]


def test_a_suspension_during_a_wave(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    wave, one, two = a_wave(monkeypatch)
    raced = overtake(callers(2), wave, suspending(one.account))
    assert (raced.passed, raced.slow, errors_of([raced.fast])) == (False, 1, [])
    assert Match.objects.get().state == State.CANCELLED
    assert (state_of(one), state_of(two)) == ("stopped", "waiting")


def test_without_the_locks_on_tickets_the_wave_fails(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waves, "_LOCK_TICKETS", waves._LOCK_TICKETS.replace("FOR UPDATE", ""))
    wave, one, _two = a_wave(monkeypatch)
    raced = overtake(callers(2), wave, suspending(one.account))
    assert (raced.passed, errors_of([raced.fast])) == (True, [])
    assert isinstance(raced.slow, IntegrityError)
    assert "a_closed_ticket_has_a_time" in str(raced.slow)


def test_closing_an_account_during_a_wave(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing waits for the ticket that the wave has locked. Then there is an offer, so the account stays open."""
    wave, one, two = a_wave(monkeypatch)
    raced = overtake(callers(2), wave, closing(one.account))
    assert (raced.passed, raced.slow, refusal(raced.fast)) == (False, 1, "match_under_way")
    assert (state_of(one), state_of(two)) == ("offered", "offered")


def test_with_a_stronger_lock_there_is_a_deadlock(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    def lock_out(account_id: int) -> list[User]:
        return [User.objects.select_for_update().get(pk=account_id)]

    monkeypatch.setattr(accounts, "lock_accounts", lock_out)
    wave, one, _two = a_wave(monkeypatch)
    raced = overtake(callers(2), wave, closing(one.account))
    (error,) = errors_of([raced.slow, raced.fast])
    assert "deadlock detected" in str(error)


# --- during the second acceptance ---


@pytest.fixture
def half_accepted() -> Match:
    match = paired()
    offers.accept(match.pk, match.player_one)
    return match


def accepting(match: Match) -> Call:
    return lambda: offers.accept(match.pk, match.player_two).match.state


def against_the_acceptance(match: Match) -> dict[str, Call]:
    """Actions that prevent the start of the match."""
    first = Ticket.objects.get(account=match.player_one)
    return {
        "block": blocking(match.player_one, match.player_two),
        "suspension": suspending(match.player_one),
        "cancel": lambda: tickets.cancel(first.pk, match.player_one),
    }


REFUSED = {"block": None, "suspension": None, "cancel": "ticket_matched"}


@pytest.mark.parametrize("what", REFUSED)
def test_the_match_has_just_started(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, half_accepted: Match, what: str
) -> None:
    gate_before(monkeypatch, QueueMatchListener, "match_started")
    raced = overtake(callers(2), accepting(half_accepted), against_the_acceptance(half_accepted)[what])
    assert (raced.passed, raced.slow) == (False, State.IN_PROGRESS)
    assert [refusal(error) for error in errors_of([raced.fast])] == ([REFUSED[what]] if REFUSED[what] else [])
    assert ticket_states(half_accepted) == ["matched", "matched"]


@pytest.mark.parametrize(("what", "tickets_then"), [
    ("block", ["declined", "waiting"]), ("suspension", ["stopped", "waiting"]), ("cancel", ["declined", "waiting"]),
])  # fmt: skip
def test_the_offer_was_just_called_off(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, half_accepted: Match, what: str, tickets_then: list[str]
) -> None:
    OfferSide.objects.update(shown_at=timezone.now())
    gate_before(monkeypatch, QueueMatchListener, "match_cancelled")
    raced = overtake(callers(2), against_the_acceptance(half_accepted)[what], accepting(half_accepted))
    assert (raced.passed, refusal(raced.fast)) == (False, "match_cancelled")
    assert errors_of([raced.slow]) == []
    assert ticket_states(half_accepted) == tickets_then


@pytest.mark.parametrize("what", ["suspension", "cancel"])
def test_without_the_lock_on_the_match_the_database_refuses(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, half_accepted: Match, what: str
) -> None:
    """Without the lock, a match that is called off would start."""
    OfferSide.objects.update(shown_at=timezone.now())
    without_row_locks(monkeypatch)
    gate_before(monkeypatch, QueueMatchListener, "match_cancelled")
    raced = overtake(callers(2), against_the_acceptance(half_accepted)[what], accepting(half_accepted))
    assert errors_of([raced.slow]) == []
    assert isinstance(raced.fast, IntegrityError)
    assert "finished_means_a_time" in str(raced.fast)


# --- tickets that change at the same time ---


@pytest.mark.parametrize(("looks", "after"), [(limits.MAX_REMOVE_ATTEMPTS, "stopped"), (1, "waiting")])
def test_a_suspension_while_an_offer_ends(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, looks: int, after: str
) -> None:
    """The ticket returns to the queue after the suspension has found its offer. One attempt is not enough."""
    monkeypatch.setattr(outcomes, "MAX_REMOVE_ATTEMPTS", looks)
    match = paired()
    ticket = Ticket.objects.get(account=match.player_one)
    gate_after(monkeypatch, outcomes, "_stop_waiting")
    raced = overtake(callers(2), suspending(match.player_one), lambda: offers.decline(match.pk, match.player_two))
    assert (raced.passed, errors_of([raced.slow, raced.fast])) == (True, [])
    assert state_of(ticket) == after


def test_a_suspension_while_joining(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    player = make_player()
    gate_before(monkeypatch, tickets, "check_not_busy")
    raced = overtake(callers(2), joining(player), suspending(player))
    assert (raced.passed, errors_of([raced.slow, raced.fast])) == (False, [])
    assert state_of(raced.slow[0]) == "stopped"


def test_joining_during_a_suspension(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    player = make_player()
    gate_before(monkeypatch, QueueAccountListener, "stopped")
    raced = overtake(callers(2), suspending(player), joining(player))
    assert (raced.passed, refusal(raced.fast)) == (False, "suspended")
    assert not Ticket.objects.exists()


def test_without_the_lock_a_suspended_player_is_queued(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    player = make_player()
    without_locks_on(monkeypatch, User)
    gate_before(monkeypatch, tickets, "check_not_busy")
    raced = overtake(callers(2), joining(player), suspending(player))
    assert (raced.passed, state_of(raced.slow[0])) == (True, "waiting")


def test_joining_while_closing(callers: MakeCallers, monkeypatch: pytest.MonkeyPatch) -> None:
    player = make_player()
    gate_before(monkeypatch, accounts, "_delete_personal_data")
    raced = overtake(callers(2), closing(player), joining(player))
    assert (raced.passed, raced.slow, refusal(raced.fast)) == (False, None, "account_closed")
    assert not Ticket.objects.exists()


def going(how: str, ticket: Ticket) -> Call:
    match how:
        case "cancel":
            return lambda: tickets.cancel(ticket.pk, ticket.account)
        case "silence":
            return tickets.remove_silent
        case _:
            offered = ticket.offer_sides.get().offer_id
            return lambda: offers.decline(offered, ticket.account)


@pytest.mark.parametrize("how", ["cancel", "silence", "decline"])
def test_joining_again_while_the_ticket_is_closed(
    callers: MakeCallers, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """A player whose live ticket was found, but closed before it is used, gets a new one."""
    ticket = Ticket.objects.get(account=paired().player_one) if how == "decline" else queued()
    if how == "silence":
        Ticket.objects.update(seen_at=timezone.now() - 2 * silence_limit())
    gate_after(monkeypatch, tickets, "live_ticket")
    raced = overtake(callers(2), joining(ticket.account), going(how, ticket))
    assert (raced.passed, errors_of([raced.slow, raced.fast])) == (True, [])
    entered, is_new = raced.slow
    assert (is_new, entered.pk != ticket.pk, state_of(entered)) == (True, True, "waiting")
