"""Every rule set through the same code: a ladder is made in the admin, played on, corrected, rests, and is verified."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from ladder.models import Ladder, Match, RatingEntry, Standing
from ladder.queries.exports import export_standings
from ladder.rules import rule_sets
from ladder.rules.match_life import Ending
from ladder.rules.ruling import ReasonCode
from ladder.rules.systems.recall import MEMORY, PLAYER
from ladder.services import decay
from ladder.services.matches import offers, reporting, rulings
from matchmaking.services.waves import pair_waiting
from tests import clients, factories
from tests.decay_days import START, clock, drifts
from tests.matchmaking.queueing import queued

pytestmark = pytest.mark.django_db(transaction=True)  # as the verification needs it

RULES = [(name, "{}") for name in rule_sets.NAMES] + [("elo", '{"k": 24, "scale": 600}')]


@pytest.mark.parametrize(("name", "options"), RULES)
def test_a_ladder_lives_by_its_rules(name: str, options: str) -> None:
    with clock(START):
        ladder = make_in_admin(name, options)
        one, two = factories.make_player("player01"), factories.make_player("player02")
        preview = read(f"ladders/{ladder.slug}/preview", {"match_length": 5, "players": [name_of(one), name_of(two)]})
        match = play_from_the_queue(ladder, one, two)
        winner = match.player_one
        # What the preview promised is what the ledger says, and what it explains.
        promised = preview["outcomes"][0 if preview["players"][0]["username"] == winner.username else 1]
        entries = {it.standing.player_id: it for it in factories.entries_of(match)}
        for player, change in zip((one, two), promised["rating_changes"], strict=True):
            assert (change["delta"], change["basis"]) == (
                str(entries[player.pk].delta),
                shown_basis(entries[player.pk]),
            )
            (shown,) = read(f"players/{player.username}/rating-entries")["results"]
            assert shown["settlement"]["explanation"] == change["explanation"]
            assert shown["after"] == change["explanation"]["after"].rpartition("= ")[2]
        has_draws = rule_sets.latest(name).system.has_draws
        assert [outcome["winner"] for outcome in preview["outcomes"]] == ([1, 2, None] if has_draws else [1, 2])
        ranks(ladder, entries)
        correct_and_void(ladder, one, two)
    with clock(START + timedelta(days=40)):
        decay.bring_all_up_to_date()
        assert decay.has_decay(ladder) == (name == "fibs-600")
    assert drifts() == []
    exported(ladder)


def make_in_admin(name: str, options: str) -> Ladder:
    operator, client = factories.make_player(is_superuser=True, is_staff=True), Client()
    client.force_login(operator)
    form = {
        "name": "A ladder", "slug": "club", "rule_set": name, "rule_set_version": "1", "rule_options": options,
        "time_zone": "UTC", "match_lengths": "3,5",
    }  # fmt: skip
    assert client.post("/admin/ladder/ladder/add/", form).status_code == 302
    return Ladder.objects.get()


def play_from_the_queue(ladder: Ladder, *players: User) -> Match:
    for player in players:
        queued(player, ladder=ladder)
    assert pair_waiting(ladder).offers == 1
    match = ladder.matches.get(state="offered")
    for player in players:
        offers.accept(match.pk, player)
    reporting.report(match.pk, match.player_one, winner=match.player_one.username, loser_score=2)
    return reporting.confirm(match.pk, match.player_two).match


def correct_and_void(ladder: Ladder, one: User, two: User) -> None:
    """A correction, a void and a ruling on a match that one of them left, and everything is as the rules say."""
    moderator = factories.make_moderator()
    why: Any = {"actor": moderator, "reason_code": ReasonCode.EVIDENCE, "reason": "The recording."}
    corrected = factories.confirmed_match(one, two, ladder=ladder)
    rulings.overturn_match(corrected.pk, winner=2, **why)
    before = [(it.rating, it.experience, it.memory) for it in Standing.objects.order_by("pk")]
    voided = factories.confirmed_match(one, two, ladder=ladder)
    rulings.overturn_match(voided.pk, winner=None, **why)
    assert [(it.rating, it.experience, it.memory) for it in Standing.objects.order_by("pk")] == before
    left = factories.started_match(one, two, ladder=ladder)
    reporting.server_result(left.pk, winner=two.username, ending=Ending.ABANDONED)
    assert RatingEntry.objects.filter(kind="reversal").count() == 4


def shown_basis(entry: RatingEntry) -> dict[str, Any]:
    """The numbers of the rating system, without what the ledger keeps of the player."""
    return {name: value for name, value in entry.basis.items() if name not in (PLAYER, MEMORY)}


def ranks(ladder: Ladder, entries: dict[int, RatingEntry]) -> None:
    board = read(f"ladders/{ladder.slug}/leaderboard")["results"]
    ratings = sorted((entry.after for entry in entries.values()), reverse=True)
    assert [Decimal(row["rating"]) for row in board] == ratings
    assert [row["rank"] for row in board] == [1, 2]


def exported(ladder: Ladder) -> None:
    out = io.StringIO()
    assert export_standings(ladder, out) == 2
    rows = {row["player"]: row for row in csv.DictReader(io.StringIO(out.getvalue()))}
    for standing in ladder.standings.select_related("player"):
        assert Decimal(rows[standing.player.username]["rating"]) == standing.rating


def read(path: str, body: dict[str, object] | None = None) -> Any:
    client = clients.anonymous()
    response = client.get(path) if body is None else client.post(path, body)
    assert response.status_code == 200, response.content
    return response.json()


def name_of(player: User) -> dict[str, str]:
    return {"username": player.username}
