"""The scenes of accounts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from accounts.models import ServiceKey, Suspension, User
from accounts.services import blocks, suspensions
from events.kinds import ACCOUNT_SUSPENDED, SUSPENSION_LIFTED
from tests.factories import make_player, make_service_key
from tests.scenes import PLAYERS, SUPERUSERS, Address, AdminPage, Read, Scene, Scenes


def somebody(player: User) -> Scene:
    """Another player."""
    return Scene({"username": make_player().username})


def suspended(until: timedelta | None = None, account: User | None = None) -> Suspension:
    operator = make_player(is_superuser=True)
    end = None if until is None else timezone.now() + until
    return suspensions.suspend((account or make_player()).pk, actor=operator, reason="Stalling.", until=end)


def lifted() -> None:
    suspensions.lift(suspended().pk, actor=make_player(is_superuser=True), reason="A mistake.")


def grow(player: User) -> None:
    blocks.block(player, make_player().username)
    suspended()
    make_service_key()


def a_key(player: User) -> Sequence[object]:
    make_service_key()
    return [ServiceKey.objects.latest("created_at").pk]


SCENES = Scenes(
    addresses=[
        Address("GET /api/v1/me", PLAYERS),
        Address("PATCH /api/v1/me", PLAYERS),
        Address("DELETE /api/v1/me", PLAYERS, done=204),
        Address("GET /api/v1/blocks", PLAYERS),
        Address("PUT /api/v1/blocks/<str:username>", PLAYERS, somebody, done=204),
        Address("DELETE /api/v1/blocks/<str:username>", PLAYERS, somebody, done=204),
    ],
    reads=[Read("GET /api/v1/me", 2), Read("GET /api/v1/blocks", 1)],
    grow=grow,
    admin_forms=["accounts.add_user", "accounts.change_user", "accounts.add_servicekey"],
    admin_pages=[
        AdminPage("auth_user_password_change", SUPERUSERS, lambda player: [player.pk]),
        AdminPage("accounts_servicekey_revoke", "accounts.change_servicekey", a_key),
        AdminPage("accounts_suspension_suspend", "accounts.suspend_account", lambda player: [player.pk]),
        AdminPage("accounts_suspension_lift", "accounts.suspend_account", lambda player: [suspended().pk]),
    ],
    events=[
        (ACCOUNT_SUSPENDED, suspended),
        (ACCOUNT_SUSPENDED, lambda: suspended(timedelta(days=1))),
        (SUSPENSION_LIFTED, lifted),
    ],
)
