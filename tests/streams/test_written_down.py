"""What is written down of those who listen: that they are there, and which events they were sent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from django.db import connection

from accounts.models import User
from common import sql
from events.models import Presence
from events.services import presence
from tests.factories import make_player
from tests.streams.conftest import HURRIED, Open
from tests.streams.listening import delivered, tell, until, wait_for_the_writer, wait_until_left, wait_until_seen
from tests.webserver import Server, serving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.concurrency]

WAITING = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def test_presence(listen: Open, player: User) -> None:
    listen(player)
    first = Presence.objects.get(account=player).seen_at
    wait_until_seen(player)
    assert Presence.objects.get(account=player).seen_at > first


def test_delivery_once_it_is_sent(server: Server, listen: Open, player: User) -> None:
    tell(player, 2)
    listen(player)  # from now on: nothing was sent
    wait_for_the_writer(server)
    assert delivered(player) == 0
    stream = listen(player, after=1)
    assert stream.next().number == 2
    until(lambda: delivered(player) == 2)
    presence.record_delivered({player.pk: 1})
    assert delivered(player) == 2  # what was delivered stays so


def test_nothing_is_delivered_to_nobody(server: Server, listen: Open, player: User) -> None:
    other = make_player()
    listen(other)
    listen(player).close()
    wait_until_left(player, beside=other)
    tell(player)
    wait_for_the_writer(server)
    assert delivered(player) == 0


@contextmanager
def held(account: User) -> Iterator[None]:
    """Whoever writes down what was delivered to the account waits."""
    with closing(connection.copy()) as holder, holder.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("SELECT FROM events_eventstream WHERE account_id = %s FOR UPDATE", [account.pk])
        yield


def somebody_waits() -> bool:
    return bool(sql.query(f"SELECT pid {WAITING}", ()))


def lose_those_who_wait() -> None:
    """The connections that wait for a lock are lost, as soon as there is one."""
    until(lambda: sql.query(f"SELECT pg_terminate_backend(pid, 10000) {WAITING}", ()))


class TestTheDatabaseIsLostWhileDeliveryIsWrittenDown:
    def test_no_delivery_is_lost(self, listen: Open, player: User) -> None:
        other = make_player()
        tell(player)
        tell(other)
        with held(player):
            listen(player, after=0).next()
            until(somebody_waits)
            listen(other, after=0).next()
            lose_those_who_wait()
        until(lambda: (delivered(player), delivered(other)) == (1, 1))

    def test_a_process_that_stops_tries_once_more(self, listen: Open, player: User) -> None:
        tell(player)
        with serving(**{**HURRIED, "EVENT_LOOK_SECONDS": "3600"}) as server:
            with held(player):
                listen(player, at=server, after=0).next()
                lose_those_who_wait()
            server.stop()
        assert delivered(player) == 1
