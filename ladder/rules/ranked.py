"""Which matches move ratings, and the stable reasons why the others do not."""

from __future__ import annotations

from enum import StrEnum


class Origin(StrEnum):
    """Who brought the two players together."""

    MATCHMAKING = "matchmaking"
    TOURNAMENT = "tournament"
    IMPORT = "import"
    CHALLENGE = "challenge"
    INVITE = "invite"
    REMATCH = "rematch"


class Unrated(StrEnum):
    """Why a match does not count."""

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


# Only what the system itself paired, and history that an operator brings in: friends could farm anything else.
RANKED_ORIGINS = frozenset({Origin.MATCHMAKING, Origin.TOURNAMENT, Origin.IMPORT})

_ARRANGED = {
    Origin.CHALLENGE: Unrated.CHALLENGE,
    Origin.INVITE: Unrated.INVITE,
    Origin.REMATCH: Unrated.REMATCH,
}


def unrated_by_origin(origin: Origin) -> Unrated | None:
    """Why no match of this origin is ever rated; ``None`` for the ranked origins."""
    return _ARRANGED.get(origin)
