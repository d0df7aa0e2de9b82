"""Roles: which staff may do what. A role is a group whose permissions are written here and nowhere else."""

from __future__ import annotations

from django.contrib.auth.models import Group, Permission
from django.db import transaction

MODERATORS = "Moderators"

# Moderators see what bears on a match and rule it, declare the outages that decay spares, suspend accounts and lift
# penalties of the queue. Of accounts they change
# the name and whether it may sign in (ladder.services.administration); service keys and ladders are the operators'.
MODERATOR_PERMISSIONS = frozenset(
    {
        "add_decaypause",
        "change_user",
        "lift_penalty",
        "rule_match",
        "suspend_account",
        "view_auditentry",
        "view_decaypause",
        "view_decayrun",
        "view_ladder",
        "view_match",
        "view_matchreport",
        "view_offer",
        "view_penalty",
        "view_ratingentry",
        "view_standing",
        "view_suspension",
        "view_ticket",
        "view_user",
    }
)


@transaction.atomic
def ensure_moderators() -> Group:
    """The group of the moderators, with exactly its permissions; made or put right where it differs."""
    group, _ = Group.objects.get_or_create(name=MODERATORS)
    permissions = Permission.objects.filter(
        content_type__app_label__in=("ladder", "matchmaking"), codename__in=MODERATOR_PERMISSIONS
    )
    group.permissions.set(permissions)
    return group
