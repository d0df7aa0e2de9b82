"""The scenes of events."""

from __future__ import annotations

from tests.scenes import PLAYERS, Address, Read, Scenes

SCENES = Scenes(
    addresses=[
        Address("GET /api/v1/events", PLAYERS),
        Address("GET /api/v1/events/poll", PLAYERS),
        Address("POST /api/v1/events/token", PLAYERS),
    ],
    reads=[
        Read("GET /api/v1/me", 1),
        Read("GET /api/v1/events", 2),
        Read("GET /api/v1/events/poll", 1),
        Read("GET /api/v1/events/poll?after=0&timeout=0", 2),
    ],
)
