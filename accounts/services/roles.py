"""Roles of staff. A role is a group; each app adds permissions to it in its ``AppConfig``."""

from __future__ import annotations

from functools import reduce
from operator import or_

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q

from accounts.points import ROLE_PERMISSIONS

MODERATORS = "Moderators"


def permissions_of(role: str) -> list[str]:
    """The permissions (``app.codename``) of a role."""
    return [added.permission for added in ROLE_PERMISSIONS if added.role == role]


@transaction.atomic
def ensure_moderators() -> Group:
    """The group of the moderators. It is created if it is missing, and its permissions are corrected."""
    group, _ = Group.objects.get_or_create(name=MODERATORS)
    names = (permission.split(".") for permission in permissions_of(MODERATORS))
    wanted = reduce(or_, (Q(content_type__app_label=app, codename=codename) for app, codename in names))
    group.permissions.set(Permission.objects.filter(wanted))
    return group
