"""Extension points: places where an app takes in what apps above it add, without knowing them.

An app declares its points in its module ``points``. Each app says what it adds to them in one place: ``ready`` of its
``AppConfig``, in ``apps.py``. What was added comes in the order of ``INSTALLED_APPS``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Point(Generic[T]):
    """What all apps together added to one place."""

    def __init__(self) -> None:
        self._added: list[T] = []

    def add(self, *items: T) -> None:
        """Add these, after what is there; what is there already is not added again."""
        self._added += [item for item in items if item not in self._added]

    def __iter__(self) -> Iterator[T]:
        return iter(self._added)
