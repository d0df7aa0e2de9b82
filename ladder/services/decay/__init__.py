"""Decay.

* ``runs``        the nightly job: run all days that are due, in order
* ``statements``  its SQL
* ``preview``     what the days that are due would take from each player
* ``reversing``   reversing days of decay, after a late pause or for a whole run
* ``pauses``      declaring a pause and ending it early
* ``notices``     events that notify players before their first day of decay
* ``locks``       one worker at a time on each ladder
"""

from ladder.queries.decay import has_decay, lag_days, next_day, next_days, today
from ladder.services.decay.locks import DecayRunning
from ladder.services.decay.pauses import can_end_early, declare_pause, earliest_end, end_pause
from ladder.services.decay.preview import Loss, PreviewDay, preview
from ladder.services.decay.reversing import DecayTotal, has_open_reversals, reverse_run, unreversed_decay
from ladder.services.decay.runs import bring_all_up_to_date, bring_up_to_date, check_day

__all__ = [
    "DecayRunning",
    "DecayTotal",
    "Loss",
    "PreviewDay",
    "bring_all_up_to_date",
    "bring_up_to_date",
    "can_end_early",
    "check_day",
    "declare_pause",
    "earliest_end",
    "end_pause",
    "has_decay",
    "has_open_reversals",
    "lag_days",
    "next_day",
    "next_days",
    "preview",
    "reverse_run",
    "today",
    "unreversed_decay",
]
