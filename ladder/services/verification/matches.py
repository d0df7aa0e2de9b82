"""Each match: that it moved exactly the ratings it should, by the formula of its own rule set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from math import isclose
from typing import Any

from django.db.models import F

from ladder.models import Ladder, Match, RatingEntry
from ladder.rules.rule_sets import rule_set
from ladder.rules.types import Player
from ladder.services.verification.drift import Drift, scope, with_their_rows

# The last bits of a power of ten depend on the machine that computed it.
_PRECISION = 1e-12


def check_matches(ladder: Ladder | None, found: Callable[[Drift], object]) -> Iterator[None]:
    """Check the matches of one ladder, or all; yields after each."""
    matches = (
        Match.objects.filter(**scope(ladder, "ladder"))
        .order_by("pk")
        .annotate(slug=F("ladder__slug"), one=F("player_one__username"), two=F("player_two__username"))
        .values_list(
            "pk", "ladder_id", "slug", "player_one_id", "player_two_id", "one", "two", "match_length", "winner_id",
            "settled_at", named=True,
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
        )
        .values_list(
            "match_id", "sequence", "before", "delta", "after", "experience_before", "experience_after", "won", "k",
            "winner_probability", "opponent_rating", "rule_set", "rule_set_version", "reversal", "player", "username",
            "ladder", named=True,
        )
    )  # fmt: skip
    both = with_their_rows(matches, entries, key=lambda match: match.pk, owner_key=lambda entry: entry.match_id)
    for match, own in both:
        for username, what in _check(match, list(own)):
            found(Drift(f"{username} on {match.slug}", f"match {match.pk}: {what}"))
        yield


def _check(match: Any, settlements: list[Any]) -> Iterator[tuple[str, str]]:
    """What is wrong, by username."""
    seats = {match.player_one_id: match.one, match.player_two_id: match.two}
    for entry in settlements:
        if entry.player not in seats or entry.ladder != match.ladder_id:
            yield entry.username, f"entry {entry.sequence} settles it, which is no match of this standing"
    for player, username in seats.items():
        counted = [entry.won for entry in settlements if entry.player == player and entry.reversal is None]
        due = [] if match.settled_at is None else [player == match.winner_id]
        if counted != due:
            yield username, f"counts as {_said(counted)}, it should count as {_said(due)}"
    for winner, loser in _rounds(settlements):
        for entry, what in _recompute(winner, loser, match.match_length):
            yield entry.username, f"entry {entry.sequence}: {what}"


def _said(outcomes: list[bool]) -> str:
    return " and ".join("a win" if won else "a loss" for won in outcomes) or "nothing"


def _rounds(settlements: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Winner and loser of each settlement of the match: the first, and one more after each correction."""
    by_player = defaultdict(list)
    for entry in settlements:
        by_player[entry.player].append(entry)
    for pair in zip(*by_player.values(), strict=False):
        if len(pair) == 2 and pair[0].won != pair[1].won:
            yield pair if pair[0].won else pair[::-1]


def _recompute(winner: Any, loser: Any, match_length: int) -> Iterator[tuple[Any, str]]:
    sides = (
        Player(rating=winner.before, experience=winner.experience_before),
        Player(rating=loser.before, experience=loser.experience_before),
    )
    for entry, opponent in ((winner, loser), (loser, winner)):
        rules = f"{entry.rule_set} version {entry.rule_set_version}"
        try:
            system = rule_set(entry.rule_set, entry.rule_set_version).system
        except LookupError:
            yield entry, f"there are no rules {rules}"
            continue
        settlement = system.settle(*sides, match_length)
        change = settlement.winner if entry.won else settlement.loser
        computed = {
            "k": change.k,
            "delta": change.delta,
            "after": change.after,
            "experience_after": change.experience_after,
            "opponent_rating": opponent.before,
        }
        for name, value in computed.items():
            if getattr(entry, name) != value:
                yield entry, f"{name} is {getattr(entry, name)}, by {rules} it is {value}"
        if not isclose(entry.winner_probability, settlement.winner_probability, rel_tol=_PRECISION):
            stored = entry.winner_probability
            yield entry, f"winner_probability is {stored}, by {rules} it is {settlement.winner_probability}"
