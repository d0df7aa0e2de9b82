"""``/me``: the account's own part, and the parts of other apps (``accounts.points.ME``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allauth.account.models import EmailAddress

from accounts.api.resources import Profile, suspension_shown
from accounts.models import User
from accounts.points import ME
from accounts.queries import suspensions
from common.transactions import snapshot
from common.types import merge_types


def profile(account: User) -> Profile:
    suspension = suspensions.in_force().filter(account=account).first()
    verified = EmailAddress.objects.filter(user=account, email__iexact=account.email, verified=True)
    return {
        "username": account.username,
        "joined_at": account.date_joined,
        "email": account.email or None,
        "email_verified": bool(account.email) and verified.exists(),
        "language": account.language,
        "suspension": suspension_shown(suspension),
    }


def read_me(account: User) -> dict[str, Any]:
    """All parts, read at the same moment. If several parts have the same object, its fields are merged."""
    with snapshot():
        answer: dict[str, Any] = dict(profile(account))
        for part in ME:
            _merge(answer, part.read(account, answer))
    for part in ME:
        part.after_read(account, answer)
    return answer


def _merge(answer: dict[str, Any], more: Mapping[str, Any]) -> None:
    for name, value in more.items():
        answer[name] = {**answer[name], **value} if name in answer else value


def answer_type() -> type:
    """The type of the answer, for OpenAPI: the profile and all parts as one typed dictionary."""
    parts = [part.type for part in ME]
    description = "\n\n".join([Profile.__doc__ or "", *(part.__doc__ or "" for part in parts)])
    return merge_types("Me", [Profile, *parts], description)
