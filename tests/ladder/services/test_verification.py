"""The verification finds nothing in what the services wrote, and names whatever else was written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from django.db import connection, transaction

from ladder.models import Ladder, Match, Standing
from ladder.rules.ranked import Origin
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import offers, rulings
from ladder.services.verification import Checked, verify
from matchmaking.simulation.run import Plan, simulate
from tests.decay_days import FIRST, at
from tests.factories import confirmed_match, make_ladder, make_moderator, make_player, started_match

pytestmark = pytest.mark.django_db(transaction=True)

TABLES = ("ladder_standing", "ladder_ratingentry", "ladder_match", "ladder_decayrun")
OF_PLAYER = "standing_id = (SELECT id FROM ladder_standing WHERE player_id = %(player)s)"


def drifts(ladder: Ladder | None = None) -> list[str]:
    found: list[str] = []
    checked = verify(ladder, found=lambda drift: found.append(f"{drift.where}: {drift.what}"))
    assert checked.drifts == len(found)
    return found


def alter(statement: str, **values: Any) -> None:
    """Write past every trigger, as only the owner of the database can; constraints still hold."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement, values)
        assert cursor.rowcount == 1


@contextmanager
def altered(statement: str, **values: Any) -> Iterator[None]:
    """Alter one row, and put everything right again afterwards."""
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"CREATE TEMPORARY TABLE saved_{table} AS TABLE {table}")
        alter(statement, **values)
        try:
            yield
        finally:
            with transaction.atomic():
                cursor.execute("SET LOCAL session_replication_role = replica")
                for table in TABLES:
                    cursor.execute(f"DELETE FROM {table}")
                    cursor.execute(f"INSERT INTO {table} TABLE saved_{table}")
                    cursor.execute(f"DROP TABLE saved_{table}")


@pytest.fixture
def match() -> Match:
    """player01 has beaten player02 over 5 points, and then again; the second match was corrected."""
    one, two = make_player("player01"), make_player("player02")
    first = confirmed_match(one, two)
    second = confirmed_match(one, two, match_length=3)
    rulings.overturn_match(
        second.pk, actor=make_moderator(), winner=2, reason_code=ReasonCode.EVIDENCE, reason="The recording."
    )
    assert drifts() == []
    return first


def test_everything_that_services_write_agrees() -> None:
    """A population with confirmations, rulings, voids and unrated matches."""
    simulate(make_ladder(), Plan(players=12, days=5, visits=1.5, seed=4), end=at(FIRST))

    found: list[object] = []
    assert verify(found=found.append) == Checked(
        standings=Standing.objects.count(), matches=Match.objects.count(), drifts=0
    )
    assert found == []


def test_nothing_is_whole() -> None:
    assert verify(found=print) == Checked(standings=0, matches=0, drifts=0)


def test_matches_that_have_not_settled_move_nothing() -> None:
    started_match()
    confirmed_match(origin=Origin.CHALLENGE)
    offers.ensure_standings(make_ladder(), [make_player().pk])

    assert drifts() == []


def test_altered_standing(match: Match, subtests: pytest.Subtests) -> None:
    for change, expected in {
        "rating = 640": "rating is 640.00, the ledger gives",
        "peak_rating = 800": "peak_rating is 800.00, the ledger gives",
        "experience = 80": "experience is 80, the ledger gives 8",
        "wins = 5": "wins is 5, the ledger gives 1",
        "losses = 0": "losses is 0, the ledger gives 1",
        "streak = 4": "streak is 4, the ledger gives -1",
        "last_sequence = 9": "last_sequence is 9, the ledger gives 4",
        "last_ranked_at = last_ranked_at - interval '1 day'": "last_ranked_at is ",
    }.items():
        statement = f"UPDATE ladder_standing SET {change} WHERE player_id = %(player)s"
        with subtests.test(change), altered(statement, player=match.player_one_id):
            (found,) = drifts()
            assert found.startswith(f"player01 on backgammon: {expected}")


def test_altered_settlement(match: Match, subtests: pytest.Subtests) -> None:
    for change, expected in {
        "sequence = 7": "entry 2: comes after entry 0",
        "delta = delta + 1, after = after + 1": "entry 1: delta is 45.27, by fibs-600 version 1 it is 44.27",
        "before = before + 1, after = after + 1": "entry 1: begins at 601.00, the rating was 600.00",
        "experience_before = 1, experience_after = 6": "entry 1: begins at experience 1, it was 0",
        "experience_after = 6": "entry 1: experience_after is 6, by fibs-600 version 1 it is 5",
        "basis = jsonb_set(basis, '{k}', '\"4.90\"')": "entry 1: k is 4.90, by fibs-600 version 1 it is 4.95",
        "basis = jsonb_set(basis, '{win_probability}', '0.51')": (
            "entry 1: win_probability is 0.51, by fibs-600 version 1 it is 0.5"
        ),
        "basis = jsonb_set(basis, '{opponent_rating}', '\"601.00\"')": (
            "entry 1: opponent_rating is 601.00, by fibs-600 version 1 it is 600.00"
        ),
        "rule_set = 'fibs-classic'": "entry 1: delta is 44.27, by fibs-classic version 1 it is 22.14",
        "rule_set_version = 9": "entry 1: there are no rules fibs-600 version 9",
        "won = false": "counts as a loss, it should count as a win",
    }.items():
        statement = f"UPDATE ladder_ratingentry SET {change} WHERE match_id = %(match)s AND won"
        with subtests.test(change), altered(statement, match=match.pk):
            found = drifts()
            assert any(each.startswith("player01 on backgammon: ") and each.endswith(expected) for each in found), found


