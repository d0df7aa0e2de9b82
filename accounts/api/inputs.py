"""What requests about one's account may carry."""

from __future__ import annotations

from rest_framework import serializers

from common.api.inputs import Body, example


@example({"language": "ko"})
class Profile(Body):
    """What a player may change of his profile."""

    language = serializers.ChoiceField(choices=["en", "ko"], required=False, help_text="Of the e-mails you get.")
