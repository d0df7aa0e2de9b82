"""What two players can say about a match, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from accounts.models import User
from common.errors import Conflict, Forbidden, Invalid, NotFound
from ladder.models import Match, MatchReport
from ladder.rules.match_life import ConfirmedBy, Ending, State
from ladder.rules.ranked import Origin
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import offers, reporting, rulings
from ladder.services.settlement import Outcome
from tests import factories

pytestmark = pytest.mark.django_db

# What was said since the match began (`1>2`: player 1 reports that 2 won); how the match then stands; and what the
# last call was answered: `done`, `same` (nothing changed), or the code of its refusal.
TALKS = """
    1>1                          | awaiting_confirmation | - | done
    1>2                          | confirmed             | 2 | done
    1>1, 1>1                     | awaiting_confirmation | - | same
    1>1, 1>2                     | confirmed             | 2 | done
    1>1, 2>1                     | confirmed             | 1 | done
    1>1, 2>2                     | disputed              | - | done
    1>2, 1>2                     | confirmed             | 2 | same
    1>2, 1>1                     | confirmed             | 2 | match_confirmed
    1>2, 2>2                     | confirmed             | 2 | same
    1>2, 2>1                     | confirmed             | 2 | match_confirmed
    1>1, 1>2, 1>1                | confirmed             | 2 | match_confirmed
    1>1, 1>2, 2>2                | confirmed             | 2 | same
    1>1, 1>2, 2 confirms         | confirmed             | 2 | same
    1>1, 2>1, 1>1                | confirmed             | 1 | same
    1>1, 2>1, 2>1                | confirmed             | 1 | same
    1>1, 2>1, 2>2                | confirmed             | 1 | match_confirmed
    1>1, 2>2, 1>1                | disputed              | - | same
    1>1, 2>2, 2>2                | disputed              | - | same
    1>1, 2>2, 1>2                | disputed              | - | match_disputed
    1>1, 2>2, 2>1                | disputed              | - | match_disputed
    1>1, 2>2, 2 confirms         | disputed              | - | match_disputed
    1 confirms                   | in_progress           | - | nothing_to_confirm
    1 disputes                   | in_progress           | - | nothing_to_dispute
    1>1, 1 confirms              | awaiting_confirmation | - | own_report
    1>1, 1 disputes              | awaiting_confirmation | - | own_report
    1>1, 2 confirms              | confirmed             | 1 | done
    1>1, 2 confirms, 2 confirms  | confirmed             | 1 | same
    1>1, 2 confirms, 1 confirms  | confirmed             | 1 | same
    1>1, 2 confirms, 2>1         | confirmed             | 1 | same
    1>1, 2 confirms, 2>2         | confirmed             | 1 | match_confirmed
    1>1, 2 confirms, 1>2         | confirmed             | 1 | match_confirmed
    1>1, 2 confirms, 2 disputes  | confirmed             | 1 | match_confirmed
    1>1, 2 disputes              | disputed              | - | done
    1>1, 2 disputes, 2 disputes  | disputed              | - | same
    1>1, 2 disputes, 1 disputes  | disputed              | - | done
    1>1, 2 disputes, 1>1         | disputed              | - | same
    1>1, 2 disputes, 2 confirms  | disputed              | - | match_disputed
    1>1, 2 disputes, 2>1         | disputed              | - | match_disputed
    1>1, 2 disputes, 2>2         | disputed              | - | match_disputed
    1>1, 2 disputes, 1>2         | disputed              | - | match_disputed
