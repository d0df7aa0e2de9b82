"""Creating and changing ladders."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from accounts.models import User
from accounts.services import audit
from common.errors import Conflict, Forbidden, Invalid
from ladder.models import Ladder
from ladder.rules import rule_sets

DEFAULT_SLUG = "backgammon"
DEFAULT_RULES = "fibs-600"


def plan_ladder(slug: str, rules: str | None, options: Mapping[str, int] | None = None) -> Ladder:
    """The ladder with this slug, or a new one that is not saved.

    ``rules`` is the name of the rule set (default for a new ladder: ``fibs-600`` in its latest version), and
    ``options`` are its options. Raises ``Conflict`` if an existing ladder has other rules or options, and ``Invalid``
    for unknown rules or options and for a bad slug.
    """
    if rules is not None and rules not in rule_sets.NAMES:
        known = ", ".join(rule_sets.NAMES)
        raise Invalid("unknown_rules", f"There are no rules {rules!r}; there are: {known}.", field="rules")
    ladder = Ladder.objects.filter(slug=slug).first()
    if ladder is None:
        newest = rule_sets.latest(rules or DEFAULT_RULES)
        ladder = Ladder(
            slug=slug,
            name=slug,
            rule_set=newest.name,
            rule_set_version=newest.version,
            rule_options=dict(options or {}),
        )
        try:
            # Without the check that the slug is free: the query above did that, and another process can create it.
            ladder.clean_fields()
            ladder.clean()
        except ValidationError as error:
            raise Invalid("bad_ladder", " ".join(error.messages), field="ladder") from error
    elif rules is not None and rules != ladder.rule_set:
        raise Conflict("other_rules", f"The ladder {slug!r} plays by {ladder.rule_set}, not by {rules}.", field="rules")
    elif options and options != ladder.rule_options:
        raise Conflict("other_rules", f"The ladder {slug!r} plays by {ladder.rule_options}.", field="options")
    return ladder


def ensure_ladder(
    slug: str, *, rules: str | None = None, name: str | None = None, options: Mapping[str, int] | None = None
) -> Ladder:
    """The ladder with this slug, created if it is missing. Safe in two processes at once.

    Raises as :func:`plan_ladder`.
    """
    ladder = plan_ladder(slug, rules, options)
    if ladder._state.adding:
        ladder.name = name or slug
        try:
            with transaction.atomic():
                ladder.save(force_insert=True)
        except IntegrityError:
            return plan_ladder(slug, rules, options)
    return ladder


@transaction.atomic
def save_ladder(ladder: Ladder, *, actor: User, changed: Collection[str]) -> None:
    """Save a new or changed ladder that has passed ``full_clean``."""
    is_new = ladder._state.adding
    if not actor.has_perm("ladder.add_ladder" if is_new else "ladder.change_ladder"):
        raise Forbidden("not_an_operator", gettext("Only operators can create and change ladders."))
    ladder.save()
    values = {name: str(getattr(ladder, name)) for name in sorted(changed)}
    audit.record(actor, "ladder.create" if is_new else "ladder.change", ladder, data={"values": values})
