from __future__ import annotations

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from common import charts as drawing
from common.commands import OperatorCommand
from common.errors import Invalid
from ladder import charts as picture
from ladder.rules import decay, rule_sets

LONGEST = 3650


class Command(OperatorCommand):
    help = (
        "Draw the rating of a player who stops playing, day by day, by the rule itself. The file's name says what it "
        f"becomes: {', '.join(drawing.SUFFIXES)}. Needs no database."
    )

    needs_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rating", default="1040", metavar="POINTS", help="before decay; default: 1040")
        parser.add_argument("--days", type=int, default=120, help="since the last ranked match; default: 120")
        parser.add_argument("--rules", default="fibs-600", choices=rule_sets.NAMES, help="default: fibs-600")
        parser.add_argument("--output", type=Path, required=True, metavar="FILE")

    def handle(self, *, rating: str, days: int, rules: str, output: Path, **_: Any) -> None:
        tiers = rule_sets.latest(rules).tiers
        drawing.check_output(output)
        if decay.floor(tiers) is None:
            raise Invalid("no_decay", f"Nothing decays under {rules}.", field="rules")
        if not 1 <= days <= LONGEST:
            raise Invalid("days", f"Days are 1 to {LONGEST}.", field="days")
        try:
            drawing.save(picture.chart(tiers, points(rating), days), output, title=f"A rating of {rating} at rest")
        except OSError as error:
            raise CommandError(f"{output}: {error.strerror}") from error
        self.stderr.write(f"{output}: {output.stat().st_size / 1024:.0f} KB")


def points(text: str) -> Decimal:
    """A rating that the ledger could hold, of two places at most."""
    try:
        rating = Decimal(text)
    except InvalidOperation:
        rating = Decimal("NaN")
    if not (rating.is_finite() and 0 <= rating < 10_000):
        raise Invalid("rating", f"{text!r} is not a rating between 0 and 9999.99.", field="rating")
    return round(rating, 2)
