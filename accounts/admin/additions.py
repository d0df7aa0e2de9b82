"""What the admin of accounts adds to the sidebar, to the page of an account, and to the audit trail."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.points import AccountLink, AuditAction
from common.admin.navigation import ACCESS, MODERATION, Page

PAGES = (
    Page(MODERATION, 90, _("Audit trail"), "history", "accounts_auditentry_changelist", "accounts.view_auditentry"),
    Page(ACCESS, 10, _("Accounts"), "group", "accounts_user_changelist", "accounts.view_user"),
    Page(ACCESS, 20, _("Suspensions"), "block", "accounts_suspension_changelist", "accounts.view_suspension"),
    Page(ACCESS, 30, _("Service keys"), "key", "accounts_servicekey_changelist", "accounts.view_servicekey"),
)

ACCOUNT_LINKS = (AccountLink("accounts_suspension_changelist", _("Suspensions")),)

AUDIT_ACTIONS = (
    AuditAction("account.create", _("created an account")),
    AuditAction("account.change", _("changed an account")),
    AuditAction("account.password", _("set a password")),
    AuditAction("account.close", _("closed their account")),
    AuditAction("account.suspend", _("suspended an account")),
    AuditAction("account.lift_suspension", _("lifted a suspension")),
    AuditAction("service_key.issue", _("issued a service key")),
    AuditAction("service_key.revoke", _("revoked a service key")),
)
