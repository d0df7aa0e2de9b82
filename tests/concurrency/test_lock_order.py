"""Matches of the same players settle crosswise without a deadlock, because everyone locks standings by ascending id."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import OperationalError, connection

from ladder.models import Match, RatingEntry, Standing
from ladder.services.matches import locking, offers, reporting
from tests import factories
from tests.concurrency.ledger import assert_ledger_is_whole
from tests.concurrency.racing import GATE, Call, Callers, gate

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

CROSSINGS = 200


def by_server(match: Match) -> Call:
    return lambda: reporting.server_result(match.pk, winner=match.player_one.username)


def by_opponent(match: Match) -> Call:
    return lambda: reporting.report(match.pk, match.player_two, winner=match.player_one.username)


def test_200_crosswise_settlements(callers: Callable[[int], Callers]) -> None:
    one, two = factories.make_players(2)
    matches = []
    for _ in range(CROSSINGS):
        matches += [factories.started_match(one, two), factories.started_match(two, one)]
    threads = callers(4)
    for start in range(0, len(matches), 4):
        calls = [(by_server if index % 3 else by_opponent)(m) for index, m in enumerate(matches[start : start + 4])]
        answers = threads.at_once(*calls)
        assert not [answer for answer in answers if isinstance(answer, Exception)]

    assert RatingEntry.objects.count() == 2 * len(matches)
    for standing in Standing.objects.all():
        assert (standing.wins, standing.losses) == (CROSSINGS, CROSSINGS)
        assert standing.experience == 5 * len(matches)
    assert_ledger_is_whole(one, two)


# Wait at the gate before locking the standing of player two, whichever comes first.
GATED = f"""CASE WHEN s.player_id = m.player_two_id AND pg_advisory_xact_lock_shared({GATE}) IS NULL
                 THEN NULL ELSE s.last_ranked_at END"""


def crosswise(threads: Callers, patch: pytest.MonkeyPatch, order: str) -> list[BaseException]:
    """Settle A-B and B-A at once, with standings locked in ``order``; the errors."""
    one, two = factories.make_players(2)
    matches = [factories.started_match(one, two), factories.started_match(two, one)]
    statement = locking._LOCK_MATCH_AND_STANDINGS
    assert "ORDER BY s.id" in statement
    statement = statement.replace("s.last_ranked_at", GATED).replace("ORDER BY s.id", f"ORDER BY {order}")
    patch.setattr(locking, "_LOCK_MATCH_AND_STANDINGS", statement)
    with gate() as closed:
        running = threads.start(*(by_server(match) for match in matches))
        closed.wait_for(2)
        closed.open()
        errors = [error for future in running if (error := future.exception(10))]
    assert RatingEntry.objects.count() == 2 * (2 - len(errors))
    assert_ledger_is_whole(one, two)
    return errors


def test_locking_by_ascending_id_cannot_deadlock(callers: Callable[[int], Callers], monkeypatch) -> None:
    assert crosswise(callers(2), monkeypatch, "s.id") == []


def test_locking_in_the_order_of_the_seats_deadlocks(callers: Callable[[int], Callers], monkeypatch) -> None:
    (error,) = crosswise(callers(2), monkeypatch, "(s.player_id = m.player_two_id)")
    assert isinstance(error, OperationalError)
    assert "deadlock detected" in str(error)


# Lets the first standing of a transaction through, and holds each later one until the gate opens.
GATE_BETWEEN_ROWS = f"""
    CREATE FUNCTION gate_between_rows() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF coalesce(current_setting('test.first_row', true), '') = '' THEN
            PERFORM set_config('test.first_row', 'written', true);
        ELSE
            PERFORM pg_advisory_xact_lock_shared({GATE});
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER gate_between_rows BEFORE INSERT ON ladder_standing
    FOR EACH ROW EXECUTE FUNCTION gate_between_rows();
"""


@pytest.fixture
def gate_between_standings():
    with connection.cursor() as cursor:
        cursor.execute(GATE_BETWEEN_ROWS)
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER gate_between_rows ON ladder_standing; DROP FUNCTION gate_between_rows")


def offers_crosswise(threads: Callers) -> list[BaseException]:
    """Offer two new accounts matches against each other from both sides at once; the errors."""
    one, two, ladder = *factories.make_players(2), factories.make_ladder()
    with gate() as closed:
        running = threads.start(
            lambda: factories.offered_match(one, two, ladder=ladder),
            lambda: factories.offered_match(two, one, ladder=ladder),
        )
        closed.wait_for(2)
        closed.open()
        errors = [error for future in running if (error := future.exception(10))]
    assert Match.objects.count() == 2 - len(errors)
    assert Standing.objects.count() == 2
    return errors


@pytest.mark.usefixtures("gate_between_standings")
def test_offers_to_two_new_accounts_cannot_deadlock(callers: Callable[[int], Callers]) -> None:
    assert offers_crosswise(callers(2)) == []


@pytest.mark.usefixtures("gate_between_standings")
def test_standings_made_in_any_order_deadlock(callers: Callable[[int], Callers], monkeypatch) -> None:
    monkeypatch.setattr(offers, "sorted", list, raising=False)
    (error,) = offers_crosswise(callers(2))
    assert isinstance(error, OperationalError)
    assert "deadlock detected" in str(error)
