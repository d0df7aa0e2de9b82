"""Decay among all the other things that move a rating: the ledger stays whole, and the verification says so."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from accounts.services import closing as accounts
from ladder.models import DecayRun, Ladder, Match, RatingEntry, Standing
from ladder.rules.ranked import Origin
from ladder.rules.ruling import ReasonCode
from ladder.services import decay
from ladder.services.ledger.standing_state import FIELDS, state_from_ledger
from ladder.services.matches import rulings
from tests import factories
from tests.decay_days import (
    FIRST,
    START,
    charged_days,
    climb,
    clock,
    decays_of,
    drifts,
    old_ladder,
    rating_of,
    reversals_of,
    run_on,
)
from tests.history import import_file, write_matches
from tests.ladder.services.test_verification import altered

pytestmark = pytest.mark.django_db(transaction=True)

A_DAY = timedelta(days=1)
LATER = FIRST + 10 * A_DAY


@pytest.fixture
def ladder() -> Ladder:
    return old_ladder()


@pytest.fixture
def champion(ladder: Ladder) -> Standing:
    """A diamond player who won three matches at ``START``, and played no more."""
    with clock(START):
        return factories.standing_of(climb(ladder, 3), ladder)


def play(standing: Standing, day: date, *, winner: bool = True) -> Match:
    with clock(day):
        return factories.confirmed_match(
            standing.player, factories.make_player(), ladder=standing.ladder, winner=1 if winner else 2,
            origin=Origin.TOURNAMENT,
        )  # fmt: skip


def overturn(match: Match, day: date, winner: Any = None) -> None:
    with clock(day):
        rulings.overturn_match(
            match.pk, actor=factories.make_moderator(), winner=winner, reason_code=ReasonCode.EVIDENCE, reason="Dice."
        )


def delta_of(match: Match, standing: Standing) -> Decimal:
    return sum((e.delta for e in factories.entries_of(match) if e.standing_id == standing.pk), Decimal(0))


def root() -> User:
    return factories.make_player(is_staff=True, is_superuser=True)


def test_a_match_voided_after_days_of_decay(champion: Standing) -> None:
    """The decay stays. The last match is the one before, and no past day gets decay because of that."""
    match = play(champion, START.date() + 3 * A_DAY)
    run_on(champion.ladder, LATER)
    assert charged_days(champion) == [FIRST + n * A_DAY for n in range(3, 11)]
    before = rating_of(champion)
    gained = delta_of(match, champion)
    overturn(match, LATER)
    assert rating_of(champion) == before - gained
    assert drifts() == []
    run_on(champion.ladder, LATER + A_DAY)
    assert charged_days(champion) == [FIRST + n * A_DAY for n in range(3, 12)]
    entry = RatingEntry.objects.filter(kind="decay").latest("pk")
    assert entry.idle_since == START.date()
    assert drifts() == []


def test_a_match_corrected_after_days_of_decay(champion: Standing) -> None:
    match = play(champion, START.date() + 3 * A_DAY)
    run_on(champion.ladder, LATER)
    days = charged_days(champion)
    overturn(match, LATER, winner=2)
    champion.refresh_from_db()
    assert (champion.losses, champion.streak, champion.decayed_through) == (1, -1, LATER)
    assert charged_days(champion) == days
    assert drifts() == []
    # It counts as played when it was: the clock has not moved.
    run_on(champion.ladder, LATER + A_DAY)
    assert charged_days(champion) == [*days, LATER + A_DAY]
    assert drifts() == []


def test_the_match_that_stopped_decay_is_voided(champion: Standing) -> None:
    run_on(champion.ladder, FIRST + A_DAY)
    match = play(champion, FIRST + 2 * A_DAY)
    run_on(champion.ladder, LATER)
    assert charged_days(champion) == [FIRST, FIRST + A_DAY]
    overturn(match, LATER)
    run_on(champion.ladder, LATER)
    assert charged_days(champion) == [FIRST, FIRST + A_DAY]  # the player played on the days between
    run_on(champion.ladder, LATER + 2 * A_DAY)
    assert charged_days(champion) == [FIRST, FIRST + A_DAY, LATER + A_DAY, LATER + 2 * A_DAY]
    assert drifts() == []


def test_history_imported_on_a_ladder_with_decay(champion: Standing, tmp_path: Path) -> None:
    run_on(champion.ladder, LATER)
    days = charged_days(champion)
    old = write_matches(tmp_path / "old.csv", [(champion.player.username, "player98", 5)], first_day=date(2025, 1, 1))
    with clock(LATER):
        import_file(old, champion.ladder.slug)
    run_on(champion.ladder, LATER + A_DAY)
    assert charged_days(champion) == [*days, LATER + A_DAY]
    new = tmp_path / "new.csv"
    new.write_text(
        write_matches(new, [("player98", champion.player.username, 5)], first_day=LATER)
        .read_text()
        .replace("\n1,", "\n2,")
    )
    with clock(LATER + A_DAY):
        import_file(new, champion.ladder.slug)
    run_on(champion.ladder, LATER + 27 * A_DAY)
    assert charged_days(champion) == [*days, LATER + A_DAY]
    assert drifts() == []


def test_a_closed_account_slides_like_any_other(champion: Standing) -> None:
    run_on(champion.ladder, FIRST)
    with clock(FIRST):
        accounts.close_account(champion.player)
    run_on(champion.ladder, FIRST + A_DAY)
    assert charged_days(champion) == [FIRST, FIRST + A_DAY]
    assert drifts() == []


def test_after_all_of_it_a_rebuilt_standing_is_the_same(champion: Standing) -> None:
    """Nights, a run taken back, a late pause, a void, a correction, an import: in one ledger."""
    ladder, superuser = champion.ladder, root()
    wrong, won = play(champion, START.date() + A_DAY, winner=False), play(champion, START.date() + 2 * A_DAY)
    for n in range(2, 9):
        run_on(ladder, FIRST + n * A_DAY)
    with clock(FIRST + 8 * A_DAY):
        decay.reverse_run(DecayRun.objects.get(day=FIRST + 5 * A_DAY), actor=superuser, reason="A mistake.")
        decay.declare_pause(
            ladder, first_day=FIRST + 4 * A_DAY, last_day=FIRST + 6 * A_DAY, actor=superuser, reason="Down."
        )
    overturn(won, FIRST + 8 * A_DAY)
    overturn(wrong, FIRST + 8 * A_DAY, winner=1)
    play(champion, FIRST + 9 * A_DAY)
    run_on(ladder, FIRST + 50 * A_DAY)
    assert sorted(day for day, _ in reversals_of(champion) if day) == [FIRST + n * A_DAY for n in (4, 5, 6)]
    assert drifts() == []
    for standing in Standing.objects.all():
        before = [getattr(standing, name) for name in FIELDS]
        facts = state_from_ledger(standing, ladder.rules.start)
        assert [getattr(facts, name) for name in FIELDS] == before


# --- what the verification finds ---

ALTERED = {
    "ladder_ratingentry SET delta = delta - 1, after = after - 1": "delta is -3.00, by fibs-600 version 1 it is -2",
    "ladder_ratingentry SET idle_since = day - 27": "2026-01-29 is no day of decay after a last ranked match on",
    "ladder_ratingentry SET rule_set = 'fibs-classic'": "delta is -2.00, by fibs-classic version 1 it is 0",
    "ladder_ratingentry SET rule_set_version = 9": "there are no rules fibs-600 version 9",
    "ladder_ratingentry SET day = day + 40": "the day 2026-01-30 is repeated or not in order",
    "ladder_standing SET decayed_through = '2026-02-01'": "decayed_through is 2026-02-01, the ledger gives 2026-01-30",
    "ladder_standing SET decayed_through = NULL": "decayed_through is None, the ledger gives 2026-01-30",
    "ladder_decayrun SET points = points + 1": "the run has 3.00 points of 1 standings, the ledger gives 2.00",
    "ladder_decayrun SET standings = 0": "the run has 2.00 points of 0 standings",
    "ladder_decayrun SET by_tier = '{}'": "the tiers of the run have 0 points of 0 standings",
    "ladder_decayrun SET day = '2025-01-01'": "there is no run, the ledger gives 2.00 points of 1 standings",
}


def test_altered_decay_is_found(champion: Standing, subtests: pytest.Subtests) -> None:
    run_on(champion.ladder, FIRST + A_DAY)
    assert drifts() == []
    rows = {
        "ladder_ratingentry": f"kind = 'decay' AND day = '{FIRST}'",
        "ladder_standing": f"id = {champion.pk}",
        "ladder_decayrun": f"day = '{FIRST}'",
    }
    for change, expected in ALTERED.items():
        with subtests.test(change), altered(f"UPDATE {change} WHERE {rows[change.split()[0]]}"):
            assert [drift for drift in drifts() if expected in drift.what]
        assert drifts() == []


def test_a_decay_never_sets_the_peak_also_when_the_match_before_it_is_voided() -> None:
    ladder = old_ladder()
    with clock(START):
        player = climb(ladder, 3)
        before = factories.standing_of(player, ladder).rating
        match = factories.confirmed_match(player, factories.make_player(), ladder=ladder)
    run_on(ladder, FIRST)
    assert decays_of(factories.standing_of(player, ladder))
    with clock(FIRST):
        factories.void(match)
    assert factories.standing_of(player, ladder).peak_rating == before
    assert drifts() == []
