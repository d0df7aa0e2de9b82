"""From a ticket to a started match, or back to the queue."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.utils import timezone

from accounts.models import Block
from accounts.services import suspensions
from common.errors import Conflict, Forbidden, Invalid, NotFound
from events.models import Event, Presence
from ladder.event_kinds import MATCH_OFFERED
from ladder.models import Match
from ladder.rules.match_life import State
from ladder.services.matches import offers, reporting
from matchmaking.models import Offer, Penalty, Ticket
from matchmaking.services import penalties, tickets, waves
from tests.factories import make_ladder, make_moderator, make_player, started_match
from tests.matchmaking.queueing import deliver, event_kinds, expire, paired, queued

pytestmark = pytest.mark.django_db


def state(ticket: Ticket) -> str:
    ticket.refresh_from_db()
    return ticket.state


def ticket_of(match: Match, seat: int) -> Ticket:
    return Ticket.objects.get(offer_sides__offer=match.pk, offer_sides__seat=seat)


def test_joining_again_returns_the_same_ticket() -> None:
    player = make_player()
    first, is_new = tickets.join_queue(player, make_ladder(), [7, 5, 5])
    again, is_new_again = tickets.join_queue(player, make_ladder(), [1])
    assert (is_new, is_new_again) == (True, False)
    assert again.pk == first.pk
    assert again.match_lengths == [5, 7]


@pytest.mark.parametrize(("lengths", "code"), [([], "no_match_length"), ([5, 4], "match_length_not_offered")])
def test_lengths_that_the_queue_does_not_offer(lengths: list[int], code: str) -> None:
    with pytest.raises(Invalid) as refused:
        tickets.join_queue(make_player(), make_ladder(), lengths)
    assert (refused.value.code, refused.value.field) == (code, "match_lengths")


def test_no_ticket_during_a_ranked_match_but_during_an_unrated_one() -> None:
    match = started_match()
    with pytest.raises(Conflict) as refused:
        queued(match.player_one)
    assert refused.value.code == "match_under_way"
    challenge = started_match(origin="challenge")
    assert queued(challenge.player_one).is_live


def test_a_suspended_player_gets_no_ticket_and_is_not_paired() -> None:
    moderator = make_moderator()
    moderator.user_permissions.add(suspend_permission())
    waiting, other = queued(), queued()
    until = timezone.now() + timedelta(days=1)
    suspensions.suspend(waiting.account_id, actor=moderator, reason="Cheating.", until=until)
    assert waves.pair_waiting(waiting.ladder).offers == 0
    with pytest.raises(Forbidden) as refused:
        tickets.join_queue(waiting.account, waiting.ladder, [5])
    assert (refused.value.code, refused.value.until) == ("suspended", until)
    assert state(other) == "waiting"


def suspend_permission() -> Permission:
    return Permission.objects.get(codename="suspend_account")


def test_two_waiting_players_are_offered_a_match() -> None:
    match = paired()
    assert match.state == State.OFFERED
    assert match.is_rated
    assert (match.origin, match.match_length) == ("matchmaking", 5)
    offer = Offer.objects.get()
    assert offer.win_probability == 0.5
    assert {side.ticket.state for side in offer.sides.all()} == {"offered"}
    event = match.player_one.events.get()
    assert event.kind == MATCH_OFFERED.code
    assert event.data["match"] == str(match.pk)
    assert event.data["opponent"] == match.player_two_id
    assert event.data["win_probability"] == 0.5


def test_both_accept_and_the_match_starts() -> None:
    match = paired()
    offers.accept(match.pk, match.player_one)
    outcome = offers.accept(match.pk, match.player_two)
    assert outcome.match.state == State.IN_PROGRESS
    assert {state(ticket_of(match, seat)) for seat in (1, 2)} == {"matched"}
    assert Offer.objects.get().outcome == "started"
    assert event_kinds(match.player_one) == ["match_offered", "offer_accepted", "match_started"]


def test_declining_leaves_the_queue_and_the_other_keeps_the_waiting_time() -> None:
    match = paired()
    since = ticket_of(match, 1).waiting_since
    offers.accept(match.pk, match.player_one)
    offers.decline(match.pk, match.player_two)
    one, two = ticket_of(match, 1), ticket_of(match, 2)
    assert (one.state, two.state) == ("waiting", "declined")
    assert one.waiting_since == since
    assert one.queued_at > since
    penalty = Penalty.objects.get()
    assert (penalty.account_id, penalty.fault) == (match.player_two_id, "declined")
    assert penalty.until == penalty.created_at
    data = {event.account_id: event.data for event in Event.objects.filter(kind="offer_declined")}
    assert data[match.player_one_id]["ticket_state"] == "waiting"
    assert data[match.player_two_id]["ticket_state"] == "declined"


def test_not_answering_a_delivered_offer_is_a_fault() -> None:
    match = paired()
    offers.accept(match.pk, match.player_one)
    deliver(match, match.player_two)
    expire(match)
    assert [state(ticket_of(match, seat)) for seat in (1, 2)] == ["waiting", "unanswered"]
    assert Penalty.objects.get().fault == "unanswered"


def test_an_offer_that_was_not_delivered_has_no_penalty() -> None:
    match = paired()
    expire(match)
    assert [state(ticket_of(match, seat)) for seat in (1, 2)] == ["waiting", "waiting"]
    assert not Penalty.objects.exists()


def test_penalties_grow_and_start_again_after_a_day() -> None:
    player = make_player()
    minutes = []
    for _ in range(5):
        match = paired(player)
        offers.decline(match.pk, player)
        Ticket.objects.filter(state="waiting").update(state="cancelled", closed_at=timezone.now())
        penalty = Penalty.objects.order_by("-pk")[0]
        minutes.append((penalty.until - penalty.created_at).total_seconds() / 60)
        Penalty.objects.update(until=timezone.now())
    assert minutes == [0, 2, 10, 30, 30]
    Penalty.objects.update(created_at=timezone.now() - timedelta(hours=25), until=timezone.now())
    match = paired(player)
    offers.decline(match.pk, player)
    assert Penalty.objects.order_by("-pk")[0].until <= timezone.now()


def test_a_penalty_has_an_end_and_can_be_lifted() -> None:
    player = make_player()
    for _ in range(2):
        match = paired(player)
        offers.decline(match.pk, player)
        Ticket.objects.filter(state="waiting").update(state="cancelled", closed_at=timezone.now())
    with pytest.raises(Conflict) as refused:
        queued(player)
    penalty = Penalty.objects.order_by("-pk")[0]
    assert (refused.value.code, refused.value.until) == ("queue_penalty", penalty.until)
    superuser = make_player(is_superuser=True, is_staff=True)
    penalties.lift(penalty.pk, actor=superuser, reason="The server was at fault.")
    assert queued(player).is_live
    with pytest.raises(Conflict, match="already"):
        penalties.lift(penalty.pk, actor=superuser, reason="Again.")


def test_cancelling_a_ticket() -> None:
    ticket = queued()
    tickets.cancel(ticket.pk, ticket.account)
    assert state(ticket) == "cancelled"
    assert tickets.cancel(ticket.pk, ticket.account).state == "cancelled"
    with pytest.raises(NotFound):
        tickets.cancel(ticket.pk, make_player())


def test_cancelling_during_an_offer_declines_it() -> None:
    match = paired()
    ticket = ticket_of(match, 1)
    deliver(match, ticket.account)
    assert tickets.cancel(ticket.pk, ticket.account).state == "declined"
    assert Penalty.objects.get().account_id == ticket.account_id
    assert state(ticket_of(match, 2)) == "waiting"


def test_leaving_before_delivery_has_no_penalty() -> None:
    match = paired()
    ticket = ticket_of(match, 1)
    assert tickets.cancel(ticket.pk, ticket.account).state == "cancelled"
    assert state(ticket_of(match, 2)) == "waiting"
    match.refresh_from_db()
    assert (match.state, match.void_reason) == (State.CANCELLED, "called_off")
    assert not Penalty.objects.exists()


def test_leaving_at_the_moment_of_delivery_declines_the_offer() -> None:
    match = paired()
    deliver(match, match.player_one)  # after the player had asked to leave
    assert offers.withdraw(match.pk, match.player_one)
    assert [state(ticket_of(match, seat)) for seat in (1, 2)] == ["declined", "waiting"]
    assert Penalty.objects.get().account_id == match.player_one_id


def test_declining_too_late_counts_as_not_answering() -> None:
    match = paired()
    offers.accept(match.pk, match.player_one)
    deliver(match, match.player_two)
    Match.objects.filter(pk=match.pk).update(expires_at=timezone.now())
    # The player who accepted is not at fault, although they decline first.
    assert offers.decline(match.pk, match.player_one).match.void_reason == "offer_expired"
    assert [state(ticket_of(match, seat)) for seat in (1, 2)] == ["waiting", "unanswered"]
    assert Penalty.objects.get().account_id == match.player_two_id


def test_a_player_who_accepted_is_not_silent_afterwards() -> None:
    match = paired()
    Ticket.objects.update(seen_at=timezone.now() - timedelta(minutes=5))
    offers.accept(match.pk, match.player_one)
    deliver(match, match.player_two)
    expire(match)
    assert tickets.remove_silent() == 0
    assert state(ticket_of(match, 1)) == "waiting"


def test_without_delivery_a_player_is_paired_after_the_next_heartbeat() -> None:
    match = paired()
    accepting, other = match.player_one, match.player_two
    offers.accept(match.pk, accepting)
    expire(match)
    third = queued()
    assert waves.pair_waiting(match.ladder).offers == 1
    assert set(Match.objects.filter(state="offered").values_list("player_one", "player_two").get()) == {
        accepting.pk, third.account_id
    }  # fmt: skip
    fourth = queued()
    assert waves.pair_waiting(match.ladder).offers == 0
    tickets.keep_alive(Ticket.objects.get(account=other))
    assert waves.pair_waiting(match.ladder).offers == 1
    assert state(fourth) == "offered"


def test_after_an_undelivered_offer_the_two_are_not_paired_for_a_while() -> None:
    match = paired()
    offers.accept(match.pk, match.player_one)
    expire(match)
    tickets.keep_alive(ticket_of(match, 2))
    assert waves.pair_waiting(match.ladder).offers == 0
    Offer.objects.update(closed_at=timezone.now() - timedelta(minutes=1))
    assert waves.pair_waiting(match.ladder).offers == 1


def test_a_long_match_counts_as_a_meeting_when_it_ends() -> None:
    one, two = make_player(), make_player()
    match = started_match(one, two)
    reporting.report(match.pk, one, winner=two.username)
    Match.objects.update(started_at=timezone.now() - timedelta(hours=25))
    queued(one), queued(two)
    assert waves.pair_waiting(match.ladder).offers == 0
    Match.objects.update(finished_at=timezone.now() - timedelta(minutes=31))
    assert waves.pair_waiting(match.ladder).offers == 1


def test_meetings_of_the_last_24_hours_count_for_the_daily_limit() -> None:
    one, two = make_player(), make_player()
    day, hour = timedelta(days=1), timedelta(hours=1)
    for age in (day - timedelta(minutes=1), 3 * hour, 2 * hour):
        match = started_match(one, two)
        reporting.report(match.pk, one, winner=two.username)
        began = timezone.now() - age
        Match.objects.filter(pk=match.pk).update(started_at=began, finished_at=began + timedelta(minutes=10))
    queued(one, waited=3600), queued(two, waited=3600)
    assert waves.pair_waiting(make_ladder()).offers == 0
    oldest = Match.objects.order_by("started_at")[0]
    Match.objects.filter(pk=oldest.pk).update(started_at=timezone.now() - day)
    assert waves.pair_waiting(make_ladder()).offers == 1


def test_another_ranked_match_closes_the_ticket() -> None:
    ticket = queued()
    started_match(ticket.account, make_player(), origin="tournament")
    assert state(ticket) == "stopped"
    other = queued()
    started_match(other.account, make_player(), origin="challenge")
    assert state(other) == "waiting"


def test_a_ticket_whose_match_has_started_cannot_be_cancelled() -> None:
    match = paired()
    offers.accept(match.pk, match.player_one)
    offers.accept(match.pk, match.player_two)
    with pytest.raises(Conflict) as refused:
        tickets.cancel(ticket_of(match, 1).pk, match.player_one)
    assert refused.value.code == "ticket_matched"


def test_silent_tickets_are_closed_unless_a_stream_is_open() -> None:
    silent, streaming, active = queued(), queued(), queued()
    Ticket.objects.update(seen_at=timezone.now() - timedelta(minutes=5))
    Presence.objects.create(account=streaming.account, seen_at=timezone.now())
    tickets.keep_alive(active)
    assert tickets.remove_silent() == 1
    assert [state(ticket) for ticket in (silent, streaming, active)] == ["silent", "waiting", "waiting"]
    assert event_kinds(silent.account) == ["ticket_closed"]


def test_a_silent_ticket_is_not_paired() -> None:
    silent, other = queued(), queued()
    Ticket.objects.filter(pk=silent.pk).update(seen_at=timezone.now() - timedelta(minutes=5))
    assert waves.pair_waiting(other.ladder).offers == 0


@pytest.mark.parametrize("which", [0, 1])
def test_blocked_players_are_never_paired(which: int) -> None:
    both = [queued(waited=3600), queued(waited=3600)]
    Block.objects.create(account=both[which].account, blocked=both[1 - which].account)
    assert waves.pair_waiting(both[0].ladder).offers == 0


def test_the_same_two_do_not_meet_again_at_once_nor_more_than_three_times_a_day() -> None:
    one, two = make_player(), make_player()
    for meeting in range(3):
        first, _second = queued(one, waited=3600), queued(two, waited=3600)
        if meeting == 1:
            Ticket.objects.filter(state="waiting").update(waiting_since=timezone.now())
            assert waves.pair_waiting(first.ladder).offers == 0
            Ticket.objects.filter(state="waiting").update(waiting_since=timezone.now() - timedelta(hours=1))
        assert waves.pair_waiting(first.ladder).offers == 1
        match = Match.objects.order_by("-created_at")[0]
        offers.accept(match.pk, one)
        offers.accept(match.pk, two)
        reporting.report(match.pk, one, winner=two.username)
    queued(one, waited=7200), queued(two, waited=7200)
    assert waves.pair_waiting(make_ladder()).offers == 0


def test_one_of_three_players_keeps_waiting() -> None:
    three = [queued(waited=seconds) for seconds in (30, 20, 10)]
    assert waves.pair_waiting(three[0].ladder).offers == 1
    assert sorted(state(ticket) for ticket in three) == ["offered", "offered", "waiting"]


def test_a_ticket_that_is_cancelled_during_the_wave_is_not_paired(monkeypatch: pytest.MonkeyPatch) -> None:
    going, staying = queued(), queued()
    lock_tickets = waves._lock_tickets

    def cancel_first(*arguments: object) -> object:
        tickets.cancel(going.pk, going.account)
        return lock_tickets(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(waves, "_lock_tickets", cancel_first)
    report = waves.pair_waiting(going.ladder)
    assert (report.offers, report.skipped) == (0, 2)
    assert [state(going), state(staying)] == ["cancelled", "waiting"]


def test_players_on_different_ladders_are_not_paired() -> None:
    here, there = queued(), queued(ladder=make_ladder("other"))
    assert waves.pair_all_ladders() == 0
    assert {state(here), state(there)} == {"waiting"}
