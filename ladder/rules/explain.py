"""A rating change as the formula with its numbers filled in, so that anyone can check it with a calculator."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from math import sqrt

from ladder.rules import decay
from ladder.rules.fibs import Fibs
from ladder.rules.tiers import Tier, tier_of
from ladder.rules.types import Change, to_cents


def formula(system: Fibs) -> dict[str, str]:
    """The system's own formula: P for the eventual winner, K for each player, and the points won or lost."""
    points = f"{system.stake} × √length × (1 - P) × K"
    flat = system.k_start == system.k_floor
    return {
        "winner_probability": f"P = 1 / (1 + 10^((loser - winner) × √length / {system.scale}))",
        "k": f"K = {system.k_floor}"
        if flat
        else f"K = max({system.k_floor}, {system.k_start} - (experience + length) / {system.k_points})",
        "delta": f"±{points}" if system.cap is None else f"±min({system.cap}, {points})",
    }


def settlement(
    system: Fibs, change: Change, *, opponent: Decimal, winner_probability: float, match_length: int, won: bool
) -> dict[str, str]:
    """Each step of one player's change, with the numbers of the match in it. ``opponent`` is the other's rating."""
    winner, loser = (change.before, opponent) if won else (opponent, change.before)
    sign = "+" if change.delta >= 0 else "-"
    return {
        "winner_probability": win_probability(system, winner, loser, match_length),
        "k": multiplier(system, change.experience_before, match_length),
        "delta": delta(system, k=change.k, winner_probability=winner_probability, match_length=match_length, won=won),
        "after": f"{change.before} {sign} {abs(change.delta)} = {change.after}",
    }


def win_probability(system: Fibs, rating: Decimal, opponent: Decimal, match_length: int) -> str:
    """How the winner's probability comes about, e.g. ``1 / (1 + 10^((600.00 - 600.00) × √5 / 2000)) = 0.500000``."""
    value = system.win_probability(rating, opponent, match_length)
    return f"1 / (1 + 10^(({opponent} - {rating}) × √{match_length} / {system.scale})) = {value:.6f}"


def multiplier(system: Fibs, experience: int, match_length: int) -> str:
    """How K comes about, e.g. ``max(1, 5 - (0 + 5) / 100) = 4.95``."""
    value = system.k(experience, match_length)
    if system.k_start == system.k_floor:
        return f"{value:.2f}"
    return (
        f"max({system.k_floor}, {system.k_start} - ({experience} + {match_length}) / {system.k_points}) = {value:.2f}"
    )


def delta(system: Fibs, *, k: Decimal, winner_probability: float, match_length: int, won: bool) -> str:
    """How the points come about, e.g. ``+8 × √5 × (1 - 0.500000) × 4.95 = +44.27``."""
    sign = "+" if won else "-"
    points = system.stake * sqrt(match_length) * (1 - winner_probability) * float(k)
    product = f"{system.stake} × √{match_length} × (1 - {winner_probability:.6f}) × {k:.2f}"
    if system.cap is None:
        return f"{sign}{product} = {sign}{to_cents(points)}"
    capped = to_cents(min(float(system.cap), points))
    return f"{sign}min({system.cap}, {product}) = {sign}{capped}"


def night(tiers: Sequence[Tier], rating: Decimal, *, idle_since: date, day: date) -> dict[str, str]:
    """Each step of what one ``day`` of decay costs at ``rating``. ``idle_since`` is the day of the last ranked match.

    E.g. ``2026-01-29 - 2026-01-01 = 28 ≥ 28``, ``-min(1, 800.40 - 800.00) = -0.40``, ``800.40 - 0.40 = 800.00``.
    """
    tier, lowest = tier_of(tiers, rating), decay.floor(tiers)
    assert tier is not None
    assert lowest is not None
    cost = decay.nightly_step(tiers, rating)
    return {
        "idle": f"{day} - {idle_since} = {(day - idle_since).days} ≥ {decay.GRACE_DAYS}",
        "delta": f"-min({tier.nightly_decay}, {rating} - {lowest:.2f}) = {-cost:.2f}",
        "after": f"{rating} - {cost:.2f} = {rating - cost:.2f}",
    }
