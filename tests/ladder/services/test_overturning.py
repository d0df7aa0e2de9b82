"""A moderator takes a settled match back by exact opposite entries, or corrects it."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounts.models import AuditEntry, User
from common.errors import Conflict
from ladder.models import Match, RatingEntry, Standing
from ladder.rules.match_life import ConfirmedBy, Seat, State
from ladder.rules.ranked import Origin
from ladder.rules.ruling import ReasonCode
from ladder.services.ledger.standing_state import FIELDS, state_from_ledger
from ladder.services.matches import rulings
from ladder.services.settlement import Outcome
from tests import factories

pytestmark = pytest.mark.django_db

REASON = "Both say so."


def overturn(match: Match, winner: Seat | None, actor: User | None = None) -> Outcome:
    return rulings.overturn_match(
        match.pk,
        actor=actor or factories.make_moderator(),
        winner=winner,
        reason_code=ReasonCode.ADMITTED,
        reason=REASON,
    )


def facts(player: User) -> dict[str, Any]:
    """The standing, without the number of its newest entry."""
    standing = factories.standing_of(player)
    return {name: getattr(standing, name) for name in FIELDS if name != "last_sequence"}


def assert_standings_follow_from_the_ledger() -> None:
    for standing in Standing.objects.select_related("ladder"):
        made = state_from_ledger(standing, standing.ladder.rules.start)
        assert {name: getattr(standing, name) for name in FIELDS} == {name: getattr(made, name) for name in FIELDS}


def test_a_void_leaves_everything_as_if_the_match_had_never_been() -> None:
    one, two = factories.make_players(2)
    with time_machine.travel(timezone.now() - timedelta(days=9)):
        factories.confirmed_match(one, two, winner=2)
    before = facts(one), facts(two)
    match = factories.confirmed_match(one, two, winner=1, match_length=25)
    assert (facts(one), facts(two)) != before

    outcome = overturn(match, None)
    assert (facts(one), facts(two)) == before  # rating, experience, peak, wins, losses, streak, last ranked match
    match.refresh_from_db()
    assert (match.state, match.void_reason, factories.ruling_of(match)) == (State.VOIDED, "admitted", REASON)
    assert (match.winner, match.confirmed_by, match.settled_at) == (None, None, None)
    assert [entry.kind for entry in outcome.entries] == ["reversal", "reversal"]
    assert_standings_follow_from_the_ledger()


def test_a_void_of_the_only_match_makes_both_new_again() -> None:
    match = factories.confirmed_match()
    overturn(match, None)
    for player in (match.player_one, match.player_two):
        standing = factories.standing_of(player)
        assert (standing.rating, standing.peak_rating, standing.experience) == (Decimal("600.00"), Decimal("600.00"), 0)
        assert (standing.wins, standing.losses, standing.streak, standing.last_ranked_at) == (0, 0, 0, None)
        assert standing.last_sequence == 2


def test_reversals_are_exact_opposites_with_actor_and_reason() -> None:
    match, actor = factories.confirmed_match(), factories.make_moderator()
    overturn(match, None, actor)
    *settled, first, second = factories.entries_of(match)
    for entry in (first, second):
        reversed_entry = next(each for each in settled if each.standing_id == entry.standing_id)
        assert (entry.kind, entry.reverses, entry.sequence) == ("reversal", reversed_entry, 2)
        assert entry.delta == -reversed_entry.delta
        assert entry.before + entry.delta == entry.after
        assert (entry.experience_before, entry.experience_after) == (5, 0)
        assert (entry.actor, entry.reason) == (actor, REASON)
    audit = AuditEntry.objects.get(action="match.overturn")
    assert (audit.actor, audit.target_id, audit.reason) == (actor, str(match.pk), REASON)
    assert audit.data == {
        "ruling": 1, "winner": None, "reason_code": "admitted", "state_before": "confirmed",
        "winner_before": match.winner_id,
    }  # fmt: skip


def test_a_void_takes_back_its_own_match_and_nothing_of_the_later_ones() -> None:
    one, two, three = factories.make_players(3)
    wrong = factories.confirmed_match(one, two, winner=1)
    factories.confirmed_match(one, three, winner=1)
    factories.confirmed_match(one, two, winner=2)
    delta = factories.entries_of(wrong)[0].delta
    before, bystander = facts(one), facts(three)
    later = list(RatingEntry.objects.exclude(match=wrong).order_by("pk").values())

    overturn(wrong, None)
    after = facts(one)
    assert after["rating"] == before["rating"] - delta
    assert after["experience"] == before["experience"] - 5
    assert (after["wins"], after["losses"], after["streak"]) == (1, 1, -1)
    assert after["last_ranked_at"] == before["last_ranked_at"]
    assert facts(three) == bystander
    assert list(RatingEntry.objects.exclude(match=wrong).order_by("pk").values()) == later
    assert_standings_follow_from_the_ledger()


def test_the_peak_ignores_reversed_entries() -> None:
    one, two = factories.make_players(2)
    match = factories.confirmed_match(one, two, winner=1)
    factories.confirmed_match(one, two, winner=2)
    assert factories.standing_of(one).peak_rating == Decimal("644.27")
    overturn(match, None)
    assert factories.standing_of(one).peak_rating == Decimal("600.00")


@pytest.mark.parametrize("winner", [1, 2])
def test_a_correction_settles_for_the_other_player(winner: Seat) -> None:
    right: Seat = 2 if winner == 1 else 1
    match = factories.confirmed_match(winner=winner)
    finished_at = match.finished_at
    outcome = overturn(match, right)
    match.refresh_from_db()
    assert (match.state, match.confirmed_by, factories.ruling_of(match)) == (
        State.CONFIRMED,
        ConfirmedBy.MODERATOR,
        REASON,
    )
    assert match.winner == factories.player_of(match, right)
    assert match.finished_at == finished_at  # it was played when it was played
    assert [entry.kind for entry in outcome.entries] == ["reversal", "reversal", "settlement", "settlement"]
    for entry in factories.entries_of(match)[-2:]:
        assert entry.follows is not None
        assert entry.follows.standing_id == entry.standing_id
        assert (entry.experience_before, entry.experience_after) == (0, 5)
    winning = factories.standing_of(factories.player_of(match, right))
    assert (winning.rating, winning.wins, winning.losses) == (Decimal("644.27"), 1, 0)
    assert (winning.streak, winning.last_ranked_at) == (1, finished_at)
    losing = factories.standing_of(factories.player_of(match, winner))
    assert (losing.rating, losing.peak_rating, losing.streak) == (Decimal("555.73"), Decimal("600.00"), -1)
    assert_standings_follow_from_the_ledger()


def test_a_correction_can_be_corrected_and_then_voided() -> None:
    match = factories.confirmed_match(winner=1)
    before = [facts(player) for player in (match.player_one, match.player_two)]
    overturn(match, 2)
    overturn(match, 1)
    assert [facts(player) for player in (match.player_one, match.player_two)] == before
    overturn(match, None)
    assert [facts(player)["rating"] for player in (match.player_one, match.player_two)] == [Decimal("600.00")] * 2
    assert len(factories.entries_of(match)) == 12
    assert not RatingEntry.objects.filter(kind="settlement", reversals__isnull=True).exists()
    assert_standings_follow_from_the_ledger()


@pytest.mark.parametrize("winner", [2, None])
def test_the_same_again_changes_nothing(winner: Seat | None) -> None:
    match = factories.confirmed_match(winner=1)
    overturn(match, winner)
    stood = Match.objects.filter(pk=match.pk).values().get()
    entries = len(factories.entries_of(match))
    again = overturn(match, winner)
    assert (again.changed, again.entries) == (False, [])
    assert Match.objects.filter(pk=match.pk).values().get() == stood
    assert len(factories.entries_of(match)) == entries
    assert AuditEntry.objects.filter(action="match.overturn").count() == 1


def test_correcting_to_the_winner_it_has_changes_nothing() -> None:
    match = factories.confirmed_match(winner=1)
    assert not overturn(match, 1).changed
    assert len(factories.entries_of(match)) == 2


@pytest.mark.parametrize(
    ("make", "winner", "code"),
    [
        (factories.offered_match, None, "match_not_started"),
        (factories.started_match, None, "match_in_progress"),
        (factories.awaiting_match, 2, "match_awaiting_confirmation"),
        (factories.disputed_match, None, "match_disputed"),
        (factories.voided_match, 1, "match_voided"),
        (factories.cancelled_match, None, "match_cancelled"),
    ],
)
def test_only_a_result_can_be_overturned(make, winner: Seat | None, code: str) -> None:
    with pytest.raises(Conflict) as refused:
        overturn(make(), winner)
    assert refused.value.code == code


@pytest.mark.parametrize("winner", [2, None])
def test_an_unrated_match_is_overturned_without_any_entry(winner: Seat | None) -> None:
    match = factories.confirmed_match(origin=Origin.REMATCH)
    assert overturn(match, winner).entries == []
    match.refresh_from_db()
    assert match.state == (State.CONFIRMED if winner else State.VOIDED)
    assert (match.settled_at, match.unrated_reason) == (None, "rematch")
    assert not RatingEntry.objects.exists()
