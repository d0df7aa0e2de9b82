"""Rule sets: every number that a ladder plays by, under a name and a version.

A rule set never changes once ratings were settled under it: a changed number is a new version beside the old one,
so that every ledger entry, which names its rule set and version, can be recomputed for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from ladder.rules.systems.counter import Counter
from ladder.rules.systems.elo import Elo
from ladder.rules.systems.fibs import Fibs
from ladder.rules.systems.fide import Fide
from ladder.rules.systems.fide_table import FideTable
from ladder.rules.systems.system import System
from ladder.rules.tiers import LADDER_TIERS, Tier

QUEUE_LENGTHS = (1, 3, 5, 7, 9, 11, 15, 21, 25)


class Option(NamedTuple):
    """A constant that each ladder chooses for itself: a whole number from ``least`` to ``most``."""

    default: int
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A rating system with its constants, the rating everyone starts at, and the tiers.

    ``options`` are the constants of the system that a ladder chooses, by their names in the system.
    """

    name: str
    version: int
    title: str
    start: Decimal
    system: System
    tiers: tuple[Tier, ...] = ()
    options: Mapping[str, Option] = field(default_factory=dict, hash=False)


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
    RuleSet(
        name="elo-32",
        version=1,
        title="Elo with K 32 in whole points, from 1200",
        start=Decimal("1200.00"),
        system=Elo(k=32, in_whole_points=True),
    ),
    RuleSet(
        name="fide",
        version=1,
        title="FIDE by its formula, from 1500",
        start=Decimal("1500.00"),
        system=Fide(),
    ),
    RuleSet(
        name="fide-table",
        version=1,
        title="FIDE by its table, from 1500",
        start=Decimal("1500.00"),
        system=FideTable(),
    ),
    RuleSet(
        name="elo",
        version=1,
        title="Elo with the ladder's own K and scale, from 1200",
        start=Decimal("1200.00"),
        system=Elo(k=32, scale=400),
        options={"k": Option(32, 1, 200), "scale": Option(400, 50, 4000)},
    ),
    RuleSet(
        name="counter-20",
        version=1,
        title="20 points a match, from 800",
        start=Decimal("800.00"),
        system=Counter(win=20, loss=20, leaving=15),
    ),
)

RULE_SETS = {(rules.name, rules.version): rules for rules in _ALL}
NAMES = tuple(dict.fromkeys(rules.name for rules in _ALL))


def rule_set(name: str, version: int, options: Mapping[str, int] | None = None) -> RuleSet:
    """The rule set of that name and version, with the constants that the ladder chose; without, with the defaults.

    Equal arguments give the same object. Raises ``LookupError`` when there is no such rule set, and ``ValueError``
    naming the option when it is unknown or out of its range.
    """
    try:
        rules = RULE_SETS[name, version]
    except KeyError:
        raise LookupError(f"no rule set {name!r} in version {version}") from None
    if not options:
        return rules
    for option, value in options.items():
        _check_option(rules, option, value)
    chosen = {option: options.get(option, limits.default) for option, limits in rules.options.items()}
    return _with_constants(name, version, tuple(chosen.items()))


def latest(name: str) -> RuleSet:
    """The newest version of the named rule set. Raises ``LookupError`` when there is none."""
    versions = [rules for rules in _ALL if rules.name == name]
    if not versions:
        raise LookupError(f"no rule set {name!r}; there are: {', '.join(NAMES)}")
    return max(versions, key=lambda rules: rules.version)


def _check_option(rules: RuleSet, option: str, value: object) -> None:
    if option not in rules.options:
        known = ", ".join(rules.options) or "none"
        raise ValueError(f"rule set {rules.name!r} has no option {option!r}; there are: {known}")
    _, least, most = rules.options[option]
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"option {option!r} must be a whole number from {least} to {most}, not {value!r}")


@cache
def _with_constants(name: str, version: int, constants: tuple[tuple[str, int], ...]) -> RuleSet:
    rules = RULE_SETS[name, version]
    if all(value == rules.options[option].default for option, value in constants):
        return rules
    system: Any = rules.system
    return replace(rules, system=replace(system, **dict(constants)))
