"""Why moderators rule."""

from __future__ import annotations

from enum import StrEnum


class ReasonCode(StrEnum):
    """Why a moderator ruled as they did; stable, and part of the API."""

    EVIDENCE = "evidence"
    ADMITTED = "admitted"
    WRONG_REPORT = "wrong_report"
    NOT_PLAYED = "not_played"
    CHEATING = "cheating"
    TECHNICAL = "technical"
    OTHER = "other"
