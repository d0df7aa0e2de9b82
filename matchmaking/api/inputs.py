"""The bodies of requests to matchmaking."""

from __future__ import annotations

from rest_framework import serializers

from common.api.inputs import Body, Text, Whole, example
from common.limits import MAX_USERNAME_INPUT
from ladder.rules.match_length import MAX_MATCH_LENGTH, MIN_MATCH_LENGTH
from matchmaking.limits import MAX_SLUG_INPUT, MAX_TOKEN_INPUT


@example({"ladder": "backgammon", "match_lengths": [5, 7]})
class TicketRequest(Body):
    """A ladder, and match lengths. The match will have one of these lengths."""

    ladder = Text(max_length=MAX_SLUG_INPUT)
    match_lengths = serializers.ListField(
        child=Whole(min_value=MIN_MATCH_LENGTH, max_value=MAX_MATCH_LENGTH), min_length=1, max_length=MAX_MATCH_LENGTH,
        help_text="In points. The ladder's queue must offer them.",
    )  # fmt: skip


@example({"opponent": "player02", "ladder": "backgammon", "match_length": 5})
class Challenge(Body):
    """An opponent, the ladder for whose histories the match is recorded, and the match length."""

    opponent = Text(max_length=MAX_USERNAME_INPUT, help_text="A username.")
    ladder = Text(max_length=MAX_SLUG_INPUT)
    match_length = Whole(min_value=MIN_MATCH_LENGTH, max_value=MAX_MATCH_LENGTH)


@example({"ladder": "backgammon", "match_length": 5})
class NewInvite(Body):
    """The ladder for whose histories the match is recorded, and the match length."""

    ladder = Text(max_length=MAX_SLUG_INPUT)
    match_length = Whole(min_value=MIN_MATCH_LENGTH, max_value=MAX_MATCH_LENGTH)


@example({"token": "Qm9hcmQgYW5kIGRpY2UsIHR3byBjaGFpcnMsIGFuZCBhIG51bWJlcg"})
class InviteToken(Body):
    """The token of an invite."""

    token = Text(max_length=MAX_TOKEN_INPUT)
