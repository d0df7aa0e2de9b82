"""An overall ladder moves with every ranked match of its members: in the same transaction, by its own rules."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.models import User
from ladder.models import Ladder, Match, RatingEntry
from ladder.rules.match_life import Seat
from ladder.rules.ranked import Origin
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import rulings
from tests import clients, factories
from tests.decay_days import drifts
from tests.history import import_file, write_matches

pytestmark = pytest.mark.django_db(transaction=True)  # as the verification needs it


@pytest.fixture
def overall() -> Ladder:
    return factories.make_ladder("overall", rule_set="fibs-classic")


@pytest.fixture
def members(overall: Ladder) -> tuple[Ladder, Ladder]:
    return factories.make_ladder("short", overall=overall), factories.make_ladder("long", overall=overall)


def entries_on(ladder: Ladder, match: Match) -> list[RatingEntry]:
    return list(RatingEntry.objects.filter(match=match, standing__ladder=ladder).order_by("pk"))


def test_each_member_moves_it_by_its_own_rules(overall: Ladder, members: tuple[Ladder, Ladder]) -> None:
    one, two = factories.make_players(2)
    first, second = (factories.confirmed_match(one, two, ladder=member) for member in members)
    assert [str(entry.delta) for entry in entries_on(members[0], first)] == ["44.27", "-44.27"]
    assert [str(entry.delta) for entry in entries_on(overall, first)] == ["22.14", "-22.14"]
    assert {entry.rule_set for entry in entries_on(overall, second)} == {"fibs-classic"}
    assert factories.standing_of(one, overall).experience == 10
    assert factories.standing_of(one, members[1]).experience == 5
    assert drifts() == []


def test_a_match_shows_the_changes_of_its_own_ladder(overall: Ladder, members: tuple[Ladder, Ladder]) -> None:
    match = factories.confirmed_match(ladder=members[0])
    shown = clients.anonymous().get(f"matches/{match.pk}").json()
    assert [side["rating_change"]["delta"] for side in shown["players"]] == ["44.27", "-44.27"]
    ledger = clients.anonymous().get(f"players/{match.player_one.username}/rating-entries").json()["results"]
    assert {(entry["ladder"], entry["delta"]) for entry in ledger} == {("short", "44.27"), ("overall", "22.14")}
    event = match.player_one.events.latest("number")
    assert event.data["rating"]["delta"] == "44.27"


@pytest.mark.parametrize("winner", [2, None])
def test_rulings_reach_it_too(overall: Ladder, members: tuple[Ladder, Ladder], winner: Seat | None) -> None:
    match = factories.confirmed_match(ladder=members[0])
    rulings.overturn_match(
        match.pk, actor=factories.make_moderator(), winner=winner, reason_code=ReasonCode.EVIDENCE, reason="Seen.",
    )  # fmt: skip
    standing = factories.standing_of(match.player_one, overall)
    assert standing.rating == (Decimal("1500.00") if winner is None else Decimal("1477.86"))
    assert (standing.wins, standing.losses) == (0, 0 if winner is None else 1)
    assert drifts() == []


def test_unrated_matches_do_not_move_it(overall: Ladder, members: tuple[Ladder, Ladder]) -> None:
    factories.confirmed_match(ladder=members[0], origin=Origin.CHALLENGE)
    assert not RatingEntry.objects.exists()


def test_an_import_moves_it(overall: Ladder, members: tuple[Ladder, Ladder], tmp_path: Path) -> None:
    import_file(write_matches(tmp_path / "m.csv", [("player01", "player02", 5), ("player02", "player03", 7)]), "short")
    assert RatingEntry.objects.filter(standing__ladder=overall).count() == 4
    assert factories.standing_of(User.objects.named("player02"), overall).experience == 12
    assert drifts() == []


def test_the_overall_ladder_cannot_change_with_standings(overall: Ladder, members: tuple[Ladder, Ladder]) -> None:
    factories.confirmed_match(ladder=members[0])
    ladder = Ladder.objects.get(pk=members[0].pk)
    ladder.overall = None
    with pytest.raises(ValidationError, match="cannot change"):
        ladder.full_clean()
    with pytest.raises(IntegrityError, match="the ladder has standings"), transaction.atomic():
        ladder.save()
