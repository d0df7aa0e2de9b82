"""Rating entries: the ledger as a player reads it."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, TypedDict
from uuid import UUID

from django.utils.translation import gettext as _

from ladder.api.resources.changes import RatingChange, settled_change
from ladder.api.resources.types import About, Movement, Slug, Username, movement
from ladder.models import RatingEntry
from ladder.rules.rule_sets import rule_set
from ladder.rules.tiers import tier_of

EntryNumber = Annotated[int, About(description="The entry's number in this ladder's ledger of the player.")]


class RuleSetName(TypedDict):
    name: str
    version: int


class EntryShown(Movement):
    """One movement of one standing.

    ``settlement`` holds the formula of a settled match with its numbers filled in. ``reverses`` is the number of the
    entry that this one takes back, ``follows`` that of the reversal after which a corrected match settled anew.
    """

    ladder: Slug
    sequence: EntryNumber
    kind: RatingEntry.Kind
    match: UUID | None
    opponent: Username | None
    won: bool | None
    match_length: int | None
    day: date | None
    explanation: str
    settlement: RatingChange | None
    reverses: EntryNumber | None
    follows: EntryNumber | None
    rule_set: RuleSetName
    reason: str | None
    created_at: datetime


class EntryPage(TypedDict):
    next: str | None
    previous: str | None
    results: list[EntryShown]


def entry_shown(entry: RatingEntry) -> EntryShown:
    """Of an entry as ``ladder.queries.histories`` fetched it."""
    match = entry.match
    settlement = None
    opponent = None
    if match is not None:
        opponent = match.player_two if entry.standing.player_id == match.player_one_id else match.player_one
        if entry.kind == RatingEntry.Kind.SETTLEMENT:
            settlement = settled_change(entry, match.match_length)
    return {
        **movement(entry),
        "ladder": entry.standing.ladder.slug,
        "sequence": entry.sequence,
        "kind": RatingEntry.Kind(entry.kind),
        "match": entry.match_id,
        "opponent": opponent.username if opponent else None,
        "won": entry.won,
        "match_length": match.match_length if match else None,
        "day": entry.day,
        "explanation": _explanation(entry, settlement),
        "settlement": settlement,
        "reverses": entry.reverses.sequence if entry.reverses else None,
        "follows": entry.follows.sequence if entry.follows else None,
        "rule_set": {"name": entry.rule_set, "version": entry.rule_set_version},
        "reason": entry.reason or None,
        "created_at": entry.created_at,
    }


def _explanation(entry: RatingEntry, settlement: RatingChange | None) -> str:
    if settlement is not None:
        return settlement["explanation"]["delta"]
    if entry.reverses is not None:
        return _("takes back entry %(number)d: -(%(delta)s) = %(opposite)s") % {
            "number": entry.reverses.sequence,
            "delta": f"{entry.reverses.delta:+}",
            "opposite": f"{entry.delta:+}",
        }
    tier = tier_of(rule_set(entry.rule_set, entry.rule_set_version).tiers, entry.before)
    return _("one night without a ranked match, as %(tier)s: %(delta)s") % {
        "tier": tier.name if tier else "-",
        "delta": f"{entry.delta:+}",
    }
