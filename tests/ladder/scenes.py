"""The scenes of the ladder."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from accounts.models import User
from ladder import event_kinds as kinds
from ladder.models import DecayPause, Ladder, Match
from ladder.rules.match_life import Seat
from ladder.rules.ranked import Origin, Unrated
from ladder.rules.ruling import ReasonCode
from ladder.services import decay
from ladder.services.ledger.adjusting import adjust
from ladder.services.matches import offers, reporting, rulings, sweeps
from tests import factories
from tests.decay_days import FIRST, clock, idle, old_ladder
from tests.factories import (
    awaiting_match,
    confirmed_match,
    make_ladder,
    make_moderator,
    make_player,
    offered_match,
    started_match,
)
from tests.scenes import (
    EVERYONE,
    GAME_SERVERS,
    ITS_OWNER,
    ITS_PLAYERS,
    SUPERUSERS,
    Address,
    AdminPage,
    Make,
    Read,
    Scene,
    Scenes,
)


def of(make: Callable[..., Match], body: Callable[[Match], object] = lambda match: None, **how: Any) -> Make:
    """A match of the player, made like that, with its ladder and its player."""

    def scene(player: User) -> Scene:
        match = make(player, make_player(), **how)
        names = {"match_id": match.pk, "slug": match.ladder.slug, "username": player.username}
        return Scene(names, body(match))

    return scene


def won(match: Match) -> object:
    return {"winner": match.player_one.username}


def imagined(match: Match) -> object:
    return {"match_length": 1, "players": [{}, {}]}


def calculated(player: User) -> Scene:
    return Scene({"name": "fide"}, {"match_length": 1, "players": [{}, {}]})


def grow(player: User) -> None:
    """On one ladder more each time, and on the usual one, where the player's rating goes up and down by turns."""
    number = Ladder.objects.count()
    usual, new = make_ladder(), make_ladder(f"ladder{number}")
    operator, today = make_player(is_superuser=True), timezone.now().date()
    confirmed_match(player, make_player(), winner=1 if number % 2 else 2)
    confirmed_match(player, make_player(), ladder=new)
    adjust(factories.standing_of(player, new), actor=operator, points=Decimal(300), reason="As agreed.")
    for make in (offered_match, started_match, awaiting_match):
        make(player, make_player(), origin=Origin.CHALLENGE)
    decay.bring_up_to_date(new)
    for ladder in (usual, new):
        day = today + timedelta(days=1 + DecayPause.objects.filter(ladder=ladder).count())
        decay.declare_pause(ladder, first_day=day, last_day=day, actor=operator, reason="The hall is painted.")


def a_night(player: User) -> list[object]:
    (run,) = decay.bring_up_to_date(make_ladder("quiet"))
    return [run.pk]


def a_pause(player: User) -> list[object]:
    day = timezone.now().date()
    operator = make_player(is_superuser=True)
    return [
        decay.declare_pause(
            make_ladder(),
            first_day=day,
            last_day=day + timedelta(days=9),
            actor=operator,
            reason="The hall is painted.",
        ).pk
    ]


def disputed(how: str) -> None:
    match = awaiting_match()
    if how == "by a report":
        reporting.report(match.pk, match.player_two, winner=match.player_two.username)
    else:
        reporting.dispute(match.pk, match.player_two)


def ruled(winner: Seat | None, **offer: Any) -> None:
    match = factories.disputed_match(**offer)
    rulings.rule_match(
        match.pk, actor=make_moderator(), winner=winner, reason_code=ReasonCode.EVIDENCE, reason="The recording."
    )


def corrected() -> None:
    rulings.overturn_match(
        confirmed_match().pk, actor=make_moderator(), winner=2, reason_code=ReasonCode.EVIDENCE, reason="The recording."
    )


def over_time(match: Match, sweep: Callable[[], object]) -> None:
    moment = timezone.now()
    Match.objects.filter(pk=match.pk).update(expires_at=moment)
    sweep()


def recalled() -> None:
    match = offered_match(origin=Origin.CHALLENGE)
    User.objects.filter(pk=match.player_two_id).update(is_active=False)
    assert offers.cancel_if_not_allowed(match.pk)


def by_the_server() -> None:
    match = started_match()
    reporting.server_result(match.pk, winner=match.player_one.username, loser_score=3)


def by_the_deadline() -> None:
    factories.overdue_match()
    sweeps.confirm_overdue_matches()


def warned() -> None:
    ladder = old_ladder()
    idle(ladder)
    with clock(FIRST - timedelta(days=1)):
        decay.bring_up_to_date(ladder)


def adjusted() -> None:
    match = confirmed_match()
    standing = factories.standing_of(match.player_one)
    adjust(standing, actor=make_player(is_superuser=True), points=Decimal("-4.27"), reason="It was entered twice.")