"""
ROWS = [[cell.strip() for cell in line.split("|")] for line in TALKS.strip().splitlines()]


def say(match: Match, saying: str) -> Outcome:
    players = {"1": match.player_one, "2": match.player_two}
    who = players[saying[0]]
    if saying.endswith("confirms"):
        return reporting.confirm(match.pk, who)
    if saying.endswith("disputes"):
        return reporting.dispute(match.pk, who, text="My opponent resigned.")
    return reporting.report(match.pk, who, winner=players[saying[-1]].username)


@pytest.mark.parametrize("mirrored", [False, True], ids=["", "mirrored"])
@pytest.mark.parametrize("origin", [Origin.MATCHMAKING, Origin.CHALLENGE])
@pytest.mark.parametrize(("talk", "state", "winner", "answer"), ROWS, ids=[row[0] for row in ROWS])
def test_all_pairs_of_reports(talk: str, state: str, winner: str, answer: str, origin: Origin, mirrored: bool) -> None:
    if mirrored:
        swap = str.maketrans("12", "21")
        talk, winner = talk.translate(swap), winner.translate(swap)
    match = factories.started_match(origin=origin)
    *before, last = talk.split(", ")
    for saying in before:
        say(match, saying)
    stood = Match.objects.filter(pk=match.pk).values().get()
    reports = MatchReport.objects.count()

    if answer in ("done", "same"):
        outcome = say(match, last)
        assert outcome.changed == (answer == "done")
        assert (outcome.match.state, bool(outcome.entries)) == (
            state, state == "confirmed" and outcome.changed and origin == Origin.MATCHMAKING
        )  # fmt: skip
    else:
        with pytest.raises(Conflict) as refused:
            say(match, last)
        assert refused.value.code == answer
    if answer != "done":
        assert Match.objects.filter(pk=match.pk).values().get() == stood
        assert MatchReport.objects.count() == reports

    match.refresh_from_db()
    winners = {"1": match.player_one, "2": match.player_two, "-": None}
    assert (match.state, match.winner) == (state, winners[winner])
    settles = state == "confirmed" and origin == Origin.MATCHMAKING
    assert [entry.won for entry in factories.entries_of(match)] == ([True, False] if settles else [])
    assert (match.settled_at is not None) == settles


def test_without_a_report_the_match_is_in_progress() -> None:
    match = factories.started_match()
    assert (match.state, factories.entries_of(match)) == (State.IN_PROGRESS, [])


# --- what a settled match holds ---


def test_a_confirmed_match_settles_both_players_at_once() -> None:
    match = factories.awaiting_match(claimant=1)
    outcome = reporting.confirm(match.pk, match.player_two)
    match.refresh_from_db()
    assert (match.confirmed_by, match.unrated_reason) == (ConfirmedBy.OPPONENT, None)
    assert match.finished_at == match.settled_at is not None
    assert [(entry.before, entry.delta, entry.after) for entry in outcome.entries] == [
        (Decimal("600.00"), Decimal("44.27"), Decimal("644.27")),
        (Decimal("600.00"), Decimal("-44.27"), Decimal("555.73")),
    ]
    winner, loser = (factories.standing_of(player) for player in (match.player_one, match.player_two))
    assert (winner.rating, winner.peak_rating, winner.experience) == (Decimal("644.27"), Decimal("644.27"), 5)
    assert (loser.rating, loser.peak_rating, loser.experience) == (Decimal("555.73"), Decimal("600.00"), 5)
    assert (winner.wins, winner.losses, winner.streak) == (1, 0, 1)
    assert (loser.wins, loser.losses, loser.streak) == (0, 1, -1)
    assert winner.last_ranked_at == loser.last_ranked_at == match.finished_at
    first = factories.entries_of(match)[0]
    assert first.basis == {"k": "4.95", "win_probability": 0.5, "opponent_rating": "600.00"}
    assert (first.rule_set, first.rule_set_version) == ("fibs-600", 1)


def test_ratings_are_those_of_the_moment_of_settlement() -> None:
    one, two = factories.make_players(2)
    early = factories.awaiting_match(one, two)
    factories.confirmed_match(one, factories.make_player())
    entries = reporting.confirm(early.pk, two).entries
    assert [entry.before for entry in entries] == [Decimal("644.27"), Decimal("600.00")]
    assert [entry.experience_before for entry in entries] == [5, 0]
    assert [entry.basis["opponent_rating"] for entry in entries] == ["600.00", "644.27"]


@pytest.mark.parametrize("ending", list(Ending))
def test_however_a_match_ended_it_counts_in_full(ending: Ending) -> None:
    match = factories.started_match()
    reporting.report(match.pk, match.player_two, winner=match.player_one.username, loser_score=3, ending=ending)
    match.refresh_from_db()
    assert (match.ending, match.loser_score) == (ending, 3)
    assert factories.standing_of(match.player_one).rating == Decimal("644.27")


def test_the_claimed_score_and_ending_stand_when_the_opponent_confirms() -> None:
    match = factories.started_match()
    one, two = match.player_one, match.player_two
    reporting.report(match.pk, one, winner=one.username, loser_score=2, ending=Ending.RESIGNED)
    confirmed = reporting.confirm(match.pk, two).match
    assert (confirmed.loser_score, confirmed.ending) == (2, Ending.RESIGNED)


def test_an_equal_report_without_a_score_keeps_the_claimed_score() -> None:
    match = factories.started_match()
    one, two = match.player_one, match.player_two
    reporting.report(match.pk, one, winner=one.username, loser_score=2)
    assert reporting.report(match.pk, two, winner=one.username).match.loser_score == 2


def test_conceding_after_a_claim_drops_the_claimed_score() -> None:
    match = factories.started_match()
    one, two = match.player_one, match.player_two
    reporting.report(match.pk, one, winner=one.username, loser_score=2)
    confirmed = reporting.report(match.pk, one, winner=two.username).match
    assert (confirmed.winner_id, confirmed.loser_score) == (two.pk, None)
    assert {(report.reporter_id, report.winner_id) for report in match.reports.all()} == {
        (one.pk, one.pk),
        (one.pk, two.pk),
    }


def test_a_dispute_keeps_its_text() -> None:
    match = factories.awaiting_match()
    reporting.dispute(match.pk, match.player_two, text="My opponent left at 4-4.")
    match.refresh_from_db()
    assert (match.state, match.two_statement) == (State.DISPUTED, "My opponent left at 4-4.")


def test_each_player_can_describe_the_dispute_once() -> None:
    match = factories.disputed_match()
    one, two = match.player_one, match.player_two
    texts = [(one, "Mine."), (one, "Again."), (two, " "), (two, "No,\nmine."), (two, "Again.")]
    changed = [reporting.dispute(match.pk, player, text=text).changed for player, text in texts]
    match.refresh_from_db()
    assert (match.one_statement, match.two_statement) == ("Mine.", "No, mine.")
    assert changed == [True, False, False, True, False]


def test_confirming_what_was_decided_otherwise_is_refused() -> None:
    match = factories.disputed_match()
    claimant, other = match.player_one, match.player_two
    rulings.rule_match(
        match.pk, actor=factories.make_moderator(), winner=2, reason_code=ReasonCode.EVIDENCE, reason="The recording."
    )
    with pytest.raises(Conflict) as refused:
        reporting.confirm(match.pk, other)
    assert refused.value.code == "match_confirmed"
    assert not reporting.confirm(match.pk, claimant).changed


def test_names_are_recognised_in_any_case_and_form() -> None:
    match = factories.started_match(factories.make_player("Émile"), factories.make_player("Anna"))
    assert reporting.report(match.pk, match.player_two, winner="  E\u0301MILE ").match.winner_id == match.player_one_id


# --- what is refused ---

SAYINGS: dict[str, Callable[[Match, User], Any]] = {
    "accept": lambda match, who: offers.accept(match.pk, who),
    "decline": lambda match, who: offers.decline(match.pk, who),
    "report": lambda match, who: reporting.report(match.pk, who, winner=match.player_one.username),
    "confirm": lambda match, who: reporting.confirm(match.pk, who),
    "dispute": lambda match, who: reporting.dispute(match.pk, who),
}


@pytest.mark.parametrize("state", factories.BY_STATE)
@pytest.mark.parametrize("saying", SAYINGS)
def test_a_stranger_is_refused_whatever_the_state(saying: str, state: State) -> None:
    match = factories.BY_STATE[state]()
    stood = Match.objects.filter(pk=match.pk).values().get()
    with pytest.raises(Forbidden) as refused:
        SAYINGS[saying](match, factories.make_player())
    assert refused.value.code == "not_your_match"
    assert Match.objects.filter(pk=match.pk).values().get() == stood


@pytest.mark.parametrize("saying", SAYINGS)
def test_a_match_that_is_not_there(saying: str) -> None:
    match = Match(pk=uuid4(), player_one=factories.make_player())
    with pytest.raises(NotFound) as refused:
        SAYINGS[saying](match, match.player_one)
    assert refused.value.code == "match_not_found"


def test_the_winner_is_one_of_the_two() -> None:
    match = factories.started_match()
    for call in (
        lambda: reporting.report(match.pk, match.player_one, winner=factories.make_player().username),
        lambda: reporting.report(match.pk, match.player_one, winner=""),
        lambda: reporting.server_result(match.pk, winner="nobody"),
    ):
        with pytest.raises(Invalid) as refused:
            call()
        assert (refused.value.code, refused.value.field) == ("winner_not_in_match", "winner")


@pytest.mark.parametrize("score", [-1, 5, 6, 40000])
def test_the_loser_has_less_than_the_match_length(score: int) -> None:
    match = factories.started_match(match_length=5)
    one = match.player_one
    for call in (
        lambda: reporting.report(match.pk, one, winner=one.username, loser_score=score),
        lambda: reporting.server_result(match.pk, winner=one.username, loser_score=score),
    ):
        with pytest.raises(Invalid) as refused:
            call()
        assert (refused.value.code, refused.value.field) == ("loser_score_out_of_range", "loser_score")
