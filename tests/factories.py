"""Players and matches for tests, made by the real services. Each function gives back what the database now holds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import count
from typing import Any

from django.contrib.auth.models import Permission
from django.utils import timezone

from accounts.models import User
from accounts.models.service_key import Scope
from accounts.services import service_keys
from ladder.models import Ladder, Match, RatingEntry, Standing
from ladder.rules.match_life import Ending, Seat, State
from ladder.rules.ranked import Origin
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import offers, reporting, rulings

PASSWORD = "correct horse 42"

_numbers = count(100)  # tests that name players themselves stay below


def make_ladder(slug: str = "backgammon", **fields: Any) -> Ladder:
    """The ladder of that slug, made when it is missing; ``fields`` count only then."""
    return Ladder.objects.get_or_create(slug=slug, defaults={"name": slug.title(), **fields})[0]


def make_player(username: str | None = None, **fields: Any) -> User:
    """A new account that signs in with ``PASSWORD``."""
    name = username or f"player{next(_numbers):02}"
    return User.objects.create_user(name, f"{name.lower()}@example.org", PASSWORD, **fields)


def make_players(number: int) -> list[User]:
    return [make_player() for _ in range(number)]


def make_moderator(username: str | None = None) -> User:
    """An account that may enter the admin and rule matches, and nothing more."""
    moderator = make_player(username or f"moderator{next(_numbers):02}", is_staff=True)
    let_rule(moderator)
    return moderator


def let_rule(account: User) -> None:
    account.user_permissions.add(Permission.objects.get(codename="rule_match", content_type__app_label="ladder"))


def make_service_key(scopes: tuple[str, ...] = (Scope.RESULTS,)) -> str:
    """A valid key of a game server, as the server shows it."""
    return service_keys.issue("game server", scopes, actor=None)[1]


def offered_match(
    one: User | None = None,
    two: User | None = None,
    *,
    ladder: Ladder | None = None,
    match_length: int = 5,
    origin: Origin = Origin.MATCHMAKING,
) -> Match:
    """A match offered to two players, new ones where none are given."""
    return offers.offer_match(
        ladder or make_ladder(), one or make_player(), two or make_player(), match_length=match_length, origin=origin
    )


def started_match(*players: User, **offer: Any) -> Match:
    """A match that both accepted."""
    match = offered_match(*players, **offer)
    offers.accept(match.pk, match.player_one)
    return offers.accept(match.pk, match.player_two).match


def awaiting_match(*players: User, claimant: Seat = 1, **offer: Any) -> Match:
    """A match whose ``claimant`` reported a win."""
    match = started_match(*players, **offer)
    return _claim(match, claimant)


def overdue_match(*players: User, claimant: Seat = 1, **offer: Any) -> Match:
    """A match whose reported result was not confirmed in time."""
    match = awaiting_match(*players, claimant=claimant, **offer)
    Match.objects.filter(pk=match.pk).update(confirm_by=timezone.now() - timedelta(seconds=1))
    match.refresh_from_db()
    return match


def disputed_match(*players: User, **offer: Any) -> Match:
    """A match that both claim to have won."""
    match = awaiting_match(*players, claimant=1, **offer)
    return _claim(match, 2)


def confirmed_match(*players: User, winner: Seat = 1, **offer: Any) -> Match:
    """A match whose winner reported it and whose loser confirmed it: settled, where its origin is ranked."""
    match = awaiting_match(*players, claimant=winner, **offer)
    return reporting.confirm(match.pk, player_of(match, 2 if winner == 1 else 1)).match


def cancelled_match(*players: User, **offer: Any) -> Match:
    """A match whose second player declined the offer."""
    match = offered_match(*players, **offer)
    return offers.decline(match.pk, match.player_two).match


def voided_match(*players: User, **offer: Any) -> Match:
    """A match that a moderator ruled void before there was a result."""
    match = started_match(*players, **offer)
    return rulings.rule_match(
        match.pk, actor=make_moderator(), winner=None, reason_code=ReasonCode.NOT_PLAYED, reason="It was never played."
    ).match


BY_STATE: dict[State, Callable[..., Match]] = {
    State.OFFERED: offered_match,
    State.IN_PROGRESS: started_match,
    State.AWAITING_CONFIRMATION: awaiting_match,
    State.DISPUTED: disputed_match,
    State.CONFIRMED: confirmed_match,
    State.VOIDED: voided_match,
    State.CANCELLED: cancelled_match,
}
"""How to make a match in each state."""


def player_of(match: Match, seat: Seat) -> User:
    return match.player_one if seat == 1 else match.player_two


def standing_of(player: User, ladder: Ladder | None = None) -> Standing:
    """The player's standing, on the default ladder where none is given."""
    return Standing.objects.get(player=player, ladder=ladder or make_ladder())


def standing_at(ladder: Ladder, rating: Decimal, played_at: datetime, player: User | None = None) -> Standing:
    """A player, by default a new one, at ``rating`` whose last match was at ``played_at``. The ledger begins there."""
    return Standing.objects.create(
        ladder=ladder,
        player=player or make_player(),
        rating=rating,
        peak_rating=rating,
        experience=400,
        wins=1,
        last_ranked_at=played_at,
    )


def void(match: Match) -> Match:
    """A moderator takes the confirmed match back."""
    return rulings.overturn_match(
        match.pk, actor=make_moderator(), winner=None, reason_code=ReasonCode.TECHNICAL, reason="The board was wrong."
    ).match


def entries_of(match: Match) -> list[RatingEntry]:
    """The ledger entries of the match, the oldest first."""
    return list(RatingEntry.objects.filter(match=match).order_by("pk"))


def ruling_of(match: Match) -> str | None:
    """What the two players read of the ruling in force, if there is one."""
    return match.ruling.text if match.ruling else None


def _claim(match: Match, seat: Seat) -> Match:
    player = player_of(match, seat)
    return reporting.report(match.pk, player, winner=player.username, loser_score=0, ending=Ending.PLAYED).match
