"""Types of values in answers and events, with their OpenAPI keywords."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, NotRequired, Required, TypedDict, get_args, get_origin, get_type_hints, is_typeddict


class SchemaKeywords:
    """In ``Annotated``: more keywords for the JSON schema of a type."""

    def __init__(self, **keywords: Any) -> None:
        self.keywords = keywords


Slug = Annotated[str, SchemaKeywords(pattern=r"^[-a-zA-Z0-9_]+$", examples=["backgammon"])]
Username = Annotated[str, SchemaKeywords(examples=["player01"])]
Points = Annotated[
    str, SchemaKeywords(pattern=r"^-?\d+\.\d\d$", examples=["643.97"], description="Points, two places.")
]
Display = Annotated[
    int, SchemaKeywords(examples=[644], description="The rating to show to people: whole points, half up.")
]
Probability = Annotated[float, SchemaKeywords(minimum=0, maximum=1, examples=[0.5])]
Code = Annotated[str, SchemaKeywords(description="A stable code for programs.", examples=["not_found"])]


class OneOf:
    """In ``Annotated``: a value that is one of several typed dictionaries.

    ``choices`` returns the typed dictionaries when the OpenAPI document is made. If there is a ``discriminator``, it is
    the field that says which one, and ``choices`` returns them by its values.
    """

    def __init__(self, name: str, choices: Callable[[], dict[str, type]], discriminator: str | None = None) -> None:
        self.name = name
        self.discriminator = discriminator
        self.choices = choices


_typed_dict: Any = TypedDict  # type checkers accept only names that are literals


def required_fields(typed_dict: type) -> frozenset[str]:
    """The fields that are always there.

    ``__required_keys__`` cannot be used: with postponed annotations it contains all fields.
    """
    hints = get_type_hints(typed_dict, include_extras=True)
    required: frozenset[str] = typed_dict.__required_keys__  # type: ignore[attr-defined]
    return required - {field for field, hint in hints.items() if get_origin(hint) is NotRequired}


def merge_types(name: str, parts: Sequence[type], description: str) -> type:
    """One typed dictionary with the fields of several. Fields that are in more than one are merged in the same way."""
    hints: dict[str, list[Any]] = {}
    required = frozenset(field for part in parts for field in required_fields(part))
    for part in parts:
        for field, hint in get_type_hints(part, include_extras=True).items():
            value = get_args(hint)[0] if get_origin(hint) in (NotRequired, Required) else hint
            hints.setdefault(field, []).append(value)
    types = {field: _merge_hints(field, found) for field, found in hints.items()}
    made: type = _typed_dict(name, {f: hint if f in required else NotRequired[hint] for f, hint in types.items()})
    made.__doc__ = description
    return made


def _merge_hints(field: str, hints: list[Any]) -> Any:
    first, *others = hints
    if all(hint == first for hint in others):
        return first
    assert all(is_typeddict(hint) for hint in hints), f"the parts have different types for {field}"
    return merge_types(field.title(), hints, first.__doc__ or "")
