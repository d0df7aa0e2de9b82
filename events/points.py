"""Where other apps add to events: the kinds that there are, and what they say beside their own payload."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property
from typing import get_args, get_type_hints

from common.points import Point
from common.types import Username, merged


@dataclass(frozen=True)
class Kind:
    """A kind of event: its stable code, and the typed dictionary of what it says.

    Fields of the type ``Username`` are stored as account ids and read as names, so that an event follows its accounts
    when they are renamed or closed.
    """

    code: str
    payload: type

    @cached_property
    def type(self) -> type:
        """The payload with all that apps added to it."""
        added = [addition.payload for addition in ADDED if addition.kind is self]
        return merged(self._name("Data"), [self.payload, *added], self.payload.__doc__ or "")

    @cached_property
    def fields(self) -> Set[str]:
        """The names of all fields that an event of this kind can have."""
        return frozenset(self.type.__annotations__)

    @cached_property
    def account_fields(self) -> Set[str]:
        """The names of those fields that say an account."""
        hints = get_type_hints(self.type, include_extras=True)
        return frozenset(name for name, hint in hints.items() if Username in (hint, *get_args(hint)))

    def _name(self, suffix: str) -> str:
        return self.code.title().replace("_", "") + suffix

    @cached_property
    def event_name(self) -> str:
        """What an event of this kind is called in OpenAPI."""
        return self._name("Event")


@dataclass(frozen=True, slots=True)
class Addition:
    """Fields that another app adds to a kind: a typed dictionary, none of whose fields is required."""

    kind: Kind
    payload: type


KINDS: Point[Kind] = Point()
ADDED: Point[Addition] = Point()


def account_fields() -> dict[str, list[str]]:
    """The names under which events say accounts, by the code of their kind."""
    return {kind.code: sorted(kind.account_fields) for kind in KINDS}
