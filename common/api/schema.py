"""The OpenAPI document: typed dictionaries become components, and every possible answer is listed."""

from __future__ import annotations

from collections.abc import Callable
from inspect import cleandoc
from typing import Annotated, Any, NotRequired, Required, get_args, get_origin, get_type_hints, is_typeddict

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import append_meta, build_array_type, build_object_type, resolve_type_hint
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from common.api import idempotency, problems
from common.types import OneOf, required_fields

_MEANINGS = {
    400: "The request cannot be read, or a query parameter is not valid.",
    401: "No valid credentials.",
    403: "The caller may not do this.",
    404: "Not found.",
    406: "The answer is not available in the requested media type.",
    409: "Not possible in the current state.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "The body is not valid.",
    429: "Too many requests.",
    500: "An internal error.",
    503: "The database cannot be reached at the moment.",
}

_WAITS = {
    403: "Seconds to wait, if known.",
    409: "Seconds to wait, if known.",
    429: "Seconds to wait.",
    503: "Seconds to wait.",
}


class ProblemAwareSchema(AutoSchema):
    """Adds the possible errors and the headers to each operation."""

    def get_description(self) -> str:  # type: ignore[override]
        """The docstring of the method. That of the class is for readers of the code."""
        return _markdown(getattr(self.view, self.method.lower()).__doc__)

    def get_override_parameters(self) -> list[Any]:
        language = OpenApiParameter("Accept-Language", str, OpenApiParameter.HEADER, description="`en` or `ko`.")
        if not self._is_idempotent():
            return [language]
        key = OpenApiParameter(
            idempotency.HEADER, str, OpenApiParameter.HEADER, pattern=idempotency.PATTERN,
            description="A repeated request with the same key gets the stored answer and is not executed again.",
        )  # fmt: skip
        return [language, key]

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for status in self._problems():
            response = OpenApiResponse(problems.Problem, description=_MEANINGS[status])
            media_types = [problems.CONTENT_TYPE]
            answer = self._get_response_for_code(  # type: ignore[no-untyped-call]
                response, str(status), media_types, direction
            )
            bodies[str(status)] = {**answer, **_headers(status)}
        if self._is_idempotent():
            for code, answer in bodies.items():
                if code.startswith("2"):
                    answer["headers"] = {idempotency.REPLAYED: _header("`true` when the answer is a stored one.")}
        return bodies

    def _problems(self) -> list[int]:
        permissions = self.view.permission_classes
        found = {401, 406, 429, 500, 503}
        if self._get_parameters_in("query"):
            found.add(400)
        if self._get_parameters_in("path"):
            found.add(404)
        if self.method in ("POST", "PATCH"):
            found |= {400, 413, 415, 422}
        for permission in permissions:
            found |= getattr(permission, "problems", {}).get(self.method, set())
        if hasattr(self.view, "limit"):  # starts matches, which is forbidden for suspended players
            found.add(403)
        if self.method == "PUT":
            found.add(422)
        if self._is_idempotent():
            found |= {403, 409, 422}
        return sorted(found)

    def _get_parameters_in(self, location: str) -> list[Any]:
        return [parameter for parameter in self._get_parameters() if parameter["in"] == location]

    def _is_idempotent(self) -> bool:
        handler: Callable[..., Any] | None = getattr(self.view, self.method.lower(), None)
        return bool(getattr(handler, "idempotent", False))


def _headers(status: int) -> dict[str, Any]:
    if status == 401:
        return {"headers": {"WWW-Authenticate": _header("The authentication scheme.")}}
    if status in _WAITS:
        seconds = {"description": _WAITS[status], "schema": {"type": "integer", "minimum": 1}}
        return {"headers": {"Retry-After": seconds}}
    return {}


def _header(description: str) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string"}}


class TypedDictExtension(OpenApiSerializerExtension):
    """Makes a component of each typed dictionary, also of nested ones."""

    target_class = dict
    priority = 1

    @classmethod
    def _matches(cls, target: Any) -> bool:
        return is_typeddict(target)

    def get_name(self, auto_schema: AutoSchema, direction: Any) -> str:
        return str(self.target.__name__).removesuffix("Shown")

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        hints = get_type_hints(self.target, include_extras=True)
        return build_object_type(
            properties={name: _schema_of(hint, auto_schema, direction) for name, hint in hints.items()},
            required=sorted(required_fields(self.target)),
            description=_markdown(self.target.__doc__),
        )


class OneOfExtension(OpenApiSerializerExtension):
    """Makes a component of a value that is one of several typed dictionaries, and of each of them."""

    target_class = dict
    priority = 2

    @classmethod
    def _matches(cls, target: Any) -> bool:
        return isinstance(target, OneOf)

    def get_name(self, auto_schema: AutoSchema, direction: Any) -> str:
        return str(self.target.name)

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        choices = {
            value: auto_schema.resolve_serializer(choice, direction).ref
            for value, choice in self.target.choices().items()
        }
        if self.target.discriminator is None:
            return {"anyOf": list(choices.values())}
        return {
            "oneOf": list(choices.values()),
            "discriminator": {
                "propertyName": self.target.discriminator,
                "mapping": {value: ref["$ref"] for value, ref in choices.items()},
            },
        }


class BodyExtension(OpenApiSerializerExtension):
    """Says that a body has no additional fields."""

    target_class = "common.api.inputs.Body"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        for value in schema.get("properties", {}).values():
            value.pop("x-spec-enum-id", None)
        return {**schema, "description": _markdown(self.target.__doc__), "additionalProperties": False}


def _schema_of(hint: Any, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
    if get_origin(hint) is Annotated:
        base, *metadata = get_args(hint)
        schema = _schema_of(base, auto_schema, direction)
        for extra in metadata:
            if isinstance(extra, OneOf):
                return dict(auto_schema.resolve_serializer(extra, direction).ref)  # type: ignore[arg-type]
            schema = {**schema, **extra.keywords}
        return schema
    if get_origin(hint) in (NotRequired, Required):
        return _schema_of(get_args(hint)[0], auto_schema, direction)
    if is_typeddict(hint):
        return dict(auto_schema.resolve_serializer(hint, direction).ref)
    if get_origin(hint) is list:
        return build_array_type(_schema_of(get_args(hint)[0], auto_schema, direction))
    choices = get_args(hint)
    if type(None) in choices:
        (only,) = [choice for choice in choices if choice is not type(None)]
        schema = append_meta(_schema_of(only, auto_schema, direction), {"nullable": True})
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
        return schema
    schema = dict(resolve_type_hint(hint))
    schema.pop("x-spec-enum-id", None)
    return schema


def _markdown(documentation: str | None) -> str:
    """A docstring as Markdown."""
    return cleandoc(documentation or "").replace("``", "`")


def describe(operation: str, summary: str, **schema: Any) -> Callable[..., Any]:
    """The name and summary of an operation; :class:`ProblemAwareSchema` adds the errors."""
    return extend_schema(operation_id=operation, summary=summary, **schema)
