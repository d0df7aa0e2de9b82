"""Matches, with what is shown beside them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from ladder.models import Match, MatchReport, RatingEntry, User
from ladder.rules.match_life import LIVE, State
from ladder.services.errors import NotFound

ORDER = ("-pk",)


def matches() -> QuerySet[Match]:
    """Matches with their ladder, players, ``reports`` and ``settlements`` (those that stand) in three queries."""
    return Match.objects.select_related("ladder", "player_one", "player_two").prefetch_related(
        "reports", Prefetch("entries", queryset=_standing_settlements(), to_attr="settlements")
    )


def match(match_id: UUID) -> Match:
    """Raises ``NotFound``."""
    found = matches().filter(pk=match_id).first()
    if found is None:
        raise NotFound("match_not_found", _("There is no such match."))
    return found


def matches_of(player: User) -> QuerySet[Match]:
    return matches().filter(Q(player_one=player) | Q(player_two=player))


def open_matches(player: User) -> tuple[list[Match], list[Match]]:
    """What waits for the player: offers, and matches that have started; the newest first."""
    live = list(matches_of(player).filter(state__in=LIVE).order_by(*ORDER))
    return [m for m in live if m.state == State.OFFERED], [m for m in live if m.state != State.OFFERED]


def settlements_of(found: Match) -> Sequence[RatingEntry]:
    """The rating changes that the match stands for now: none where it is unrated, unsettled or was taken back."""
    if found.settled_at is None:
        return []
    return list(_standing_settlements().filter(match=found))


def reports_of(found: Match) -> Sequence[MatchReport]:
    return list(found.reports.all())


def _standing_settlements() -> QuerySet[RatingEntry]:
    return RatingEntry.objects.filter(kind=RatingEntry.Kind.SETTLEMENT, reversals__isnull=True)
