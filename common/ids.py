"""Ids that the API shows: UUIDv7, ordered by time, so that an index grows at its end."""

from datetime import datetime
from uuid import UUID

from uuid_utils.compat import uuid7 as _uuid7


def uuid7() -> UUID:
    return _uuid7()


def first_uuid7(moment: datetime) -> UUID:
    """The smallest id that can be given at this moment (RFC 9562: milliseconds, version, variant)."""
    return UUID(int=int(moment.timestamp() * 1000) << 80 | 7 << 76 | 0b10 << 62)
