"""Whatever is said about one match at the same moment, it settles once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from django.db import IntegrityError

from accounts.models import User
from common.errors import Conflict
from ladder.models import Match, RatingEntry
from ladder.rules.match_life import Seat, State
from ladder.rules.ranked import Unrated
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import reporting, rulings, sweeps
from ladder.services.settlement import Outcome
from tests import factories
from tests.concurrency.ledger import assert_ledger_is_whole
from tests.concurrency.racing import Call, Callers, gate, gate_after_locking_standings, without_row_locks

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

ROUNDS = 6


def rule(match: Match, moderator: User, winner: Seat | None) -> Call:
    return lambda: rulings.rule_match(
        match.pk, actor=moderator, winner=winner, reason_code=ReasonCode.EVIDENCE, reason="The recording shows it."
    )


def voices(match: Match, moderator: User) -> dict[str, Call]:
    """Everyone who can say that player one won the overdue match."""
    one = match.player_one.username
    return {
        "confirm": lambda: reporting.confirm(match.pk, match.player_two),
        "equal report": lambda: reporting.report(match.pk, match.player_two, winner=one),
        "server": lambda: reporting.server_result(match.pk, winner=one),
        "deadline": lambda: sweeps.confirm_overdue(match.pk),
        "ruling": rule(match, moderator, 1),
    }


def contrary_voices(match: Match, moderator: User) -> dict[str, Call]:
    """Everyone who can say something else."""
    two = match.player_two.username
    return {
        "concession": lambda: reporting.report(match.pk, match.player_one, winner=two),
        "contrary report": lambda: reporting.report(match.pk, match.player_two, winner=two),
        "dispute": lambda: reporting.dispute(match.pk, match.player_two),
        "server: 2": lambda: reporting.server_result(match.pk, winner=two),
        "server: void": lambda: reporting.server_void(match.pk, reason=Unrated.SERVER_FAILED),
        "ruling: 2": rule(match, moderator, 2),
        "ruling: void": rule(match, moderator, None),
    }


VOICES = ("confirm", "equal report", "server", "deadline", "ruling")
COMBINATIONS = [names for size in range(2, len(VOICES) + 1) for names in combinations(VOICES, size)]


def test_every_combination_of_equal_voices_settles_once(callers: Callable[[int], Callers]) -> None:
    one, two, moderator = factories.make_player(), factories.make_player(), factories.make_moderator()
    threads = callers(len(VOICES))
    for names in COMBINATIONS * ROUNDS:
        match = factories.overdue_match(one, two)
        said = voices(match, moderator)
        answers = threads.at_once(*(said[name] for name in names))

        # Nobody is refused: each either settled the match or is told that it is settled.
        assert not [answer for answer in answers if isinstance(answer, Exception)], names
        outcomes = [answer for answer in answers if isinstance(answer, Outcome)]
        assert {outcome.match.state for outcome in outcomes} <= {State.CONFIRMED}
        assert {outcome.match.winner_id for outcome in outcomes} <= {one.pk}
        settled_by = [outcome for outcome in outcomes if outcome.entries] + [each for each in answers if each is True]
        assert len(settled_by) == 1, names
        assert [entry.won for entry in factories.entries_of(match)] == [True, False]
    assert RatingEntry.objects.count() == 2 * len(COMBINATIONS) * ROUNDS
    assert_ledger_is_whole(one, two)


def test_contrary_voices_settle_once_or_not_at_all(callers: Callable[[int], Callers]) -> None:
    one, two, moderator = factories.make_player(), factories.make_player(), factories.make_moderator()
    pairs = [
        (name, other) for name in VOICES for other in contrary_voices(factories.overdue_match(one, two), moderator)
    ]
    threads = callers(2)
    for name, contrary in pairs * 2:
        match = factories.overdue_match(one, two)
        answers = threads.at_once(voices(match, moderator)[name], contrary_voices(match, moderator)[contrary])

        # Someone was heard first; the other got the same result, or a conflict, and never anything else.
        unexpected = [each for each in answers if isinstance(each, Exception) and not isinstance(each, Conflict)]
        assert not unexpected, (name, contrary)
        match.refresh_from_db()
        entries = factories.entries_of(match)
        assert len(entries) == (2 if match.state == State.CONFIRMED else 0), (name, contrary)
        assert match.state in (State.CONFIRMED, State.DISPUTED, State.VOIDED)
        assert all(entry.won == (entry.standing.player_id == match.winner_id) for entry in entries)
    assert_ledger_is_whole(one, two)


PAIRS = list(combinations(VOICES, 2))


@pytest.mark.parametrize("pair", PAIRS, ids=" + ".join)
def test_two_voices_are_never_in_the_critical_section_together(
    pair: tuple[str, str], callers: Callable[[int], Callers], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = factories.overdue_match()
    said = voices(match, factories.make_moderator())
    gate_after_locking_standings(monkeypatch)
    with gate() as closed:
        running = callers(2).start(*(said[name] for name in pair))
        assert closed.wait_for(2) == 1  # the other one waits for the match row
        closed.open()
        assert not [future.exception(10) for future in running if future.exception(10)]
    assert len(factories.entries_of(match)) == 2


@pytest.mark.parametrize("pair", PAIRS, ids=" + ".join)
def test_without_the_lock_both_settle_and_only_the_database_stops_the_second(
    pair: tuple[str, str], callers: Callable[[int], Callers], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = factories.overdue_match()
    said = voices(match, factories.make_moderator())
    gate_after_locking_standings(monkeypatch)
    without_row_locks(monkeypatch)
    with gate() as closed:
        running = callers(2).start(*(said[name] for name in pair))
        assert closed.wait_for(2) == 2  # both decided that the match is theirs to settle
        closed.open()
        errors = [future.exception(10) for future in running if future.exception(10)]
    assert len(errors) == 1
    assert isinstance(errors[0], IntegrityError)
    assert "one_settlement_per_match_and_standing" in str(errors[0]) or "sequence_unique" in str(errors[0])
    assert len(factories.entries_of(match)) == 2
