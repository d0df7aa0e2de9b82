"""Event streams: all events of the account, once and in order, and the end of a stream."""

from __future__ import annotations

import http.client
import json
import threading
import time
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection, connections, transaction
from django.utils import timezone

from accounts.models import User
from accounts.services import closing as accounts
from events.limits import EVENTS_PER_READ
from events.models import Event
from events.queries import StreamPosition, read_events_after
from events.services import writing as events
from tests import clients
from tests.events.streams.conftest import SHORT_INTERVALS, Open
from tests.events.streams.stream import NUMBERED, Stream, wait_until_removed, wait_until_seen, write
from tests.factories import make_player, make_players
from tests.webserver import Server, serving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.concurrency]


class TestEvents:
    def test_a_new_event_is_sent(self, listen: Open, player: User) -> None:
        stream = listen(player)
        assert stream.answer.headers["Content-Type"] == "text/event-stream"
        assert stream.answer.headers["Cache-Control"] == "no-store"
        assert stream.answer.headers["X-Accel-Buffering"] == "no"
        write(player)
        frame = stream.next()
        event = Event.objects.get()
        assert (frame.name, frame.number) == ("numbered", 1)
        assert frame.data == {
            "number": 1,
            "kind": "numbered",
            "created_at": event.created_at.isoformat().replace("+00:00", "Z"),
            "data": {"n": 0},
        }

    def test_only_new_events(self, server: Server, listen: Open, player: User) -> None:
        write(player, 3)
        stream = Stream(server, clients.token_of(player))
        # With this id, a browser that loses the connection before the first event misses none.
        assert stream.next().number == 3
        write(player)
        assert stream.next().number == 4
        stream.close()

    def test_all_events_after_the_last_one_received(self, listen: Open, player: User) -> None:
        write(player, 5)
        assert [frame.number for frame in listen(player, last_event_id=2).take(3)] == [3, 4, 5]
        assert [frame.number for frame in listen(player, after=3).take(2)] == [4, 5]
        assert [frame.number for frame in listen(player, last_event_id=4, after=0).take(1)] == [5]

    def test_more_events_than_one_batch(self, listen: Open, player: User) -> None:
        number = 2 * EVENTS_PER_READ + 1
        data: events.DataByAccount = {player.pk: {}}
        with transaction.atomic():
            for _ in range(number):
                events.write_events(NUMBERED, data)
        stream = listen(player, after=0)
        assert [frame.number for frame in stream.take(number)] == list(range(1, number + 1))
        write(player)
        assert stream.next().number == number + 1

    def test_no_events_of_other_accounts(self, listen: Open) -> None:
        one, two = make_players(2)
        streams = listen(one), listen(two, after=0)
        write(one, 2)
        write(two)
        write(one)
        assert [frame.number for frame in streams[0].take(3)] == [1, 2, 3]
        assert streams[1].next().data["data"] == {"n": 0}
        assert streams[1].frame().fields == {}

    def test_all_streams_of_an_account(self, listen: Open, player: User) -> None:
        streams = [listen(player) for _ in range(3)]
        write(player)
        assert [stream.next().number for stream in streams] == [1, 1, 1]

    def test_heartbeats(self, listen: Open, player: User) -> None:
        began = time.monotonic()
        stream = listen(player)
        assert [stream.frame().fields for _ in range(2)] == [{}, {}]
        assert time.monotonic() - began > 1.5  # one each second


class TestMissingEvents:
    """``reset`` says that events are missing."""

    def test_some_deleted(self, listen: Open, player: User) -> None:
        write(player, 4)
        Event.objects.filter(number__lte=2).update(created_at=timezone.now() - timedelta(days=400))
        assert events.delete_old() == 2
        reset, *rest = listen(player, last_event_id=1).take(3)
        assert (reset.name, reset.number, reset.data) == ("reset", 2, {"number": 2})
        assert [frame.number for frame in rest] == [3, 4]
        assert [frame.number for frame in listen(player, last_event_id=2).take(2)] == [3, 4]

    def test_all_deleted(self, listen: Open, player: User) -> None:
        write(player, 4)
        Event.objects.all().delete()
        stream = listen(player, last_event_id=1)
        reset = stream.next()
        assert (reset.name, reset.number) == ("reset", 4)
        write(player)
        assert (stream.next().number, stream.frame().fields) == (5, {})

    def test_a_number_that_is_too_large(self, listen: Open, player: User) -> None:
        write(player, 2)
        stream = listen(player, last_event_id=7)
        reset = stream.next()
        assert (reset.name, reset.number) == ("reset", 2)
        write(player)
        assert stream.next().number == 3


