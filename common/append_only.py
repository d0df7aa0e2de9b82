"""Tables whose rows cannot be changed or deleted."""

import pgtrigger


def append_only() -> list[pgtrigger.Trigger]:
    """Triggers that refuse UPDATE, DELETE and TRUNCATE."""
    return [
        pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        pgtrigger.Trigger(
            name="append_only_truncate",
            level=pgtrigger.Statement,
            when=pgtrigger.Before,
            operation=pgtrigger.Truncate,
            func="RAISE EXCEPTION 'pgtrigger: cannot truncate rows of % table', TG_TABLE_NAME;",
        ),
    ]
