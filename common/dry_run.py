"""What a deed would do, found out by doing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import transaction

T = TypeVar("T")


def dry_run(deed: Callable[[], T]) -> T:
    """Do the deed in a transaction of its own and take it back: nobody sees more of it than what it returned.

    So a preview can never differ from the real thing. Whatever the deed raises comes through.
    """
    with transaction.atomic():
        result = deed()
        transaction.set_rollback(True)
    return result
