"""What stored codes of accounts are called on the pages."""

from __future__ import annotations

from accounts.points import AUDIT_ACTIONS


def action_in_words(code: str) -> str:
    """What somebody did, by the code that the audit trail keeps."""
    return next((str(action.words) for action in AUDIT_ACTIONS if action.code == code), code)
