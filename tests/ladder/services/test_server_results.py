"""What a trusted game server says about a match is final."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from common.errors import Conflict, Invalid
from ladder.models import Match
from ladder.rules.match_life import ConfirmedBy, State
from ladder.rules.ranked import Unrated
from ladder.services.matches import reporting
from ladder.services.settlement import Outcome
from tests import factories

pytestmark = pytest.mark.django_db

SERVER = """
    state                 | result 1 won    | result 2 won    | nobody moved    | server failed
    offered               | match_not_started | match_not_started | match_not_started | match_not_started
    in_progress           | confirmed       | confirmed       | voided          | voided
    awaiting_confirmation | confirmed       | confirmed       | voided          | voided
    disputed              | confirmed       | confirmed       | voided          | voided
    confirmed             | same            | match_confirmed | match_confirmed | match_confirmed
    voided                | match_voided    | match_voided    | match_voided    | match_voided
    cancelled             | match_cancelled | match_cancelled | match_cancelled | match_cancelled
"""
SERVER_CALLS: dict[str, Callable[[Match], Outcome]] = {
    "result 1 won": lambda match: reporting.server_result(match.pk, winner=match.player_one.username),
    "result 2 won": lambda match: reporting.server_result(match.pk, winner=match.player_two.username),
    "nobody moved": lambda match: reporting.server_void(match.pk, reason=Unrated.NOBODY_MOVED),
    "server failed": lambda match: reporting.server_void(match.pk, reason=Unrated.SERVER_FAILED),
}
HEAD, *LINES = [[cell.strip() for cell in line.split("|")] for line in SERVER.strip().splitlines()]


@pytest.mark.parametrize(
    ("state", "call", "expected"),
    [(state, call, cell) for state, *cells in LINES for call, cell in zip(HEAD[1:], cells, strict=True)],
)
def test_a_trusted_server_in_every_state(state: str, call: str, expected: str) -> None:
    match = factories.BY_STATE[State(state)]()
    entries = len(factories.entries_of(match))
    if expected.startswith("match_"):
        with pytest.raises(Conflict) as refused:
            SERVER_CALLS[call](match)
        assert refused.value.code == expected
    else:
        outcome = SERVER_CALLS[call](match)
        assert outcome.changed == (expected != "same")
    match.refresh_from_db()
    assert match.state == (expected if expected in ("confirmed", "voided") else state)
    if expected == "confirmed":
        assert match.confirmed_by == ConfirmedBy.SERVER
        assert [entry.won for entry in factories.entries_of(match)] == [True, False]
        # a repeated request gets the same response
        again = SERVER_CALLS[call](match)
        assert (again.changed, again.entries, again.match.winner_id) == (False, [], match.winner_id)
    else:
        assert len(factories.entries_of(match)) == entries
    if expected == "voided":
        assert match.void_reason in ("nobody_moved", "server_failed")
        assert not SERVER_CALLS[call](match).changed


def test_a_server_voids_for_its_own_reasons_only() -> None:
    match = factories.started_match()
    with pytest.raises(Invalid) as refused:
        reporting.server_void(match.pk, reason=Unrated.NO_RESULT)
    assert refused.value.code == "void_reason"
