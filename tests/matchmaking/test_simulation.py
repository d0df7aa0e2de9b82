"""A population that plays in simulated time, beside whoever plays in the present."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import DateTimeField, Max, Min, Model
from django.utils import timezone

from accounts.models import AuditEntry, User  # fmt: skip
from events.models import Event, EventStream, Presence  # fmt: skip
from events.services import presence
from ladder.models import DecayPause, DecayRun, Ladder, Match, RatingEntry, Standing  # fmt: skip
from ladder.rules.match_life import LIVE, State
from ladder.rules.ranked import Origin
from ladder.services import decay
from ladder.services.verification import verify
from matchmaking.models import Offer, OfferSide, Penalty, Ticket
from matchmaking.services import tickets, waves
from matchmaking.simulation import day
from matchmaking.simulation.run import Plan, simulate
from tests.concurrency.conftest import callers  # noqa: F401
from tests.concurrency.racing import Callers
from tests.decay_days import clock
from tests.factories import make_ladder, make_player, make_players
from tests.matchmaking.queueing import paired, queued

pytestmark = pytest.mark.django_db(transaction=True)

END = datetime(2026, 3, 15, 23, 50, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    """A story without another end ends now, and how it goes depends on the time of the day."""
    with clock(END.date()):
        yield


def test_all_endings_of_matches_occur() -> None:
    record = simulate(make_ladder(), Plan(players=16, days=6, visits=1.5))

    assert record.games
    assert not Ticket.objects.filter(state__in=Ticket.LIVE).exists()
    assert not Offer.objects.filter(outcome=Offer.Outcome.OPEN).exists()
    assert not OfferSide.objects.filter(is_open=True).exists()
    open_matches = Match.objects.filter(state__in=LIVE)
    assert set(open_matches.values_list("state", flat=True)) <= {State.AWAITING_CONFIRMATION, State.DISPUTED}
    assert open_matches.exists()
    assert not open_matches.filter(confirm_by__lte=timezone.now()).exists()
    assert not Match.objects.filter(origin=Origin.CHALLENGE, settled_at__isnull=False).exists()
    for standing in Standing.objects.all():
        written = list(standing.entries.order_by("sequence").values_list("created_at", flat=True))
        assert written == sorted(written)
    assert not any(account.has_usable_password() for account in User.objects.all())
    assert verify(found=print).drifts == 0


def test_decay_is_run_day_by_day() -> None:
    ladder = make_ladder()
    record = simulate(ladder, Plan(players=24, days=36, visits=0.4), end=END)

    runs = DecayRun.objects.filter(ladder=ladder)
    assert runs.count() == 36
    charged = RatingEntry.objects.filter(kind=RatingEntry.Kind.DECAY).count()
    assert charged == record.charged == sum(run.standings for run in runs) > 0
    pause = DecayPause.objects.get(ladder=ladder)
    spared = runs.filter(state=DecayRun.State.PAUSED).order_by("day").values_list("day", flat=True)
    assert [pause.first_day, pause.last_day] == list(spared)
    assert not Match.objects.filter(created_at__date__range=(pause.first_day, pause.last_day)).exists()


def test_all_rows_have_simulated_times() -> None:
    simulate(make_ladder(), Plan(players=14, days=6, visits=1.5), end=END)

    assert min(model.objects.count() for model in (AuditEntry, DecayPause, DecayRun, Event, OfferSide)) > 0
    ahead = {(Match, "expires_at"), (Match, "confirm_by"), (Penalty, "until")}
    begin = END.replace(hour=0, minute=0) - timedelta(days=5)
    for model, name in _times():
        seen = model._default_manager.aggregate(first=Min(name), last=Max(name))
        if seen["first"] is not None:
            assert begin <= seen["first"], (model, name)
            assert seen["last"] <= END or (model, name) in ahead, (model, name)


def _times() -> Iterator[tuple[type[Model], str]]:
    for label in ("ladder", "matchmaking"):
        for model in apps.get_app_config(label).get_models():
            yield from (
                (model, field.name) for field in model._meta.concrete_fields if isinstance(field, DateTimeField)
            )  # fmt: skip


def test_the_same_seed_gives_the_same_simulation() -> None:
    courses = []
    for slug, end in (("one", END), ("two", END), ("early", END - timedelta(hours=9))):
        simulate(make_ladder(slug), Plan(players=8, days=4, visits=1.5), end=end)
        entries = RatingEntry.objects.filter(standing__ladder__slug=slug).order_by("standing__player", "sequence")
        courses.append(list(entries.values_list("created_at", "after")))
    one, two, early = courses
    assert one == two != []
    midnight = END.replace(hour=0, minute=0)
    assert [it for it in one if it[0] < midnight] == [it for it in early if it[0] < midnight] != []
    assert one != early


def test_taken_names_are_not_used() -> None:
    player, no_moderator = make_player("sim02"), make_player("moderator01")
    record = simulate(make_ladder(), Plan(players=2, days=1, visits=1))

    assert [person.account.username for person in record.people] == ["sim01", "sim03"]
    assert record.moderator.username == "moderator02"
    assert not player.standings.exists()
    assert not no_moderator.groups.exists()


@pytest.mark.parametrize("held", [False, True])
def test_real_players_of_the_ladder_are_neither_touched_nor_waited_for(
    held: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(day, "ACCEPTS", 800)  # more than usually leave the room, and are found silent
    ladder = make_ladder()
    paired()
    silent, waiting, other = make_players(3)
    queued(silent)
    Ticket.objects.filter(account=silent).update(seen_at=timezone.now() - timedelta(days=1))
    for player in (waiting, other):
        queued(player)
        presence.record_seen([player.pk])
    Standing.objects.all().delete()  # nobody stands on it, as while the first players wait for their first match
    before = _rows_of_players()

    with _everything_locked() if held else nullcontext(), connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '500ms'")
        record = simulate(ladder, Plan(players=8, days=3, visits=1.5))
        cursor.execute("RESET lock_timeout")

    assert record.games
    assert Ticket.objects.filter(state=Ticket.State.SILENT).exists()
    assert _rows_of_players() == before


def _rows_of_players() -> dict[type[Model], list[object]]:
    """Everything that is about accounts that no story made."""
    whose = {
        User: "username", Ticket: "account__username", Presence: "account__username", Event: "account__username",
        EventStream: "account__username", Match: "player_one__username", Offer: "match__player_one__username",
        OfferSide: "ticket__account__username", Penalty: "account__username",
    }  # fmt: skip
    return {
        model: list(model._default_manager.filter(**{f"{name}__startswith": "player"}).order_by("pk").values())
        for model, name in whose.items()
    }


@contextmanager
def _everything_locked() -> Iterator[None]:
    """Somebody else holds all rows about real players, as long as this lasts."""
    holder = connection.copy()
    try:
        with holder.cursor() as cursor:
            cursor.execute("BEGIN")
            for table in (
                "accounts_user", "ladder_match", "events_presence", "events_event", "events_eventstream",
                "matchmaking_ticket", "matchmaking_offer", "matchmaking_offerside",
            ):  # fmt: skip
                cursor.execute(f"SELECT 1 FROM {table} FOR UPDATE")
        yield
    finally:
        holder.close()


def test_real_players_are_paired_during_a_simulation(callers: Callable[[int], Callers]) -> None:  # noqa: F811
    ladder, offers = make_ladder(), []
    worker = callers(1)
    queued()
    queued()

    def progress(_days: int) -> None:
        offers.extend(worker.at_once(lambda: waves.pair_waiting(ladder).offers))

    simulate(ladder, Plan(players=4, days=2, visits=1), progress=progress)
    assert offers == [1, 0]


def test_no_other_worker_runs_the_days_of_a_simulation(callers: Callable[[int], Callers]) -> None:  # noqa: F811
    ladder, worker, refused = make_ladder(), callers(1), []

    def progress(_days: int) -> None:
        refused.extend(worker.at_once(lambda: decay.bring_up_to_date(ladder)))

    simulate(ladder, Plan(players=4, days=2, visits=1), progress=progress)
    assert [type(it) for it in refused] == [decay.DecayRunning, decay.DecayRunning]


def test_a_wave_among_some_leaves_all_others_in_the_queue() -> None:
    one, two, three = queued(), queued(), queued()
    assert waves.pair_waiting(one.ladder, among=[one.account_id]).offers == 0
    assert waves.pair_waiting(one.ladder, among=[one.account_id, three.account_id]).offers == 1
    two.refresh_from_db()
    assert two.state == Ticket.State.WAITING


def test_silence_is_looked_at_among_some() -> None:
    one, two = queued(), queued()
    Ticket.objects.update(seen_at=timezone.now() - timedelta(hours=1))
    assert tickets.remove_silent(among=[one.account_id]) == 1
    two.refresh_from_db()
    assert two.state == Ticket.State.WAITING


def test_a_ladder_with_standings_is_refused_before_anything_is_written() -> None:
    paired()
    ladder = Ladder.objects.get()
    accounts = User.objects.count()
    with pytest.raises(Exception, match="The ladder 'backgammon' has standings"):
        simulate(ladder, Plan(players=2, days=1, visits=1))
    assert User.objects.count() == accounts
