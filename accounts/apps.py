from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from accounts import points
        from accounts.admin.additions import ACCOUNT_LINKS, AUDIT_ACTIONS, PAGES
        from accounts.services.roles import MODERATORS
        from common.admin.navigation import NAVIGATION

        NAVIGATION.add(*PAGES)
        points.AUDIT_ACTIONS.add(*AUDIT_ACTIONS)
        points.ACCOUNT_LINKS.add(*ACCOUNT_LINKS)
        points.ROLE_PERMISSIONS.add(
            *points.may(
                MODERATORS,
                "accounts.change_user",
                "accounts.suspend_account",
                "accounts.view_auditentry",
                "accounts.view_suspension",
                "accounts.view_user",
            )
        )
