"""Values in answers and events, with what OpenAPI says about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, NotRequired, Required, TypedDict, get_args, get_origin, get_type_hints, is_typeddict


class About:
    """What a JSON schema says about a value beyond its type."""

    def __init__(self, **words: Any) -> None:
        self.words = words


Slug = Annotated[str, About(pattern=r"^[-a-zA-Z0-9_]+$", examples=["backgammon"])]
Username = Annotated[str, About(examples=["player01"])]
Points = Annotated[str, About(pattern=r"^-?\d+\.\d\d$", examples=["643.97"], description="Points, two places.")]
Display = Annotated[int, About(examples=[644], description="The same for people: whole points, half up.")]
Probability = Annotated[float, About(minimum=0, maximum=1, examples=[0.5])]
Code = Annotated[str, About(description="A stable word for programs.", examples=["not_found"])]


class OneOf:
    """In ``Annotated``: a value that is one of several typed dictionaries.

    ``choices`` gives the typed dictionaries; it is asked when OpenAPI is made. With a ``discriminator`` they are told
    apart by that field, whose values are the keys of ``choices``.
    """

    def __init__(self, name: str, choices: Callable[[], dict[str, type]], discriminator: str | None = None) -> None:
        self.name = name
        self.discriminator = discriminator
        self.choices = choices


_typed_dict: Any = TypedDict  # type checkers know it only with names that stand in the code


def required_fields(typed_dict: type) -> frozenset[str]:
    """The fields that values of the type always have.

    ``__required_keys__`` does not say so: where annotations are kept as text, it takes all fields for required.
    """
    hints = get_type_hints(typed_dict, include_extras=True)
    required: frozenset[str] = typed_dict.__required_keys__  # type: ignore[attr-defined]
    return required - {field for field, hint in hints.items() if get_origin(hint) is NotRequired}


def merged(name: str, parts: Sequence[type], words: str) -> type:
    """One typed dictionary with the fields of several. Those that more than one has are typed dictionaries, merged too.

    ``words`` describes it.
    """
    hints: dict[str, list[Any]] = {}
    required = frozenset(field for part in parts for field in required_fields(part))
    for part in parts:
        for field, hint in get_type_hints(part, include_extras=True).items():
            said = get_args(hint)[0] if get_origin(hint) in (NotRequired, Required) else hint
            hints.setdefault(field, []).append(said)
    types = {field: _one(field, found) for field, found in hints.items()}
    made: type = _typed_dict(name, {f: hint if f in required else NotRequired[hint] for f, hint in types.items()})
    made.__doc__ = words
    return made


def _one(field: str, hints: list[Any]) -> Any:
    first, *others = hints
    if all(hint == first for hint in others):
        return first
    assert all(is_typeddict(hint) for hint in hints), f"several parts say different things about {field}"
    return merged(field.title(), hints, first.__doc__ or "")
