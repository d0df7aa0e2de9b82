"""The ladder of a simulation. It must not have standings."""

from __future__ import annotations

from itertools import chain, count

from common.errors import Conflict
from ladder.models import Ladder
from ladder.services.ladders import plan_ladder


def own_ladder(slug: str) -> Ladder:
    """The ladder with this slug, or a new one that is not saved.

    Raises ``Conflict`` if it has standings, and ``Invalid`` for a bad slug.
    """
    ladder = plan_ladder(slug, None)
    check_empty(ladder)
    return ladder


def check_empty(ladder: Ladder) -> None:
    """Raise ``Conflict`` if the ladder has standings."""
    if ladder.is_in_use:
        raise Conflict(
            "ladder_in_use",
            f"The ladder {ladder.slug!r} has standings, and a simulation needs an empty one. "
            "Choose another with --ladder; it can be a new one.",
            field="ladder",
        )


def free_slug(stem: str) -> str:
    """The first of stem, stem-2, stem-3 ... that is not the slug of a ladder with standings."""
    slugs = chain([stem], (f"{stem}-{n}" for n in count(2)))
    return next(slug for slug in slugs if not plan_ladder(slug, None).is_in_use)
