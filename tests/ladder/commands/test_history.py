"""Import, export and verification as an operator calls them."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ladder.models import Match, Standing
from tests.factories import make_ladder, make_player
from tests.history import import_file, some_results, write_matches

ROWS = [("player01", "player02", 5), ("player02", "player02", 5), ("player03", "player01", 7)]


def call(*arguments: object) -> tuple[list[str], list[str]]:
    """The lines that a command wrote to its two outputs."""
    out, err = StringIO(), StringIO()
    call_command(*map(str, arguments), stdout=out, stderr=err, no_color=True)
    return out.getvalue().splitlines(), err.getvalue().splitlines()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_matches(tmp_path / "matches.csv", ROWS)


@pytest.mark.django_db
def test_the_import_prints_its_numbers(file: Path) -> None:
    (summary,), (refused,) = call("import_matches", file, "--ladder", "club", "--rules", "fibs-classic")

    assert summary.startswith("imported 2, already there 0, refused 1, players created 3, ")
    assert summary.endswith(" seconds")
    assert refused == "line 3: refused: player02 cannot play against themselves (id 2)"
    assert Standing.objects.filter(ladder__rule_set="fibs-classic").count() == 3


@pytest.mark.django_db
def test_a_second_import_adds_nothing(file: Path) -> None:
    call("import_matches", file, "--ladder", "club")

    (nothing, summary), (_,) = call("import_matches", file, "--ladder", "club")

    assert nothing == "Nothing new in this file."
    assert summary.startswith("imported 0, already there 2, refused 1, players created 0, ")


@pytest.mark.django_db
def test_bad_file_ends_the_command_and_leaves_nothing(file: Path) -> None:
    file.write_text(file.read_text() + "4,2026-01-04,player04,,5\n5,2026-01-04,player04,player01,0\n")

    with pytest.raises(CommandError) as error:
        call("import_matches", file, "--ladder", "club")

    assert str(error.value).splitlines() == [
        "line 5: loser '': the name is missing",
        "line 6: match_length '0': a match length is a whole number from 1 to 99",
    ]
    assert not Match.objects.exists()


@pytest.mark.django_db
def test_other_rules_than_the_ladder_has(file: Path) -> None:
    make_ladder("club")

    with pytest.raises(CommandError, match="plays by fibs-600, not by fibs-flat-1800"):
        call("import_matches", file, "--ladder", "club", "--rules", "fibs-flat-1800")


@pytest.mark.django_db
def test_the_export_lists_players_by_name(file: Path, tmp_path: Path) -> None:
    make_player("player00")
    call("import_matches", file, "--ladder", "club")
    # player01, 44.27 ahead, lost over 7 points with K = 4.88 to a newcomer with K = 4.93, whose chance was 0.466344.
    expected = [
        "player,rating,experience,wins,losses,peak_rating",
        "player01,589.15,12,1,1,644.27",
        "player02,555.73,5,0,1,600.00",
        "player03,655.69,7,1,0,655.69",
    ]

    assert call("export_standings", "--ladder", "club") == (expected, [])
    _, (said,) = call("export_standings", "--ladder", "club", "--output", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().splitlines() == expected
    assert said.startswith("3 standings written to ")


@pytest.mark.django_db
def test_export_of_an_unknown_ladder_or_to_nowhere(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no such ladder"):
        call("export_standings", "--ladder", "club")
    make_ladder("club")
    with pytest.raises(CommandError, match="No such file or directory"):
        call("export_standings", "--ladder", "club", "--output", tmp_path / "none" / "out.csv")


@pytest.mark.django_db(transaction=True)
def test_verification_passes_after_an_import_and_names_what_was_altered(tmp_path: Path) -> None:
    import_file(write_matches(tmp_path / "matches.csv", some_results(80, players=60)), "club")
    standings = Standing.objects.count()

    assert call("verify_ledger") == ([f"{standings} standings and 80 matches agree with the ledger"], [])

    Standing.objects.filter(player__username="player03").update(wins=70)
    err = StringIO()
    with pytest.raises(CommandError, match=f"^1 drifts in {standings} standings and 80 matches"):
        call_command("verify_ledger", "--ladder", "club", stderr=err, no_color=True)
    assert err.getvalue().startswith("player03 on club: wins is 70, the ledger gives ")

    Standing.objects.update(streak=99)
    err = StringIO()
    with pytest.raises(CommandError, match=f"^{standings + 1} drifts"):
        call_command("verify_ledger", stderr=err, no_color=True)
    assert len(err.getvalue().splitlines()) == 51
    assert err.getvalue().splitlines()[-1] == f"and {standings + 1 - 50} more"
