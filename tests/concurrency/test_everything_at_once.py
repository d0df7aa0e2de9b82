"""Everyone does everything at once, at random: each call is granted or refused, and nothing drifts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from ladder.models import Match, RatingEntry
from ladder.rules.match_life import State
from ladder.rules.ranked import Origin, Unrated
from ladder.services import moderation, offers, reporting, sweeps
from ladder.services.errors import Refusal
from ladder.services.moderation import ReasonCode
from tests import factories
from tests.concurrency.ledger import assert_ledger_is_whole
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
        verdict: dict[str, Any] = {
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
                lambda: reporting.accept(match.pk, who),
                lambda: reporting.report(match.pk, who, winner=winner.username),
                lambda: reporting.report(match.pk, winner, winner=winner.username),
                lambda: reporting.confirm(match.pk, who),
                lambda: reporting.dispute(match.pk, who),
                lambda: reporting.server_result(match.pk, winner=winner.username),
                lambda: reporting.server_void(match.pk, reason=Unrated.NOBODY_MOVED),
                lambda: moderation.rule_match(match.pk, **verdict),
                lambda: moderation.overturn_match(match.pk, **verdict),
                lambda: sweeps.confirm_overdue(match.pk),
                lambda: sweeps.expire(match.pk),
            ]
        )

    threads = callers(AT_ONCE)
    for _ in range(ROUNDS):
        answers = threads.at_once(*(any_call() for _ in range(AT_ONCE)))
        assert not [each for each in answers if isinstance(each, Exception) and not isinstance(each, Refusal)]
        matches = [*matches[-8:], factories.started_match(*random.sample(players, 2), ladder=ladder)]

    assert_ledger_is_whole(*players)
    standing_settlements = RatingEntry.objects.filter(kind="settlement", reversals__isnull=True)
    for match in Match.objects.all():
        settles = match.state == State.CONFIRMED and match.is_rated
        assert standing_settlements.filter(match=match).count() == (2 if settles else 0)
        assert (match.settled_at is not None) == settles
