from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.concurrency.racing import Callers


@pytest.fixture
def callers() -> Iterator[Callable[[int], Callers]]:
    """Makes threads, each with its own connection, and ends them before the test database is emptied."""
    with ExitStack() as stack:

        def make(number: int) -> Callers:
            made = Callers(number)
            stack.callback(made.close)
            return made

        yield make
