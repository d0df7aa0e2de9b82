"""Why a ticket is unmatched: the last condition that no other ticket met."""

from __future__ import annotations

import numpy as np

from matchmaking.pairing.opponents import Meeting, meeting
from matchmaking.pairing.queue import Queue
from matchmaking.pairing.types import Reason


def reason(queue: Queue, position: int) -> Reason:
    """The reason of the ticket at ``position``, compared with all other tickets, paired or not."""
    ticket = queue.tickets[position]
    others = np.delete(np.arange(len(queue)), position)
    if not len(others):
        return Reason.ALONE
    if not (queue.accepted[others] & queue.accepted[position]).any():
        return Reason.NO_COMMON_LENGTH
    in_reach = others[queue.length_of(np.minimum(others, position), np.maximum(others, position)) >= 0]
    if not len(in_reach):
        return Reason.OUT_OF_REACH
    meetings = {meeting(ticket, queue.tickets[other]) for other in in_reach.tolist()}
    if meetings <= {Meeting.BLOCKED}:
        return Reason.ONLY_BLOCKED
    if meetings <= {Meeting.BLOCKED, Meeting.RECENT}:
        return Reason.ONLY_RECENT
    return Reason.ODD_ONE_OUT
