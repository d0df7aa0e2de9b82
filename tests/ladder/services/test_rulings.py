"""A moderator rules a match that has no result yet."""

from __future__ import annotations

import pytest

from accounts.models import AuditEntry, User
from common.errors import Conflict, Forbidden, Invalid
from ladder.models import Match
from ladder.rules.match_life import ConfirmedBy, Seat, State
from ladder.rules.ranked import Origin
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import rulings
from ladder.services.settlement import Outcome
from tests import factories

pytestmark = pytest.mark.django_db

REASON = "The recording shows the last roll."
UNFINISHED = [factories.started_match, factories.awaiting_match, factories.disputed_match]


def rule(match: Match, winner: Seat | None, actor: User | None = None, **options) -> Outcome:
    return rulings.rule_match(
        match.pk,
        actor=actor or factories.make_moderator(),
        winner=winner,
        **{"reason_code": ReasonCode.EVIDENCE, "reason": REASON, **options},
    )


@pytest.mark.parametrize("winner", [1, 2])
@pytest.mark.parametrize("make", UNFINISHED)
def test_for_one_side(make, winner: Seat) -> None:
    match, actor = make(), factories.make_moderator()
    state_before = match.state
    outcome = rule(match, winner, actor, loser_score=4)
    match.refresh_from_db()
    assert (match.state, match.confirmed_by) == (State.CONFIRMED, ConfirmedBy.MODERATOR)
    assert (match.winner, match.loser_score, factories.ruling_of(match)) == (
        factories.player_of(match, winner),
        4,
        REASON,
    )
    assert [entry.won for entry in outcome.entries] == [True, False]
    assert len(factories.entries_of(match)) == 2
    audit = AuditEntry.objects.get(action="match.rule")
    assert (audit.actor, audit.target_id, audit.reason) == (actor, str(match.pk), REASON)
    assert audit.data == {
        "ruling": 1, "winner": factories.player_of(match, winner).pk, "reason_code": "evidence",
        "state_before": state_before, "winner_before": None,
    }  # fmt: skip


@pytest.mark.parametrize("make", UNFINISHED)
def test_void(make) -> None:
    match = make()
    rule(match, None, reason_code=ReasonCode.NOT_PLAYED)
    match.refresh_from_db()
    assert (match.state, match.void_reason, factories.ruling_of(match)) == (State.VOIDED, "not_played", REASON)
    assert (match.winner, match.settled_at, factories.entries_of(match)) == (None, None, [])


@pytest.mark.parametrize("winner", [1, 2, None])
def test_the_same_ruling_again_changes_nothing(winner: Seat | None) -> None:
    match = factories.disputed_match()
    rule(match, winner)
    stood = Match.objects.filter(pk=match.pk).values().get()
    again = rule(match, winner, reason="In other words.")
    assert (again.changed, again.entries) == (False, [])
    assert Match.objects.filter(pk=match.pk).values().get() == stood
    assert AuditEntry.objects.filter(action="match.rule").count() == 1


@pytest.mark.parametrize(
    ("make", "winner", "code"),
    [
        (factories.offered_match, 1, "match_not_started"),
        (factories.offered_match, None, "match_not_started"),
        (factories.confirmed_match, 2, "match_confirmed"),
        (factories.confirmed_match, None, "match_confirmed"),
        (factories.voided_match, 1, "match_voided"),
        (factories.cancelled_match, 1, "match_cancelled"),
        (factories.cancelled_match, None, "match_cancelled"),
    ],
)
def test_what_has_not_begun_or_is_over_is_not_ruled(make, winner: Seat | None, code: str) -> None:
    match = make()
    audited = AuditEntry.objects.count()
    with pytest.raises(Conflict) as refused:
        rule(match, winner)
    assert refused.value.code == code
    assert AuditEntry.objects.count() == audited


@pytest.mark.parametrize("winner", [1, None])
def test_an_unrated_match_is_ruled_and_moves_nothing(winner: Seat | None) -> None:
    match = factories.disputed_match(origin=Origin.CHALLENGE)
    rule(match, winner)
    match.refresh_from_db()
    assert match.state == (State.CONFIRMED if winner else State.VOIDED)
    assert (match.settled_at, factories.entries_of(match)) == (None, [])


def test_only_moderators_rule() -> None:
    match = factories.disputed_match()
    retired = factories.make_moderator()
    retired.is_active = False
    retired.save()
    staff = factories.make_player(is_staff=True)
    for actor in (match.player_one, staff, retired):
        for decide in (rulings.rule_match, rulings.overturn_match):
            with pytest.raises(Forbidden) as refused:
                decide(match.pk, actor=actor, winner=1, reason_code=ReasonCode.OTHER, reason=REASON)
            assert refused.value.code == "not_a_moderator"
    match.refresh_from_db()
    assert match.state == State.DISPUTED


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_a_ruling_has_a_reason(reason: str) -> None:
    match = factories.disputed_match()
    for decide in (rulings.rule_match, rulings.overturn_match):
        with pytest.raises(Invalid) as refused:
            decide(match.pk, actor=factories.make_moderator(), winner=1, reason_code=ReasonCode.OTHER, reason=reason)
        assert (refused.value.code, refused.value.field) == ("reason_required", "reason")


@pytest.mark.parametrize("score", [-1, 5])
def test_a_ruling_gives_a_score_that_can_be(score: int) -> None:
    with pytest.raises(Invalid) as refused:
        rule(factories.disputed_match(match_length=5), 1, loser_score=score)
    assert refused.value.code == "loser_score_out_of_range"


@pytest.mark.parametrize("winner", [1, 2, None])
@pytest.mark.parametrize("make", [*UNFINISHED, factories.confirmed_match])
def test_moderators_cannot_rule_their_own_match(make, winner: Seat | None) -> None:
    match = make()
    factories.let_rule(match.player_one)
    decide = rulings.overturn_match if match.state == State.CONFIRMED else rulings.rule_match
    with pytest.raises(Forbidden) as refused:
        decide(match.pk, actor=match.player_one, winner=winner, reason_code=ReasonCode.OTHER, reason=REASON)
    assert refused.value.code == "own_match"
    unchanged = Match.objects.get(pk=match.pk)
    assert (unchanged.state, unchanged.winner_id) == (match.state, match.winner_id)


def test_superusers_can_rule_their_own_match() -> None:
    match = factories.disputed_match()
    User.objects.filter(pk=match.player_one_id).update(is_superuser=True)
    assert rule(match, 2, actor=User.objects.get(pk=match.player_one_id)).match.state == State.CONFIRMED
