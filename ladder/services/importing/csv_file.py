"""Reading the CSV file of an import, and its problems. The matches are in playing order."""

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
from common.errors import Invalid
from ladder.limits import CACHED_IMPORT_VALUES, EARLIEST_IMPORT, MAX_PRINTED_PROBLEMS
from ladder.models import Match
from ladder.rules.match_length import MAX_MATCH_LENGTH, MIN_MATCH_LENGTH
from ladder.rules.match_life import Ending

COLUMNS = ("id", "played_on", "winner", "loser", "match_length")
OPTIONAL_COLUMNS = ("ending", "loser_score")
"""Columns that can be missing or empty: then the match was played to the end, and the score is not known."""
MAX_ID_LENGTH = Match._meta.get_field("external_id").max_length or 0

Value = TypeVar("Value")


class FileRefused(Invalid):
    """The file cannot be imported, and nothing was written. ``detail`` has the lines and the reasons."""

    def __init__(self, detail: str) -> None:
        super().__init__("file_refused", detail, field="file")


class Problems:
    """The problems of a file, by line."""

    def __init__(self) -> None:
        self._first: list[tuple[int, str]] = []
        self._count = 0

    def add(self, line: int, reason: str) -> None:
        self._count += 1
        if len(self._first) < MAX_PRINTED_PROBLEMS:
            self._first.append((line, reason))

    def __bool__(self) -> bool:
        return self._count > 0

    def refuse_if_any(self) -> None:
        """Raise ``FileRefused`` if there are problems."""
        if not self._count:
            return
        lines = [f"line {line}: {reason}" for line, reason in sorted(self._first)]
        if more := self._count - len(self._first):
            lines.append(f"and {more} more")
        raise FileRefused("\n".join(lines))


class Row(NamedTuple):
    """One match of the file. The names are in their normal form."""

    line: int
    external_id: str
    played_on: date
    winner: str
    loser: str
    match_length: int
    ending: Ending = Ending.PLAYED
    loser_score: int | None = None


def read(content: bytes, *, today: date, problems: Problems) -> list[Row]:
    """The rows of a CSV file in UTF-8. Matches after ``today`` are problems."""
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
                problems.add(line, f"id {_quoted(row.external_id)} is already in line {first}")
            rows.append(row)
    if header is None and not content.removeprefix(BOM_UTF8).strip():
        problems.add(1, "the file is empty")
    return rows


def _lines(content: bytes, problems: Problems) -> Iterator[str]:
    """The lines as text. A line that cannot be read is a problem, and is returned as an empty line."""
    for number, raw in enumerate(content.removeprefix(BOM_UTF8).splitlines(keepends=True), start=1):
        line = ""
        try:
            line = raw.decode()
        except UnicodeDecodeError as error:
            problems.add(number, f"not UTF-8: byte {error.start + 1} is 0x{raw[error.start]:02X}")
        if "\0" in line:
            problems.add(number, "contains a NUL character")
            line = ""
        yield line


def _records(reader: Iterator[list[str]], problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """The records that are not empty, each with its first line."""
    while True:
        line = reader.line_num + 1  # type: ignore[attr-defined]  # csv.reader has no public type
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
    faults = [f"unknown column {_quoted(name)}" for name in header if name not in (*COLUMNS, *OPTIONAL_COLUMNS)]
    faults += [f"no column {name!r}" for name in COLUMNS if name not in header]
    faults += [f"column {_quoted(name)} is there {n} times" for name, n in Counter(header).items() if n > 1]
    if faults:
        problems.add(
            line,
            f"{', '.join(faults)}; the columns are {','.join(COLUMNS)}, and optionally {','.join(OPTIONAL_COLUMNS)}",
        )


def _row(line: int, fields: dict[str, str], today: date, problems: Problems) -> Row | None:
    def value(column: str, parse: Callable[[str], Value]) -> Value | None:
        try:
            return parse(fields[column].strip())
        except ValueError as error:
            problems.add(line, f"{column} {_quoted(fields[column])}: {error}")
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


@lru_cache(CACHED_IMPORT_VALUES)
def _date(text: str, today: date) -> date:
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise ValueError("a date has the form YYYY-MM-DD")
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError("there is no such day") from None
    if day < EARLIEST_IMPORT:
        raise ValueError(f"the earliest date is {EARLIEST_IMPORT}")
    if day > today:
        raise ValueError("is in the future")
    return day


@lru_cache(CACHED_IMPORT_VALUES)
def _name(text: str) -> str:
    name = normal_form(text)
    if not name:
        raise ValueError("the name is missing")
    check_username(name)
    return name


def _match_length(text: str) -> int:
    if not re.fullmatch(r"0*[0-9]{1,2}", text) or not MIN_MATCH_LENGTH <= int(text) <= MAX_MATCH_LENGTH:
        raise ValueError(f"a match length is a whole number from {MIN_MATCH_LENGTH} to {MAX_MATCH_LENGTH}")
    return int(text)


def _ending(text: str) -> Ending:
    if text not in Ending:
        raise ValueError(f"an ending is one of {', '.join(Ending)}")
    return Ending(text)


def _loser_score(text: str, match_length: int) -> int:
    if not re.fullmatch(r"0*[0-9]{1,2}", text) or int(text) >= match_length:
        raise ValueError(f"the loser's score is 0 to {match_length - 1} in a match to {match_length} points")
    return int(text)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
