"""Who may start a ranked match now: in words for the player who asks, in SQL for those who look at many.

A match keeps a player busy while he sits at the board or an offer waits for him, and until he has said how it ended.
Whoever has reported his win is free: that his opponent is silent, or disputes it, shall not cost him his evening.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from ladder.models import User
from ladder.rules.match_life import State
from ladder.services import sql
from ladder.services.errors import Forbidden
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
# The states stand in the text: only so does the planner see that the index of live matches will do.
BUSY = f"({_BUSY.format(seat='one')} OR {_BUSY.format(seat='two')})"
"""SQL: the account ``u`` has a ranked match that waits for him."""

UNFIT = f"""(
    NOT u.is_active
    OR EXISTS (
        SELECT 1 FROM ladder_suspension b
        WHERE b.account_id = u.id AND b.lifted_at IS NULL AND (b.until IS NULL OR b.until > %(now)s)
    )
    OR {BUSY}
)"""
"""SQL: the account ``u`` starts no ranked match at the moment ``now``: closed, suspended, or busy."""

_IS_BUSY = f"SELECT 1 FROM ladder_user u WHERE u.id = %s AND {BUSY}"


def lock_player(account: User) -> None:
    """Hold the account of a player who asks to play. Raises ``Forbidden`` where it is suspended or was just closed.

    Who asks twice, or is suspended at this moment, waits here.
    """
    (held,) = lock_accounts(account.pk)
    if not held.is_active:
        raise Forbidden("account_closed", _("Your account is closed."))
    check_not_suspended(account)


def is_busy(account_id: int) -> bool:
    """Whether the player has a ranked match that waits for him."""
    return bool(sql.query(_IS_BUSY, [account_id]))
