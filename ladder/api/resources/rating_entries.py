"""Rating entries: the ledger as players see it."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, TypedDict
from uuid import UUID

from django.utils.translation import gettext as _

from common.types import Points, SchemaKeywords, Slug, Username
from ladder.api.resources.changes import RatingChange, settled_change
from ladder.api.resources.types import Movement, movement, points
from ladder.models import RatingEntry
from ladder.queries.rating_entries import rules_of
from ladder.rules import decay
from ladder.rules.tiers import tier_of

EntryNumber = Annotated[int, SchemaKeywords(description="The entry's number in this ladder's ledger of the player.")]


class RuleSetName(TypedDict):
    name: str
    version: int


class NightExplained(TypedDict):
    """The calculation of the night's decay, with its numbers filled in."""

    idle: str
    delta: str
    after: str


class NightShown(TypedDict):
    """One night of decay: the day of the last ranked match, the tier, its nightly step, and the floor."""

    idle_since: date
    idle_days: int
    tier: str
    nightly_step: Points
    floor: Points
    explanation: NightExplained


class EntryShown(Movement):
    """One change of one standing.

    ``settlement`` has the formula of a settled match, ``decay`` the rule of one night, with their numbers filled in.
    ``day`` is the day of decay that this entry charges or reverses. ``reverses`` is the number of the entry that this
    one reverses, ``follows`` the number of the reversal before the new settlement of a corrected match.
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
    decay: NightShown | None
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
    """From an entry of ``ladder.queries.rating_entries``."""
    match = entry.match
    settlement = None
    opponent = None
    night = _night(entry) if entry.kind == RatingEntry.Kind.DECAY else None
    if match is not None:
        opponent = match.player_two if entry.standing.player_id == match.player_one_id else match.player_one
        if entry.kind == RatingEntry.Kind.SETTLEMENT:
            settlement = settled_change(entry, entry.standing.ladder, match)
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
        "explanation": _explanation(entry, settlement, night),
        "settlement": settlement,
        "decay": night,
        "reverses": entry.reverses.sequence if entry.reverses else None,
        "follows": entry.follows.sequence if entry.follows else None,
        "rule_set": {"name": entry.rule_set, "version": entry.rule_set_version},
        "reason": entry.reason or None,
        "created_at": entry.created_at,
    }


def _night(entry: RatingEntry) -> NightShown:
    assert entry.day is not None
    assert entry.idle_since is not None
    tiers = rules_of(entry, entry.standing.ladder).tiers
    tier, floor = tier_of(tiers, entry.before), decay.floor(tiers)
    assert tier is not None
    assert floor is not None
    steps = decay.explain_day(tiers, entry.before, idle_since=entry.idle_since, day=entry.day)
    return {
        "idle_since": entry.idle_since,
        "idle_days": (entry.day - entry.idle_since).days,
        "tier": tier.name,
        "nightly_step": points(Decimal(tier.nightly_decay)),
        "floor": points(floor),
        "explanation": {"idle": steps["idle"], "delta": steps["delta"], "after": steps["after"]},
    }


def _explanation(entry: RatingEntry, settlement: RatingChange | None, night: NightShown | None) -> str:
    if settlement is not None:
        return settlement["explanation"]["delta"]
    if night is not None:
        return _("no ranked match since %(since)s (%(days)d days), as %(tier)s: %(formula)s") % {
            "since": night["idle_since"],
            "days": night["idle_days"],
            "tier": night["tier"],
            "formula": night["explanation"]["delta"],
        }
    taken_back = entry.reverses
    if taken_back is None:
        return f"{entry.before} {entry.delta:+} = {entry.after}"
    words = {"number": taken_back.sequence, "delta": f"{taken_back.delta:+}", "opposite": f"{entry.delta:+}"}
    if taken_back.day is not None:
        text = _("takes back entry %(number)d, the decay of %(day)s: -(%(delta)s) = %(opposite)s")
        return text % {**words, "day": taken_back.day}
    return _("takes back entry %(number)d: -(%(delta)s) = %(opposite)s") % words
