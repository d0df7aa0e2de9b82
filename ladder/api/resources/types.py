"""The values that resources are made of, with what OpenAPI says about them."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, TypedDict

from ladder.rules.types import whole_points


class About:
    """What a JSON schema says about a value beyond its type."""

    def __init__(self, **words: Any) -> None:
        self.words = words


Points = Annotated[str, About(pattern=r"^-?\d+\.\d\d$", examples=["643.97"], description="Points, two places.")]
Display = Annotated[int, About(examples=[644], description="The same for people: whole points, half up.")]
Probability = Annotated[float, About(minimum=0, maximum=1, examples=[0.5])]
Slug = Annotated[str, About(pattern=r"^[-a-zA-Z0-9_]+$", examples=["backgammon"])]
Username = Annotated[str, About(examples=["player01"])]
Code = Annotated[str, About(description="A stable word for programs.", examples=["not_found"])]


class RatingShown(TypedDict):
    """A rating, exact and as people read it."""

    rating: Points
    rating_display: Display


class Movement(TypedDict):
    """What one match, night or correction does to one standing."""

    before: Points
    before_display: Display
    delta: Points
    after: Points
    after_display: Display
    experience_before: int
    experience_after: int


def points(value: Decimal) -> str:
    return f"{value:.2f}"


def movement(change: Any) -> Movement:
    """Of a ``Change`` that the rules computed or a ``RatingEntry`` of the ledger: both carry these numbers."""
    return {
        "before": points(change.before),
        "before_display": whole_points(change.before),
        "delta": points(change.delta),
        "after": points(change.after),
        "after_display": whole_points(change.after),
        "experience_before": change.experience_before,
        "experience_after": change.experience_after,
    }
