"""Everyone does everything at once, at random: each call is granted or refused, and nothing drifts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.db import connection

from ladder.models import Match, RatingEntry
from ladder.rules.match_life import State
from ladder.rules.ranked import Origin, Unrated
from ladder.rules.ruling import ReasonCode
from ladder.services.matches import offers, reporting, rulings, sweeps
from ladder.services.verification import verify
from matchmaking.models import Offer
from matchmaking.pairing import opponents
from tests import factories
from tests.concurrency.crowd import Crowd, unexpected
from tests.concurrency.ledger import assert_events_are_whole, assert_ledger_is_whole
from tests.concurrency.racing import Call, Callers

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]

ROUNDS = 60
AT_ONCE = 6


@pytest.mark.parametrize("seed", [1, 2])
def test_everyone_at_random(seed: int, callers: Callable[[int], Callers]) -> None:
    random = Random(seed)
    ladder, players, moderator = factories.make_ladder(), factories.make_players(3), factories.make_moderator()
    matches = [factories.started_match(*random.sample(players, 2), ladder=ladder) for _ in range(4)]

    def any_call() -> Call:
        match = random.choice(matches)
        who, winner = random.choice(players), random.choice([match.player_one, match.player_two])
        decision: dict[str, Any] = {
            "actor": moderator,
            "winner": random.choice([1, 2, None]),
            "reason_code": ReasonCode.OTHER,
            "reason": "At random.",
        }
        one, two = random.sample(players, 2)
        origin = random.choice([Origin.MATCHMAKING, Origin.MATCHMAKING, Origin.CHALLENGE])
        return random.choice(
            [
                lambda: offers.offer_match(ladder, one, two, match_length=3, origin=origin),
                lambda: offers.accept(match.pk, who),
                lambda: reporting.report(match.pk, who, winner=winner.username),
                lambda: reporting.report(match.pk, winner, winner=winner.username),
                lambda: reporting.confirm(match.pk, who),
                lambda: reporting.dispute(match.pk, who),
                lambda: reporting.server_result(match.pk, winner=winner.username),
                lambda: reporting.server_void(match.pk, reason=Unrated.NOBODY_MOVED),
                lambda: rulings.rule_match(match.pk, **decision),
                lambda: rulings.overturn_match(match.pk, **decision),
                lambda: sweeps.confirm_overdue(match.pk),
                lambda: sweeps.expire(match.pk),
            ]
        )

    threads = callers(AT_ONCE)
    for _ in range(ROUNDS):
        answers = threads.at_once(*(any_call() for _ in range(AT_ONCE)))
        assert not unexpected(answers)
        matches = [*matches[-8:], factories.started_match(*random.sample(players, 2), ladder=ladder)]

    assert_ledger_is_whole(*players)
    standing_settlements = RatingEntry.objects.filter(kind="settlement", reversals__isnull=True)
    for match in Match.objects.all():
        settles = match.state == State.CONFIRMED and match.is_rated
        assert standing_settlements.filter(match=match).count() == (2 if settles else 0)
        assert (match.settled_at is not None) == settles


NEVER = {
    "two live tickets of one account": """
        SELECT account_id FROM matchmaking_ticket WHERE state IN ('waiting', 'offered')
        GROUP BY account_id HAVING count(*) > 1
    """,
    "a live ticket of an account that starts no match": """
        SELECT t.id FROM matchmaking_ticket t JOIN accounts_user u ON u.id = t.account_id
        WHERE t.state IN ('waiting', 'offered') AND (NOT u.is_active OR EXISTS (
            SELECT 1 FROM accounts_suspension s WHERE s.account_id = u.id AND s.lifted_at IS NULL
        ))
    """,
    "a ticket in an offer without an open side, or the other way round": """
        SELECT t.id FROM matchmaking_ticket t WHERE (t.state = 'offered') <> (
            SELECT count(*) = 1 FROM matchmaking_offerside s WHERE s.ticket_id = t.id AND s.is_open
        )
    """,
    "an open offer of a match that is not offered, or the other way round": """
        SELECT m.id FROM ladder_match m JOIN matchmaking_offer o ON o.match_id = m.id
        WHERE (m.state = 'offered') <> (o.outcome = 'open')
    """,
    "sides that are open when their offer is not, or the other way round": """
        SELECT s.id FROM matchmaking_offerside s JOIN matchmaking_offer o ON o.match_id = s.offer_id
        WHERE s.is_open <> (o.outcome = 'open')
    """,
    "an offer with other than two sides": """
        SELECT offer_id FROM matchmaking_offerside GROUP BY offer_id HAVING count(*) <> 2
    """,
    "a match that started and whose tickets did not": """
        SELECT o.match_id FROM matchmaking_offer o JOIN matchmaking_offerside s ON s.offer_id = o.match_id
        JOIN matchmaking_ticket t ON t.id = s.ticket_id WHERE o.outcome = 'started' AND t.state <> 'matched'
    """,
    "two penalties of one player for one match": """
        SELECT match_id FROM matchmaking_penalty GROUP BY match_id, account_id HAVING count(*) > 1
    """,
    "an invite that is used without a match between its two": """
        SELECT i.id FROM matchmaking_invite i LEFT JOIN ladder_match m ON m.id = i.match_id
        WHERE i.used_at IS NOT NULL AND (m.player_one_id = i.account_id) IS NOT TRUE
    """,
}


@pytest.mark.parametrize("seed", [1, 2])
def test_a_crowd_at_random(seed: int, callers: Callable[[int], Callers], monkeypatch: pytest.MonkeyPatch) -> None:
    # So few players meet again and again.
    monkeypatch.setattr(opponents, "REMATCH_PAUSE", 0)
    monkeypatch.setattr(opponents, "DAILY_LIMIT", 2 * AT_ONCE * ROUNDS)
    crowd, threads = Crowd(seed, size=6), callers(AT_ONCE)
    for _ in range(4 * ROUNDS):
        assert not unexpected(threads.at_once(*crowd.calls(AT_ONCE)))

    with connection.cursor() as cursor:
        for what, statement in NEVER.items():
            cursor.execute(statement)
            assert cursor.fetchall() == [], what
    assert list(crowd.forbidden()) == []
    assert verify(found=print).drifts == 0
    assert_events_are_whole()
    # The dice were kind enough for all of it to happen.
    assert set(Offer.objects.values_list("outcome", flat=True)) >= {"started", "declined", "expired", "called_off"}
    assert {it.what for it in crowd.said} == {"block", "unblock", "suspend", "lift", "close"}
    origins = Match.objects.filter(started_at__isnull=False).values_list("origin", flat=True)
    assert set(origins) >= {Origin.MATCHMAKING, Origin.CHALLENGE, Origin.INVITE, Origin.REMATCH}
