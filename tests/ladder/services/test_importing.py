"""History that comes in: what it does to ratings, and that it comes in once."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from accounts.models import User
from accounts.services.closing import close_account
from common.errors import Conflict
from ladder.models import Ladder, Match, RatingEntry, Standing
from ladder.rules.match_life import ConfirmedBy, Seat, State
from ladder.rules.ranked import Origin
from ladder.rules.ruling import ReasonCode
from ladder.rules.systems.system import Match as Played
from ladder.rules.systems.system import Player, Score
from ladder.services import importing
from ladder.services.importing import FileRefused, Report, writing
from ladder.services.matches import reporting, rulings
from tests.factories import make_ladder, make_moderator, make_player, standing_of, started_match
from tests.history import STANDING, Result, entries_of, import_file, some_results, standings_of, write_matches


@pytest.mark.django_db
def test_import_makes_ladder_accounts_and_confirmed_ranked_matches(tmp_path: Path) -> None:
    report = import_file(write_matches(tmp_path / "m.csv", [("player01", "player02", 5), ("player02", "player01", 5)]))

    assert report == Report(imported=2, already_there=0, refused=0, players_created=2)
    assert Ladder.objects.get().rule_set == "fibs-600"
    assert not User.objects.get(username="player01").has_usable_password()
    first, second = Match.objects.order_by("pk")
    assert first.finished_at == datetime(2026, 1, 1, tzinfo=UTC)
    assert (first.origin, first.state, first.confirmed_by) == (Origin.IMPORT, State.CONFIRMED, ConfirmedBy.IMPORT)
    assert (first.external_id, first.winner, first.unrated_reason) == ("1", User.objects.named("player01"), None)
    assert second.external_id == "2"
    # Two new accounts at 600 over 5 points: 644.27 and 555.73, as for any match.
    assert list(RatingEntry.objects.filter(match=first).order_by("pk").values_list("after", flat=True)) == [
        Decimal("644.27"),
        Decimal("555.73"),
    ]


@pytest.mark.django_db
def test_imported_matches_write_what_live_matches_write(tmp_path: Path) -> None:
    results = some_results(60)
    import_file(write_matches(tmp_path / "m.csv", results), "club")
    live = make_ladder("live")
    for winner, loser, length in results:
        match = started_match(User.objects.named(winner), User.objects.named(loser), ladder=live, match_length=length)
        reporting.server_result(match.pk, winner=winner)

    assert entries_of("club") == entries_of("live")
    facts = [name for name in STANDING if name != "last_ranked_at"]
    assert list(Standing.objects.filter(ladder__slug="club").order_by("player").values_list(*facts)) == list(
        Standing.objects.filter(ladder=live).order_by("player").values_list(*facts)
    )


@pytest.mark.django_db
def test_batches_do_not_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_matches(tmp_path / "m.csv", some_results(50))
    import_file(path, "whole")
    monkeypatch.setattr(writing, "MATCHES_PER_IMPORT_BATCH", 7)
    import_file(path, "parts")

    assert entries_of("parts") == entries_of("whole")
    assert standings_of("parts") == standings_of("whole")


@pytest.mark.django_db
def test_rule_set_of_the_ladder(tmp_path: Path) -> None:
    import_file(write_matches(tmp_path / "m.csv", [("player01", "player02", 5)]), rules="fibs-flat-1800")

    ladder = Ladder.objects.get()
    assert (ladder.rule_set, ladder.rule_set_version) == ("fibs-flat-1800", 1)
    newcomer = Player(ladder.rules.start)
    expected, _loss = ladder.rules.system.settle(newcomer, newcomer, Score.WIN, Played(5))
    assert standing_of(User.objects.named("player01"), ladder).rating == expected.after


@pytest.mark.django_db
def test_match_counts_as_played_on_its_date_in_the_time_zone_of_the_ladder(tmp_path: Path) -> None:
    ladder = make_ladder("seoul", time_zone="Asia/Seoul")
    import_file(write_matches(tmp_path / "m.csv", [("player01", "player02", 5)]), "seoul")

    midnight = datetime(2025, 12, 31, 15, tzinfo=UTC)
    assert Match.objects.get().finished_at == midnight
    assert standing_of(User.objects.named("player01"), ladder).last_ranked_at == midnight


@pytest.mark.django_db
def test_importing_again_adds_nothing_and_a_longer_file_adds_its_new_rows(tmp_path: Path) -> None:
    results = some_results(30)
    import_file(write_matches(tmp_path / "m.csv", results[:20]))
    before = standings_of()

    assert import_file(tmp_path / "m.csv") == Report(imported=0, already_there=20, refused=0, players_created=0)
    assert standings_of() == before
    assert import_file(write_matches(tmp_path / "m.csv", results)).imported == 10
    import_file(tmp_path / "m.csv", "at-once")
    assert entries_of("club") == entries_of("at-once")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "changed",
    [("player02", "player01", 5), ("player01", "player03", 5), ("player01", "nobody", 5), ("player01", "player02", 7)],
)
def test_known_id_with_other_content_is_refused_by_line(tmp_path: Path, changed: Result) -> None:
    import_file(write_matches(tmp_path / "m.csv", [("player01", "player02", 5), ("player02", "player03", 5)]))
    write_matches(tmp_path / "m.csv", [changed, ("player02", "player03", 5), ("player01", "player03", 1)])

    with pytest.raises(FileRefused, match=r"^line 2: id '1' was imported before as another match"):
        importing.check(tmp_path / "m.csv", "club")
    with pytest.raises(FileRefused, match=r"^line 2: .*\nline 3: .*$"):
        importing.check(write_matches(tmp_path / "m.csv", [changed, ("player02", "player03", 9)]), "club")
    assert Match.objects.count() == 2


@pytest.mark.django_db
def test_known_id_on_another_date_is_refused(tmp_path: Path) -> None:
    results = [("player01", "player02", 5)]
    import_file(write_matches(tmp_path / "m.csv", results))

    with pytest.raises(FileRefused, match="line 2"):
        importing.check(write_matches(tmp_path / "m.csv", results, first_day=date(2026, 1, 2)), "club")


@pytest.mark.django_db
@pytest.mark.parametrize("zone", ["Asia/Seoul", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_a_changed_time_zone_of_the_ladder_does_not_make_a_file_contradict(tmp_path: Path, zone: str) -> None:
    import_file(write_matches(tmp_path / "m.csv", some_results(5)))
    Ladder.objects.filter(slug="club").update(time_zone=zone)
    assert import_file(tmp_path / "m.csv").already_there == 5


@pytest.mark.django_db
def test_rulings_and_closed_accounts_do_not_make_a_file_contradict(tmp_path: Path) -> None:
    seat_two: Seat = 2
    import_file(write_matches(tmp_path / "m.csv", [("player01", "player02", 5), ("player03", "player01", 5)]))
    one, two = Match.objects.order_by("pk")
    for match, winner in ((one, None), (two, seat_two)):
        rulings.overturn_match(
            match.pk, actor=make_moderator(), winner=winner, reason_code=ReasonCode.OTHER, reason="Mistyped."
        )
    close_account(User.objects.named("player01"))

    assert import_file(tmp_path / "m.csv") == Report(imported=0, already_there=2, refused=0, players_created=0)


@pytest.mark.django_db
def test_ids_are_the_ladders_own(tmp_path: Path) -> None:
    path = write_matches(tmp_path / "m.csv", [("player01", "player02", 5)])

    assert [import_file(path, slug).imported for slug in ("one", "two")] == [1, 1]
    assert import_file(path, "two").players_created == 0


@pytest.mark.django_db
def test_history_goes_on_from_where_players_stand(tmp_path: Path) -> None:
    club = make_ladder("club")
    one, two = make_player("player01"), make_player("player02")
    match = started_match(one, two, ladder=club)
    reporting.server_result(match.pk, winner="player01")
    played_at = standing_of(one, club).last_ranked_at

    import_file(write_matches(tmp_path / "m.csv", [("player01", "player02", 5)]))

    standing = standing_of(one, club)
    assert (standing.wins, standing.streak, standing.last_sequence, standing.experience) == (2, 2, 2, 10)
    # The older match does not turn the clock back.
    assert standing.last_ranked_at == played_at


@pytest.mark.django_db
def test_id_that_comes_in_meanwhile_with_other_content_stops_the_import(tmp_path: Path) -> None:
    plan = importing.check(write_matches(tmp_path / "mine.csv", [("player01", "player02", 5)]), "club")
    import_file(write_matches(tmp_path / "theirs.csv", [("player02", "player01", 5)]))

    with pytest.raises(Conflict, match="line 2: id '1' was imported before"):
        importing.run(plan)
    assert Match.objects.count() == 1
