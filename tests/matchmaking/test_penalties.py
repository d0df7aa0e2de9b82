"""Lifting penalties: by whom, and until when."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import AuditEntry, User
from accounts.queries.suspensions import minute_text
from accounts.services.roles import ensure_moderators
from common.errors import Conflict, Forbidden, Invalid, NotFound, Refusal
from matchmaking.cooldowns import COUNTED_FOR
from matchmaking.models import Penalty
from matchmaking.services import penalties
from tests.factories import make_player
from tests.matchmaking.queueing import declined, queued

pytestmark = pytest.mark.django_db


@pytest.fixture
def moderator() -> User:
    account = make_player(is_staff=True)
    account.groups.add(ensure_moderators())
    return account


def refusal(penalty: Penalty, actor: User) -> str:
    """The error code of an attempt to lift it."""
    with pytest.raises(Refusal) as refused:
        penalties.lift(penalty.pk, actor=actor, reason="x")
    penalty.refresh_from_db()
    assert penalty.lifted_at is None
    return refused.value.code


def test_a_lifted_penalty_is_not_in_force_and_has_actor_and_reason(moderator: User) -> None:
    penalty = declined()
    Penalty.objects.update(until=timezone.now() + timedelta(minutes=10))
    penalty.refresh_from_db()
    assert penalty.is_in_force(timezone.now())
    assert not penalty.is_in_force(penalty.until)
    with pytest.raises(Conflict) as refused:
        queued(penalty.account)
    assert minute_text(penalty.until) in refused.value.detail
    lifted = penalties.lift(penalty.pk, actor=moderator, reason="The server was at fault.")
    assert not lifted.is_in_force(timezone.now())
    assert (lifted.lifted_by, lifted.lifted_reason) == (moderator, "The server was at fault.")
    assert AuditEntry.objects.filter(action="penalty.lift", actor=moderator).count() == 1
    assert queued(penalty.account).is_live


def test_a_warning_can_be_lifted_for_a_day(moderator: User) -> None:
    one, other = declined(), declined()
    almost = timezone.now() - COUNTED_FOR + timedelta(minutes=1)
    Penalty.objects.filter(pk=one.pk).update(created_at=almost, until=almost)
    assert penalties.lift(one.pk, actor=moderator, reason="x").lifted_at
    long_ago = timezone.now() - COUNTED_FOR
    Penalty.objects.filter(pk=other.pk).update(created_at=long_ago, until=long_ago)
    assert refusal(other, moderator) == "penalty_forgotten"


def test_forbidden_actors(moderator: User) -> None:
    penalty = declined()
    superuser = make_player(is_superuser=True, is_staff=True)
    gone = make_player(is_superuser=True, is_active=False)
    assert {refusal(penalty, actor) for actor in (penalty.account, make_player(), gone)} == {"not_a_moderator"}
    assert refusal(declined(moderator), moderator) == "own_penalty"
    assert refusal(declined(superuser), superuser) == "own_penalty"


@pytest.mark.parametrize("reason", ["", " \n"])
def test_not_without_a_reason(moderator: User, reason: str) -> None:
    with pytest.raises(Invalid) as refused:
        penalties.lift(declined().pk, actor=moderator, reason=reason)
    assert (refused.value.code, refused.value.field) == ("reason_required", "reason")


def test_an_unknown_penalty(moderator: User) -> None:
    with pytest.raises(NotFound):
        penalties.lift(999_999_999, actor=moderator, reason="x")
    with pytest.raises(Forbidden):
        penalties.lift(999_999_999, actor=make_player(), reason="x")
