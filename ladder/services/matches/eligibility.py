"""Who may start a ranked match now: in words for the player who asks, in SQL for those who look at many.

Apps say in ``ladder.points.BUSY`` what keeps a player busy. The ladder's own rules: a match keeps a player busy while
it is played or offered, and until they have said how it ended. Whoever has reported a win is free, whatever the
opponent does; but three such wins that nobody has confirmed keep a player waiting as well.
"""

from __future__ import annotations

from functools import cache

from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.queries.suspensions import check_not_suspended
from accounts.services.locking import lock_accounts
from common import sql
from common.errors import Conflict, Forbidden
from ladder.points import BUSY, Busy
from ladder.rules.match_life import State

MOST_UNCONFIRMED_WINS = 3

# The states stand in the text: only so does the planner see that the index of live matches will do.
_UNDER_WAY = f"""
    EXISTS (
        SELECT 1 FROM ladder_match m
        WHERE m.player_{{seat}}_id = u.id AND m.unrated_reason IS NULL
          AND m.state IN ('{State.OFFERED}', '{State.IN_PROGRESS}', '{State.AWAITING_CONFIRMATION}')
          AND (m.state <> '{State.AWAITING_CONFIRMATION}' OR m.{{seat}}_says IS NULL)
    )
"""
_CLAIMED = f"""
    (
        SELECT count(*) FROM ladder_match m
        WHERE m.player_{{seat}}_id = u.id AND m.unrated_reason IS NULL AND m.{{seat}}_says = {{number}}
          AND m.state IN ('{State.AWAITING_CONFIRMATION}', '{State.DISPUTED}')
    )
"""
MATCH_UNDER_WAY = Busy(
    "match_under_way",
    f"({_UNDER_WAY.format(seat='one')} OR {_UNDER_WAY.format(seat='two')})",
    gettext_lazy("A ranked match of yours is still under way."),
)
WINS_UNCONFIRMED = Busy(
    "wins_unconfirmed",
    f"{_CLAIMED.format(seat='one', number=1)} + {_CLAIMED.format(seat='two', number=2)} >= {MOST_UNCONFIRMED_WINS}",
    format_lazy(
        gettext_lazy("{most} wins of yours wait to be confirmed: then you can go on."), most=MOST_UNCONFIRMED_WINS
    ),
)


@cache
def may_not_start() -> str:
    """SQL: the account ``u`` starts no ranked match at the moment ``now``: closed, suspended, or busy."""
    busy = " OR ".join(f"({rule.condition})" for rule in BUSY)
    return f"""(
        NOT u.is_active
        OR EXISTS (
            SELECT 1 FROM accounts_suspension b
            WHERE b.account_id = u.id AND b.lifted_at IS NULL AND (b.until IS NULL OR b.until > %(now)s)
        )
        OR {busy}
    )"""


@cache
def _why_busy() -> str:
    columns = ", ".join(rule.condition for rule in BUSY)
    return f"SELECT {columns} FROM accounts_user u WHERE u.id = %s"


def lock_player(account: User) -> None:
    """Lock the account of a player who asks to play. Raises ``Forbidden`` where it is suspended or was just closed.

    Whoever asks twice, or is suspended at this moment, waits here.
    """
    (held,) = lock_accounts(account.pk)
    if not held.is_active:
        raise Forbidden("account_closed", _("Your account is closed."))
    check_not_suspended(account)


def check_not_busy(account: User) -> None:
    """Raises ``Conflict``, with the code of the rule, while something keeps the player busy."""
    (found,) = sql.query(_why_busy(), [account.pk])
    for rule, applies in zip(BUSY, found, strict=True):
        if applies:
            raise Conflict(rule.code, str(rule.detail))
