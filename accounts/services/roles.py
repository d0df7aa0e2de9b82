"""Roles of staff. A role is a group; each app adds permissions to it in its ``AppConfig``."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_noop

from accounts.points import ROLE_PERMISSIONS

MODERATORS = gettext_noop("Moderators")


def permissions_of(role: str) -> list[str]:
    """The permissions (``app.codename``) of a role."""
    return [added.permission for added in ROLE_PERMISSIONS if added.role == role]


def ensure_roles() -> list[Group]:
    """The groups of all roles that apps speak of, each with exactly its permissions."""
    return [ensure_role(role) for role in sorted({MODERATORS, *(added.role for added in ROLE_PERMISSIONS)})]


def ensure_moderators() -> Group:
    """The group of the moderators. It is created if it is missing, and its permissions are corrected."""
    return ensure_role(MODERATORS)


@transaction.atomic
def ensure_role(role: str) -> Group:
    """The group of a role. It is created if it is missing, and its permissions are corrected."""
    group, _ = Group.objects.get_or_create(name=role)
    wanted = Q(pk__in=())
    for permission in permissions_of(role):
        app, codename = permission.split(".")
        wanted |= Q(content_type__app_label=app, codename=codename)
    group.permissions.set(Permission.objects.filter(wanted))
    return group
