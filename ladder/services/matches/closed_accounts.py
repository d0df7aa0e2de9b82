"""The matches of an account that is closed."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.points import AccountListener
from common import idempotency
from common.errors import Conflict
from ladder.models import Match
from ladder.rules.match_life import LIVE, State
from ladder.services.matches import offers


class ClosedAccounts(AccountListener):
    """An account with a live ranked match cannot be closed.

    Otherwise, its offers are cancelled, and stored answers with its former name are deleted.
    """

    def check_may_close(self, account: User) -> None:
        if _matches_of(account).filter(unrated_reason__isnull=True, state__in=LIVE).exists():
            raise Conflict("match_under_way", _("You have a ranked match that is not finished."))

    def closed(self, account: User, former_name: str) -> None:
        # The closed account can accept none of these offers any more. Each is cancelled in a transaction of its own.
        for match_id in list(_matches_of(account).filter(state=State.OFFERED).values_list("pk", flat=True)):
            offers.cancel_if_not_allowed(match_id)
        opponents = _matches_of(account).values_list("player_one", "player_two")
        callers = {idempotency.account_caller(player) for players in opponents for player in players}
        idempotency.delete_answers_to(*callers, mentioning=former_name)


def _matches_of(account: User) -> QuerySet[Match]:
    return Match.objects.filter(Q(player_one=account) | Q(player_two=account))
