"""Extension points: the kinds of events, and the fields that other apps add to them."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property
from typing import get_args, get_type_hints

from common.points import ExtensionPoint
from common.types import Username, merge_types


@dataclass(frozen=True)
class Kind:
    """A kind of event: its stable code, and a typed dictionary for its data.

    Fields of the type ``Username`` are stored as account ids and read as names. So events stay correct when accounts
    are renamed or closed.
    """

    code: str
    payload: type

    @cached_property
    def type(self) -> type:
        """The payload with the fields that other apps added."""
        added = [addition.payload for addition in ADDITIONS if addition.kind is self]
        return merge_types(self._name("Data"), [self.payload, *added], self.payload.__doc__ or "")

    @cached_property
    def fields(self) -> Set[str]:
        """The names of all fields that an event of this kind can have."""
        return frozenset(self.type.__annotations__)

    @cached_property
    def account_fields(self) -> Set[str]:
        """The names of the fields that contain an account."""
        hints = get_type_hints(self.type, include_extras=True)
        return frozenset(name for name, hint in hints.items() if Username in (hint, *get_args(hint)))

    def _name(self, suffix: str) -> str:
        return self.code.title().replace("_", "") + suffix

    @cached_property
    def event_name(self) -> str:
        """The name of this kind's events in OpenAPI."""
        return self._name("Event")


@dataclass(frozen=True, slots=True)
class Addition:
    """Fields that another app adds to a kind: a typed dictionary in which no field is required."""

    kind: Kind
    payload: type


KINDS: ExtensionPoint[Kind] = ExtensionPoint()
ADDITIONS: ExtensionPoint[Addition] = ExtensionPoint()


def account_fields() -> dict[str, list[str]]:
    """The names of the fields that contain an account, by the code of the kind."""
    return {kind.code: sorted(kind.account_fields) for kind in KINDS}
