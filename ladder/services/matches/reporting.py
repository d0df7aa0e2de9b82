"""Reports of players and trusted servers about a started match.

Each public function is one transaction: it locks the match, gets the next step from ``ladder.rules.match_life``, and
executes it. A repeated call changes nothing and returns the match.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts import usernames
from accounts.models import User
from common.errors import Invalid
from ladder import event_kinds
from ladder.models import Match, MatchReport
from ladder.rules import match_life
from ladder.rules.match_life import ConfirmedBy, Decision, Ending, Seat, State, Step
from ladder.rules.ranked import Unrated
from ladder.services import settlement
from ladder.services.matches import notifications
from ladder.services.matches.life import end_match, refusals_as_conflicts, seat_of
from ladder.services.matches.locking import LockedMatch, lock_match, lock_match_to_settle
from ladder.services.settlement import Outcome, Result

SERVER_VOID_REASONS = (Unrated.NOBODY_MOVED, Unrated.SERVER_FAILED)


@transaction.atomic
def report(
    match_id: UUID, reporter: User, *, winner: str, loser_score: int | None = None, ending: Ending = Ending.PLAYED
) -> Outcome:
    """A player reports the winner, by username.

    Raises ``Invalid`` if the winner is not in the match, or if the score is not possible in the match length.
    """
    locked = lock_match(match_id)
    match, seat = locked.match, seat_of(locked, reporter)
    winner_seat = _winner(locked, winner)
    check_loser_score(match, loser_score)
    with refusals_as_conflicts():
        decision = match_life.report(locked.for_rules(), seat, winner_seat)
    if decision.step == Step.CONFIRM:
        if loser_score is None:
            loser_score = _claimed_loser_score(locked, winner_seat)
        result = Result(
            winner=winner_seat,
            ending=ending,
            loser_score=loser_score,
            confirmed_by=ConfirmedBy.OPPONENT,
            reporter=seat,
        )
        return settlement.confirm(locked, result, now=timezone.now())
    if decision.step in (Step.AWAIT, Step.DISPUTE):
        _save_report(locked, decision, seat, winner_seat, loser_score, ending)
    return Outcome(match, changed=decision.step != Step.NOTHING)


@transaction.atomic
def confirm(match_id: UUID, player: User) -> Outcome:
    """A player confirms the opponent's report."""
    locked = lock_match_to_settle(match_id)
    seat = seat_of(locked, player)
    with refusals_as_conflicts():
        decision = match_life.confirm(locked.for_rules(), seat)
    return confirm_as_reported(locked, decision, ConfirmedBy.OPPONENT)


@transaction.atomic
def dispute(match_id: UUID, player: User, *, text: str = "") -> Outcome:
    """A player disputes the opponent's report. ``text`` is the player's description for the moderator, saved only the
    first time.
    """
    locked = lock_match(match_id)
    match, seat = locked.match, seat_of(locked, player)
    with refusals_as_conflicts():
        decision = match_life.dispute(locked.for_rules(), seat)
    if decision.step == Step.DISPUTE:
        match.state = State.DISPUTED
    added = _add_statement(match, seat, text) if match.state == State.DISPUTED else False
    changed = added or decision.step == Step.DISPUTE
    if changed:
        match.save(update_fields=["state", "one_statement", "two_statement"])
    if decision.step == Step.DISPUTE:
        notifications.notify_players(match, event_kinds.MATCH_DISPUTED, by=player.pk)
    return Outcome(match, changed=changed)


@transaction.atomic
def server_result(
    match_id: UUID, *, winner: str, loser_score: int | None = None, ending: Ending = Ending.PLAYED
) -> Outcome:
    """A trusted server reports the result. The match is confirmed and settled at once."""
    locked = lock_match_to_settle(match_id)
    winner_seat = _winner(locked, winner)
    check_loser_score(locked.match, loser_score)
    with refusals_as_conflicts():
        decision = match_life.server_result(locked.for_rules(), winner_seat)
    if decision.step == Step.NOTHING:
        return Outcome(locked.match, changed=False)
    result = Result(winner=winner_seat, ending=ending, loser_score=loser_score, confirmed_by=ConfirmedBy.SERVER)
    return settlement.confirm(locked, result, now=timezone.now())


