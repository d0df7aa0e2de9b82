"""Settlements per second over HTTP, compared with an endpoint that reads and saves each row with the ORM."""

from __future__ import annotations

import json
from statistics import median
from uuid import UUID

import django

from bench import load, report, server

STANDINGS = 100_000
MATCHES = 15_000
ROUNDS = 3
CONNECTIONS = 8


def run(seconds: float) -> None:
    django.setup()
    from accounts.services import service_keys
    from bench import population

    population.migrate()
    ladder = population.create_standings(STANDINGS)
    _, key = service_keys.issue("bench", ["results"], actor=None)
    report.title(f"Settlement over HTTP ({CONNECTIONS} connections, {server.WORKERS} x {server.THREADS} threads)")
    figures: dict[str, list[tuple[float, float]]] = {"/bench": [], "/api/v1/server": []}
    with server.web() as port:
        for n in range(ROUNDS):
            for m, prefix in enumerate(figures):
                matches = population.create_matches(ladder, MATCHES, seed=len(figures) * n + m)
                requests = [_request(prefix, match_id, winner, key) for match_id, winner in matches]
                load.measure(port, requests[:500], connections=CONNECTIONS, seconds=0.3)
                figures[prefix].append(
                    load.measure(port, requests[500:], connections=CONNECTIONS, seconds=seconds / ROUNDS)
                )
    orm, ours = (tuple(median(each) for each in zip(*rounds, strict=True)) for rounds in figures.values())
    report.figure("statement by statement with the ORM", orm[0], "/s", note=f"p99 {orm[1]:.1f} ms")
    report.figure("through the API", ours[0], "/s", note=f"p99 {ours[1]:.1f} ms, {ours[0] / orm[0]:.2f} times the ORM")


def _request(prefix: str, match_id: UUID, winner: str, key: str) -> bytes:
    body = json.dumps({"winner": winner}).encode()
    return load.post(f"{prefix}/matches/{match_id}/result", body, {"X-Service-Key": key})
