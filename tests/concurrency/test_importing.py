"""Imports beside each other, beside live play, and killed half-way: what comes out is what one import alone gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from django.db import IntegrityError

from ladder.models import Match, RatingEntry, Standing
from ladder.rules.match_life import State
from ladder.services import importing
from ladder.services.importing import writing
from ladder.services.ledger.locking import Key, LockedStanding, lock_standings
from ladder.services.matches import reporting
from ladder.services.verification import Drift, verify
from tests.concurrency.racing import (
    Callers,
    gate,
    gate_after_locking_standings,
    pass_gate,
    results,
    without_row_locks,
)
from tests.concurrency.test_killed import killed_after
from tests.factories import make_ladder, make_player, started_match
from tests.history import entries_of, import_file, some_results, standings_of, write_matches

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MATCHES_PER_IMPORT_BATCH", 5)


def assert_nothing_drifts() -> None:
    found: list[Drift] = []
    verify(found=found.append)
    assert found == []


def test_one_file_imported_by_three_at_once(tmp_path: Path, callers: Callable[[int], Callers]) -> None:
    path = write_matches(tmp_path / "matches.csv", some_results(60))

    reports = callers(3).at_once(*[lambda: import_file(path)] * 3)
    import_file(path, "alone")

    assert sum(report.imported for report in reports) == 60
    assert sum(report.players_created for report in reports) == 12
    assert {report.imported + report.already_there for report in reports} == {60}
    assert entries_of("club") == entries_of("alone")
    assert standings_of("club") == standings_of("alone")


def test_two_files_with_the_same_players_at_once(tmp_path: Path, callers: Callable[[int], Callers]) -> None:
    one = write_matches(tmp_path / "one.csv", some_results(60))
    two = write_matches(tmp_path / "two.csv", some_results(60, seed=8))
    two.write_text(two.read_text().replace("\n", "\nsecond-").removesuffix("second-"))

    reports = callers(2).at_once(lambda: import_file(one), lambda: import_file(two))

    assert [report.imported for report in reports] == [60, 60]
    assert_nothing_drifts()


def test_matches_that_settle_meanwhile_are_not_lost(tmp_path: Path, callers: Callable[[int], Callers]) -> None:
    path = write_matches(tmp_path / "matches.csv", some_results(60))
    club = make_ladder("club")
    players = [make_player(f"player{number:02}") for number in range(1, 13)]
    rng = Random(3)
    live = [started_match(*rng.sample(players, 2), ladder=club) for _ in range(30)]

    def settle(matches: list[Match]) -> int:
        return sum(
            len(reporting.server_result(match.pk, winner=match.player_one.username).entries) for match in matches
        )

    report, *written = callers(3).at_once(
        lambda: import_file(path), lambda: settle(live[::2]), lambda: settle(live[1::2])
    )

    assert (report.imported, written) == (60, [30, 30])
    assert Match.objects.filter(state=State.CONFIRMED).count() == 90
    assert RatingEntry.objects.count() == 180
    assert_nothing_drifts()


def lock_and_pass_gate(ladder_ids: list[int], player_ids: list[int]) -> dict[Key, LockedStanding]:
    standings = lock_standings(ladder_ids, player_ids)
    pass_gate()
    return standings


@pytest.mark.parametrize("locked", [True, False])
def test_match_and_import_never_work_with_the_same_ratings(
    locked: bool, tmp_path: Path, callers: Callable[[int], Callers], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the row locks both would; the ledger then refuses whoever comes second."""
    path = write_matches(tmp_path / "matches.csv", [("player01", "player02", 5)])
    match = started_match(make_player("player01"), make_player("player02"), ladder=make_ladder("club"))
    gate_after_locking_standings(monkeypatch)
    monkeypatch.setattr(writing, "lock_standings", lock_and_pass_gate)
    if not locked:
        without_row_locks(monkeypatch)

    with gate() as closed:
        calls = callers(2).start(
            lambda: import_file(path), lambda: reporting.server_result(match.pk, winner="player01")
        )
        at_gate = closed.wait_for(2)
        closed.open()
        failures = [answer for answer in results(calls) if isinstance(answer, Exception)]

    assert at_gate == (1 if locked else 2)
    assert [type(failure) for failure in failures] == ([] if locked else [IntegrityError])
    assert_nothing_drifts()


def test_killed_again_and_again_it_ends_as_if_it_had_run_once(tmp_path: Path) -> None:
    path = write_matches(tmp_path / "matches.csv", some_results(60, players=4))
    statements = 3
    seen = set()
    while killed_after(statements, lambda: import_file(path)):
        seen.add(Match.objects.count())
        assert_nothing_drifts()
        statements += 3
    import_file(path, "alone")

    assert len(seen) > 3
    assert importing.check(path, "club").already_there == 60
    assert entries_of("club") == entries_of("alone")
    assert standings_of("club") == standings_of("alone")
    assert Standing.objects.filter(ladder__slug="club").count() == 4