class TestConcurrentWriters:
    """Numbers are in the order of commits, so a client that reads on from a number misses nothing."""

    def test_nothing_is_lost_or_repeated(self, listen: Open, player: User) -> None:
        writers, each = 4, 15
        stream = listen(player)

        def write() -> None:
            for n in range(each):
                with transaction.atomic():
                    events.write_events(NUMBERED, {player.pk: {"n": n}})
                    time.sleep(0.003 * (n % 4))  # written but not committed
            connections.close_all()

        threads = [threading.Thread(target=write) for _ in range(writers)]
        for thread in threads:
            thread.start()
        numbers = [frame.number for frame in stream.take(writers * each)]
        for thread in threads:
            thread.join()
        assert numbers == list(range(1, writers * each + 1))

    def test_without_the_counter_an_event_would_be_lost(self, player: User) -> None:
        """The negative control: without the lock, a larger number can be committed before a smaller one."""
        other = connection.copy()
        insert = (
            "INSERT INTO events_event (account_id, number, kind, data, created_at)"
            " VALUES (%s, %s, 'match_offered', '{}', now())"
        )
        with connection.cursor() as here, other.cursor() as there:
            there.execute("BEGIN")
            there.execute(insert, [player.pk, 1])
            here.execute(insert, [player.pk, 2])
            first = read_events_after(StreamPosition(player.pk, 0))
            there.execute("COMMIT")
        other.close()
        then = read_events_after(StreamPosition(player.pk, first.last))
        assert [event.number for event in (*first.events, *then.events)] == [2]


class TestClosing:
    @pytest.mark.parametrize("how", ["signs out", "expires", "closes the account", "changes the password"])
    def test_a_stream_ends_with_its_sign_in(self, how: str, server: Server, player: User) -> None:
        token = clients.token_of(player)
        stream = Stream(server, token)
        stream.frame()
        if how == "signs out":
            answer = clients.anonymous().delete("/_allauth/app/v1/auth/session", headers={"X-Session-Token": token})
            assert answer.status_code == 401  # allauth's answer without a session
        elif how == "expires":
            Session.objects.update(expire_date=timezone.now())
        elif how == "closes the account":
            accounts.close_account(player)
        else:
            player.set_password("another one 43")
            player.save()
        (closed,) = stream.frames()
        assert (closed.name, closed.data) == ("closed", {"reason": "signed_out"})
        again = Stream(server, token)
        assert again.answer.status == 401
        for each in (stream, again):
            each.close()

    def test_the_oldest_of_too_many_ends(self, listen: Open, player: User) -> None:
        other = listen(make_player())
        first, *rest = [listen(player) for _ in range(4)]
        (closed,) = first.frames()
        assert (closed.name, closed.data) == ("closed", {"reason": "too_many_streams"})
        write(player)
        assert [stream.next().number for stream in rest] == [1, 1, 1]
        assert other.frame().fields == {}

    def test_a_client_that_disconnects_is_removed(self, listen: Open, player: User) -> None:
        other = make_player()
        listen(other)
        for _ in range(20):
            listen(player).close()
        wait_until_removed(player, other=other)

    def test_a_server_that_stops_ends_them_at_once(self, listen: Open, player: User) -> None:
        with serving(**SHORT_INTERVALS) as server:
            streams = [listen(player, at=server) for _ in range(3)]
            # One long poll that waits, and one idle connection.
            poll, idle = (http.client.HTTPConnection("127.0.0.1", server.port, timeout=10) for _ in range(2))
            waiting = make_player()
            token = clients.token_of(waiting)
            poll.request("GET", "/api/v1/events/poll?after=0&timeout=30", headers={"Authorization": f"Bearer {token}"})
            idle.request("GET", "/healthz")
            idle.getresponse().read()
            wait_until_seen(waiting)
            server.stop()  # it must not wait for the end of the poll
            assert [list(stream.frames()) for stream in streams] == [[], [], []]
            assert poll.getresponse().read() == b'{"events":[],"last":0,"reset":false}'


class TestRefusals:
    @pytest.mark.parametrize("number", ["x", "-1", "1.5", "", "4294967296", "9" * 5000])
    def test_invalid_numbers(self, number: str, server: Server, player: User) -> None:
        for field, given in (("Last-Event-ID", {"last_event_id": number}), ("after", {"after": number})):
            stream = Stream(server, clients.token_of(player), **given)
            problem = json.loads(stream.answer.read())
            assert (stream.answer.status, problem["code"]) == (400, "bad_query")
            assert [error["field"] for error in problem["errors"]] == [field]

    def test_another_media_type(self, player: User) -> None:
        answer = clients.player(player).get("events", headers={"Accept": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable")


def test_lost_connections_to_the_database_are_replaced(listen: Open, player: User) -> None:
    stream = listen(player)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
    write(player, 2)
    assert [frame.number for frame in stream.take(2)] == [1, 2]
    assert listen(player, after=1).next().number == 2
