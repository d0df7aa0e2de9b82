"""Rule sets: every number that a ladder plays by, under a name and a version.

A rule set never changes once ratings were settled under it: a changed number is a new version beside the old one,
so that every ledger entry, which names its rule set and version, can be recomputed for ever.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from ladder.rules.fibs import Fibs
from ladder.rules.tiers import LADDER_TIERS, Tier

QUEUE_LENGTHS = (1, 3, 5, 7, 9, 11, 15, 21, 25)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rating system with its constants, the rating everyone starts at, and the tiers."""

    name: str
    version: int
    title: str
    start: Decimal
    system: Fibs
    tiers: tuple[Tier, ...] = field(default=())


_ALL = (
    RuleSet(
        name="fibs-600",
        version=1,
        title="FIBS at double stake, from 600",
        start=Decimal("600.00"),
        system=Fibs(stake=8, cap=200),
        tiers=LADDER_TIERS,
    ),
    RuleSet(
        name="fibs-classic",
        version=1,
        title="Classic FIBS, from 1500",
        start=Decimal("1500.00"),
        system=Fibs(stake=4, cap=None),
    ),
    RuleSet(
        name="fibs-flat-1800",
        version=1,
        title="FIBS without the newcomers' multiplier, from 1800",
        start=Decimal("1800.00"),
        system=Fibs(stake=4, cap=None, k_start=1, k_floor=1),
    ),
)

RULE_SETS = {(rules.name, rules.version): rules for rules in _ALL}
NAMES = tuple(dict.fromkeys(rules.name for rules in _ALL))


def rule_set(name: str, version: int) -> RuleSet:
    """The rule set of that name and version. Raises ``LookupError`` when there is none."""
    try:
        return RULE_SETS[name, version]
    except KeyError:
        raise LookupError(f"no rule set {name!r} in version {version}") from None


def latest(name: str) -> RuleSet:
    """The newest version of the named rule set. Raises ``LookupError`` when there is none."""
    versions = [rules for rules in _ALL if rules.name == name]
    if not versions:
        raise LookupError(f"no rule set {name!r}; there are: {', '.join(NAMES)}")
    return max(versions, key=lambda rules: rules.version)
