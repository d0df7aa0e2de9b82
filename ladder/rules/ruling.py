"""The reasons of moderators' rulings."""

from __future__ import annotations

from enum import StrEnum


class ReasonCode(StrEnum):
    """The reason of a ruling. The codes are part of the API and do not change."""

    EVIDENCE = "evidence"
    ADMITTED = "admitted"
    WRONG_REPORT = "wrong_report"
    NOT_PLAYED = "not_played"
    CHEATING = "cheating"
    TECHNICAL = "technical"
    OTHER = "other"
