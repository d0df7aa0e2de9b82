"""Suspensions: who can suspend an account, for how long, and the effects."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone

from accounts.models import AuditEntry, Suspension, User
from accounts.queries.suspensions import check_not_suspended, in_force, minute_text
from accounts.services import suspensions
from accounts.services.roles import ensure_moderators
from common.errors import Conflict, Forbidden, Invalid, NotFound, Refusal
from ladder.models import Match
from ladder.rules.match_life import State
from ladder.rules.ranked import Origin
from ladder.services.matches import offers, reporting
from matchmaking.services import tickets
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def moderator() -> User:
    account = factories.make_player(is_staff=True)
    account.groups.add(ensure_moderators())
    return account


@pytest.fixture
def player() -> User:
    return factories.make_player()


def tomorrow() -> datetime:
    return timezone.now() + timedelta(days=1)


def refused(kind: type[Refusal], action: Callable[[], object]) -> Refusal:
    with pytest.raises(kind) as refusal:
        action()
    return refusal.value


def test_a_suspended_player_cannot_join_the_queue(moderator: User, player: User) -> None:
    until = tomorrow()
    suspension = suspensions.suspend(player.pk, actor=moderator, reason="Stalling.", until=until)
    refusal = refused(Forbidden, lambda: tickets.join_queue(player, factories.make_ladder(), [5]))
    assert (refusal.code, refusal.until) == ("suspended", until)
    assert "Stalling." in refusal.detail
    audit = AuditEntry.objects.get()
    assert (audit.action, audit.actor, audit.target_id) == ("account.suspend", moderator, str(player.pk))
    assert audit.data == {"suspension": suspension.pk, "until": until.isoformat()}


def test_a_suspended_player_is_offered_no_match(moderator: User, player: User) -> None:
    suspensions.suspend(player.pk, actor=moderator, reason="Stalling.", until=tomorrow())
    for players in ((player, factories.make_player()), (factories.make_player(), player)):
        for origin in (Origin.MATCHMAKING, Origin.TOURNAMENT, Origin.CHALLENGE):
            refusal = refused(Forbidden, partial(factories.offered_match, *players, origin=origin))
            # Other players do not see the reason.
            assert (refusal.code, refusal.field, "Stalling" in refusal.detail) == ("player_suspended", "players", False)
    assert not Match.objects.exists()


def test_an_offer_made_before_cannot_be_accepted(moderator: User) -> None:
    match = factories.offered_match()
    offers.accept(match.pk, match.player_two)
    suspensions.suspend(match.player_one_id, actor=moderator, reason="Stalling.", until=tomorrow())
    assert refused(Forbidden, lambda: offers.accept(match.pk, match.player_one)).code == "suspended"
    match.refresh_from_db()
    assert (match.state, match.one_accepted_at) == (State.OFFERED, None)
    assert offers.decline(match.pk, match.player_one).match.state == State.CANCELLED


def test_a_challenge_of_a_suspended_player_starts_no_match(moderator: User) -> None:
    match = factories.offered_match(origin=Origin.CHALLENGE)
    offers.accept(match.pk, match.player_one)
    suspensions.suspend(match.player_one_id, actor=moderator, reason="Stalling.", until=None)
    outcome = offers.accept(match.pk, match.player_two)
    assert (outcome.match.state, outcome.match.void_reason) == (State.CANCELLED, "called_off")


def test_the_account_gets_events(moderator: User) -> None:
    account, until = factories.make_player(), timezone.now() + timedelta(days=1)
    suspension = suspensions.suspend(account.pk, actor=moderator, reason="Stalling.", until=until)
    suspensions.lift(suspension.pk, actor=moderator, reason="A mistake.")
    assert list(account.events.order_by("number").values_list("kind", "data")) == [
        ("account_suspended", {"reason": "Stalling.", "until": until.isoformat().replace("+00:00", "Z")}),
        ("suspension_lifted", {"reason": "A mistake."}),
    ]


def test_matches_under_way_go_on(moderator: User) -> None:
    started, awaiting = factories.started_match(), factories.awaiting_match()
    disputed = factories.awaiting_match()
    for match in (started, awaiting, disputed):
        for account in (match.player_one_id, match.player_two_id):
            suspensions.suspend(account, actor=moderator, reason="Stalling.", until=None)
    reported = reporting.report(started.pk, started.player_one, winner=started.player_two.username)
    assert reported.match.state == State.CONFIRMED
    assert reporting.confirm(awaiting.pk, awaiting.player_two).match.settled_at is not None
    assert reporting.dispute(disputed.pk, disputed.player_two).match.state == State.DISPUTED


def test_a_suspension_ends_at_its_time(moderator: User, player: User) -> None:
    suspensions.suspend(player.pk, actor=moderator, reason="Stalling.", until=tomorrow())
    with time_machine.travel(tomorrow() + timedelta(seconds=1)):
        check_not_suspended(player)
        assert not in_force().exists()
        suspensions.suspend(player.pk, actor=moderator, reason="Again.", until=None)
    assert Suspension.objects.count() == 2


def test_for_good_has_no_end(moderator: User, player: User) -> None:
    suspensions.suspend(player.pk, actor=moderator, reason="Cheating.", until=None)
    with time_machine.travel(datetime(2100, 1, 1, tzinfo=UTC)):
        refusal = refused(Forbidden, lambda: check_not_suspended(player))
    assert refusal.until is None
    assert "for good" in refusal.detail


def test_a_lifted_suspension_is_not_in_force(moderator: User, player: User) -> None:
    suspension = suspensions.suspend(player.pk, actor=moderator, reason="Cheating.", until=None)
    suspensions.lift(suspension.pk, actor=moderator, reason="It was another player.")
    check_not_suspended(player)
    suspension.refresh_from_db()
    assert (suspension.lifted_by, suspension.lifted_reason) == (moderator, "It was another player.")
    assert AuditEntry.objects.filter(action="account.lift_suspension", reason="It was another player.").exists()
    again = refused(Conflict, lambda: suspensions.lift(suspension.pk, actor=moderator, reason="Again."))
    assert again.code == "suspension_has_ended"


@pytest.mark.parametrize(
    "until",
    [
        datetime(9999, 12, 31, 23, 59, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(2020, 2, 29, tzinfo=UTC),
    ],
)
def test_it_ends_in_the_future_within_ten_years(moderator: User, player: User, until: datetime) -> None:
    refusal = refused(Invalid, lambda: suspensions.suspend(player.pk, actor=moderator, reason="x", until=until))
    assert (refusal.code, refusal.field) == ("until_out_of_range", "until")


@pytest.mark.parametrize("reason", ["", " \n"])
def test_not_without_a_reason(moderator: User, player: User, reason: str) -> None:
    refusal = refused(Invalid, lambda: suspensions.suspend(player.pk, actor=moderator, reason=reason, until=None))
    assert (refusal.code, refusal.field) == ("reason_required", "reason")
    suspension = suspensions.suspend(player.pk, actor=moderator, reason="Cheating.", until=None)
    assert refused(Invalid, lambda: suspensions.lift(suspension.pk, actor=moderator, reason=reason)).field == "reason"


def test_forbidden_actors(moderator: User, player: User) -> None:
    operator = factories.make_player(is_staff=True, is_superuser=True)
    colleague = factories.make_player(is_staff=True)
    gone = factories.make_player(is_active=False)
    gone.groups.add(ensure_moderators())

    def code(account: User, actor: User) -> str:
        attempt = refused(Forbidden, lambda: suspensions.suspend(account.pk, actor=actor, reason="x", until=tomorrow()))
        return attempt.code

    assert code(player, factories.make_player()) == "not_a_moderator"
    assert code(player, gone) == "not_a_moderator"
    assert code(moderator, moderator) == "own_account"
    assert code(operator, operator) == "own_account"
    assert code(colleague, moderator) == "account_of_staff"
    assert code(operator, moderator) == "account_of_staff"
    held = suspensions.suspend(colleague.pk, actor=operator, reason="x", until=tomorrow())
    assert refused(Forbidden, lambda: suspensions.lift(held.pk, actor=moderator, reason="x")).code == "account_of_staff"
    own = suspensions.suspend(moderator.pk, actor=operator, reason="x", until=tomorrow())
    assert refused(Forbidden, lambda: suspensions.lift(own.pk, actor=moderator, reason="x")).code == "own_account"
    assert refused(Forbidden, lambda: suspensions.lift(own.pk, actor=player, reason="x")).code == "not_a_moderator"


def test_one_at_a_time(moderator: User, player: User) -> None:
    until = tomorrow()
    suspensions.suspend(player.pk, actor=moderator, reason="x", until=until)
    again = refused(Conflict, lambda: suspensions.suspend(player.pk, actor=moderator, reason="x", until=None))
    assert (again.code, again.until) == ("already_suspended", until)
    assert f"until {minute_text(until)}:" in again.detail
    suspensions.suspend(factories.make_player().pk, actor=moderator, reason="x", until=until)


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (datetime(2026, 5, 1, 12, 0, tzinfo=UTC), "2026-05-01 12:00 UTC"),
        (datetime(2026, 5, 1, 12, 0, 0, 1, tzinfo=UTC), "2026-05-01 12:01 UTC"),
        (datetime(2026, 5, 1, 12, 0, tzinfo=ZoneInfo("Asia/Seoul")), "2026-05-01 03:00 UTC"),
    ],
)
def test_the_shown_end_is_rounded_up(moment: datetime, words: str) -> None:
    assert minute_text(moment) == words


def test_unknown_ids(moderator: User) -> None:
    nobody = refused(NotFound, lambda: suspensions.suspend(999_999_999, actor=moderator, reason="x", until=None))
    assert nobody.code == "player_not_found"
    nothing = refused(NotFound, lambda: suspensions.lift(999_999_999, actor=moderator, reason="x"))
    assert nothing.code == "suspension_not_found"
