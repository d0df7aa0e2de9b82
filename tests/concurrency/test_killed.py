"""A process that is killed between any two statements leaves nothing half-done, and a retry finishes the work.

Each kill point is a child process of its own that ends itself with SIGKILL after so many statements.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from inspect import unwrap
from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, connections

from accounts.models import AuditEntry
from ladder.models import Match, MatchReport, RatingEntry, Standing
from ladder.rules.match_life import State
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import reporting, rulings, sweeps
from tests import factories
from tests.concurrency.ledger import assert_ledger_is_whole
from tests.concurrency.racing import Call

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

Scenario = Callable[[], tuple[Match, Call]]


def die_after(statements: int) -> None:
    """Have this process kill itself just before the statement (or the commit) that follows so many others."""
    left = statements

    def counted(run: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1
            return run(*arguments, **options)

        return wrapper

    # Underneath Django and the handwritten SQL alike.
    for place, name in (psycopg.Cursor, "execute"), (psycopg.Cursor, "executemany"), (psycopg.Connection, "commit"):
        setattr(place, name, counted(getattr(place, name)))


def killed_after(statements: int, call: Call) -> bool:
    """Run the call in a child process that dies after so many statements; False when it finished before."""

    def child() -> None:
        connections["default"].ensure_connection()  # connecting takes statements of its own
        die_after(statements)
        call()

    connections.close_all()  # nothing of ours may be shared with the child
    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    process.join(30)
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


def snapshot() -> list[Any]:
    """Everything that a service could have written."""
    return [
        list(model.objects.order_by("pk").values()) for model in (Match, MatchReport, RatingEntry, Standing, AuditEntry)
    ]


def confirm() -> tuple[Match, Call]:
    match = factories.awaiting_match()
    return match, lambda: reporting.confirm(match.pk, match.player_two)


def report_loss() -> tuple[Match, Call]:
    match = factories.started_match()
    return match, lambda: reporting.report(match.pk, match.player_two, winner=match.player_one.username)


def server_result() -> tuple[Match, Call]:
    match = factories.started_match()
    return match, lambda: reporting.server_result(match.pk, winner=match.player_one.username)


def deadline() -> tuple[Match, Call]:
    match = factories.overdue_match()
    return match, lambda: sweeps.confirm_overdue(match.pk)


def ruling() -> tuple[Match, Call]:
    match, moderator = factories.disputed_match(), factories.make_moderator()
    return match, lambda: rulings.rule_match(
        match.pk, actor=moderator, winner=1, reason_code=ReasonCode.EVIDENCE, reason="The recording shows it."
    )


def correction() -> tuple[Match, Call]:
    match, moderator = factories.confirmed_match(winner=2), factories.make_moderator()
    return match, lambda: rulings.overturn_match(
        match.pk, actor=moderator, winner=1, reason_code=ReasonCode.ADMITTED, reason="Both say so."
    )


def claim() -> tuple[Match, Call]:
    match = factories.started_match()
    return match, lambda: reporting.report(match.pk, match.player_one, winner=match.player_one.username)


SETTLING = [confirm, report_loss, server_result, deadline, ruling, correction]


@pytest.mark.parametrize("scenario", SETTLING, ids=lambda scenario: scenario.__name__)
def test_killed_between_any_two_statements_of_a_settlement(scenario: Scenario) -> None:
    match, call = scenario()
    before = snapshot()
    kills = 0
    while killed_after(kills, call):
        assert snapshot() == before
        kills += 1
    assert kills >= 3  # before the lock, before the writing, and before the commit at the least

    match.refresh_from_db()
    assert (match.state, match.winner_id) == (State.CONFIRMED, match.player_one_id)
    assert len(factories.entries_of(match)) == (6 if scenario is correction else 2)
    assert_ledger_is_whole(match.player_one, match.player_two)
    after = snapshot()
    call()  # whoever did not hear the answer asks again
    assert snapshot() == after


@pytest.mark.parametrize("name", ["claim", "correction"])
def test_without_the_transaction_a_kill_leaves_something_half_done(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match, call = {"claim": claim, "correction": correction}[name]()
    # The services as they would be without `transaction.atomic` around them.
    monkeypatch.setattr(reporting, "report", unwrap(reporting.report))
    monkeypatch.setattr(rulings, "overturn_match", unwrap(rulings.overturn_match))
    before = snapshot()
    kills = 0
    while killed_after(kills, call) and snapshot() == before:
        kills += 1
    match.refresh_from_db()
    if name == "claim":
        assert match.state == State.IN_PROGRESS  # the report is there, and the match knows nothing of it
        assert match.reports.count() == 1
    else:
        assert match.winner == match.player_two  # the rating change was reversed, but the player is still the winner
        assert len(factories.entries_of(match)) > 2
    with pytest.raises(IntegrityError):
        call()
