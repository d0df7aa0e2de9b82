"""`queue_again_at` in `/me`: the later end of a penalty and a suspension."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import Suspension, User
from matchmaking.models import Penalty
from tests import clients
from tests.factories import make_moderator, make_player, offered_match

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def player() -> User:
    return make_player()


def penalize(player: User, until: datetime) -> None:
    match = offered_match(player, make_player())
    Penalty.objects.create(account=player, match=match, fault="declined", created_at=timezone.now(), until=until)


def suspend(player: User, until: datetime | None) -> None:
    Suspension.objects.create(account=player, reason="Stalling.", created_by=make_moderator(), until=until)


def shown(player: User) -> datetime | None:
    time = clients.player(player).get("me").json()["queue_again_at"]
    return datetime.fromisoformat(time) if time else None


def test_no_penalty_and_no_suspension(player: User) -> None:
    assert shown(player) is None


def test_a_penalty(player: User) -> None:
    penalize(player, until := timezone.now() + HOUR)
    assert shown(player) == until


def test_a_suspension(player: User) -> None:
    suspend(player, until := timezone.now() + HOUR)
    assert shown(player) == until


@pytest.mark.parametrize(("penalty", "suspension"), [(1, 2), (2, 1)])
def test_the_later_of_both(player: User, penalty: int, suspension: int) -> None:
    now = timezone.now()
    penalize(player, now + penalty * HOUR)
    suspend(player, now + suspension * HOUR)
    assert shown(player) == now + 2 * HOUR


def test_never_again(player: User) -> None:
    penalize(player, timezone.now() + HOUR)
    suspend(player, None)
    assert shown(player) is None
