"""What is written down of a person who has closed his account is taken out, then and once more a moment later."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from ladder.models import Event, IdempotencyKey, Match, Presence, User
from ladder.models.ids import first_uuid7
from ladder.services import sql
from ladder.services.idempotency import caller_name
from ladder.services.reporting import opening

# An event speaks of a match that was offered at most so long before it.
_LONGEST_MATCH = timedelta(days=30)

# Two who have met each change what the other heard: they go one after the other.
LOCK = 0x666F_7267
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(%s)"

_OPPONENTS = """
    SELECT player_two_id AS id FROM ladder_match WHERE player_one_id = %(account)s AND id >= %(first_id)s
    UNION SELECT player_one_id FROM ladder_match WHERE player_two_id = %(account)s AND id >= %(first_id)s
"""
# What others heard of him, as long as it is kept: each place in an event where a player's name can stand.
_RENAME = f"""
    UPDATE ladder_event e
    SET data = e.data || (
        SELECT jsonb_object_agg(place, %(name)s::text) FROM unnest(ARRAY['opponent', 'by', 'winner']) AS place
        WHERE e.data ->> place = %(former)s
    )
    WHERE e.account_id IN ({_OPPONENTS}) AND %(former)s IN (e.data ->> 'opponent', e.data ->> 'by', e.data ->> 'winner')
"""
# Answers that would be given to them again. (What they ask for anew is answered anew.)
_ANSWERS = f"""
    DELETE FROM ladder_idempotencykey
    WHERE caller IN (SELECT 'account:' || id FROM ({_OPPONENTS}) opponent)
      AND position(convert_to(%(former)s, 'UTF8') IN body) > 0
"""
_OLDER_TRANSACTION = """
    SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle' AND xact_start < %s LIMIT 1
"""
_PATIENCE, _LOOK = 2.0, 0.05  # seconds


@transaction.atomic
def forget(account: User, former: str) -> None:
    """Let nothing speak of the account by its former name; what only it could read goes.

    Part of the closing transaction, and once more :func:`when_all_have_spoken`.
    """
    sql.query(_ONE_AT_A_TIME, [LOCK])
    Event.objects.filter(account=account).delete()
    Presence.objects.filter(account=account).delete()
    IdempotencyKey.objects.filter(caller=caller_name(account.pk)).delete()
    oldest = timezone.now() - timedelta(days=settings.EVENT_DAYS) - _LONGEST_MATCH
    names = {"account": account.pk, "name": account.username, "former": former, "first_id": first_uuid7(oldest)}
    sql.execute(_RENAME, names)
    sql.execute(_ANSWERS, names)
    disputed = Match.objects.filter(Q(player_one=account) | Q(player_two=account)).exclude(dispute_text="")
    for match in disputed.only("dispute_text").order_by("pk").select_for_update():
        lines = match.dispute_text.split("\n")
        match.dispute_text = "\n".join(
            opening(account.username) + line.removeprefix(opening(former)) if line.startswith(opening(former)) else line
            for line in lines
        )
        match.save(update_fields=["dispute_text"])


def when_all_have_spoken(closed_at: datetime) -> None:
    """Wait for the transactions that began before the account was closed: they may still write its former name.

    Not for ever: what takes longer than two seconds writes no events of matches.
    """
    end = time.monotonic() + _PATIENCE
    while sql.query(_OLDER_TRANSACTION, [closed_at]) and time.monotonic() < end:
        time.sleep(_LOOK)
