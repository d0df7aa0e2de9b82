"""The format of import files, and their problems."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import time_machine

from accounts.models import User
from common.errors import Conflict, Invalid
from ladder.models import Ladder, Match
from ladder.services import importing
from ladder.services.importing import FileRefused

pytestmark = pytest.mark.django_db

HEADER = "id,played_on,winner,loser,match_length"
GOOD = "1,2026-01-02,player01,player02,5"

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(*lines: str, header: str = HEADER, encoding: str = "utf-8", newline: str = "\n") -> Path:
        path = tmp_path / "matches.csv"
        path.write_bytes(newline.join([header, *lines, ""]).encode(encoding))
        return path

    return write


def refusal(path: Path) -> str:
    with pytest.raises(FileRefused) as refused:
        importing.check(path, "club")
    assert not Ladder.objects.exists()
    assert not User.objects.exists()
    return refused.value.detail


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1,2026-01-02,player01,player02,0", "match_length '0': a match length is a whole number from 1 to 99"),
        ("1,2026-01-02,player01,player02,100", "match_length '100': a match length is a whole number from 1 to 99"),
        ("1,2026-01-02,player01,player02,5.0", "match_length '5.0'"),
        ("1,2026-01-02,player01,player02,-5", "match_length '-5'"),
        ("1,2026-01-02,player01,player02,", "match_length ''"),
        ("1,2026-01-02,player01,player02,٥", "match_length '٥'"),
        (f"1,2026-01-02,player01,player02,{'9' * 5000}", "match_length '999999"),
        ("1,2026-01-02,,player02,5", "winner '': the name is missing"),
        ("1,2026-01-02,player01, ,5", "loser ' ': the name is missing"),
        ("1,2026-01-02,player 1,player02,5", "winner 'player 1': A username can contain only letters, digits"),
        ("1,2026-01-02,p,player02,5", "winner 'p': A username has 2 to 30 characters."),
        ("1,2026-01-02,plаyer01,player02,5", "cannot mix scripts"),
        ("1,2026-01-02,player01,=cmd,5", "loser '=cmd'"),
        ("1,02.01.2026,player01,player02,5", "played_on '02.01.2026': a date has the form YYYY-MM-DD"),
        ("1,20260102,player01,player02,5", "played_on '20260102': a date has the form YYYY-MM-DD"),
        ("1,2026-02-30,player01,player02,5", "played_on '2026-02-30': there is no such day"),
        ("1,0001-01-01,player01,player02,5", "played_on '0001-01-01': the earliest date is 1900-01-01"),
        ("1,2999-01-01,player01,player02,5", "played_on '2999-01-01': is in the future"),
        (",2026-01-02,player01,player02,5", "id '': an id has 1 to 64 characters"),
        (f"{'7' * 65},2026-01-02,player01,player02,5", "an id has 1 to 64 characters"),
        ("1,2026-01-02,player01,player02", "4 fields instead of 5"),
        ("1,2026-01-02,player01,player02,5,6", "6 fields instead of 5"),
        ("1,2026-01-02,play\0er01,player02,5", "contains a NUL character"),
        ('1,2026-01-02,"player01"x,player02,5', "not CSV: "),
        ('1,2026-01-02,"player01,player02,5', "not CSV: unexpected end of data"),
    ],
)
def test_bad_lines_are_listed_with_number_and_reason(write: Write, line: str, reason: str) -> None:
    detail = refusal(write("0,2026-01-01,player03,player04,7", line))

    assert detail.startswith("line 3: ")
    assert reason in detail
    assert "\n" not in detail


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("id,played_on,winner,loser", "no column 'match_length'"),
        ("id,played_on,winner,loser,match_length,score", "unknown column 'score'"),
        ("id,played_on,winner,loser,length", "unknown column 'length', no column 'match_length'"),
        ("ID,played_on,winner,loser,match_length", "unknown column 'ID'"),
        ("id;played_on;winner;loser;match_length", "unknown column 'id;played_on;winner;loser;match_length'"),
        ("id,id,played_on,winner,loser,match_length", "column 'id' is there 2 times"),
        (GOOD, "no column 'id'"),
    ],
)
def test_bad_header(write: Write, header: str, reason: str) -> None:
    detail = refusal(write("whatever", header=header))

    assert detail.startswith("line 1: ")
    assert reason in detail
    assert detail.endswith(f"the columns are {HEADER}, and optionally ending,loser_score")


def test_all_problems_are_listed_with_their_lines(write: Write) -> None:
    detail = refusal(write("1,yesterday,player01,,5", GOOD, "2,2026-01-02,player01,player02,none"))

    assert [line.split(":")[0] for line in detail.splitlines()] == ["line 2", "line 2", "line 4"]


def test_more_than_fifty_problems_are_counted(write: Write) -> None:
    detail = refusal(write(*[f"{n},2026-01-02,player01,player02,0" for n in range(1, 61)])).splitlines()

    assert len(detail) == 51
    assert detail[49].startswith("line 51: ")
    assert detail[50] == "and 10 more"


def test_repeated_id(write: Write) -> None:
    other = "1,2026-01-03,player02,player01,5"

    assert refusal(write(GOOD, "2,2026-01-02,player01,player02,5", other)) == ("line 4: id '1' is already in line 2")


def test_wrong_encoding_names_the_lines(write: Write) -> None:
    path = write(GOOD, "2,2026-01-02,Jörg,player02,5", "3,2026-01-02,player01,Zoë,0", encoding="latin-1")

    assert refusal(path).splitlines() == [
        "line 3: not UTF-8: byte 15 is 0xF6",
        "line 4: not UTF-8: byte 25 is 0xEB",
    ]


def test_utf_16_is_a_problem_of_the_first_line(write: Write) -> None:
    assert refusal(write(GOOD, encoding="utf-16")).startswith("line 1: not UTF-8: byte 1 is 0xFF")


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\r\n\r\n"])
def test_empty_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "matches.csv"
    path.write_bytes(content)

    assert refusal(path) == "line 1: the file is empty"


def test_missing_file_and_folder(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.csv").endswith("none.csv: No such file or directory")
    assert refusal(tmp_path).endswith("Is a directory")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_byte_order_mark_line_ends_and_column_order_do_not_matter(write: Write, encoding: str, newline: str) -> None:
    path = write(
        'player01, 05 ,"player02",x-1,2026-01-02',
        "",
        header="winner,match_length,loser,id,played_on",
        encoding=encoding,
        newline=newline,
    )

    (row,) = importing.check(path, "club").rows

    assert (row.external_id, row.winner, row.loser, row.match_length) == ("x-1", "player01", "player02", 5)
    assert row.played_on.isoformat() == "2026-01-02"


def test_header_alone_is_a_file_without_matches(write: Write) -> None:
    assert importing.check(write(), "club").rows == []


def test_two_spellings_of_a_name_are_one_player(write: Write) -> None:
    plan = importing.check(
        write("1,2026-01-02,Player01,player02,5", "2,2026-01-02,ｐｌａｙｅｒ０２,PLAYER01,5"), "club"
    )

    report = importing.run(plan)

    assert report.players_created == 2
    assert set(User.objects.values_list("username", flat=True)) == {"Player01", "player02"}


def test_a_match_against_oneself_is_refused_and_the_others_are_imported(write: Write) -> None:
    plan = importing.check(write(GOOD, "2,2026-01-02,player01,Player01,5", "3,2026-01-03,player02,player01,5"), "club")

    report = importing.run(plan)

    assert [row.line for row in plan.self_matches] == [3]
    assert (report.imported, report.refused) == (2, 1)
    assert list(Match.objects.order_by("pk").values_list("external_id", flat=True)) == ["1", "3"]


def test_today_counts_in_the_time_zone_of_the_ladder(write: Write) -> None:
    Ladder.objects.create(slug="seoul", name="Seoul", time_zone="Asia/Seoul")
    path = write("1,2026-06-02,player01,player02,5")

    with time_machine.travel("2026-06-01T16:00:00Z", tick=False):
        assert importing.check(path, "seoul").rows
        with pytest.raises(FileRefused, match="future"):
            importing.check(path, "elsewhere")


def test_unknown_rules_other_rules_and_a_bad_slug(write: Write) -> None:
    path = write(GOOD)
    Ladder.objects.create(slug="club", name="Club")

    with pytest.raises(Invalid, match="fibs-600, fibs-classic, fibs-flat-1800"):
        importing.check(path, "new", rules="chess")
    with pytest.raises(Conflict, match="plays by fibs-600, not by fibs-classic"):
        importing.check(path, "club", rules="fibs-classic")
    with pytest.raises(Invalid, match="slug"):
        importing.check(path, "not a slug")
    assert Ladder.objects.count() == 1
