"""One noun a file. What must never be false is a constraint of the database, beside its noun."""

from matchmaking.models.invite import Invite
from matchmaking.models.offer import Offer, OfferSide
from matchmaking.models.penalty import Penalty
from matchmaking.models.ticket import Ticket

__all__ = ["Invite", "Offer", "OfferSide", "Penalty", "Ticket"]
