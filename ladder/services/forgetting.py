"""What is written down of a person who has closed his account, taken out in that transaction."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
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

# What others heard of him, as long as it is kept: each place in an event where a player's name can stand.
_RENAME = """
    UPDATE ladder_event e
    SET data = e.data || (
        SELECT jsonb_object_agg(place, %(name)s::text) FROM unnest(ARRAY['opponent', 'by', 'winner']) AS place
        WHERE e.data ->> place = %(former)s
    )
    WHERE e.account_id IN (
        SELECT player_two_id FROM ladder_match WHERE player_one_id = %(account)s AND id >= %(first_id)s
        UNION SELECT player_one_id FROM ladder_match WHERE player_two_id = %(account)s AND id >= %(first_id)s
    ) AND %(former)s IN (e.data ->> 'opponent', e.data ->> 'by', e.data ->> 'winner')
"""


def forget(account: User, former: str) -> None:
    """Let nothing speak of the account by its former name; what was for its own eyes goes."""
    sql.query(_ONE_AT_A_TIME, [LOCK])
    Event.objects.filter(account=account).delete()
    Presence.objects.filter(account=account).delete()
    IdempotencyKey.objects.filter(caller=caller_name(account.pk)).delete()
    oldest = timezone.now() - timedelta(days=settings.EVENT_DAYS) - _LONGEST_MATCH
    names = {"account": account.pk, "name": account.username, "former": former, "first_id": first_uuid7(oldest)}
    sql.execute(_RENAME, names)
    disputed = Match.objects.filter(Q(player_one=account) | Q(player_two=account)).exclude(dispute_text="")
    for match in disputed.only("dispute_text").order_by("pk").select_for_update():
        lines = match.dispute_text.split("\n")
        match.dispute_text = "\n".join(
            opening(account.username) + line.removeprefix(opening(former)) if line.startswith(opening(former)) else line
            for line in lines
        )
        match.save(update_fields=["dispute_text"])
