"""Ids in the API: UUIDv7. They are ordered by time, so new rows are at the end of an index."""

from datetime import datetime
from uuid import UUID

from uuid_utils.compat import uuid7 as _uuid7


def uuid7() -> UUID:
    return _uuid7()


def first_uuid7(moment: datetime) -> UUID:
    """The smallest id of this moment (RFC 9562: milliseconds, version, variant)."""
    return UUID(int=int(moment.timestamp() * 1000) << 80 | 7 << 76 | 0b10 << 62)
