"""From the offer to the start."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from django.conf import settings

from common.errors import Conflict, Invalid
from ladder.models import Match, Standing
from ladder.rules.match_life import Seat, State
from ladder.rules.ranked import Origin
from ladder.services.matches import offers
from tests import factories

pytestmark = pytest.mark.django_db


def test_an_offer_waits_for_both() -> None:
    match = factories.offered_match()
    assert (match.state, match.started_at) == (State.OFFERED, None)
    assert match.expires_at == match.created_at + timedelta(seconds=settings.MATCH_OFFER_SECONDS)


def test_both_players_have_a_standing_before_there_is_anything_to_settle() -> None:
    match = factories.offered_match()
    for player in (match.player_one, match.player_two):
        standing = factories.standing_of(player)
        assert (standing.rating, standing.peak_rating, standing.experience) == (Decimal("600.00"), Decimal("600.00"), 0)
        assert standing.last_ranked_at is None


def test_standings_start_at_the_rating_of_the_ladders_rules() -> None:
    classic = factories.make_ladder("classic", rule_set="fibs-classic")
    match = factories.offered_match(ladder=classic)
    assert factories.standing_of(match.player_one, classic).rating == Decimal("1500.00")


def test_another_offer_leaves_standings_alone() -> None:
    one, two = factories.make_players(2)
    factories.confirmed_match(one, two)
    factories.offered_match(one, two)
    assert Standing.objects.count() == 2
    assert factories.standing_of(one).rating == Decimal("644.27")


@pytest.mark.parametrize("origin", [Origin.CHALLENGE, Origin.INVITE, Origin.REMATCH])
def test_arranged_matches_say_that_they_are_unrated(origin: Origin) -> None:
    match = factories.offered_match(origin=origin)
    assert (match.unrated_reason, match.is_rated) == (origin.value, False)
    assert not Standing.objects.exists()


def test_a_match_needs_two_players() -> None:
    player = factories.make_player()
    with pytest.raises(Invalid) as refused:
        factories.offered_match(player, player)
    assert refused.value.code == "self_match"


@pytest.mark.parametrize("match_length", [-1, 0, 100])
def test_match_lengths_are_1_to_99(match_length: int) -> None:
    with pytest.raises(Invalid) as refused:
        factories.offered_match(match_length=match_length)
    assert (refused.value.code, refused.value.field) == ("match_length", "match_length")


@pytest.mark.parametrize("match_length", [1, 99])
def test_the_shortest_and_the_longest_match(match_length: int) -> None:
    assert factories.confirmed_match(match_length=match_length).state == State.CONFIRMED


def test_the_second_acceptance_starts_the_match() -> None:
    match = factories.offered_match()
    assert offers.accept(match.pk, match.player_two).match.state == State.OFFERED
    started = offers.accept(match.pk, match.player_one).match
    assert started.state == State.IN_PROGRESS
    assert started.started_at is not None
    assert started.expires_at == started.started_at + timedelta(hours=settings.MATCH_EXPIRY_HOURS)


def test_accepting_twice_counts_once() -> None:
    match = factories.offered_match()
    assert offers.accept(match.pk, match.player_one).changed
    again = offers.accept(match.pk, match.player_one)
    assert (again.changed, again.match.state) == (False, State.OFFERED)


def test_an_offer_cannot_be_accepted_when_its_time_is_over() -> None:
    match = factories.offered_match()
    offers.accept(match.pk, match.player_one)
    with time_machine.travel(match.expires_at, tick=False):
        with pytest.raises(Conflict) as refused:
            offers.accept(match.pk, match.player_two)
        assert refused.value.code == "offer_expired"
        assert not offers.accept(match.pk, match.player_one).changed


@pytest.mark.parametrize("accepted", [(), (1,), (2,)])
def test_declining_cancels_the_offer(accepted: tuple[Seat, ...]) -> None:
    match = factories.offered_match()
    for seat in accepted:
        offers.accept(match.pk, factories.player_of(match, seat))
    cancelled = offers.decline(match.pk, match.player_one).match
    assert (cancelled.state, cancelled.void_reason) == (State.CANCELLED, "declined")
    assert cancelled.finished_at is not None
    assert not offers.decline(match.pk, match.player_two).changed
    with pytest.raises(Conflict) as refused:
        offers.accept(match.pk, match.player_two)
    assert refused.value.code == "match_cancelled"


def test_a_match_that_started_cannot_be_declined() -> None:
    match = factories.started_match()
    with pytest.raises(Conflict) as refused:
        offers.decline(match.pk, match.player_one)
    assert refused.value.code == "match_in_progress"


def test_ensuring_standings_twice_makes_them_once() -> None:
    ladder, players = factories.make_ladder(), factories.make_players(3)
    for _ in range(2):
        offers.ensure_standings(ladder, [player.pk for player in players])
    assert Standing.objects.count() == 3


@pytest.mark.parametrize("origin", [Origin.MATCHMAKING, Origin.CHALLENGE])
@pytest.mark.parametrize("closed", [0, 1])
def test_a_closed_account_is_offered_no_match(closed: int, origin: Origin) -> None:
    players = factories.make_players(2)
    players[closed].is_active = False
    with pytest.raises(Invalid) as refused:
        offers.offer_match(factories.make_ladder(), *players, match_length=5, origin=origin)
    assert (refused.value.code, refused.value.field) == ("account_closed", "players")
    assert Match.objects.count() == 0
