from __future__ import annotations

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from common import charts as drawing
from common.commands import OperatorCommand
from common.errors import Invalid
from ladder import charts
from ladder.limits import MAX_DRAWN_DAYS
from ladder.rules import decay, rule_sets


class Command(OperatorCommand):
    help = (
        "Draw the rating of a player who stops playing, day by day. The format follows from the file name: "
        f"{', '.join(drawing.SUFFIXES)}. Needs no database."
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
            raise Invalid("no_decay", f"The rules {rules} have no decay.", field="rules")
        if not 1 <= days <= MAX_DRAWN_DAYS:
            raise Invalid("days", f"--days must be 1 to {MAX_DRAWN_DAYS}.", field="days")
        try:
            drawing.save(charts.chart(tiers, points(rating), days), output, title=f"Decay of a rating of {rating}")
        except OSError as error:
            raise CommandError(f"{output}: {error.strerror}") from error
        self.stderr.write(f"{output}: {output.stat().st_size / 1024:.0f} KB")


def points(text: str) -> Decimal:
    """The text as a rating, rounded to two decimal places."""
    try:
        rating = Decimal(text)
    except InvalidOperation:
        rating = Decimal("NaN")
    if not (rating.is_finite() and 0 <= rating < 10_000):
        raise Invalid("rating", f"{text!r} is not a rating between 0 and 9999.99.", field="rating")
    return round(rating, 2)
