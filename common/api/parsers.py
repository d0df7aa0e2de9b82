"""Reading a request's body: JSON, of a size that a person's client would send, and nothing that only looks like it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from common.api.problems import TooLarge

MAX_BYTES = 64 * 1024


class StrictJSONParser(JSONParser):
    """Refuses what readers of JSON disagree about: repeated names, numbers such as NaN, halves of a character."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        raw = stream.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise TooLarge
        try:
            data = json.loads(raw.decode(), object_pairs_hook=_unique, parse_constant=_refuse)
            if b"\\u" in raw:
                # An escaped half of a surrogate pair is read without complaint and can be written nowhere.
                json.dumps(data, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise ParseError(_("The body is not valid JSON.")) from error
        return data


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("a name occurs twice")
    return data


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
