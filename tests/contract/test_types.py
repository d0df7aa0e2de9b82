"""Typed dictionaries put together, and which of their fields are required."""

from __future__ import annotations

from typing import NotRequired, TypedDict, get_args, get_type_hints

from common.types import Username, merge_types, required_fields

Kept = TypedDict("Kept", {"open": NotRequired[Username], "name": str})  # noqa: UP013  a class here keeps text


class AsText(TypedDict):
    open: NotRequired[Username]
    name: str


def test_required_fields() -> None:
    for each in (Kept, AsText, merge_types("Both", [Kept, AsText], "")):
        assert required_fields(each) == {"name"}


def test_what_need_not_be_there_keeps_its_type() -> None:
    for part in (Kept, AsText):
        hints = get_type_hints(merge_types("One", [part], ""), include_extras=True)
        assert get_args(hints["open"]) == (Username,)
