"""Recording of presence and of delivered events."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from django.db import connection

from accounts.models import User
from common import sql
from events.models import Presence
from events.services import presence
from tests.events.streams.conftest import SHORT_INTERVALS, Open
from tests.events.streams.stream import delivered, until, wait_for_recording, wait_until_removed, wait_until_seen, write
from tests.factories import make_player
from tests.webserver import Server, serving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.concurrency]

WAITING = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def test_presence(listen: Open, player: User) -> None:
    listen(player)
    first = Presence.objects.get(account=player).seen_at
    wait_until_seen(player)
    assert Presence.objects.get(account=player).seen_at > first


def test_delivery_is_recorded_after_sending(server: Server, listen: Open, player: User) -> None:
    write(player, 2)
    listen(player)  # only new events: nothing is sent
    wait_for_recording(server)
    assert delivered(player) == 0
    stream = listen(player, after=1)
    assert stream.next().number == 2
    until(lambda: delivered(player) == 2)
    presence.record_delivered({player.pk: 1})
    assert delivered(player) == 2  # the number never decreases


def test_nothing_is_delivered_without_a_stream(server: Server, listen: Open, player: User) -> None:
    other = make_player()
    listen(other)
    listen(player).close()
    wait_until_removed(player, other=other)
    write(player)
    wait_for_recording(server)
    assert delivered(player) == 0


@contextmanager
def held(account: User) -> Iterator[None]:
    """Lock the account's stream, so that recording a delivery waits."""
    with closing(connection.copy()) as holder, holder.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("SELECT FROM events_eventstream WHERE account_id = %s FOR UPDATE", [account.pk])
        yield


def is_somebody_waiting() -> bool:
    return bool(sql.query(f"SELECT pid {WAITING}", ()))


def end_waiting_connections() -> None:
    """End the connections that wait for a lock, as soon as there is one."""
    until(lambda: sql.query(f"SELECT pg_terminate_backend(pid, 10000) {WAITING}", ()))


class TestLostDatabaseConnections:
    def test_no_delivery_is_lost(self, listen: Open, player: User) -> None:
        other = make_player()
        write(player)
        write(other)
        with held(player):
            listen(player, after=0).next()
            until(is_somebody_waiting)
            listen(other, after=0).next()
            end_waiting_connections()
        until(lambda: (delivered(player), delivered(other)) == (1, 1))

    def test_a_process_that_stops_tries_once_more(self, listen: Open, player: User) -> None:
        write(player)
        with serving(**{**SHORT_INTERVALS, "EVENT_LOOK_SECONDS": "3600"}) as server:
            with held(player):
                listen(player, at=server, after=0).next()
                end_waiting_connections()
            server.stop()
        assert delivered(player) == 1
