"""Entries without a match: corrections by operators, and ratings that players bring from elsewhere."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from accounts.models import AuditEntry, User
from common.errors import Conflict, Forbidden, Invalid, Refusal
from ladder.models import RatingEntry, Standing
from ladder.services.importing import ratings
from ladder.services.importing.csv_file import FileRefused
from ladder.services.ledger.adjusting import adjust, import_rating
from ladder.services.matches.offers import ensure_standings
from tests import factories
from tests.decay_days import drifts

pytestmark = pytest.mark.django_db(transaction=True)  # as the verification needs it

REASON = "A match was entered twice."


@pytest.fixture
def operator() -> User:
    return factories.make_player(is_superuser=True)


@pytest.fixture
def standing() -> Standing:
    return factories.standing_of(factories.confirmed_match().player_one)


def test_a_correction_moves_the_standing_and_is_on_record(operator: User, standing: Standing) -> None:
    entry = adjust(standing, actor=operator, points=Decimal("-4.27"), experience=-5, reason=REASON)
    assert (entry.kind, entry.before, entry.delta, entry.after) == (
        "adjustment", Decimal("644.27"), Decimal("-4.27"), Decimal("640.00")
    )  # fmt: skip
    standing.refresh_from_db()
    assert (standing.rating, standing.experience, standing.last_sequence) == (Decimal("640.00"), 0, 2)
    assert (standing.wins, standing.streak) == (1, 1)
    audit = AuditEntry.objects.get(action="rating.adjust")
    assert (audit.actor, audit.reason, audit.target_type) == (operator, REASON, "ladder.standing")
    event = standing.player.events.latest("number")
    assert (event.kind, event.data["rating"]["after"], event.data["reason"]) == ("rating_adjusted", "640.00", REASON)
    assert drifts() == []


@pytest.mark.parametrize(
    ("wrong", "refusal", "code"),
    [
        ({"reason": " "}, Invalid, "reason_required"),
        ({"points": Decimal(0)}, Invalid, "nothing_to_adjust"),
        ({"points": Decimal("0.005")}, Invalid, "bad_points"),
        ({"points": Decimal("Infinity")}, Invalid, "bad_points"),
        ({"points": Decimal(1_000_001)}, Invalid, "bad_points"),
        ({"experience": -6}, Invalid, "experience_below_zero"),
    ],
)
def test_what_is_refused_changes_nothing(
    operator: User, standing: Standing, wrong: dict[str, object], refusal: type[Refusal], code: str
) -> None:
    wanted = {"actor": operator, "points": Decimal(1), "reason": REASON, **wrong}
    with pytest.raises(refusal) as refused:
        adjust(standing, **wanted)  # type: ignore[arg-type]
    assert refused.value.code == code
    assert not RatingEntry.objects.filter(kind="adjustment").exists()


def test_moderators_do_not_adjust_ratings(standing: Standing) -> None:
    with pytest.raises(Forbidden):
        adjust(standing, actor=factories.make_moderator(), points=Decimal(1), reason=REASON)


def test_a_rating_from_elsewhere_comes_before_everything_else(standing: Standing) -> None:
    player, ladder = factories.make_player(), factories.make_ladder()
    ensure_standings(ladder, [player.pk])
    import_rating(ladder, player.pk, rating=Decimal("912.50"), experience=400, reason="the old list")
    brought = factories.standing_of(player)
    assert (brought.rating, brought.peak_rating, brought.experience) == (Decimal("912.50"), Decimal("912.50"), 400)
    assert (brought.wins, brought.last_ranked_at) == (0, None)
    factories.confirmed_match(player, factories.make_player())
    assert [entry.kind for entry in factories.standing_of(player).entries.order_by("sequence")] == [
        "import", "settlement",
    ]  # fmt: skip
    assert drifts() == []
    with pytest.raises(Conflict):
        import_rating(ladder, player.pk, rating=Decimal(700), experience=0, reason="again")


class TestFile:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "list.csv"

    def test_it_reads_what_export_standings_writes(self, path: Path) -> None:
        path.write_text("player,rating,experience,wins,losses,peak_rating\nplayer01,912.50,400,30,20,950.00\n")
        assert ratings.run(path, "club", rules="fibs-classic") == 1
        brought = Standing.objects.get(player__username="player01")
        assert (brought.rating, brought.experience, brought.ladder.rule_set) == (Decimal("912.50"), 400, "fibs-classic")
        assert drifts() == []

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ("player01,many,0", "line 2: rating 'many' is not a number"),
            ("player01,600,-1", "line 2: experience '-1' is not a whole number of match points"),
            ("x,600,0", "line 2: A username has 2 to 30 characters."),
            ("player01,600,0\nPLAYER01,700,0", "line 3: PLAYER01 is already in line 2"),
        ],
    )
    def test_bad_lines_are_named_and_nothing_is_written(self, path: Path, line: str, reason: str) -> None:
        path.write_text(f"player,rating,experience\n{line}\n")
        with pytest.raises(FileRefused) as refused:
            ratings.run(path, "club")
        assert reason in refused.value.detail
        assert not Standing.objects.exists()

    def test_a_file_without_the_columns_is_refused(self, path: Path) -> None:
        path.write_text("player,points\nplayer01,600\n")
        with pytest.raises(FileRefused, match="no column rating, experience"):
            ratings.run(path, "club")
