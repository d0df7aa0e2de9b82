"""The file: what its lines must look like. Row order is playing order."""

from __future__ import annotations

import csv
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from functools import lru_cache
from typing import NamedTuple, TypeVar

from accounts.usernames import check_username, normal_form
from ladder.models import Match
from ladder.rules.match_length import MAX_MATCH_LENGTH, MIN_MATCH_LENGTH
from ladder.rules.match_life import Ending
from ladder.services.importing.problems import Problems

COLUMNS = ("id", "played_on", "winner", "loser", "match_length")
OPTIONAL_COLUMNS = ("ending", "loser_score")
"""A file may leave these out, and a row may leave them empty: played to the end, and a score that is not known."""
MAX_ID_LENGTH = Match._meta.get_field("external_id").max_length or 0
EARLIEST = date(1900, 1, 1)

Value = TypeVar("Value")

# Names and dates come again and again; kept once, a file of a million rows stays small in memory.
_REMEMBERED = 100_000


class Row(NamedTuple):
    """One match of the file. Names are in the form in which accounts store them."""

    line: int
    external_id: str
    played_on: date
    winner: str
    loser: str
    match_length: int
    ending: Ending = Ending.PLAYED
    loser_score: int | None = None


def read(content: bytes, *, today: date, problems: Problems) -> list[Row]:
    """The rows of a CSV file in UTF-8. ``today`` is the last day on which a match can have been played."""
    reader = csv.reader(_lines(content, problems), strict=True)
    rows: list[Row] = []
    lines_by_id: dict[str, int] = {}
    header: list[str] | None = None
    for line, fields in _records(reader, problems):
        if header is None:
            header = fields
            _check_header(line, header, problems)
            if problems:
                break
        elif len(fields) != len(header):
            problems.add(line, f"{len(fields)} fields instead of {len(header)}")
        elif row := _row(line, dict(zip(header, fields, strict=True)), today, problems):
            first = lines_by_id.setdefault(row.external_id, line)
            if first != line:
                problems.add(line, f"id {_shown(row.external_id)} stands already in line {first}")
            rows.append(row)
    if header is None and not content.removeprefix(BOM_UTF8).strip():
        problems.add(1, "the file is empty")
    return rows


def _lines(content: bytes, problems: Problems) -> Iterator[str]:
    """The lines as text. One that cannot be read is told, and handed on as an empty one."""
    for number, raw in enumerate(content.removeprefix(BOM_UTF8).splitlines(keepends=True), start=1):
        line = ""
        try:
            line = raw.decode()
        except UnicodeDecodeError as error:
            problems.add(number, f"not UTF-8: byte {error.start + 1} is 0x{raw[error.start]:02X}")
        if "\0" in line:
            problems.add(number, "holds a NUL character")
            line = ""
        yield line


def _records(reader: Iterator[list[str]], problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Each record that is not blank, with the line it starts in."""
    while True:
        line = reader.line_num + 1  # type: ignore[attr-defined]  # the type of csv.reader has no public name
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problems.add(line, f"not CSV: {error}")
            continue
        if fields:
            yield line, fields


def _check_header(line: int, header: list[str], problems: Problems) -> None:
    complaints = [f"unknown column {_shown(name)}" for name in header if name not in (*COLUMNS, *OPTIONAL_COLUMNS)]
    complaints += [f"no column {name!r}" for name in COLUMNS if name not in header]
    complaints += [f"column {_shown(name)} stands there {n} times" for name, n in Counter(header).items() if n > 1]
    if complaints:
        problems.add(
            line,
            f"{', '.join(complaints)}; the columns are {','.join(COLUMNS)}, and possibly {','.join(OPTIONAL_COLUMNS)}",
        )


def _row(line: int, fields: dict[str, str], today: date, problems: Problems) -> Row | None:
    def value(column: str, parse: Callable[[str], Value]) -> Value | None:
        try:
            return parse(fields[column].strip())
        except ValueError as error:
            problems.add(line, f"{column} {_shown(fields[column])}: {error}")
            return None

    external_id = value("id", _id)
    played_on = value("played_on", lambda text: _date(text, today))
    winner = value("winner", _name)
    loser = value("loser", _name)
    match_length = value("match_length", _match_length)
    ending = value("ending", _ending) if fields.get("ending", "").strip() else Ending.PLAYED
    if external_id is None or played_on is None or winner is None or loser is None or match_length is None:
        return None
    score = None
    if fields.get("loser_score", "").strip():
        score = value("loser_score", lambda text: _loser_score(text, match_length))
        if score is None:
            return None
    if ending is None:
        return None
    return Row(line, external_id, played_on, winner, loser, match_length, ending, score)


def _id(text: str) -> str:
    if not 1 <= len(text) <= MAX_ID_LENGTH:
        raise ValueError(f"an id has 1 to {MAX_ID_LENGTH} characters")
    return text


@lru_cache(_REMEMBERED)
def _date(text: str, today: date) -> date:
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise ValueError("a date is written YYYY-MM-DD")
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError("there is no such day") from None
    if day < EARLIEST:
        raise ValueError(f"matches count from {EARLIEST} on")
    if day > today:
        raise ValueError("lies in the future")
    return day


@lru_cache(_REMEMBERED)
def _name(text: str) -> str:
    name = normal_form(text)
    if not name:
        raise ValueError("the name is missing")
    check_username(name)
    return name


def _match_length(text: str) -> int:
    if not re.fullmatch(r"0*[0-9]{1,2}", text) or not MIN_MATCH_LENGTH <= int(text) <= MAX_MATCH_LENGTH:
        raise ValueError(f"a match is over {MIN_MATCH_LENGTH} to {MAX_MATCH_LENGTH} points, a whole number")
    return int(text)


def _ending(text: str) -> Ending:
    if text not in Ending:
        raise ValueError(f"an ending is one of {', '.join(Ending)}")
    return Ending(text)


def _loser_score(text: str, match_length: int) -> int:
    if not re.fullmatch(r"0*[0-9]{1,2}", text) or int(text) >= match_length:
        raise ValueError(f"the loser's score is 0 to {match_length - 1} in a match over {match_length} points")
    return int(text)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
