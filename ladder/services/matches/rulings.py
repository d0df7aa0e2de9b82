"""What moderators decide about a match. Each ruling names its actor and a reason, and stays on record.

A ruling is a row of its own and an entry of the audit trail, both written in the transaction that carries it out.
"""

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
from ladder.services.matches import events
from ladder.services.matches.events import Move, Moved
from ladder.services.matches.life import life
from ladder.services.matches.locking import LockedMatch, lock_match_to_settle, lock_standings_of_match
from ladder.services.matches.reporting import check_loser_score
from ladder.services.settlement import Outcome, Result


@transaction.atomic
def rule_match(
    match_id: UUID, *, actor: User, winner: Seat | None, reason_code: ReasonCode, reason: str,
    loser_score: int | None = None, note: str = "",
) -> Outcome:  # fmt: skip
    """Rule an unfinished match: for seat 1 or 2, or void (``winner`` None).

    ``reason`` is what the players read, ``note`` what only the staff reads. What the winner reported of score and
    ending stays, unless a score is given.
    """
    _check(actor, reason)
    locked = lock_match_to_settle(match_id)
    check_impartial(actor, locked.match)
    check_loser_score(locked.match, loser_score)
    with life():
        verdict = match_life.rule(locked.life(), winner)
    if verdict.step == Step.NOTHING:
        return Outcome(locked.match, changed=False)
    score, ending = _reported(locked, winner)
    ruling = _record(
        locked, actor=actor, winner=winner, reason_code=reason_code, text=reason, note=note, ending=ending,
        loser_score=score if loser_score is None else loser_score,
    )  # fmt: skip
    outcome = _void(locked, ruling, {}) if winner is None else _confirm(locked, ruling, winner)
    audit.record(actor, "match.rule", outcome.match, reason=reason, data=_details(ruling))
    return outcome


@transaction.atomic
def overturn_match(
    match_id: UUID, *, actor: User, winner: Seat | None, reason_code: ReasonCode, reason: str, note: str = ""
) -> Outcome:
    """Take a confirmed result back by exact opposite entries: void, or corrected to the other winner."""
    _check(actor, reason)
    locked = lock_match_to_settle(match_id)
    check_impartial(actor, locked.match)
    with life():
        verdict = match_life.overturn(locked.life(), winner)
    match = locked.match
    if verdict.step == Step.NOTHING:
        return Outcome(match, changed=False)
    ending = Ending(match.ending or Ending.PLAYED) if winner else None
    ruling = _record(
        locked, actor=actor, winner=winner, reason_code=reason_code, text=reason, note=note, ending=ending
    )  # fmt: skip
    reversals = _reverse_settlement(locked, actor, reason)
    if winner is None:
        outcome = _void(locked, ruling, _moves_on_own_ladder(locked, reversals))
    else:
        follows = {entry.standing_id: entry for entry in reversals}
        outcome = _confirm(locked, ruling, winner, follows)
    audit.record(actor, "match.overturn", outcome.match, reason=reason, data=_details(ruling))
    return Outcome(outcome.match, reversals + outcome.entries)


def check_impartial(actor: User, match: Match) -> None:
    """Raise ``Forbidden`` when a moderator would rule a match of their own.

    A superuser may: a club may have nobody else.
    """
    if match.seat_of(actor.pk) and not actor.is_superuser:
        raise Forbidden("own_match", _("Nobody rules a match of their own: leave it to another moderator."))


def _check(actor: User, reason: str) -> None:
    if not (actor.is_active and actor.has_perm("ladder.rule_match")):
        raise Forbidden("not_a_moderator", _("Only moderators rule matches."))
    if not reason.strip():
        raise Invalid("reason_required", _("Say why: the players read it."), field="reason")


def _reported(locked: LockedMatch, winner: Seat | None) -> tuple[int | None, Ending | None]:
    """The loser's score and the ending that the winner reported, for the result that a moderator now confirms."""
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
    """What the audit trail keeps of a ruling beside its text."""
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
    # A corrected match still counts as played when it was.
    return settlement.confirm(
        locked, result, now=timezone.now(), finished_at=locked.match.finished_at, follows=follows or None
    )


def _void(locked: LockedMatch, ruling: Ruling, moved: Moved) -> Outcome:
    match = locked.match
    match.state = State.VOIDED
    match.void_reason = ruling.reason_code
    match.ruling = ruling
    match.winner_id = match.confirmed_by = match.settled_at = None
    match.finished_at = timezone.now()
    match.save(update_fields=["state", "void_reason", "ruling", "winner", "confirmed_by", "settled_at", "finished_at"])
    events.tell_of_ruling(match, moved)
    return Outcome(match)


def _reverse_settlement(locked: LockedMatch, actor: User, reason: str) -> list[RatingEntry]:
    """Append the exact opposites of the match's settlement as it stands; none where the match was unrated."""
    if not locked.match.is_rated:
        return []
    lock_standings_of_match(locked)
    held = {standing.id: standing for standing in locked.standings.values()}
    now = timezone.now()
    settled = RatingEntry.objects.filter(
        match=locked.match, kind=RatingEntry.Kind.SETTLEMENT, reversals__isnull=True
    ).select_related("standing").order_by("standing_id")  # fmt: skip
    reversals = []
    for entry in settled:
        opposite = reversal(entry, held[entry.standing_id], actor=actor, reason=reason, created_at=now)
        opposite.standing = entry.standing
        reversals.append(opposite)
    append_reversals(reversals, list(held.values()))
    return reversals


def _moves_on_own_ladder(locked: LockedMatch, entries: list[RatingEntry]) -> Moved:
    return {
        entry.standing.player_id: Move(entry.before, entry.after)
        for entry in entries
        if entry.standing.ladder_id == locked.match.ladder_id
    }
