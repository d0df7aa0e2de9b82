"""Matches, with what is shown beside them."""

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
    """Matches with their ladder, players, ``reports`` and ``settlements`` (those that stand) in three queries."""
    return Match.objects.select_related("ladder", "player_one", "player_two", "ruling").prefetch_related(
        "reports", Prefetch("entries", queryset=_standing_settlements(), to_attr="settlements")
    )


def match(match_id: UUID, reader: User | None = None) -> Match:
    """A match that the reader may see. Raises ``NotFound``."""
    found = visible_to(reader).filter(pk=match_id).first()
    if found is None:
        raise NotFound("match_not_found", _("There is no such match."))
    return found


def visible_to(reader: User | None) -> QuerySet[Match]:
    """The matches that somebody (``None``: anybody) may see. Until one starts, only its players and the staff do."""
    begun = ~Q(state__in=(State.OFFERED, State.CANCELLED))
    if reader is None:
        return matches().filter(begun)
    return matches() if reader.is_staff else matches().filter(begun | _plays(reader))


def matches_of(player: User, reader: User | None) -> QuerySet[Match]:
    """A player's matches, as far as the reader may see them."""
    return visible_to(reader).filter(_plays(player))


def open_matches(player: User) -> tuple[list[Match], list[Match]]:
    """What waits for the player: offers, and matches that have started; the newest first."""
    live = list(matches_of(player, player).filter(state__in=LIVE).order_by(*ORDER))
    return [m for m in live if m.state == State.OFFERED], [m for m in live if m.state != State.OFFERED]


def settlements_of(found: Match) -> Sequence[RatingEntry]:
    """The rating changes that the match stands for now: none where it is unrated, unsettled or was taken back."""
    if found.settled_at is None:
        return []
    return list(_standing_settlements().filter(match=found))


def reports_of(found: Match) -> Sequence[MatchReport]:
    return list(found.reports.all())


def _plays(player: User) -> Q:
    return Q(player_one=player) | Q(player_two=player)


def _standing_settlements() -> QuerySet[RatingEntry]:
    settled = RatingEntry.objects.filter(kind=RatingEntry.Kind.SETTLEMENT, reversals__isnull=True)
    return settled.select_related("standing")
