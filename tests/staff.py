"""Users of the admin, each with a separate client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.services.roles import ensure_moderators
from tests import factories

Visit = Callable[[User], Client]

USERS = ("nobody", "player", "newcomer", "moderator", "operator")


def said(response: Any) -> str:
    """The messages on the page."""
    return " ".join(str(message) for message in response.context["messages"])


@pytest.fixture
def moderator(db: None) -> User:
    account = factories.make_player(is_staff=True)
    account.groups.add(ensure_moderators())
    return account


@pytest.fixture
def operator(db: None) -> User:
    return User.objects.create_superuser("operator01", "operator01@example.org", factories.PASSWORD)


@pytest.fixture
def newcomer(db: None) -> User:
    """Staff without a role."""
    return factories.make_player(is_staff=True)


@pytest.fixture
def player(db: None) -> User:
    return factories.make_player()


@pytest.fixture
def visit() -> Visit:
    def visit(account: User) -> Client:
        client = Client()
        client.force_login(account)
        return client

    return visit


@pytest.fixture
def moderating(moderator: User, visit: Visit) -> Client:
    return visit(moderator)


@pytest.fixture
def operating(operator: User, visit: Visit) -> Client:
    return visit(operator)


@pytest.fixture
def clients(request: pytest.FixtureRequest, visit: Visit) -> dict[str, Client]:
    return {who: Client() if who == "nobody" else visit(request.getfixturevalue(who)) for who in USERS}
