"""What the app adds, one of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NotRequired, TypedDict

from django.http import HttpRequest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from accounts.models import User
from accounts.points import AccountListener, AuditAction, MePart
from accounts.services import audit
from common.admin.dashboard import Figure, Panel
from common.admin.navigation import Page, Section
from common.api.operations import ReadinessCheck
from common.types import Username
from events.points import Addition, Kind
from events.services import writing
from ladder.event_kinds import OFFER_DECLINED
from ladder.models import Match
from ladder.points import Busy, FieldsByAccount, MatchListener
from ladder.rules.match_life import Cancel, Seat

# --- /me -------------------------------------------------------------------------------------------------------------


class Open(TypedDict):
    soup: str | None


class Lunch(TypedDict):
    """``lunch`` is what there is today."""

    lunch: str
    open: Open


def todays_lunch(account: User, answer: Mapping[str, Any]) -> Lunch:
    return {"lunch": "soup", "open": {"soup": f"for {answer['username']}"}}


LUNCH = MePart(Lunch, todays_lunch)

# --- events ----------------------------------------------------------------------------------------------------------


class LunchServed(TypedDict):
    """``reason`` is the player because of whom there is lunch. Other kinds say something else by that name."""

    dish: str
    reason: Username


class SoupLeft(TypedDict):
    """``soup`` is what is left for whoever does not play."""

    soup: NotRequired[str]


LUNCH_SERVED = Kind("lunch_served", LunchServed)
SOUP_LEFT = Addition(OFFER_DECLINED, SoupLeft)

# --- what follows a match or an account ------------------------------------------------------------------------------


class Waiters(MatchListener):
    def match_started(self, match: Match) -> None:
        told = {"dish": "soup", "reason": match.player_one_id}
        writing.write_events(LUNCH_SERVED, {match.player_one_id: told, match.player_two_id: told})

    def match_cancelled(self, match: Match, reason: Cancel, by: Seat | None) -> FieldsByAccount:
        return {match.player_one_id: {"soup": "all of it"}}


class Neighbours(AccountListener):
    def blocked(self, account: User, other: User) -> None:
        audit.record(account, SERVE.code, other, reason="To go.")


AT_LUNCH = Busy("at_lunch", "u.username = 'hungry'", "You are at lunch.")

# --- the admin -------------------------------------------------------------------------------------------------------

COOKS = "Cooks"
SERVE = AuditAction("lunch.serve", "served lunch to an account")
MENU = Page(Section("Lunch", 50), 10, "Guests", "restaurant", "accounts_user_changelist", query="is_staff__exact=0")


def figures(request: HttpRequest) -> Iterator[Figure]:
    yield Figure("Soups of the day", "restaurant", 3, MENU.address)


PANEL = Panel("extension/panel.html", lambda request: {"dish": "Barley soup"})

# --- operators -------------------------------------------------------------------------------------------------------


class SoupCollector(Collector):
    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield GaugeMetricFamily("lunch_soups", "Soups that are left.", value=7)


KITCHEN = ReadinessCheck("kitchen", lambda: "closed")
