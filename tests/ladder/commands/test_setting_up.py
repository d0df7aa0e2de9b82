"""The commands by which an installation begins."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry, ServiceKey, User
from accounts.services import service_keys
from accounts.services.roles import MODERATORS
from ladder.models import Ladder, Match
from ladder.rules.match_life import State
from ladder.rules.ranked import Origin
from tests.concurrency.conftest import callers  # noqa: F401
from tests.concurrency.racing import Callers
from tests.factories import make_ladder, make_player, offered_match


def call(*arguments: object) -> list[str]:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out, no_color=True)
    return out.getvalue().splitlines()


def bootstrap() -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(call("bootstrap")[-1])
    return facts


# --- bootstrap: real commits, because it holds a lock of the session


@pytest.mark.django_db(transaction=True)
def test_bootstrap_makes_what_an_installation_starts_with() -> None:
    facts = bootstrap()

    assert facts == {"admin_created": True, "admin_password": facts["admin_password"], "empty": True}
    admin = authenticate(username="admin", password=facts["admin_password"])
    assert isinstance(admin, User)
    assert admin.is_superuser
    assert (Ladder.objects.get().slug, Ladder.objects.get().rule_set) == ("backgammon", "fibs-600")
    assert Group.objects.get(name=MODERATORS).permissions.filter(codename="rule_match").exists()
    assert AuditEntry.objects.filter(action="account.create", actor=None).count() == 1


@pytest.mark.django_db(transaction=True)
def test_bootstrap_again_changes_nothing() -> None:
    bootstrap()
    Ladder.objects.update(name="Ours")
    offered_match()

    assert bootstrap() == {"admin_created": False, "admin_password": None, "empty": False}
    assert Ladder.objects.get().name == "Ours"
    assert User.objects.filter(is_superuser=True).count() == 1


@pytest.mark.django_db(transaction=True)
def test_bootstrap_makes_no_second_administrator() -> None:
    User.objects.create_superuser("boss", password="correct horse 42")

    assert bootstrap()["admin_created"] is False
    assert not User.objects.is_taken("admin")


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_two_bootstraps_at_once(callers: Callable[[int], Callers]) -> None:  # noqa: F811
    facts = callers(2).at_once(bootstrap, bootstrap)

    assert sorted(fact["admin_created"] for fact in facts) == [False, True]
    assert (Ladder.objects.count(), User.objects.count()) == (1, 1)


# --- first steps


@pytest.mark.django_db
def test_pair_players_offers_a_ranked_match_and_prints_its_id() -> None:
    make_ladder()
    one, two = make_player("player01"), make_player("Player02")

    (printed,) = call("pair_players", "PLAYER01", "player02", "--length", 7)

    match = Match.objects.get(pk=printed)
    assert (match.player_one, match.player_two, match.match_length) == (one, two, 7)
    assert (match.origin, match.state, match.ladder.slug) == (Origin.MATCHMAKING, State.OFFERED, "backgammon")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["player01", "nobody"], "no such player"),
        (["player01", "player01"], "against themselves"),
        (["player01", "player02", "--length", "0"], "1 to 99 points"),
        (["player01", "player02", "--ladder", "chess"], "no such ladder"),
    ],
)
def test_errors_of_pair_players(arguments: list[str], reason: str) -> None:
    make_ladder()
    make_player("player01")
    make_player("player02")

    with pytest.raises(CommandError, match=reason):
        call("pair_players", *arguments)
    assert not Match.objects.exists()


@pytest.mark.django_db
def test_service_key_is_printed_once_and_works() -> None:
    (secret,) = call("create_service_key", "game server", "--scope", "results", "--expires", "30")

    key = service_keys.find_valid_key(secret)
    assert key is not None
    assert (key.name, key.scopes) == ("game server", ["results"])
    assert key.expires_at is not None
    assert (key.expires_at - key.created_at).days in (29, 30)


@pytest.mark.django_db
def test_service_key_that_would_have_expired_or_may_do_the_unknown() -> None:
    with pytest.raises(CommandError, match="future"):
        call("create_service_key", "game server", "--scope", "results", "--expires", "-1")
    with pytest.raises(CommandError, match="invalid choice"):
        call("create_service_key", "game server", "--scope", "everything")
    assert not ServiceKey.objects.exists()
