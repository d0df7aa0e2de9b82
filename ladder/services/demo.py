"""A demo population: players with a hidden skill who meet on a ladder for some weeks, through the real services."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random

from django.db import transaction
from django.utils import timezone

from ladder.models import Ladder, Match, User
from ladder.rules.match_life import Ending, Seat
from ladder.rules.ranked import Origin, Unrated
from ladder.services import moderation, offers, reporting
from ladder.services.errors import Conflict, Invalid
from ladder.services.moderation import ReasonCode
from ladder.services.roles import ensure_moderators

PERIOD = timedelta(weeks=6)
_SKILL_SPREAD = 180
_MODERATOR = "moderator01"


@dataclass(frozen=True, slots=True)
class Person:
    """``skill`` is on the scale of ratings and hidden from the ladder; ``keenness`` weighs how often someone plays.

    ``leaves_at`` is when he plays for the last time: so some ratings come to decay.
    """

    account: User
    skill: Decimal
    keenness: float
    leaves_at: datetime


@dataclass(frozen=True, slots=True)
class Game:
    """A match under way, with the winner that skill and luck have chosen."""

    match: Match
    winner: User
    loser: User
    loser_score: int
    moderator: User

    @property
    def winner_seat(self) -> Seat:
        return 1 if self.winner.pk == self.match.player_one_id else 2


def populate(
    ladder: Ladder,
    *,
    players: int,
    matches: int,
    seed: int = 1,
    force: bool = False,
    progress: Callable[[int], object] = lambda _: None,
) -> None:
    """Let ``players`` (player01, player02, ...) play ``matches`` on the ladder over the past weeks.

    The same seed gives the same story. Raises ``Conflict`` when the ladder has matches already, unless ``force``;
    ``Invalid`` for fewer than two players or a negative number of matches.
    """
    if players < 2 or matches < 0:
        raise Invalid("too_few", "It takes at least two players, and no fewer than no matches.")
    if not force and Match.objects.filter(ladder=ladder).exists():
        raise Conflict("not_empty", f"The ladder {ladder.slug!r} has matches already.")
    rng, now = Random(seed), timezone.now()
    people = [_person(number, rng, now) for number in range(1, players + 1)]
    moderator = _moderator()
    ends = sorted(now - PERIOD * rng.random() for _ in range(matches))
    still_open = min(6, matches // 20)
    for number, end in enumerate(ends, start=1):
        # Nobody else, such as the sweep of expired offers, sees a match of the past before its story is told.
        with transaction.atomic():
            if number <= matches - still_open:
                _play(ladder, _two_of(people, end, rng), end, moderator, rng)
            else:
                _leave_open(ladder, _two_of(people, now, rng), now, moderator, rng)
        progress(1)


def _play(ladder: Ladder, pair: tuple[Person, Person], end: datetime, moderator: User, rng: Random) -> None:
    game = _start(ladder, pair, end, moderator, rng)
    (story,) = rng.choices(list(_STORIES), weights=list(_STORIES.values()))
    with _clock_at(end):
        story(game)


def _leave_open(ladder: Ladder, pair: tuple[Person, Person], now: datetime, moderator: User, rng: Random) -> None:
    game = _start(ladder, pair, now, moderator, rng)
    _claim(game)
    if rng.random() < 0.5:
        reporting.dispute(game.match.pk, game.loser, text="The clock ran out on the other side.")


def _start(ladder: Ladder, pair: tuple[Person, Person], end: datetime, moderator: User, rng: Random) -> Game:
    one, two = pair
    match_length = rng.choice(ladder.match_lengths)
    origin = rng.choices([Origin.MATCHMAKING, Origin.CHALLENGE], weights=[95, 5])[0]
    with _clock_at(end - timedelta(minutes=match_length * rng.uniform(4, 9))):
        match = offers.offer_match(ladder, one.account, two.account, match_length=match_length, origin=origin)
        reporting.accept(match.pk, one.account)
        reporting.accept(match.pk, two.account)
    one_wins = rng.random() < ladder.rules.system.win_probability(one.skill, two.skill, match_length)
    winner, loser = (one, two) if one_wins else (two, one)
    return Game(match, winner.account, loser.account, rng.randrange(match_length), moderator)


def _concede(game: Game) -> None:
    reporting.report(game.match.pk, game.loser, winner=game.winner.username, loser_score=game.loser_score)


def _resign(game: Game) -> None:
    reporting.report(game.match.pk, game.loser, winner=game.winner.username, ending=Ending.RESIGNED)


def _claim(game: Game) -> None:
    reporting.report(game.match.pk, game.winner, winner=game.winner.username, loser_score=game.loser_score)


def _claim_and_confirm(game: Game) -> None:
    _claim(game)
    reporting.confirm(game.match.pk, game.loser)


def _server_reports(game: Game) -> None:
    reporting.server_result(game.match.pk, winner=game.winner.username, loser_score=game.loser_score)


def _server_saw_nobody_move(game: Game) -> None:
    reporting.server_void(game.match.pk, reason=Unrated.NOBODY_MOVED)


def _both_claim_and_a_moderator_rules(game: Game) -> None:
    _claim(game)
    reporting.report(game.match.pk, game.loser, winner=game.loser.username)
    moderation.rule_match(
        game.match.pk,
        actor=game.moderator,
        winner=game.winner_seat,
        reason_code=ReasonCode.EVIDENCE,
        reason="The recording shows who won.",
    )


def _dispute_ends_void(game: Game) -> None:
    _claim(game)
    reporting.dispute(game.match.pk, game.loser, text="We never finished this match.")
    moderation.rule_match(
        game.match.pk,
        actor=game.moderator,
        winner=None,
        reason_code=ReasonCode.NOT_PLAYED,
        reason="Nobody can show how it ended.",
    )


def _settled_and_voided(game: Game) -> None:
    _server_reports(game)
    moderation.overturn_match(
        game.match.pk,
        actor=game.moderator,
        winner=None,
        reason_code=ReasonCode.TECHNICAL,
        reason="The server had mixed up two boards.",
    )


# How matches end, and how often in a thousand.
_STORIES: dict[Callable[[Game], None], int] = {
    _server_reports: 500,
    _concede: 200,
    _claim_and_confirm: 220,
    _resign: 40,
    _both_claim_and_a_moderator_rules: 12,
    _server_saw_nobody_move: 12,
    _dispute_ends_void: 8,
    _settled_and_voided: 8,
}


def _person(number: int, rng: Random, now: datetime) -> Person:
    name = f"player{number:02}"
    account = User.objects.named(name) if User.objects.is_taken(name) else User.objects.create_user(name)
    leaves = rng.random() < 0.15
    return Person(
        account=account,
        skill=Decimal(round(rng.gauss(0, _SKILL_SPREAD))),
        keenness=rng.lognormvariate(0, 0.7),
        leaves_at=now - PERIOD * rng.uniform(0.7, 0.9) if leaves else now,
    )


def _moderator() -> User:
    account = (
        User.objects.named(_MODERATOR) if User.objects.is_taken(_MODERATOR) else User.objects.create_user(_MODERATOR)
    )
    account.groups.add(ensure_moderators())
    return account


def _two_of(people: list[Person], end: datetime, rng: Random) -> tuple[Person, Person]:
    around = [person for person in people if person.leaves_at >= end]
    around = around if len(around) >= 2 else people
    one, two = rng.choices(around, weights=[person.keenness for person in around], k=2)
    while two is one:
        two = rng.choice(around)
    return one, two


@contextmanager
def _clock_at(moment: datetime) -> Iterator[None]:
    """Let the services take ``moment`` for the present; for a command, which has its process to itself."""
    real = timezone.now
    timezone.now = lambda: moment
    try:
        yield
    finally:
        timezone.now = real
