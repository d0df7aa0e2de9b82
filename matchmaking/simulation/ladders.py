"""Each story has a ladder to itself, on which nobody stands yet."""

from __future__ import annotations

from itertools import chain, count

from common.errors import Conflict
from ladder.models import Ladder
from ladder.services.ladders import plan_ladder


def own_ladder(slug: str) -> Ladder:
    """The ladder of that slug, or a new one as it would be saved; writes nothing.

    Raises ``Conflict`` when somebody stands on it, ``Invalid`` for a bad slug.
    """
    ladder = plan_ladder(slug, None)
    check_empty(ladder)
    return ladder


def check_empty(ladder: Ladder) -> None:
    """Raises ``Conflict`` when somebody stands on the ladder."""
    if ladder.is_in_use:
        raise Conflict(
            "ladder_in_use",
            f"Somebody stands on the ladder {ladder.slug!r}, and a story needs one to itself: "
            "name another, which may be a new one, by --ladder.",
            field="ladder",
        )


def free_slug(stem: str) -> str:
    """The first of stem, stem-2, stem-3 ... on which nobody stands; there need not be a ladder of that slug."""
    slugs = chain([stem], (f"{stem}-{n}" for n in count(2)))
    return next(slug for slug in slugs if not plan_ladder(slug, None).is_in_use)
