"""What requests to matchmaking may carry."""

from __future__ import annotations

from rest_framework import serializers

from common.api.inputs import MAX_USERNAME, Body, Text, Whole, example
from ladder.rules.match_length import MAX_MATCH_LENGTH, MIN_MATCH_LENGTH

MAX_SLUG = 50


@example({"ladder": "backgammon", "match_lengths": [5, 7]})
class TicketRequest(Body):
    """On which ladder, and over which match lengths: any one of them will do."""

    ladder = Text(max_length=MAX_SLUG)
    match_lengths = serializers.ListField(
        child=Whole(min_value=MIN_MATCH_LENGTH, max_value=MAX_MATCH_LENGTH), min_length=1, max_length=MAX_MATCH_LENGTH,
        help_text="In points; those that the ladder's queue offers.",
    )  # fmt: skip


@example({"opponent": "player02", "ladder": "backgammon", "match_length": 5})
class Challenge(Body):
    """Whom, on which ladder's histories, and over how many points."""

    opponent = Text(max_length=MAX_USERNAME, help_text="A username.")
    ladder = Text(max_length=MAX_SLUG)
    match_length = Whole(min_value=MIN_MATCH_LENGTH, max_value=MAX_MATCH_LENGTH)


@example({"ladder": "backgammon", "match_length": 5})
class NewInvite(Body):
    """On which ladder's histories, and over how many points."""

    ladder = Text(max_length=MAX_SLUG)
    match_length = Whole(min_value=MIN_MATCH_LENGTH, max_value=MAX_MATCH_LENGTH)


@example({"token": "Qm9hcmQgYW5kIGRpY2UsIHR3byBjaGFpcnMsIGFuZCBhIG51bWJlcg"})
class InviteToken(Body):
    """What you were given."""

    token = Text(max_length=200)
