"""Waves: one look at a ladder's queue, and offers to those who shall meet.

An advisory lock per ladder, tried and never waited for, keeps waves from doing the same work; that nobody gets two
offers does not rest on it. Each ticket is locked and looked at again before it is used, and the database refuses a
second open offer for a ticket and a second live ticket for an account.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import islice

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from common import sql
from common.advisory import Busy, alone
from events.services import writing as events
from ladder import event_kinds
from ladder.models import Ladder, Match
from ladder.rules.ranked import Origin
from ladder.services.matches import notifications
from ladder.services.matches.eligibility import may_not_start
from ladder.services.matches.offers import ensure_standings, new_offer
from matchmaking.models import Offer, OfferSide, Ticket
from matchmaking.pairing.nominal import for_pairing, has_win_probability
from matchmaking.pairing.types import Pair
from matchmaking.pairing.wave import pair
from matchmaking.queries import queue
from matchmaking.queries.tickets import waiting

log = logging.getLogger(__name__)

# The first half of the advisory locks' keys; the second is the ladder.
LOCK_CLASS = 0x7761_7665
# Offers that are made in one transaction: whoever cancels meanwhile waits for so many.
CHUNK = 250
# A ticket that comes while a wave runs is looked at by the same worker, but nobody works for ever.
MOST_ROUNDS = 10


@dataclass(slots=True)
class WaveReport:
    """What came of it: tickets looked at, offers made, tickets that had gone when their turn came."""

    tickets: int = 0
    offers: int = 0
    gone: int = 0


def pair_everywhere() -> int:
    """A wave on each ladder where somebody waits; how many offers were made."""
    offers = 0
    for ladder in Ladder.objects.filter(tickets__state=Ticket.State.WAITING).distinct().order_by("pk"):
        try:
            offers += pair_waiting(ladder).offers
        except Exception:
            # One ladder that cannot be paired must not keep all others waiting.
            log.exception("wave failed", extra={"ladder": ladder.slug})
    return offers


def pair_waiting(ladder: Ladder, among: Collection[int] | None = None) -> WaveReport:
    """Offer matches to the tickets that wait on this ladder. Does nothing while another worker is at it.

    With ``among``, this is one wave between these accounts alone, whom the caller must keep from other workers.
    """
    report = WaveReport()
    if among is not None:
        _wave(ladder, report, among)
        return report
    try:
        with alone(LOCK_CLASS, ladder.pk):
            for _round in range(MOST_ROUNDS):
                began = timezone.now()
                _wave(ladder, report)
                if not waiting().filter(ladder=ladder, queued_at__gte=began).exists():
                    break
    except Busy:
        log.debug("another worker pairs on %s", ladder.slug)
    return report


def _wave(ladder: Ladder, report: WaveReport, among: Collection[int] | None = None) -> None:
    tickets = queue.snapshot(ladder, among)
    report.tickets += len(tickets)
    if len(tickets) < 2:
        return
    pairs = iter(pair(tickets, for_pairing(ladder.rules.system)).pairs)
    while chunk := list(islice(pairs, CHUNK)):
        offered = _offer(ladder, chunk)
        report.offers += offered
        report.gone += 2 * (len(chunk) - offered)


@transaction.atomic
def _offer(ladder: Ladder, pairs: Sequence[Pair]) -> int:
    """Offer these matches to those who are still there; how many that were."""
    now = timezone.now()
    ensure_standings(ladder, [int(side.player) for it in pairs for side in (it.one, it.two)])
    accounts = _claim([ticket.id for it in pairs for ticket in (it.one, it.two)], now)
    # A block may have been made while the wave ran.
    apart = {frozenset(map(str, two)) for two in queue.apart([account.pk for account in accounts.values()], now)}
    meet = [
        it
        for it in pairs
        if it.one.id in accounts and it.two.id in accounts and frozenset((it.one.player, it.two.player)) not in apart
    ]
    if not meet:
        return 0
    matches = [
        new_offer(
            ladder, accounts[it.one.id], accounts[it.two.id], match_length=it.match_length, origin=Origin.MATCHMAKING
        )
        for it in meet
    ]
    sql.copy_in(matches)
    sql.copy_in(
        [
            Offer(match=match, win_probability=it.win_probability, relaxed=list(it.relaxed), created_at=now)
            for match, it in zip(matches, meet, strict=True)
        ]
    )
    sql.execute(_OFFERED, [[side.id for it in meet for side in (it.one, it.two)]])
    numbers = events.tell(event_kinds.MATCH_OFFERED, _news(matches, meet))
    sql.copy_in(
        [
            OfferSide(
                offer_id=match.pk, seat=seat, ticket_id=ticket.id, waited=ticket.waiting, window=window,
                event_number=numbers[accounts[ticket.id].pk],
            )
            for match, it in zip(matches, meet, strict=True)
            for seat, ticket, window in ((1, it.one, it.window_one), (2, it.two, it.window_two))
        ]
    )  # fmt: skip
    return len(meet)


_CLAIM = """
    SELECT t.id, t.account_id FROM matchmaking_ticket t
    WHERE t.id = ANY(%(tickets)s::uuid[]) AND t.state = 'waiting'
    ORDER BY t.id FOR UPDATE
"""
_OFFERED = "UPDATE matchmaking_ticket SET state = 'offered' WHERE id = ANY(%s::uuid[])"


@cache
def _may_start() -> str:
    return f"SELECT u.id, u.username FROM accounts_user u WHERE u.id = ANY(%(accounts)s) AND NOT {may_not_start()}"


def _claim(tickets: list[str], now: datetime) -> dict[str, User]:
    """Lock those of the tickets that still wait; their accounts, by ticket, as far as those may still play."""
    rows = sql.query(_CLAIM, {"tickets": tickets})
    # A statement of its own: it sees what was committed while the locks were waited for.
    parameters = {"accounts": [account for _, account in rows], "now": now}
    fit = {account: User(id=account, username=name) for account, name in sql.query(_may_start(), parameters)}
    return {str(ticket): fit[account] for ticket, account in rows if account in fit}


def _news(matches: Sequence[Match], pairs: Sequence[Pair]) -> dict[int, dict[str, object]]:
    """What each player hears of his offer, and why it is a fair one."""
    told: dict[int, dict[str, object]] = {}
    has_chances = has_win_probability(matches[0].ladder.rules.system)
    for match, it in zip(matches, pairs, strict=True):
        sides = ((it.one, it.two, it.win_probability), (it.two, it.one, 1 - it.win_probability))
        for (account, about), (own, opponent, chance) in zip(
            notifications.match_data(match).items(), sides, strict=True
        ):
            told[account] = {
                **about,
                "ticket": own.id,
                "opponent_rating": str(opponent.rating),
                **({"win_probability": round(chance, 4)} if has_chances else {}),
                "waited_seconds": round(own.waiting, 1),
                "expires_at": events.moment(match.expires_at),
            }
    return told
