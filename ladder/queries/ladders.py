"""Ladders by slug."""

from __future__ import annotations

from django.utils.translation import gettext as _

from common.errors import NotFound
from ladder.models import Ladder


def find_ladder(slug: str) -> Ladder:
    """The ladder with this slug. Raises ``NotFound``."""
    ladder = Ladder.objects.filter(slug=slug).first()
    if ladder is None:
        raise NotFound("ladder_not_found", _("There is no such ladder."), field="ladder")
    return ladder
