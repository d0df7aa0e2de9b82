"""Who may start a ranked match now: in words for the player who asks, in SQL for those who look at many.

A match keeps a player busy while he sits at the board or an offer waits for him, and until he has said how it ended.
Whoever has reported his win is free: that his opponent is silent, or disputes it, shall not cost him his evening. But
with three wins that nobody has confirmed he waits, too: a claim is quickly made.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from ladder.models import User
from ladder.rules.match_life import State
from ladder.services import sql
from ladder.services.errors import Conflict, Forbidden
from ladder.services.locking import lock_accounts
from ladder.services.suspensions import check_not_suspended

_BUSY = f"""
    EXISTS (
        SELECT 1 FROM ladder_match m
        WHERE m.player_{{seat}}_id = u.id AND m.unrated_reason IS NULL
          AND m.state IN ('{State.OFFERED}', '{State.IN_PROGRESS}', '{State.AWAITING_CONFIRMATION}')
          AND (m.state <> '{State.AWAITING_CONFIRMATION}' OR m.{{seat}}_says IS NULL)
    )
"""
_CLAIMS = f"""
    (
        SELECT count(*) FROM ladder_match m
        WHERE m.player_{{seat}}_id = u.id AND m.unrated_reason IS NULL AND m.{{seat}}_says = {{number}}
          AND m.state IN ('{State.AWAITING_CONFIRMATION}', '{State.DISPUTED}')
    )
"""
MOST_CLAIMS = 3
# The states stand in the text: only so does the planner see that the index of live matches will do.
BUSY = f"({_BUSY.format(seat='one')} OR {_BUSY.format(seat='two')})"
"""SQL: the account ``u`` has a ranked match that waits for him."""
CLAIMING = f"({_CLAIMS.format(seat='one', number=1)} + {_CLAIMS.format(seat='two', number=2)} >= {MOST_CLAIMS})"
"""SQL: the account ``u`` has claimed as many wins as one may before they are confirmed."""

UNFIT = f"""(
    NOT u.is_active
    OR EXISTS (
        SELECT 1 FROM ladder_suspension b
        WHERE b.account_id = u.id AND b.lifted_at IS NULL AND (b.until IS NULL OR b.until > %(now)s)
    )
    OR {BUSY}
    OR {CLAIMING}
)"""
"""SQL: the account ``u`` starts no ranked match at the moment ``now``: closed, suspended, busy, or claiming."""

_WHY_BUSY = f"SELECT {BUSY}, {CLAIMING} FROM ladder_user u WHERE u.id = %s"


def lock_player(account: User) -> None:
    """Hold the account of a player who asks to play. Raises ``Forbidden`` where it is suspended or was just closed.

    Who asks twice, or is suspended at this moment, waits here.
    """
    (held,) = lock_accounts(account.pk)
    if not held.is_active:
        raise Forbidden("account_closed", _("Your account is closed."))
    check_not_suspended(account)


def check_not_busy(account: User) -> None:
    """Raises ``Conflict`` while a ranked match waits for the player, or too many of his wins for their confirmation."""
    ((busy, claiming),) = sql.query(_WHY_BUSY, [account.pk])
    if busy:
        raise Conflict("match_under_way", _("A ranked match of yours is still under way."))
    if claiming:
        text = _("%(most)d wins of yours wait to be confirmed: then you can go on.")
        raise Conflict("wins_unconfirmed", text % {"most": MOST_CLAIMS})
