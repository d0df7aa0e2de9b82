"""Extension points: an app uses what the apps above it add, without importing them.

An app declares its extension points in its module ``points``. Other apps add to them in ``ready`` of their
``AppConfig``. The items are in the order of ``INSTALLED_APPS``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class ExtensionPoint(Generic[T]):
    """The items that all apps added."""

    def __init__(self) -> None:
        self._added: list[T] = []

    def add(self, *items: T) -> None:
        """Add these items at the end. Items that are there already are not added again."""
        self._added += [item for item in items if item not in self._added]

    def __iter__(self) -> Iterator[T]:
        return iter(self._added)
