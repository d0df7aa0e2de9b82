"""What moderators decide. Each deed names its actor and a reason, and leaves an audit row in the same transaction."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import audit
from common.errors import Forbidden, Invalid
from ladder.models import Match, RatingEntry, Standing
from ladder.rules import match_life
from ladder.rules.match_life import ConfirmedBy, Ending, Seat, State, Step
from ladder.services import settlement
from ladder.services.ledger.facts import FIELDS, rebuild
from ladder.services.matches import events as news
from ladder.services.matches.events import Move
from ladder.services.matches.life import life
from ladder.services.matches.locking import LockedMatch, lock_match_to_settle, lock_standings
from ladder.services.matches.reporting import check_loser_score
from ladder.services.settlement import Outcome, Result


class ReasonCode(StrEnum):
    """Why a moderator ruled as he did; stable, and part of the API."""

    EVIDENCE = "evidence"
    ADMITTED = "admitted"
    WRONG_REPORT = "wrong_report"
    NOT_PLAYED = "not_played"
    CHEATING = "cheating"
    TECHNICAL = "technical"
    OTHER = "other"


@transaction.atomic
def rule_match(
    match_id: UUID, *, actor: User, winner: Seat | None, reason_code: ReasonCode, reason: str,
    loser_score: int | None = None,
) -> Outcome:  # fmt: skip
    """Rule an unfinished match: for seat 1 or 2, or void (``winner`` None). ``reason`` is what the players read."""
    _check(actor, reason)
    locked = lock_match_to_settle(match_id)
    check_impartial(actor, locked.match)
    check_loser_score(locked.match, loser_score)
    with life():
        verdict = match_life.rule(locked.life(), winner)
    if verdict.step == Step.NOTHING:
        return Outcome(locked.match, changed=False)
    data = {"winner": winner, "reason_code": reason_code, "state_before": locked.match.state}
    if verdict.step == Step.VOID:
        outcome = _void(locked, reason_code, reason)
    else:
        assert verdict.winner is not None
        result = Result(
            winner=verdict.winner,
            ending=Ending.PLAYED,
            loser_score=loser_score,
            confirmed_by=ConfirmedBy.MODERATOR,
            ruling_text=reason,
        )
        outcome = settlement.confirm(locked, result, now=timezone.now())
    audit.record(actor, "match.rule", outcome.match, reason=reason, data=data)
    return outcome


@transaction.atomic
def overturn_match(
    match_id: UUID, *, actor: User, winner: Seat | None, reason_code: ReasonCode, reason: str
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
    data = {"winner": winner, "reason_code": reason_code, "winner_before": match.winner_id}
    finished_at, ending = match.finished_at, Ending(match.ending or Ending.PLAYED)
    reversals = _reverse_settlement(locked, actor, reason)
    if verdict.winner is None:
        outcome = _void(locked, reason_code, reason, reversals)
        _rebuild_standings(locked)
    else:
        result = Result(
            winner=verdict.winner,
            ending=ending,
            confirmed_by=ConfirmedBy.MODERATOR,
            ruling_text=reason,
        )
        follows = {entry.standing_id: entry for entry in reversals}
        _rebuild_standings(locked)
        outcome = settlement.confirm(locked, result, now=timezone.now(), finished_at=finished_at, follows=follows)
    audit.record(actor, "match.overturn", outcome.match, reason=reason, data=data)
    return Outcome(outcome.match, reversals + outcome.entries)


def _reverse_settlement(locked: LockedMatch, actor: User, reason: str) -> list[RatingEntry]:
    """Append the exact opposites of the match's settlement as it stands; none where the match was unrated."""
    if not locked.match.is_rated:
        return []
    lock_standings(locked)
    now = timezone.now()
    sequences = {standing.id: standing.last_sequence for standing in locked.standings.values()}
    ratings = {standing.id: standing.rating for standing in locked.standings.values()}
    experience = {standing.id: standing.experience for standing in locked.standings.values()}
    standing_entries = RatingEntry.objects.filter(
        match=locked.match, kind=RatingEntry.Kind.SETTLEMENT, reversals__isnull=True
    ).order_by("standing_id")
    reversals = []
    for entry in standing_entries:
        standing_id = entry.standing_id
        reversals.append(
            RatingEntry(
                standing_id=standing_id,
                sequence=sequences[standing_id] + 1,
                kind=RatingEntry.Kind.REVERSAL,
                match=locked.match,
                reverses=entry,
                before=ratings[standing_id],
                delta=-entry.delta,
                after=ratings[standing_id] - entry.delta,
                experience_before=experience[standing_id],
                experience_after=experience[standing_id] - (entry.experience_after - entry.experience_before),
                rule_set=entry.rule_set,
                rule_set_version=entry.rule_set_version,
                actor=actor,
                reason=reason,
                created_at=now,
            )
        )
    return RatingEntry.objects.bulk_create(reversals)


def _void(locked: LockedMatch, reason_code: ReasonCode, reason: str, reversals: Sequence[RatingEntry] = ()) -> Outcome:
    match = locked.match
    match.state = State.VOIDED
    match.void_reason = reason_code
    match.ruling_text = reason
    match.winner_id = match.confirmed_by = match.settled_at = None
    match.finished_at = timezone.now()
    match.save(
        update_fields=["state", "void_reason", "ruling_text", "winner", "confirmed_by", "settled_at", "finished_at"]
    )
    players = {standing.id: standing.player_id for standing in locked.standings.values()}
    moved = {players[entry.standing_id]: Move(entry.before, entry.after) for entry in reversals}
    news.tell_of_ruling(match, moved)
    return Outcome(match)


def _rebuild_standings(locked: LockedMatch) -> None:
    """Work the locked standings out anew: peak, streak and the decay clock forget what was taken back."""
    for held in locked.standings.values():
        standing = Standing.objects.get(pk=held.id)
        rebuild(standing, locked.rules.start)
        for name in FIELDS:
            setattr(held, name, getattr(standing, name))


def _check(actor: User, reason: str) -> None:
    if not (actor.is_active and actor.has_perm("ladder.rule_match")):
        raise Forbidden("not_a_moderator", _("Only moderators rule matches."))
    if not reason.strip():
        raise Invalid("reason_required", _("Say why: the players read it."), field="reason")


def check_impartial(actor: User, match: Match) -> None:
    """Raise ``Forbidden`` when a moderator would rule a match of his own.

    A superuser may: a club may have nobody else.
    """
    if match.seat_of(actor.pk) and not actor.is_superuser:
        raise Forbidden("own_match", _("Nobody rules a match of his own: leave it to another moderator."))
