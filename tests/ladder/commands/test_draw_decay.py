"""The picture of one rating that nobody attends to."""

from __future__ import annotations

import sys
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ladder.charts import ratings_by_day
from ladder.rules.tiers import LADDER_TIERS


def draw(*arguments: object) -> str:
    said = StringIO()
    call_command("draw_decay", *map(str, arguments), stderr=said, no_color=True)
    return said.getvalue()


@pytest.mark.parametrize(
    ("name", "begins"), [("decay.png", b"\x89PNG"), ("decay.svg", b"<svg"), ("decay.html", b"<!DOCTYPE html>")]
)
def test_the_file_name_gives_the_format(tmp_path: Path, name: str, begins: bytes) -> None:
    file = tmp_path / name
    assert draw("--output", file).startswith(f"{file}: ")
    assert file.read_bytes().strip().startswith(begins)


def test_what_is_drawn_is_the_rule() -> None:
    ratings = dict(ratings_by_day(LADDER_TIERS, Decimal("1040.00"), 120))
    assert [ratings[day] for day in (0, 27, 28, 41, 42)] == [1040, 1040, 1037, 998, 996]
    assert [ratings[day] for day in (91, 92, 120)] == [898, 897, 869]
    assert dict(ratings_by_day(LADDER_TIERS, Decimal("800.40"), 400))[400] == 800


def test_the_page_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    draw("--output", tmp_path / "decay.html")
    assert "<script src" not in (tmp_path / "decay.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--rating", "x"], "'x' is not a rating between 0 and 9999.99"),
        (["--rating", "NaN"], "'NaN' is not a rating"),
        (["--rating", "10000"], "'10000' is not a rating"),
        (["--days", "0"], "--days must be 1 to 3650"),
        (["--rules", "fibs-classic"], "The rules fibs-classic have no decay"),
        (["--output", "decay.gif"], "the name ends in one of .png, .svg, .html"),
        (["--output", "/nowhere/decay.svg"], "/nowhere/decay.svg: No such file or directory"),
    ],
)
def test_errors_of_drawing(tmp_path: Path, arguments: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        draw("--output", tmp_path / "decay.svg", *arguments)


@pytest.mark.parametrize("package", ["altair", "vl_convert"])
def test_the_error_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(CommandError, match="make setup installs them"):
        draw("--output", tmp_path / "decay.svg")
