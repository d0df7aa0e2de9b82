"""Ids that the API shows: UUIDv7, ordered by time, so that an index grows at its end."""

from uuid import UUID

from uuid_utils.compat import uuid7 as _uuid7


def uuid7() -> UUID:
    return _uuid7()
