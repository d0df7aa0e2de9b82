"""Matches, with the rows that are shown with them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from common.errors import NotFound
from ladder.models import Match, MatchReport, RatingEntry
from ladder.rules.match_life import LIVE, State

ORDER = ("-pk",)


def matches() -> QuerySet[Match]:
    """Matches with their ladder, players, ``reports`` and ``settlements`` (without reversed ones), in three queries."""
    return Match.objects.select_related("ladder", "player_one", "player_two", "ruling").prefetch_related(
        "reports", Prefetch("entries", queryset=_unreversed_settlements(), to_attr="settlements")
    )


def match(match_id: UUID, reader: User | None = None) -> Match:
    """A match that the reader may see. Raises ``NotFound``."""
    found = visible_to(reader).filter(pk=match_id).first()
    if found is None:
        raise NotFound("match_not_found", _("There is no such match."))
    return found


def visible_to(reader: User | None) -> QuerySet[Match]:
    """The matches that ``reader`` may see (``None``: not signed in).

    Before a match starts, only its players and staff can see it."""
    started = ~Q(state__in=(State.OFFERED, State.CANCELLED))
    if reader is None:
        return matches().filter(started)
    return matches() if reader.is_staff else matches().filter(started | _plays(reader))


def matches_of(player: User, reader: User | None) -> QuerySet[Match]:
    """The player's matches that the reader may see."""
    return visible_to(reader).filter(_plays(player))


def open_matches(player: User) -> tuple[list[Match], list[Match]]:
    """The player's open offers and open started matches, the newest first."""
    live = list(matches_of(player, player).filter(state__in=LIVE).order_by(*ORDER))
    return [m for m in live if m.state == State.OFFERED], [m for m in live if m.state != State.OFFERED]


def settlements_of(found: Match) -> Sequence[RatingEntry]:
    """The settlements of the match that are not reversed; none if it is unrated or not settled."""
    if found.settled_at is None:
        return []
    return list(_unreversed_settlements().filter(match=found))


def reports_of(found: Match) -> Sequence[MatchReport]:
    return list(found.reports.all())


def _plays(player: User) -> Q:
    return Q(player_one=player) | Q(player_two=player)


def _unreversed_settlements() -> QuerySet[RatingEntry]:
    settled = RatingEntry.objects.filter(kind=RatingEntry.Kind.SETTLEMENT, reversals__isnull=True)
    return settled.select_related("standing")