@transaction.atomic
def server_void(match_id: UUID, *, reason: Unrated) -> Outcome:
    """A trusted server reports that nobody moved or that it failed. The match is voided."""
    if reason not in SERVER_VOID_REASONS:
        raise Invalid(
            "void_reason",
            gettext("The reason must be that nobody moved or that the server failed."),
            field="void_reason",
        )
    locked = lock_match(match_id)
    with refusals_as_conflicts():
        decision = match_life.server_void(locked.for_rules(), reason)
    if decision.step == Step.VOID:
        void_without_result(locked, reason)
    return Outcome(locked.match, changed=decision.step != Step.NOTHING)


def confirm_as_reported(locked: LockedMatch, decision: Decision, confirmed_by: ConfirmedBy) -> Outcome:
    """Confirm the reported result, with the score and ending of the report."""
    match = locked.match
    if decision.step == Step.NOTHING or decision.winner is None:
        return Outcome(match, changed=False)
    claim = MatchReport.objects.get(
        match_id=match.id, reporter_id=locked.player_id(decision.winner), winner_id=locked.player_id(decision.winner)
    )
    result = Result(
        winner=decision.winner,
        ending=Ending(claim.ending),
        loser_score=claim.loser_score,
        confirmed_by=confirmed_by,
    )
    return settlement.confirm(locked, result, now=timezone.now())


def void_without_result(locked: LockedMatch, reason: str) -> None:
    """Void a locked match that has no confirmed result."""
    end_match(locked.match, State.VOIDED, reason)
    notifications.notify_players(locked.match, event_kinds.MATCH_VOIDED, reason=reason)


def _add_statement(match: Match, seat: Seat, text: str) -> bool:
    """Save the player's text about the dispute, if it is the first. Both players can give one."""
    field = "one_statement" if seat == 1 else "two_statement"
    if not text.strip() or getattr(match, field):
        return False
    setattr(match, field, " ".join(text.split()))
    return True


def _save_report(
    locked: LockedMatch, decision: Decision, seat: Seat, winner: Seat, loser_score: int | None, ending: Ending
) -> None:
    match, now = locked.match, timezone.now()
    MatchReport.objects.create(
        match=match,
        reporter_id=locked.player_id(seat),
        winner_id=locked.player_id(winner),
        loser_score=loser_score,
        ending=ending,
        created_at=now,
    )
    if seat == 1:
        match.one_reported_winner = winner
    else:
        match.two_reported_winner = winner
    if decision.step == Step.AWAIT:
        match.state = State.AWAITING_CONFIRMATION
        match.confirm_by = now + timedelta(hours=settings.MATCH_CONFIRM_HOURS)
        kind = event_kinds.RESULT_REPORTED
    else:
        match.state = State.DISPUTED
        kind = event_kinds.MATCH_DISPUTED
    match.save(update_fields=["state", "confirm_by", "one_reported_winner", "two_reported_winner"])
    notifications.notify_players(
        match, kind, by=locked.player_id(seat), winner=locked.player_id(winner), loser_score=loser_score
    )


def _winner(locked: LockedMatch, username: str) -> Seat:
    match = locked.match
    name = usernames.normal_form(username).lower()
    if name == match.player_one.username.lower():
        return 1
    if name == match.player_two.username.lower():
        return 2
    raise Invalid(
        "winner_not_in_match", gettext("The winner must be one of the two players, by username."), field="winner"
    )


def _claimed_loser_score(locked: LockedMatch, winner: Seat) -> int | None:
    """The loser's score in the winner's own report, if there is one."""
    player = locked.player_id(winner)
    claim = MatchReport.objects.filter(match_id=locked.match.id, reporter_id=player, winner_id=player)
    return claim.values_list("loser_score", flat=True).first()


def check_loser_score(match: Match, loser_score: int | None) -> None:
    """Raise ``Invalid`` for a score that the loser of this match cannot have."""
    if loser_score is not None and not 0 <= loser_score < match.match_length:
        raise Invalid(
            "loser_score_out_of_range",
            gettext("The loser's score is 0 to %(most)d in a match to %(length)d points.")
            % {"most": match.match_length - 1, "length": match.match_length},
            field="loser_score",
        )
