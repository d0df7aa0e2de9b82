"""Reads the body of a request: JSON of a limited size."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from common.api.problems import TooLarge
from common.limits import MAX_BODY_BYTES


class StrictJSONParser(JSONParser):
    """Refuses JSON that parsers read differently: repeated names, numbers such as NaN, half of a surrogate pair."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        raw = stream.read(MAX_BODY_BYTES + 1)
        if len(raw) > MAX_BODY_BYTES:
            raise TooLarge
        try:
            data = json.loads(raw.decode(), object_pairs_hook=_unique, parse_constant=_refuse)
            if b"\\u" in raw:
                # json.loads accepts an escaped half of a surrogate pair, which cannot be encoded.
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
