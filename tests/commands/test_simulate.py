"""A population that plays in simulated time, for the drawings and for the demo."""

from __future__ import annotations

import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ladder.models import DecayPause, DecayRun, Ladder, Match, RatingEntry, Standing, User
from ladder.rules.match_life import LIVE, State
from ladder.rules.ranked import Origin
from ladder.services.verification import verify
from matchmaking.models import Offer, OfferSide, Ticket
from matchmaking.simulation.story import Plan, tell
from tests.factories import make_ladder, make_player, offered_match
from tests.matchmaking.queueing import queued

pytestmark = pytest.mark.django_db(transaction=True)

CHARTS = ["calibration", "rating-against-skill", "tier-sizes", "waiting-against-fairness"]


def simulate(*arguments: object) -> list[str]:
    out = StringIO()
    call_command("simulate", *map(str, arguments), stdout=out, no_color=True)
    return out.getvalue().splitlines()


def test_population_goes_through_the_whole_life_of_matches() -> None:
    ladder = make_ladder()
    record = tell(ladder, Plan(players=16, days=6, visits=1.5))

    assert record.games
    assert not Ticket.objects.filter(state__in=Ticket.LIVE).exists()
    assert not Offer.objects.filter(outcome=Offer.Outcome.OPEN).exists()
    assert not OfferSide.objects.filter(is_open=True).exists()
    open_matches = Match.objects.filter(state__in=LIVE)
    assert set(open_matches.values_list("state", flat=True)) <= {State.AWAITING_CONFIRMATION, State.DISPUTED}
    assert open_matches.exists()
    assert not open_matches.filter(confirm_by__lte=timezone.now()).exists()
    assert not Match.objects.filter(origin=Origin.CHALLENGE, settled_at__isnull=False).exists()
    assert not Match.objects.filter(finished_at__gt=timezone.now()).exists()
    for standing in Standing.objects.all():
        written = list(standing.entries.order_by("sequence").values_list("created_at", flat=True))
        assert written == sorted(written)
    assert not User.objects.get(username="player01").has_usable_password()
    assert verify(found=print).drifts == 0


def test_nights_are_worked_off_day_by_day_and_an_outage_is_spared() -> None:
    ladder = make_ladder()
    tell(ladder, Plan(players=4, days=6, visits=0.5))

    assert DecayRun.objects.filter(ladder=ladder).count() == 6
    pause = DecayPause.objects.get(ladder=ladder)
    spared = DecayRun.objects.filter(state=DecayRun.State.PAUSED).order_by("day").values_list("day", flat=True)
    assert [pause.first_day, pause.last_day] == list(spared)
    assert not Match.objects.filter(created_at__date__range=(pause.first_day, pause.last_day)).exists()


def test_the_same_seed_tells_the_same_story() -> None:
    courses = []
    for slug in ("one", "two"):
        ladder = make_ladder(slug)
        tell(ladder, Plan(players=6, days=3, visits=1.5))
        entries = RatingEntry.objects.filter(standing__ladder=ladder).order_by("standing__player", "sequence")
        courses.append(list(entries.values_list("after", flat=True)))
    assert courses[0] == courses[1] != []


def test_accounts_that_exist_are_left_alone() -> None:
    player = make_player("player02")
    tell(make_ladder(), Plan(players=2, days=1, visits=1))

    assert set(User.objects.filter(username__startswith="player").values_list("username", flat=True)) == {
        "player01", "player02", "player03",
    }  # fmt: skip
    assert not player.standings.exists()


def test_a_ladder_in_use_is_left_alone_unless_forced() -> None:
    offered_match()
    with pytest.raises(CommandError, match="has matches already"):
        simulate("--players", 4, "--days", 1, "--no-charts")
    simulate("--players", 4, "--days", 1, "--no-charts", "--force")


def test_nobody_waits_while_the_past_is_told() -> None:
    queued()
    with pytest.raises(CommandError, match="Somebody waits"):
        simulate("--players", 4, "--days", 1, "--ladder", Ladder.objects.get().slug)


@pytest.mark.parametrize("arguments", [["--players", 1], ["--days", 0]])
def test_it_takes_two_players_and_a_day(arguments: list[object]) -> None:
    with pytest.raises(CommandError, match="at least two players and one day"):
        simulate(*arguments)


def test_what_came_of_it_is_drawn(tmp_path: Path) -> None:
    said = simulate("--players", 12, "--days", 2, "--out", tmp_path / "drawn")

    assert said[0].startswith("12 players, ")
    assert sorted(file.name for file in (tmp_path / "drawn").iterdir()) == sorted(
        f"{name}{suffix}" for name in CHARTS for suffix in (".html", ".png")
    )
    for page in (tmp_path / "drawn").glob("*.html"):
        assert "<script src" not in page.read_text()


def test_without_the_library_it_simulates_and_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    said = simulate("--players", 4, "--days", 1, "--out", tmp_path / "drawn")

    assert "make setup installs them" in said[-1]
    assert not (tmp_path / "drawn").exists()


def test_demo_is_a_simulation_without_drawings() -> None:
    out = StringIO()
    call_command("demo", "--players", 6, stdout=out)

    assert out.getvalue().startswith("6 players have played ")
    assert Match.objects.filter(origin=Origin.MATCHMAKING).exists()
