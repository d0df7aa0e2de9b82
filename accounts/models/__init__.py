"""One noun a file. What must never be false is a constraint or a trigger of the database, beside its noun."""

from accounts.models.audit import AuditEntry
from accounts.models.block import Block
from accounts.models.service_key import ServiceKey
from accounts.models.suspension import Suspension
from accounts.models.user import User

__all__ = ["AuditEntry", "Block", "ServiceKey", "Suspension", "User"]
