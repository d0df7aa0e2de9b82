"""Checking the matches: each must have the right settlements, with the changes of its rule set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from math import isclose
from typing import Any

from django.db.models import F

from ladder.limits import FLOAT_TOLERANCE
from ladder.models import Ladder, RatingEntry
from ladder.models import Match as MatchRow
from ladder.rules.match_life import Ending
from ladder.rules.rule_sets import rule_set
from ladder.rules.systems.recall import MEMORY, PLAYER, noted, recall
from ladder.rules.systems.system import Match, Score
from ladder.services.verification.drift import Drift, scope, with_their_rows


def check_matches(ladder: Ladder | None, found: Callable[[Drift], object]) -> Iterator[None]:
    """Check the matches of one ladder or all. Yields after each."""
    matches = (
        MatchRow.objects.filter(**scope(ladder, "ladder"))
        .order_by("pk")
        .annotate(
            slug=F("ladder__slug"),
            overall=F("ladder__overall"),
            one=F("player_one__username"),
            two=F("player_two__username"),
        )
        .values_list(
            "pk", "ladder_id", "overall", "slug", "player_one_id", "player_two_id", "one", "two", "match_length",
            "ending", "winner_id", "settled_at", named=True,
        )
    )  # fmt: skip
    entries = (
        RatingEntry.objects.filter(kind=RatingEntry.Kind.SETTLEMENT, **scope(ladder, "match__ladder"))
        .order_by("match_id", "standing_id", "sequence")
        .annotate(
            reversal=F("reversals__pk"),
            player=F("standing__player"),
            username=F("standing__player__username"),
            ladder=F("standing__ladder"),
            options=F("standing__ladder__rule_options"),
        )
        .values_list(
            "match_id", "sequence", "before", "delta", "after", "experience_before", "experience_after", "won", "basis",
            "rule_set", "rule_set_version", "options", "reversal", "player", "username", "ladder", named=True,
        )
    )  # fmt: skip
    both = with_their_rows(matches, entries, key=lambda match: match.pk, owner_key=lambda entry: entry.match_id)
    for match, own in both:
        for username, what in _check(match, list(own)):
            found(Drift(f"{username} on {match.slug}", f"match {match.pk}: {what}"))
        yield


def _check(match: Any, settlements: list[Any]) -> Iterator[tuple[str, str]]:
    """The problems of a match, as (username, text)."""
    seats = {match.player_one_id: match.one, match.player_two_id: match.two}
    ladders = [ladder for ladder in (match.ladder_id, match.overall) if ladder is not None]
    for entry in settlements:
        if entry.player not in seats or entry.ladder not in ladders:
            yield entry.username, f"entry {entry.sequence} belongs to a standing that is not of this match"
    for ladder in ladders:
        own = [entry for entry in settlements if entry.ladder == ladder]
        for player, username in seats.items():
            counted = [entry.won for entry in own if entry.player == player and entry.reversal is None]
            due = [] if match.settled_at is None else [player == match.winner_id]
            if counted != due:
                yield username, f"counts as {_text(counted)}, it should count as {_text(due)}"
        for winner, loser in _rounds(own):
            yield from _recompute(winner, loser, match)


def _text(outcomes: list[bool]) -> str:
    return " and ".join("a win" if won else "a loss" for won in outcomes) or "nothing"


def _rounds(settlements: list[Any]) -> Iterator[tuple[Any, Any]]:
    """The winner's and loser's entry of each settlement: the first one, and one after each correction."""
    by_player = defaultdict(list)
    for entry in settlements:
        by_player[entry.player].append(entry)
    for pair in zip(*by_player.values(), strict=False):
        if len(pair) == 2 and pair[0].won != pair[1].won:
            yield pair if pair[0].won else pair[::-1]


def _recompute(winner: Any, loser: Any, match: Any) -> Iterator[tuple[str, str]]:
    """The differences of one settlement from its rules, as (username, text)."""
    rules = f"{winner.rule_set} version {winner.rule_set_version}"
    try:
        system = rule_set(winner.rule_set, winner.rule_set_version, winner.options).system
    except (LookupError, ValueError):
        yield winner.username, f"entry {winner.sequence}: there are no rules {rules}"
        return
    one, two = (recall(it.before, it.experience_before, it.basis.get(PLAYER, {})) for it in (winner, loser))
    ending = Ending(loser.basis.get("ending") or match.ending or Ending.PLAYED)
    changes = system.settle(one, two, Score.WIN, Match(match.match_length, ending))
    for entry, player, change in zip((winner, loser), (one, two), changes, strict=True):
        computed: dict[str, Any] = {
            "delta": change.delta,
            "after": change.after,
            "experience_after": change.experience_after,
        }
        stored = {name: getattr(entry, name) for name in computed}
        computed |= {**change.basis, PLAYER: noted(player, system), MEMORY: dict(change.memory)}
        stored |= {PLAYER: {}, MEMORY: {}, **entry.basis}
        for name in sorted(computed.keys() | stored.keys()):
            if not _same(stored.get(name), computed.get(name)):
                what = f"{name} is {stored.get(name)}, by {rules} it is {computed.get(name)}"
                yield entry.username, f"entry {entry.sequence}: {what}"


def _same(stored: Any, computed: Any) -> bool:
    if isinstance(stored, float) and isinstance(computed, float):
        return isclose(stored, computed, rel_tol=FLOAT_TOLERANCE)
    if isinstance(stored, dict) and isinstance(computed, dict):
        return stored.keys() == computed.keys() and all(_same(stored[name], computed[name]) for name in stored)
    return bool(stored == computed)