def test_altered_reversal(match: Match, subtests: pytest.Subtests) -> None:
    for change, expected in {
        "delta = delta + 1, after = after + 1": "is not the exact opposite of entry 2",
        "experience_after = experience_after + 1": "is not the exact opposite of entry 2",
        "match_id = %(match)s": "reverses entry 2, which is later or of another match",
        "reverses_id = id": "reverses an entry of another standing, or a reversal",
    }.items():
        statement = f"UPDATE ladder_ratingentry SET {change} WHERE kind = 'reversal' AND {OF_PLAYER}"
        with subtests.test(change), altered(statement, match=match.pk, player=match.player_one_id):
            assert f"player01 on backgammon: entry 3: {expected}" in drifts()


def test_deleted_entry(match: Match) -> None:
    alter("DELETE FROM ladder_ratingentry WHERE match_id = %(match)s AND NOT won", match=match.pk)

    found = drifts()
    assert "player02 on backgammon: entry 2: comes after entry 0" in found
    assert f"player02 on backgammon: match {match.pk}: counts as nothing, it should count as a loss" in found


def test_settlement_of_a_match_that_is_not_settled(match: Match) -> None:
    alter(
        "UPDATE ladder_match SET state = 'voided', void_reason = 'other', settled_at = NULL, winner_id = NULL, "
        "confirmed_by = NULL WHERE id = %(match)s",
        match=match.pk,
    )

    assert drifts() == [
        f"player01 on backgammon: match {match.pk}: counts as a win, it should count as nothing",
        f"player02 on backgammon: match {match.pk}: counts as a loss, it should count as nothing",
    ]


def test_settlement_of_a_match_that_became_unrated(match: Match) -> None:
    alter("UPDATE ladder_match SET unrated_reason = 'walkover', settled_at = NULL WHERE id = %(match)s", match=match.pk)

    assert f"player01 on backgammon: match {match.pk}: counts as a win, it should count as nothing" in drifts()


def test_other_winner(match: Match) -> None:
    alter("UPDATE ladder_match SET winner_id = player_two_id WHERE id = %(match)s", match=match.pk)

    assert f"player02 on backgammon: match {match.pk}: counts as a loss, it should count as a win" in drifts()


def test_other_match_length(match: Match) -> None:
    alter("UPDATE ladder_match SET match_length = 7 WHERE id = %(match)s", match=match.pk)

    assert any("delta is 44.27, by fibs-600 version 1 it is 52.17" in drift for drift in drifts())


def test_entry_of_a_stranger(match: Match) -> None:
    stranger = make_player("player03")
    offers.ensure_standings(make_ladder(), [stranger.pk])
    alter(
        "UPDATE ladder_ratingentry SET standing_id = (SELECT id FROM ladder_standing WHERE player_id = %(player)s), "
        "sequence = 1 WHERE match_id = %(match)s AND NOT won",
        match=match.pk,
        player=stranger.pk,
    )

    expected = f"player03 on backgammon: match {match.pk}: entry 1 belongs to a standing that is not of this match"
    assert expected in drifts()


def test_settlement_that_counts_beside_its_correction(match: Match) -> None:
    alter(
        "UPDATE ladder_ratingentry SET reverses_id = "
        "(SELECT id FROM ladder_ratingentry WHERE match_id = %(match)s AND won) "
        f"WHERE kind = 'reversal' AND {OF_PLAYER}",
        match=match.pk,
        player=match.player_one_id,
    )

    found = drifts()
    assert any("counts as a win and a loss, it should count as a loss" in drift for drift in found)
    assert f"player01 on backgammon: match {match.pk}: counts as nothing, it should count as a win" in found


def test_decay_that_is_out_of_order(match: Match) -> None:
    standing = Standing.objects.get(player=match.player_one)
    for sequence, day in ((5, "2026-03-02"), (6, "2026-03-01")):
        alter(
            "INSERT INTO ladder_ratingentry (standing_id, sequence, kind, day, idle_since, before, delta, after, "
            "experience_before, experience_after, basis, rule_set, rule_set_version, reason, created_at) "
            "VALUES (%(standing)s, %(sequence)s, 'decay', %(day)s, '2026-01-01', %(before)s, -1, %(before)s - 1, 8, 8, "
            "'{}', 'fibs-600', 1, '', now())",
            standing=standing.pk,
            sequence=sequence,
            day=day,
            before=standing.rating - (sequence - 5),
        )

    assert "player01 on backgammon: entry 6: the day 2026-03-01 is repeated or not in order" in drifts()


def test_one_ladder_alone(match: Match) -> None:
    other = make_ladder("other")
    confirmed_match(make_player(), make_player(), ladder=other)
    alter("UPDATE ladder_standing SET wins = 9 WHERE player_id = %(player)s", player=match.player_one_id)

    assert drifts(other) == []
    assert len(drifts(match.ladder)) == 1


def test_one_snapshot_is_checked(match: Match) -> None:
    """What is committed after the verification began is left for the next one."""

    def write_meanwhile(_: int) -> None:
        with closing(connection.copy()) as other, other.cursor() as cursor:
            cursor.execute("UPDATE ladder_standing SET wins = wins + 1 WHERE player_id = %s", [match.player_two_id])

    assert verify(found=print, expect=write_meanwhile).drifts == 0
    assert len(drifts()) == 1
