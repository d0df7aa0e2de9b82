"""The request bodies and query parameters about ladders and matches."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common.api.inputs import Body, PageQuery, Text, Whole, example
from common.limits import MAX_TEXT, MAX_USERNAME_INPUT
from ladder.rules.match_length import MAX_MATCH_LENGTH, MIN_MATCH_LENGTH
from ladder.rules.match_life import Ending
from ladder.services.matches.reporting import SERVER_VOID_REASONS

# The widest that a stored rating and an experience can be.
RATING_DIGITS = 9
MAX_EXPERIENCE = 2_000_000_000


@extend_schema_field(OpenApiTypes.DECIMAL)
class Rating(serializers.DecimalField):
    """A rating in points: a string with at most two decimal places, as in responses."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_digits=RATING_DIGITS, decimal_places=2, **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


@example({"winner": "player02", "loser_score": 3, "ending": "played"})
class Report(Body):
    """Who won, by username, and how."""

    winner = Text(max_length=MAX_USERNAME_INPUT)
    loser_score = Whole(
        min_value=0, max_value=MAX_MATCH_LENGTH - 1, required=False, allow_null=True, default=None,
        help_text="The loser's points, below the match length.",
    )  # fmt: skip
    ending = serializers.ChoiceField(choices=[e.value for e in Ending], default=Ending.PLAYED.value)


@example({"text": "I won the last game; the position was on the board when the time ran out."})
class Dispute(Body):
    """Why the reported result is wrong."""

    text = Text(
        max_length=MAX_TEXT, required=False, allow_blank=True, default="", help_text="Your side of it, for moderators."
    )


@example({"winner": "player01", "loser_score": 2, "ending": "resigned"})
class ServerResult(Body):
    """Either a result (``winner``) or a reason why there is none (``void_reason``)."""

    winner = Text(max_length=MAX_USERNAME_INPUT, required=False)
    loser_score = Whole(min_value=0, max_value=MAX_MATCH_LENGTH - 1, required=False, allow_null=True)
    ending = serializers.ChoiceField(choices=[e.value for e in Ending], required=False)
    void_reason = serializers.ChoiceField(choices=[r.value for r in SERVER_VOID_REASONS], required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("winner" in attrs) == ("void_reason" in attrs):
            raise serializers.ValidationError(_("Give either a winner or a void_reason."), code="winner_or_void_reason")
        if "void_reason" in attrs and len(attrs) > 1:
            raise serializers.ValidationError(
                _("A match without a result has no score and no ending."), code="void_has_no_result"
            )
        return attrs


class ImaginedPlayer(Body):
    """The numbers of a player that rating systems use."""

    rating = Rating(required=False, help_text="In points; default: the player's own, or where everyone starts.")
    experience = Whole(
        min_value=0, max_value=MAX_EXPERIENCE, required=False, help_text="In match points played; default as above."
    )
    games = Whole(
        min_value=0, max_value=MAX_EXPERIENCE, required=False,
        help_text="Settled matches; like the next two, only some rating systems ask.",
    )  # fmt: skip
    peak = Rating(required=False, help_text="The highest rating so far, in points.")
    is_junior = serializers.BooleanField(required=False, help_text="Until the end of the year of the 18th birthday.")


class PreviewPlayer(ImaginedPlayer):
    """A player of the ladder by username, or an imagined player. Numbers that are given replace those of the ladder."""

    username = Text(max_length=MAX_USERNAME_INPUT, required=False)


@example({"match_length": 1, "players": [{"rating": "1500.00"}, {"rating": "1620.00", "games": 12}]})
class Calculation(Body):
    """A match between two imagined players. ``options`` are the constants that a ladder may choose."""

    match_length = Whole(min_value=MIN_MATCH_LENGTH, max_value=MAX_MATCH_LENGTH)
    players = serializers.ListField(child=ImaginedPlayer(), min_length=2, max_length=2)
    options = serializers.DictField(child=Whole(), required=False, default=dict)


@example({"match_length": 5, "players": [{"username": "player01"}, {"rating": "912.50", "experience": 400}]})
class Preview(Body):
    """A match between two players, real or imagined."""

    match_length = Whole(min_value=MIN_MATCH_LENGTH, max_value=MAX_MATCH_LENGTH)
    players = serializers.ListField(child=PreviewPlayer(), min_length=2, max_length=2)


class OfLadder(PageQuery):
    ladder = serializers.SlugField(required=False, help_text="Only this ladder.")


class OfTier(PageQuery):
    tier = serializers.SlugField(required=False, help_text="Only this tier; ranks stay those of the whole ladder.")


class Around(serializers.Serializer[Any]):
    each_side = serializers.IntegerField(
        required=False, min_value=1, max_value=50, default=5, help_text="How many players above and below."
    )
