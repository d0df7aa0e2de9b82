"""Arranged matches: they have the same states as other matches, and are never rated."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from accounts.models import User
from accounts.services import blocks, suspensions
from common.api.throttling import CallerThrottle
from common.errors import Conflict, Forbidden, Invalid, NotFound
from ladder.models import Match, RatingEntry, Standing
from ladder.rules.match_life import State
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import offers, reporting, rulings, sweeps
from matchmaking.limits import MAX_OPEN_CHALLENGES, MAX_OPEN_INVITES
from matchmaking.models import Invite
from matchmaking.services import arranged, invites
from tests import clients
from tests.factories import confirmed_match, make_ladder, make_moderator, make_player, player_of

pytestmark = pytest.mark.django_db


def by_challenge(one: User, two: User) -> Match:
    match, _ = arranged.challenge(one, two.username, make_ladder(), match_length=5)
    return offers.accept(match.pk, two).match


def by_rematch(one: User, two: User) -> Match:
    match, _ = arranged.rematch(confirmed_match(one, two, origin="challenge").pk, one)
    return offers.accept(match.pk, two).match


def by_invite(one: User, two: User) -> Match:
    _, token = invites.create(one, make_ladder(), match_length=5)
    return invites.accept(two, token)


WAYS = [by_challenge, by_rematch, by_invite]
Ending = Callable[[Match], object]


def _confirmed(match: Match) -> None:
    reporting.report(match.pk, match.player_one, winner=match.player_one.username)
    reporting.confirm(match.pk, match.player_two)


def _conceded(match: Match) -> None:
    reporting.report(match.pk, match.player_one, winner=match.player_two.username)


def _overdue(match: Match) -> None:
    reporting.report(match.pk, match.player_one, winner=match.player_one.username)
    Match.objects.filter(pk=match.pk).update(confirm_by=timezone.now())
    sweeps.confirm_overdue(match.pk)


def _ruled(match: Match) -> None:
    reporting.report(match.pk, match.player_one, winner=match.player_one.username)
    reporting.dispute(match.pk, match.player_two)
    rulings.rule_match(
        match.pk, actor=make_moderator(), winner=2, reason_code=ReasonCode.EVIDENCE, reason="The recording."
    )


def _corrected(match: Match) -> None:
    _conceded(match)
    rulings.overturn_match(
        match.pk, actor=make_moderator(), winner=1, reason_code=ReasonCode.ADMITTED, reason="Both say so."
    )


ENDINGS: list[Ending] = [
    _confirmed,
    _conceded,
    _overdue,
    _ruled,
    _corrected,
    lambda match: reporting.server_result(match.pk, winner=match.player_one.username),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("end", ENDINGS)
def test_an_arranged_match_is_never_rated(way: Callable[[User, User], Match], end: Ending) -> None:
    match = way(make_player(), make_player())
    assert match.state == State.IN_PROGRESS
    reason = match.origin
    end(match)
    match.refresh_from_db()
    assert (match.state, match.unrated_reason, match.settled_at) == (State.CONFIRMED, reason, None)
    assert not RatingEntry.objects.exists()
    assert not Standing.objects.exists()
    shown = clients.anonymous().get(f"players/{match.player_one.username}/matches").json()["results"][0]
    assert (shown["id"], shown["rated"], shown["unrated_reason"]) == (str(match.pk), False, reason)
    for change in ("unrated_reason = NULL", "origin = 'matchmaking'", "settled_at = now()"):
        refused = pytest.raises(DatabaseError, match=r"unrated|only_ranked|pairing_never_changes")
        with refused, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE ladder_match SET {change} WHERE id = %s", [match.pk])


def test_a_challenger_has_accepted_and_gets_the_same_challenge_again() -> None:
    one, two, ladder = make_player(), make_player(), make_ladder()
    match, is_new = arranged.challenge(one, two.username.upper(), ladder, match_length=5)
    assert is_new
    assert (match.one_accepted_at is not None, match.two_accepted_at) == (True, None)
    assert arranged.challenge(one, two.username, ladder, match_length=5) == (match, False)
    with pytest.raises(Conflict, match=str(match.pk)):
        arranged.challenge(two, one.username, ladder, match_length=5)
    assert arranged.challenge(one, two.username, ladder, match_length=7)[1]
    assert [event.kind for event in two.events.all()] == ["match_offered"] * 2
    offers.decline(match.pk, one)
    assert arranged.challenge(two, one.username, ladder, match_length=5)[1]


def test_challenges_that_are_refused() -> None:
    one, two, ladder = make_player(), make_player(), make_ladder()
    with pytest.raises(Invalid):
        arranged.challenge(one, one.username, ladder, match_length=5)
    with pytest.raises(NotFound):
        arranged.challenge(one, "nobody01", ladder, match_length=5)
    for _ in range(MAX_OPEN_CHALLENGES):
        arranged.challenge(one, make_player().username, ladder, match_length=5)
    with pytest.raises(Conflict) as refused:
        arranged.challenge(one, two.username, ladder, match_length=5)
    assert refused.value.code == "too_many_challenges"


@pytest.mark.parametrize("blocker", [0, 1])
def test_a_block_is_not_shown(blocker: int) -> None:
    pair = make_player(), make_player()
    played = confirmed_match(*pair)
    _, token = invites.create(pair[0], make_ladder(), match_length=5)
    blocks.block(pair[blocker], pair[1 - blocker].username)
    for ask in (
        lambda: arranged.challenge(pair[0], pair[1].username, make_ladder(), match_length=5),
        lambda: arranged.rematch(played.pk, pair[0]),
        lambda: invites.accept(pair[1], token),
    ):
        with pytest.raises(Forbidden) as refused:
            ask()
        assert refused.value.code == "cannot_challenge"
    blocks.unblock(pair[blocker], pair[1 - blocker].username)
    assert arranged.rematch(played.pk, pair[0])[1]


def test_a_rematch_that_both_ask_for_starts() -> None:
    played = confirmed_match()
    match, is_new = arranged.rematch(played.pk, played.player_one)
    assert is_new
    assert (match.match_length, match.origin) == (played.match_length, "rematch")
    assert arranged.rematch(played.pk, played.player_one) == (match, False)
    again, is_new = arranged.rematch(played.pk, player_of(played, 2))
    assert (again.pk, again.state, is_new) == (match.pk, State.IN_PROGRESS, False)


def test_a_rematch_under_way_is_not_proposed_again() -> None:
    played = confirmed_match()
    match, _ = arranged.rematch(played.pk, played.player_one)
    arranged.rematch(played.pk, played.player_two)
    again, is_new = arranged.rematch(played.pk, played.player_one)
    assert (again.pk, is_new) == (match.pk, False)


def test_a_block_declines_what_was_proposed() -> None:
    one, two = make_player(), make_player()
    match, _ = arranged.challenge(one, two.username, make_ladder(), match_length=5)
    blocks.block(one, two.username)
    blocks.block(one, two.username)
    match.refresh_from_db()
    assert match.state == State.CANCELLED


def test_closed_and_suspended_players_get_the_same_answer_as_blocked() -> None:
    one, suspended, closed = make_player(), make_player(), make_player()
    superuser = make_player(is_superuser=True, is_staff=True)
    suspensions.suspend(suspended.pk, actor=superuser, reason="Cheating.", until=None)
    User.objects.filter(pk=closed.pk).update(is_active=False)
    for other in (suspended, closed):
        with pytest.raises(Forbidden) as refused:
            arranged.challenge(one, other.username, make_ladder(), match_length=5)
        assert refused.value.code == "cannot_challenge"
    with pytest.raises(Forbidden) as refused:
        arranged.challenge(suspended, one.username, make_ladder(), match_length=5)
    assert refused.value.code == "suspended"


def test_rematches_that_are_refused() -> None:
    played = confirmed_match()
    with pytest.raises(Forbidden):
        arranged.rematch(played.pk, make_player())
    Match.objects.filter(pk=played.pk).update(finished_at=timezone.now() - timedelta(minutes=31))
    with pytest.raises(Conflict) as refused:
        arranged.rematch(played.pk, played.player_one)
    assert refused.value.code == "rematch_too_late"
    unfinished = by_challenge(make_player(), make_player())
    with pytest.raises(Conflict) as refused:
        arranged.rematch(unfinished.pk, unfinished.player_one)
    assert refused.value.code == "match_not_finished"


def test_an_invite_works_once() -> None:
    one, two = make_player(), make_player()
    invite, token = invites.create(one, make_ladder(), match_length=5)
    assert token.encode() not in bytes(invite.token_hash)
    with pytest.raises(Invalid):
        invites.accept(one, token)
    match = invites.accept(two, token)
    assert (match.state, match.origin, match.player_two_id) == (State.IN_PROGRESS, "invite", two.pk)
    assert invites.accept(two, token) == match
    with pytest.raises(Conflict, match="used"):
        invites.accept(make_player(), token)
    with pytest.raises(Conflict, match="used"):
        invites.withdraw(one, invite.pk)


def test_invites_that_cannot_be_used() -> None:
    one, two = make_player(), make_player()
    invite, token = invites.create(one, make_ladder(), match_length=5)
    with pytest.raises(NotFound):
        invites.withdraw(two, invite.pk)
    invites.withdraw(one, invite.pk)
    invites.withdraw(one, invite.pk)
    for unknown in (token, "nonsense", "é"):
        with pytest.raises(NotFound):
            invites.accept(two, unknown)
    _, token = invites.create(one, make_ladder(), match_length=5)
    Invite.objects.update(expires_at=timezone.now())
    with pytest.raises(Conflict, match="expired"):
        invites.accept(two, token)
    for _ in range(MAX_OPEN_INVITES):
        invites.create(one, make_ladder(), match_length=5)
    with pytest.raises(Conflict) as refused:
        invites.create(one, make_ladder(), match_length=5)
    assert refused.value.code == "too_many_invites"


def test_the_database_stores_only_the_hash() -> None:
    make_ladder()
    client = clients.player(make_player(), **{"Idempotency-Key": "one"})
    token = client.post("invites", {"ladder": "backgammon", "match_length": 5}).json()["token"]
    with connection.cursor() as cursor:
        for table in ("matchmaking_invite", "common_idempotencykey"):
            cursor.execute(f"SELECT coalesce(string_agg(row::text, ' '), '') FROM {table} row")
            (kept,) = cursor.fetchone()
            assert token not in kept
            assert token.encode().hex() not in kept


def test_over_the_api() -> None:
    make_ladder()
    one, two = make_player("player01"), make_player("player02")
    client, rival = clients.player(one), clients.player(two)
    wish = {"opponent": "player02", "ladder": "backgammon", "match_length": 3}
    made = client.post("challenges", wish)
    assert (made.status_code, made.json()["unrated_reason"]) == (201, "challenge")
    assert client.post("challenges", wish).status_code == 200
    assert rival.get("me").json()["open"]["offers"][0]["id"] == made.json()["id"]
    assert rival.post(f"matches/{made.json()['id']}/accept").json()["state"] == "in_progress"
    assert rival.post(f"matches/{made.json()['id']}/report", {"winner": "player01"}).json()["state"] == "confirmed"
    assert rival.post(f"matches/{made.json()['id']}/rematch").status_code == 201

    invite = client.post("invites", {"ladder": "backgammon", "match_length": 3}).json()
    assert [row["id"] for row in client.get("invites").json()["results"]] == [invite["id"]]
    assert "token" not in client.get("invites").json()["results"][0]
    assert rival.get("invites").json()["results"] == []
    assert rival.delete(f"invites/{invite['id']}").status_code == 404
    assert rival.post("invites/accept", {"token": invite["token"]}).json()["state"] == "in_progress"
    assert client.delete(f"invites/{invite['id']}").status_code == 409

    assert client.put("blocks/player02").status_code == client.put("blocks/PLAYER02").status_code == 204
    assert [row["username"] for row in client.get("blocks").json()["results"]] == ["player02"]
    assert rival.get("blocks").json()["results"] == []
    assert rival.post("challenges", {**wish, "opponent": "player01"}).json()["code"] == "cannot_challenge"
    assert client.delete("blocks/player02").status_code == 204
    assert client.put("blocks/player01").json()["code"] == "own_account"


def test_a_narrower_limit_also_applies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CallerThrottle, "THROTTLE_RATES", {"read": "", "write": "100/min", "arranged": "2/min"})
    make_ladder()
    client = clients.player(make_player())
    answers = [client.post("invites", {"ladder": "backgammon", "match_length": 3}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert int(answers[2].headers["Retry-After"]) >= 1
    assert client.get("invites").status_code == 200


def test_the_database_refuses_use_without_a_match() -> None:
    invite, _ = invites.create(make_player(), make_ladder(), match_length=5)
    with pytest.raises(IntegrityError), transaction.atomic():
        Invite.objects.filter(pk=invite.pk).update(used_at=timezone.now())


def test_playing_oneself_is_refused_at_the_right_field() -> None:
    player, _ladder = make_player(), make_ladder()
    client = clients.player(player)
    challenge = client.post("challenges", {"opponent": player.username, "ladder": "backgammon", "match_length": 5})
    token = client.post("invites", {"ladder": "backgammon", "match_length": 5}).json()["token"]
    own = client.post("invites/accept", {"token": token})
    for answer, field in ((challenge, "opponent"), (own, "token")):
        problem = answer.json()
        assert (answer.status_code, problem["code"], [error["field"] for error in problem["errors"]]) == (
            422, "self_match", [field]
        )  # fmt: skip
