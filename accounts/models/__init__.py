"""One model in each file, with the constraints and triggers of its table."""

from accounts.models.audit import AuditEntry
from accounts.models.block import Block
from accounts.models.service_key import ServiceKey
from accounts.models.suspension import Suspension
from accounts.models.user import User

__all__ = ["AuditEntry", "Block", "ServiceKey", "Suspension", "User"]
