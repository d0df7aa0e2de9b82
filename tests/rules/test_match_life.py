"""The life of a match, as one table: every event against every situation a match can be in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ladder.rules import match_life
from ladder.rules.match_life import ConfirmedBy, Decision, Ending, Match, Refused, Seat, State

ONE: frozenset[Seat] = frozenset({1})
BOTH: frozenset[Seat] = frozenset({1, 2})

# The columns of the table.
SITUATIONS = {
    "offered": Match(State.OFFERED),
    "offered/1": Match(State.OFFERED, accepted=ONE),
    "playing": Match(State.IN_PROGRESS, accepted=BOTH),
    "claim/1": Match(State.AWAITING_CONFIRMATION, accepted=BOTH, claims=frozenset({(1, 1)})),
    "claim/2": Match(State.AWAITING_CONFIRMATION, accepted=BOTH, claims=frozenset({(2, 2)})),
    "claim/12": Match(State.DISPUTED, accepted=BOTH, claims=frozenset({(1, 1), (2, 2)})),
    "disput/1": Match(State.DISPUTED, accepted=BOTH, claims=frozenset({(1, 1)})),  # 1 claims, 2 called it wrong
    "won/1": Match(State.CONFIRMED, winner=1, accepted=BOTH, claims=frozenset({(1, 1)})),
    "won/2": Match(State.CONFIRMED, winner=2, accepted=BOTH, claims=frozenset({(1, 2)})),
    "void": Match(State.VOIDED, accepted=BOTH, void_reason="nobody_moved"),
    "void/1": Match(State.VOIDED, accepted=BOTH, claims=frozenset({(1, 1)}), void_reason="cheating"),
    "cancel/1": Match(State.CANCELLED, accepted=ONE, void_reason="declined"),
}

# The rows of the table.
EVENTS: dict[str, Callable[[Match], Decision]] = {
    "1 accepts": lambda match: match_life.accept(match, 1),
    "2 accepts": lambda match: match_life.accept(match, 2),
    "one declines": match_life.decline,
    "1 reports 1": lambda match: match_life.report(match, 1, 1),
    "1 reports 2": lambda match: match_life.report(match, 1, 2),
    "2 reports 1": lambda match: match_life.report(match, 2, 1),
    "2 reports 2": lambda match: match_life.report(match, 2, 2),
    "1 confirms": lambda match: match_life.confirm(match, 1),
    "2 confirms": lambda match: match_life.confirm(match, 2),
    "1 disputes": lambda match: match_life.dispute(match, 1),
    "2 disputes": lambda match: match_life.dispute(match, 2),
    "server: 1 won": lambda match: match_life.server_result(match, 1),
    "server: 2 won": lambda match: match_life.server_result(match, 2),
    "server: no move": lambda match: match_life.server_void(match, "nobody_moved"),
    "server: failed": lambda match: match_life.server_void(match, "server_failed"),
    "confirm deadline": match_life.deadline,
    "expiry": match_life.expiry,
    "ruling: 1 won": lambda match: match_life.rule(match, 1),
    "ruling: 2 won": lambda match: match_life.rule(match, 2),
    "ruling: void": lambda match: match_life.rule(match, None),
    "overturn: 1 won": lambda match: match_life.overturn(match, 1),
    "overturn: 2 won": lambda match: match_life.overturn(match, 2),
    "overturn: void": lambda match: match_life.overturn(match, None),
}

# `=` nothing happens and the match is shown as it is; `!` refused, by the state the match is in;
# `!none` refused, there is nothing to confirm or dispute; `!own` refused, it is the player's own report;
# `won1` confirmed for player 1; `says1` player 1's claim waits; the rest are named as they are.
TABLE = """
                 | offered | offered/1 | playing | claim/1 | claim/2 | claim/12 | disput/1 | won/1 | won/2 | void | void/1 | cancel/1
