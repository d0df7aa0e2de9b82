"""Decay: the nightly job, and what people do about it.

* ``nights``      bring a ladder up to date: work off, in order, every day that is due
* ``preview``     what the nights that are due would cost whom
* ``statements``  the SQL: one statement a batch, locked, re-checked, written
* ``reversing``   take charged days back by opposite entries: for a pause declared late, or a whole run
* ``pauses``      declare an outage, end it early
* ``notices``     tell players three days ahead
* ``status``      how far behind the job is
"""

from ladder.queries.decay_progress import decays, lag_days, next_day, next_days, today
from ladder.services.decay.locks import Busy
from ladder.services.decay.nights import bring_all_up_to_date, bring_up_to_date, check_day
from ladder.services.decay.pauses import declare_pause, earliest_end, end_pause, may_be_ended
from ladder.services.decay.preview import Loss, Night, preview
from ladder.services.decay.reversing import Charged, charged, owes, revert_run

__all__ = [
    "Busy",
    "Charged",
    "Loss",
    "Night",
    "bring_all_up_to_date",
    "bring_up_to_date",
    "charged",
    "check_day",
    "decays",
    "declare_pause",
    "earliest_end",
    "end_pause",
    "lag_days",
    "may_be_ended",
    "next_day",
    "next_days",
    "owes",
    "preview",
    "revert_run",
    "today",
]
