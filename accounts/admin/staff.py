"""The account that is signed in to the admin."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.models import User


def staff(request: HttpRequest) -> User:
    """The account that is signed in. The admin only lets staff in."""
    assert isinstance(request.user, User)
    return request.user
