"""Serializers for the bodies and parameters of requests. They also report unknown fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request

from common.api.problems import BadQuery
from common.limits import MAX_CURSOR, MAX_PAGE_SIZE, PAGE_SIZE


class Body(serializers.Serializer[Any]):
    """A JSON object with these fields and no others."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = [name for name in data if name not in self.fields]
            if unknown:
                error = ErrorDetail(str(_("There is no such field.")), code="unknown_field")
                raise serializers.ValidationError({name: [error] for name in unknown})
        return super().to_internal_value(data)


def read_body(kind: type[Body], request: Request) -> dict[str, Any]:
    """The validated body of the request. Raises ``ValidationError``."""
    body = kind(data=request.data)
    body.is_valid(raise_exception=True)
    return body.validated_data  # type: ignore[no-any-return]


def read_query(kind: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The validated query parameters of the request. Raises ``BadQuery``."""
    query = kind(data=request.query_params.dict())
    if not query.is_valid():
        raise BadQuery(query.errors)
    return query.validated_data  # type: ignore[no-any-return]


class Text(serializers.CharField):
    """A JSON string; numbers are refused."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A JSON number without a fraction; ``"5"`` and ``true`` are refused."""

    def to_internal_value(self, data: Any) -> int:
        whole = isinstance(data, int) or (isinstance(data, float) and data.is_integer())
        if isinstance(data, bool) or not whole:
            self.fail("invalid")
        return int(data)


def example(value: dict[str, Any]) -> Callable[[type[Body]], type[Body]]:
    """Show this value in the API's documentation."""
    return extend_schema_serializer(examples=[OpenApiExample("Example", value=value, request_only=True)])


class Empty(Body):
    """Nothing, or an empty object."""


class PageQuery(serializers.Serializer[Any]):
    cursor = serializers.CharField(
        required=False, max_length=MAX_CURSOR, help_text="From `next` or `previous` of a page."
    )
    page_size = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_SIZE, default=PAGE_SIZE)
