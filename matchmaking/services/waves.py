"""Waves: pairing the tickets in a ladder's queue and offering matches.

An advisory lock for each ladder prevents two workers from doing the same work. Correctness does not depend on it: each
ticket is locked and checked again before it is used, and the database refuses a second open offer for a ticket and a
second live ticket for an account.
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
from common.transactions import LockTaken, advisory_lock
from events.services import writing as events
from ladder import event_kinds
from ladder.models import Ladder, Match
from ladder.rules.ranked import Origin
from ladder.services.matches import notifications
from ladder.services.matches.eligibility import may_not_start
from ladder.services.matches.offers import ensure_standings, new_offer
from matchmaking.limits import MAX_WAVES, OFFERS_PER_TRANSACTION
from matchmaking.models import Offer, OfferSide, Ticket
from matchmaking.pairing.nominal import for_pairing, has_win_probability
from matchmaking.pairing.types import Pair
from matchmaking.pairing.wave import pair
from matchmaking.queries import queue
from matchmaking.queries.tickets import waiting

log = logging.getLogger(__name__)

# The first half of the key of the advisory lock; the second half is the ladder's id.
LOCK_CLASS = 0x7761_7665


@dataclass(slots=True)
class WaveReport:
    """The result of waves: tickets read, offers created, and tickets skipped because they had changed meanwhile."""

    tickets: int = 0
    offers: int = 0
    skipped: int = 0


def pair_all_ladders() -> int:
    """Pair the tickets of all ladders. Returns how many offers were created."""
    offers = 0
    for ladder in Ladder.objects.filter(tickets__state=Ticket.State.WAITING).distinct().order_by("pk"):
        try:
            offers += pair_waiting(ladder).offers
        except Exception:
            # An error on one ladder must not stop the others.
            log.exception("wave failed", extra={"ladder": ladder.slug})
    return offers


def pair_waiting(ladder: Ladder, among: Collection[int] | None = None) -> WaveReport:
    """Pair the waiting tickets of a ladder and offer matches. Does nothing while another worker does this.

    With ``among``, run one wave with the tickets of these accounts. The caller must ensure that no other worker does.
    """
    report = WaveReport()
    if among is not None:
        _wave(ladder, report, among)
        return report
    try:
        with advisory_lock(LOCK_CLASS, ladder.pk):
            for _round in range(MAX_WAVES):
                started = timezone.now()
                _wave(ladder, report)
                if not waiting().filter(ladder=ladder, queued_at__gte=started).exists():
                    break
    except LockTaken:
        log.debug("another worker pairs on %s", ladder.slug)
    return report


def _wave(ladder: Ladder, report: WaveReport, among: Collection[int] | None = None) -> None:
    tickets = queue.pairable_tickets(ladder, among)
    report.tickets += len(tickets)
    if len(tickets) < 2:
        return
    pairs = iter(pair(tickets, for_pairing(ladder.rules.system)).pairs)
    while chunk := list(islice(pairs, OFFERS_PER_TRANSACTION)):
        offered = _create_offers(ladder, chunk)
        report.offers += offered
        report.skipped += 2 * (len(chunk) - offered)


@transaction.atomic
def _create_offers(ladder: Ladder, pairs: Sequence[Pair]) -> int:
    """Create offers for the pairs that are still possible. Returns how many."""
    now = timezone.now()
    ensure_standings(ladder, [int(side.player) for it in pairs for side in (it.one, it.two)])
    accounts = _lock_tickets([ticket.id for it in pairs for ticket in (it.one, it.two)], now)
    # A player may have blocked another while the wave ran.
    account_ids = [account.pk for account in accounts.values()]
    forbidden = {frozenset(map(str, two)) for two in queue.forbidden_pairs(account_ids, now)}
    possible = [
        it
        for it in pairs
        if it.one.id in accounts
        and it.two.id in accounts
        and frozenset((it.one.player, it.two.player)) not in forbidden
    ]
    if not possible:
        return 0
    matches = [
        new_offer(
            ladder, accounts[it.one.id], accounts[it.two.id], match_length=it.match_length, origin=Origin.MATCHMAKING
        )
        for it in possible
    ]
    sql.copy_in(matches)
    sql.copy_in(
        [
            Offer(match=match, win_probability=it.win_probability, relaxed=list(it.relaxed), created_at=now)
            for match, it in zip(matches, possible, strict=True)
        ]
    )
    sql.execute(_SET_OFFERED, [[side.id for it in possible for side in (it.one, it.two)]])
    numbers = events.write_events(event_kinds.MATCH_OFFERED, _event_data(matches, possible))
    sql.copy_in(
        [
            OfferSide(
                offer_id=match.pk, seat=seat, ticket_id=ticket.id, waited=ticket.waiting, window=window,
                event_number=numbers[accounts[ticket.id].pk],
            )
            for match, it in zip(matches, possible, strict=True)
            for seat, ticket, window in ((1, it.one, it.window_one), (2, it.two, it.window_two))
        ]
    )  # fmt: skip
    return len(possible)


_LOCK_TICKETS = """
    SELECT t.id, t.account_id FROM matchmaking_ticket t
    WHERE t.id = ANY(%(tickets)s::uuid[]) AND t.state = 'waiting'
    ORDER BY t.id FOR UPDATE
"""
_SET_OFFERED = "UPDATE matchmaking_ticket SET state = 'offered' WHERE id = ANY(%s::uuid[])"


@cache
def _may_start() -> str:
    return f"SELECT u.id, u.username FROM accounts_user u WHERE u.id = ANY(%(accounts)s) AND NOT {may_not_start()}"


def _lock_tickets(tickets: list[str], now: datetime) -> dict[str, User]:
    """Lock the tickets that are still waiting. Returns the accounts that can still play, by ticket id."""
    rows = sql.query(_LOCK_TICKETS, {"tickets": tickets})
    # A second statement, which sees what was committed while the first waited for locks.
    parameters = {"accounts": [account for _, account in rows], "now": now}
    can_play = {account: User(id=account, username=name) for account, name in sql.query(_may_start(), parameters)}
    return {str(ticket): can_play[account] for ticket, account in rows if account in can_play}


def _event_data(matches: Sequence[Match], pairs: Sequence[Pair]) -> dict[int, dict[str, object]]:
    """The data of the event about the offer, by account id, with the reasons why the match is fair."""
    data: dict[int, dict[str, object]] = {}
    has_chances = has_win_probability(matches[0].ladder.rules.system)
    for match, it in zip(matches, pairs, strict=True):
        sides = ((it.one, it.two, it.win_probability), (it.two, it.one, 1 - it.win_probability))
        for (account, about), (own, opponent, chance) in zip(
            notifications.match_data(match).items(), sides, strict=True
        ):
            data[account] = {
                **about,
                "ticket": own.id,
                "opponent_rating": str(opponent.rating),
                **({"win_probability": round(chance, 4)} if has_chances else {}),
                "waited_seconds": round(own.waiting, 1),
                "expires_at": events.iso_time(match.expires_at),
            }
    return data
