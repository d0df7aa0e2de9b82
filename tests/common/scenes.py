"""Addresses that belong to no single app."""

from __future__ import annotations

from accounts.models import User
from tests import clients
from tests.scenes import EVERYONE, Address, Read, Scene, Scenes


def asked_before(player: User) -> Scene:
    """The first answer of a process takes a look at all migrations."""
    clients.anonymous().get("/readyz")
    return Scene()


SCENES = Scenes(
    addresses=[
        Address("GET /", EVERYONE, done=302),
        Address("GET /api/schema", EVERYONE),
        Address("GET /api/docs", EVERYONE),
        Address("GET /healthz", EVERYONE),
        Address("GET /readyz", EVERYONE, asked_before),
        Address("GET /metrics", EVERYONE),  # from this machine, as the tests are
    ],
    reads=[
        Read("GET /", 0),
        Read("GET /api/schema", 0),
        Read("GET /api/docs", 0),
        Read("GET /healthz", 0),
        Read("GET /readyz", 1),
        Read("GET /metrics", 0),
    ],
)
