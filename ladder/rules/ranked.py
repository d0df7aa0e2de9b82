"""Which matches are rated, and the codes of the reasons why others are not."""

from __future__ import annotations

from enum import StrEnum


class Origin(StrEnum):
    """How the match came about."""

    MATCHMAKING = "matchmaking"
    TOURNAMENT = "tournament"
    IMPORT = "import"
    CHALLENGE = "challenge"
    INVITE = "invite"
    REMATCH = "rematch"


class Unrated(StrEnum):
    """Why a match is not rated."""

    CHALLENGE = "challenge"
    INVITE = "invite"
    REMATCH = "rematch"
    SELF_MATCH = "self_match"
    BYE = "bye"
    WALKOVER = "walkover"
    NO_SHOW = "no_show"
    NOBODY_MOVED = "nobody_moved"
    SERVER_FAILED = "server_failed"
    NO_RESULT = "no_result"
    VOIDED = "voided"
    CANCELLED = "cancelled"


# Matches that the system paired, and imported ones. In others, friends could give each other points.
RANKED_ORIGINS = frozenset({Origin.MATCHMAKING, Origin.TOURNAMENT, Origin.IMPORT})

_ARRANGED = {
    Origin.CHALLENGE: Unrated.CHALLENGE,
    Origin.INVITE: Unrated.INVITE,
    Origin.REMATCH: Unrated.REMATCH,
}


def unrated_by_origin(origin: Origin) -> Unrated | None:
    """Why matches of this origin are not rated; ``None`` for the ranked origins."""
    return _ARRANGED.get(origin)
