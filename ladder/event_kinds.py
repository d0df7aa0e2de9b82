"""The kinds of events about matches and ratings."""

from __future__ import annotations

from datetime import date, datetime
from typing import NotRequired, TypedDict
from uuid import UUID

from common.types import Code, Points, Slug, Username
from events.points import Kind
from ladder.rules.match_life import ConfirmedBy, State
from ladder.rules.ranked import Origin


class MatchEvent(TypedDict):
    """A match of the account and its present state."""

    match: UUID
    ladder: Slug
    match_length: int
    origin: Origin
    state: State
    opponent: Username


class MatchOffered(MatchEvent):
    """A match was offered. It can be accepted or declined until it expires.

    ``by`` is the player who asked for it, if any.
    """

    expires_at: datetime
    by: NotRequired[Username]
    unrated_reason: NotRequired[Code | None]


class OfferAccepted(MatchEvent):
    """One of the two players has accepted."""

    by: Username


class OfferDeclined(MatchEvent):
    """One of the two players has declined. The match is cancelled."""

    by: Username


class OfferExpired(MatchEvent):
    """The offer has expired. The match is cancelled."""


class OfferCalledOff(MatchEvent):
    """The offer was cancelled, because the two cannot play this match any more."""


class MatchStarted(MatchEvent):
    """Both players have accepted, and the match has started."""


class ResultReported(MatchEvent):
    """One player has reported the result. The other player has to confirm or dispute it."""

    by: Username
    winner: Username
    loser_score: int | None


class MatchDisputed(MatchEvent):
    """The result is disputed. A moderator will rule."""

    by: Username
    winner: NotRequired[Username]
    loser_score: NotRequired[int | None]


class RatingMoved(TypedDict):
    """The account's rating before and after."""

    before: Points
    delta: Points
    after: Points


class MatchConfirmed(MatchEvent):
    """The result is final. ``rating`` is null if the match is unrated, and ``unrated_reason`` is the reason."""

    winner: Username
    confirmed_by: ConfirmedBy
    unrated_reason: Code | None
    ruling: str | None
    rating: RatingMoved | None


class MatchRuled(MatchEvent):
    """A moderator has ruled who won, or that the match is void: ``winner`` is null, and ``reason`` is the reason."""

    winner: Username | None
    confirmed_by: NotRequired[ConfirmedBy]
    unrated_reason: NotRequired[Code | None]
    reason: NotRequired[Code]
    ruling: str | None
    rating: RatingMoved | None


class MatchVoided(MatchEvent):
    """The match ended without a result."""

    reason: Code


class DecayAhead(TypedDict):
    """Decay of the rating on this ladder starts on that day, unless a ranked match is played."""

    ladder: Slug
    starts_on: date
    rating: Points


class RatingAdjusted(TypedDict):
    """An operator has adjusted the rating."""

    ladder: Slug
    rating: RatingMoved
    reason: str


MATCH_OFFERED = Kind("match_offered", MatchOffered)
OFFER_ACCEPTED = Kind("offer_accepted", OfferAccepted)
OFFER_DECLINED = Kind("offer_declined", OfferDeclined)
OFFER_EXPIRED = Kind("offer_expired", OfferExpired)
OFFER_CALLED_OFF = Kind("offer_called_off", OfferCalledOff)
MATCH_STARTED = Kind("match_started", MatchStarted)
RESULT_REPORTED = Kind("result_reported", ResultReported)
MATCH_DISPUTED = Kind("match_disputed", MatchDisputed)
MATCH_CONFIRMED = Kind("match_confirmed", MatchConfirmed)
MATCH_RULED = Kind("match_ruled", MatchRuled)
MATCH_VOIDED = Kind("match_voided", MatchVoided)
DECAY_AHEAD = Kind("decay_ahead", DecayAhead)
RATING_ADJUSTED = Kind("rating_adjusted", RatingAdjusted)

KINDS = (
    MATCH_OFFERED, OFFER_ACCEPTED, OFFER_DECLINED, OFFER_EXPIRED, OFFER_CALLED_OFF, MATCH_STARTED, RESULT_REPORTED,
    MATCH_DISPUTED, MATCH_CONFIRMED, MATCH_RULED, MATCH_VOIDED, DECAY_AHEAD, RATING_ADJUSTED,
)  # fmt: skip
