"""One noun a file. What must never be false is a constraint or a trigger of the database, beside its noun."""

from ladder.models.audit import AuditEntry
from ladder.models.decay import DecayPause, DecayRun
from ladder.models.event import Event, EventStream, Presence
from ladder.models.idempotency import IdempotencyKey
from ladder.models.ladder import Ladder
from ladder.models.match import Match
from ladder.models.rating_entry import RatingEntry
from ladder.models.report import MatchReport
from ladder.models.service_key import ServiceKey
from ladder.models.standing import Standing
from ladder.models.suspension import Suspension
from ladder.models.user import User

__all__ = [
    "AuditEntry",
    "DecayPause",
    "DecayRun",
    "Event",
    "EventStream",
    "IdempotencyKey",
    "Ladder",
    "Match",
    "MatchReport",
    "Presence",
    "RatingEntry",
    "ServiceKey",
    "Standing",
    "Suspension",
    "User",
]