1 accepts        | accept  | =         | =       | =       | =       | =        | =        | =     | =     | !    | !      | !
2 accepts        | accept  | start     | =       | =       | =       | =        | =        | =     | =     | !    | !      | !
one declines     | cancel  | cancel    | !       | !       | !       | !        | !        | !     | !     | !    | !      | =
1 reports 1      | !       | !         | says1   | =       | dispute | =        | =        | =     | !     | !    | =      | !
1 reports 2      | !       | !         | won2    | won2    | won2    | !        | !        | !     | =     | !    | !      | !
2 reports 1      | !       | !         | won1    | won1    | won1    | !        | !        | =     | !     | !    | !      | !
2 reports 2      | !       | !         | says2   | dispute | =       | =        | !        | !     | =     | !    | !      | !
1 confirms       | !       | !         | !none   | !own    | won2    | !        | !        | =     | =     | !    | !      | !
2 confirms       | !       | !         | !none   | won1    | !own    | !        | !        | =     | =     | !    | !      | !
1 disputes       | !       | !         | !none   | !own    | dispute | =        | =        | !     | !     | !    | !      | !
2 disputes       | !       | !         | !none   | dispute | !own    | =        | =        | !     | !     | !    | !      | !
server: 1 won    | !       | !         | won1    | won1    | won1    | won1     | won1     | =     | !     | !    | !      | !
server: 2 won    | !       | !         | won2    | won2    | won2    | won2     | won2     | !     | =     | !    | !      | !
server: no move  | !       | !         | void    | void    | void    | void     | void     | !     | !     | =    | !      | !
server: failed   | !       | !         | void    | void    | void    | void     | void     | !     | !     | !    | !      | !
confirm deadline | =       | =         | =       | won1    | won2    | =        | =        | =     | =     | =    | =      | =
expiry           | cancel  | cancel    | void    | =       | =       | =        | =        | =     | =     | =    | =      | =
ruling: 1 won    | !       | !         | won1    | won1    | won1    | won1     | won1     | =     | !     | !    | !      | !
ruling: 2 won    | !       | !         | won2    | won2    | won2    | won2     | won2     | !     | =     | !    | !      | !
ruling: void     | !       | !         | void    | void    | void    | void     | void     | !     | !     | =    | =      | !
overturn: 1 won  | !       | !         | !       | !       | !       | !        | !        | =     | won1  | !    | !      | !
overturn: 2 won  | !       | !         | !       | !       | !       | !        | !        | won2  | =     | !    | !      | !
overturn: void   | !       | !         | !       | !       | !       | !        | !        | void  | void  | =    | =      | !
"""  # noqa: E501

STATE_CODES = {
    State.OFFERED: "match_not_started",
    State.IN_PROGRESS: "match_in_progress",
    State.AWAITING_CONFIRMATION: "match_awaiting_confirmation",
    State.CONFIRMED: "match_confirmed",
    State.DISPUTED: "match_disputed",
    State.VOIDED: "match_voided",
    State.CANCELLED: "match_cancelled",
}


def outcome(event: str, match: Match) -> str:
    """What comes of the event, in the words of the table."""
    try:
        decision = EVENTS[event](match)
    except Refused as refused:
        own = {"own_report": "!own", "nothing_to_confirm": "!none", "nothing_to_dispute": "!none"}
        return "!" if refused.code == STATE_CODES[match.state] else own[refused.code]
    steps = {"nothing": "=", "confirm": f"won{decision.winner}", "await": f"says{decision.winner}"}
    return steps.get(decision.step, decision.step)


def rows() -> dict[str, list[str]]:
    lines = [[cell.strip() for cell in line.split("|")] for line in TABLE.strip("\n").splitlines()]
    assert lines[0][1:] == list(SITUATIONS)
    return {name: cells for name, *cells in lines[1:]}


def test_the_table_is_whole() -> None:
    assert list(rows()) == list(EVENTS)
    assert all(len(cells) == len(SITUATIONS) for cells in rows().values())
    assert {match.state for match in SITUATIONS.values()} == set(State)


@pytest.mark.parametrize(
    ("event", "situation", "expected"),
    [(event, *cell) for event, cells in rows().items() for cell in zip(SITUATIONS, cells, strict=True)],
)
def test_every_event_in_every_situation(event: str, situation: str, expected: str) -> None:
    assert outcome(event, SITUATIONS[situation]) == expected


@pytest.mark.parametrize(("event", "code"), [("confirms", "nothing_to_confirm"), ("disputes", "nothing_to_dispute")])
def test_before_any_report_there_is_nothing_to_confirm_or_dispute(event: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        EVENTS[f"1 {event}"](SITUATIONS["playing"])
    assert refused.value.code == code


def test_the_words_that_are_stored_and_shown() -> None:
    assert [state.value for state in State] == [
        "offered", "in_progress", "awaiting_confirmation", "confirmed", "disputed", "voided", "cancelled",
    ]  # fmt: skip
    assert [ending.value for ending in Ending] == ["played", "resigned", "timed_out", "abandoned"]
    assert [each.value for each in ConfirmedBy] == ["opponent", "server", "deadline", "moderator", "import"]
