"""Rulings of moderators. Each ruling is saved with its moderator and reason, and recorded in the audit trail."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import audit
from common.errors import Forbidden, Invalid
from ladder.models import Match, MatchReport, RatingEntry, Ruling
from ladder.rules import match_life
from ladder.rules.match_life import ConfirmedBy, Ending, Seat, State, Step
from ladder.rules.ruling import ReasonCode
from ladder.services import settlement
from ladder.services.ledger.appending import append_reversals, reversal
from ladder.services.matches import notifications
from ladder.services.matches.life import refusals_as_conflicts
from ladder.services.matches.locking import LockedMatch, lock_match_to_settle, lock_standings_of_match
from ladder.services.matches.notifications import RatingChange, RatingChanges
from ladder.services.matches.reporting import check_loser_score
from ladder.services.settlement import Outcome, Result


@transaction.atomic
def rule_match(
    match_id: UUID, *, actor: User, winner: Seat | None, reason_code: ReasonCode, reason: str,
    loser_score: int | None = None, ending: Ending | None = None, note: str = "",
) -> Outcome:  # fmt: skip
    """Rule an unfinished match: seat 1 or 2 won, or it is void (``winner`` None).

    ``reason`` is shown to the players, ``note`` only to the staff. Without ``loser_score`` or ``ending``, those of the
    winner's report are used.
    """
    _check(actor, reason)
    locked = lock_match_to_settle(match_id)
    check_impartial(actor, locked.match)
    check_loser_score(locked.match, loser_score)
    with refusals_as_conflicts():
        decision = match_life.rule(locked.for_rules(), winner)
    if decision.step == Step.NOTHING:
        return Outcome(locked.match, changed=False)
    reported_score, reported_ending = _reported(locked, winner)
    ruling = _record(
        locked, actor=actor, winner=winner, reason_code=reason_code, text=reason, note=note,
        ending=(ending or reported_ending) if winner else None,
        loser_score=reported_score if loser_score is None else loser_score,
    )  # fmt: skip
    outcome = _void(locked, ruling, {}) if winner is None else _confirm(locked, ruling, winner)
    audit.record(actor, "match.rule", outcome.match, reason=reason, data=_details(ruling))
    return outcome


@transaction.atomic
def overturn_match(
    match_id: UUID, *, actor: User, winner: Seat | None, reason_code: ReasonCode, reason: str, note: str = ""
) -> Outcome:
    """Change a confirmed result: to void, or to the other winner. Its ledger entries are reversed."""
    _check(actor, reason)
    locked = lock_match_to_settle(match_id)
    check_impartial(actor, locked.match)
    with refusals_as_conflicts():
        decision = match_life.overturn(locked.for_rules(), winner)
    match = locked.match
    if decision.step == Step.NOTHING:
        return Outcome(match, changed=False)
    ending = Ending(match.ending or Ending.PLAYED) if winner else None
    ruling = _record(
        locked, actor=actor, winner=winner, reason_code=reason_code, text=reason, note=note, ending=ending
    )  # fmt: skip
    reversals = _reverse_settlement(locked, actor, reason)
    if winner is None:
        outcome = _void(locked, ruling, _changes_on_own_ladder(locked, reversals))
    else:
        follows = {entry.standing_id: entry for entry in reversals}
        outcome = _confirm(locked, ruling, winner, follows)
    audit.record(actor, "match.overturn", outcome.match, reason=reason, data=_details(ruling))
    return Outcome(outcome.match, reversals + outcome.entries)


def check_impartial(actor: User, match: Match) -> None:
    """Raise ``Forbidden`` if the moderator is a player of the match.

    Superusers are allowed, as a club may have only one.
    """
    if match.seat_of(actor.pk) and not actor.is_superuser:
        raise Forbidden("own_match", _("You cannot rule your own match. Please leave it to another moderator."))


def _check(actor: User, reason: str) -> None:
    if not (actor.is_active and actor.has_perm("ladder.rule_match")):
        raise Forbidden("not_a_moderator", _("Only moderators can rule matches."))
    if not reason.strip():
        raise Invalid("reason_required", _("A reason is required. The players can read it."), field="reason")


def _reported(locked: LockedMatch, winner: Seat | None) -> tuple[int | None, Ending | None]:
    """The loser's score and the ending in the winner's own report; ``None`` and played to the end if there is none."""
    if winner is None:
        return None, None
    player = locked.player_id(winner)
    report = MatchReport.objects.filter(match=locked.match, reporter=player, winner=player).first()
    return (report.loser_score, Ending(report.ending)) if report else (None, Ending.PLAYED)


def _record(
    locked: LockedMatch, *, actor: User, winner: Seat | None, reason_code: ReasonCode, text: str, note: str,
    ending: Ending | None, loser_score: int | None = None,
) -> Ruling:  # fmt: skip
    match = locked.match
    return Ruling.objects.create(
        match=match,
        number=Ruling.objects.filter(match=match).count() + 1,
        winner_id=locked.player_id(winner) if winner else None,
        loser_score=loser_score,
        ending=ending,
        reason_code=reason_code,
        text=text,
        note=note,
        state_before=match.state,
        winner_before_id=match.winner_id,
        actor=actor,
        created_at=timezone.now(),
    )


def _details(ruling: Ruling) -> dict[str, object]:
    """The data of the ruling in the audit trail."""
    return {
        "ruling": ruling.number,
        "winner": ruling.winner_id,
        "reason_code": ruling.reason_code,
        "state_before": ruling.state_before,
        "winner_before": ruling.winner_before_id,
    }


def _confirm(
    locked: LockedMatch, ruling: Ruling, winner: Seat, follows: dict[int, RatingEntry] | None = None
) -> Outcome:
    result = Result(
        winner=winner,
        ending=Ending(ruling.ending or Ending.PLAYED),
        loser_score=ruling.loser_score,
        confirmed_by=ConfirmedBy.MODERATOR,
        ruling=ruling,
    )
    # A corrected match keeps the time when it was played.
    return settlement.confirm(
        locked, result, now=timezone.now(), finished_at=locked.match.finished_at, follows=follows or None
    )


def _void(locked: LockedMatch, ruling: Ruling, changes: RatingChanges) -> Outcome:
    match = locked.match
    match.state = State.VOIDED
    match.void_reason = ruling.reason_code
    match.ruling = ruling
    match.winner_id = match.confirmed_by = match.settled_at = None
    match.finished_at = timezone.now()
    match.save(update_fields=["state", "void_reason", "ruling", "winner", "confirmed_by", "settled_at", "finished_at"])
    notifications.notify_void_ruling(match, changes)
    return Outcome(match)


def _reverse_settlement(locked: LockedMatch, actor: User, reason: str) -> list[RatingEntry]:
    """Reverse the settlements of the match that are not reversed yet."""
    if not locked.match.is_rated:
        return []
    lock_standings_of_match(locked)
    locked_standings = {standing.id: standing for standing in locked.standings.values()}
    now = timezone.now()
    settled = RatingEntry.objects.filter(
        match=locked.match, kind=RatingEntry.Kind.SETTLEMENT, reversals__isnull=True
    ).select_related("standing").order_by("standing_id")  # fmt: skip
    reversals = []
    for entry in settled:
        opposite = reversal(entry, locked_standings[entry.standing_id], actor=actor, reason=reason, created_at=now)
        opposite.standing = entry.standing
        reversals.append(opposite)
    append_reversals(reversals, list(locked_standings.values()))
    return reversals


def _changes_on_own_ladder(locked: LockedMatch, entries: list[RatingEntry]) -> RatingChanges:
    return {
        entry.standing.player_id: RatingChange(entry.before, entry.after)
        for entry in entries
        if entry.standing.ladder_id == locked.match.ladder_id
    }
