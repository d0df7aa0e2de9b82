"""One model in each file, with the constraints of its table."""

from matchmaking.models.invite import Invite
from matchmaking.models.offer import Offer, OfferSide
from matchmaking.models.penalty import Penalty
from matchmaking.models.ticket import Ticket

__all__ = ["Invite", "Offer", "OfferSide", "Penalty", "Ticket"]