SCENES = Scenes(
    addresses=[
        Address("GET /api/v1/ladders", EVERYONE),
        Address("GET /api/v1/ladders/<slug:slug>", EVERYONE, of(confirmed_match)),
        Address("GET /api/v1/ladders/<slug:slug>/leaderboard", EVERYONE, of(confirmed_match)),
        # Who has not played there has no place on it.
        Address("GET /api/v1/ladders/<slug:slug>/leaderboard/around-me", ITS_OWNER, of(confirmed_match)),
        Address("GET /api/v1/ladders/<slug:slug>/leaderboard/most-wins", EVERYONE, of(confirmed_match)),
        Address("POST /api/v1/ladders/<slug:slug>/preview", EVERYONE, of(confirmed_match, imagined)),
        Address("GET /api/v1/rule-sets", EVERYONE),
        Address("POST /api/v1/rule-sets/<slug:name>/preview", EVERYONE, calculated),
        Address("GET /api/v1/players/<str:username>", EVERYONE, of(confirmed_match)),
        Address("GET /api/v1/players/<str:username>/rating-entries", EVERYONE, of(confirmed_match)),
        Address("GET /api/v1/players/<str:username>/matches", EVERYONE, of(confirmed_match)),
        Address("GET /api/v1/matches/<uuid:match_id>", EVERYONE, of(confirmed_match)),
        Address("POST /api/v1/matches/<uuid:match_id>/accept", ITS_PLAYERS, of(offered_match)),
        Address("POST /api/v1/matches/<uuid:match_id>/decline", ITS_PLAYERS, of(offered_match)),
        Address("POST /api/v1/matches/<uuid:match_id>/report", ITS_PLAYERS, of(started_match, won)),
        Address("POST /api/v1/matches/<uuid:match_id>/confirm", ITS_PLAYERS, of(awaiting_match, claimant=2)),
        Address("POST /api/v1/matches/<uuid:match_id>/dispute", ITS_PLAYERS, of(awaiting_match, claimant=2)),
        Address("POST /api/v1/server/matches/<uuid:match_id>/result", GAME_SERVERS, of(started_match, won)),
    ],
    reads=[
        Read("GET /api/v1/me", 7),
        Read("GET /api/v1/ladders", 2),
        Read("GET /api/v1/ladders/<slug:slug>", 2),
        Read("GET /api/v1/ladders/<slug:slug>/leaderboard", 3),
        Read("GET /api/v1/ladders/<slug:slug>/leaderboard?tier=bronze", 3),
        Read("GET /api/v1/ladders/<slug:slug>/leaderboard/around-me", 5),
        Read("GET /api/v1/ladders/<slug:slug>/leaderboard/most-wins", 4),
        Read("GET /api/v1/rule-sets", 0),
        Read("GET /api/v1/players/<str:username>", 4),
        Read("GET /api/v1/players/<str:username>/matches", 4, signed_in=1),
        Read("GET /api/v1/players/<str:username>/matches?ladder=<slug:slug>", 5, signed_in=1),
        Read("GET /api/v1/players/<str:username>/rating-entries", 2),
        Read("GET /api/v1/players/<str:username>/rating-entries?ladder=<slug:slug>", 3),
        Read("GET /api/v1/matches/<uuid:match_id>", 3),
        Read("GET /readyz", 4),
        Read("GET /metrics", 4),
    ],
    grow=grow,
    admin_forms=["ladder.add_ladder", "ladder.change_ladder", "ladder.add_decaypause"],
    admin_pages=[
        AdminPage("ladder_match_rule", "ladder.rule_match", lambda player: [factories.disputed_match().pk]),
        AdminPage("ladder_match_overturn", "ladder.rule_match", lambda player: [confirmed_match().pk]),
        AdminPage("ladder_decaypause_end", "ladder.add_decaypause", a_pause),
        AdminPage("ladder_decayrun_reverse", SUPERUSERS, a_night),
        AdminPage(
            "ladder_standing_adjust",
            SUPERUSERS,
            lambda player: [factories.standing_of(confirmed_match().player_one).pk],
        ),
    ],
    events=[
        (kinds.MATCH_OFFERED, lambda: offers.pair(make_ladder(), make_player(), make_player(), match_length=5)),
        (kinds.OFFER_ACCEPTED, started_match),
        (kinds.OFFER_DECLINED, factories.cancelled_match),
        (kinds.OFFER_EXPIRED, lambda: over_time(offered_match(), sweeps.expire_matches)),
        (kinds.OFFER_CALLED_OFF, recalled),
        (kinds.MATCH_STARTED, started_match),
        (kinds.RESULT_REPORTED, awaiting_match),
        (kinds.MATCH_DISPUTED, lambda: disputed("by a report")),
        (kinds.MATCH_DISPUTED, lambda: disputed("by a dispute")),
        (kinds.MATCH_CONFIRMED, confirmed_match),
        (kinds.MATCH_CONFIRMED, lambda: confirmed_match(origin=Origin.CHALLENGE)),
        (kinds.MATCH_CONFIRMED, by_the_deadline),
        (kinds.MATCH_CONFIRMED, by_the_server),
        (kinds.MATCH_RULED, lambda: ruled(1)),
        (kinds.MATCH_RULED, lambda: ruled(None)),
        (kinds.MATCH_RULED, lambda: ruled(1, origin=Origin.CHALLENGE)),
        (kinds.MATCH_RULED, corrected),
        (kinds.MATCH_RULED, lambda: factories.void(confirmed_match())),
        (kinds.MATCH_VOIDED, lambda: over_time(started_match(), sweeps.expire_matches)),
        (kinds.MATCH_VOIDED, lambda: reporting.server_void(started_match().pk, reason=Unrated.NOBODY_MOVED)),
        (kinds.DECAY_AHEAD, warned),
        (kinds.RATING_ADJUSTED, adjusted),
    ],
)
