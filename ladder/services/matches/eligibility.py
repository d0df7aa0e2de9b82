"""Which players may start a ranked match now, in SQL: for one player and for a whole queue.

The reasons why a player may not are in ``ladder.points.BUSY``; other apps can add some. The ladder's own reasons: a
ranked match of the player is offered or played, and the player has not reported its winner; or the player has claimed
``MAX_UNCONFIRMED_WINS`` wins that are not confirmed.
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
from ladder.limits import MAX_UNCONFIRMED_WINS
from ladder.points import BUSY, Busy
from ladder.rules.match_life import State

# The states are in the text, because only then does the planner use the partial index of live matches.
_UNDER_WAY = f"""
    EXISTS (
        SELECT 1 FROM ladder_match m
        WHERE m.player_{{seat}}_id = u.id AND m.unrated_reason IS NULL
          AND m.state IN ('{State.OFFERED}', '{State.IN_PROGRESS}', '{State.AWAITING_CONFIRMATION}')
          AND (m.state <> '{State.AWAITING_CONFIRMATION}' OR m.{{seat}}_reported_winner IS NULL)
    )
"""
_CLAIMED = f"""
    (
        SELECT count(*) FROM ladder_match m
        WHERE m.player_{{seat}}_id = u.id AND m.unrated_reason IS NULL AND m.{{seat}}_reported_winner = {{number}}
          AND m.state IN ('{State.AWAITING_CONFIRMATION}', '{State.DISPUTED}')
    )
"""
MATCH_UNDER_WAY = Busy(
    "match_under_way",
    f"({_UNDER_WAY.format(seat='one')} OR {_UNDER_WAY.format(seat='two')})",
    gettext_lazy("You have a ranked match that is not finished."),
)
WINS_UNCONFIRMED = Busy(
    "wins_unconfirmed",
    f"{_CLAIMED.format(seat='one', number=1)} + {_CLAIMED.format(seat='two', number=2)} >= {MAX_UNCONFIRMED_WINS}",
    format_lazy(
        gettext_lazy("{number} of your wins are not confirmed yet. Please wait for that."), number=MAX_UNCONFIRMED_WINS
    ),
)


@cache
def may_not_start() -> str:
    """SQL: the account ``u`` is closed, suspended or busy at the time ``now``, and may start no ranked match."""
    busy = " OR ".join(f"({reason.condition})" for reason in BUSY)
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
    columns = ", ".join(reason.condition for reason in BUSY)
    return f"SELECT {columns} FROM accounts_user u WHERE u.id = %s"


def lock_player(account: User) -> None:
    """Lock the account of a player who wants to start a match. Raises ``Forbidden`` if it is suspended or closed.

    A second request of the same player waits for this lock, and so does a suspension.
    """
    (locked,) = lock_accounts(account.pk)
    if not locked.is_active:
        raise Forbidden("account_closed", _("Your account is closed."))
    check_not_suspended(account)


def check_not_busy(account: User) -> None:
    """Raises ``Conflict``, with the code of the reason, if the player is busy."""
    (found,) = sql.query(_why_busy(), [account.pk])
    for reason, applies in zip(BUSY, found, strict=True):
        if applies:
            raise Conflict(reason.code, str(reason.detail))
