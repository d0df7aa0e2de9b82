from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MatchmakingConfig(AppConfig):
    name = "matchmaking"
    verbose_name = _("Matchmaking")

    def ready(self) -> None:
        from accounts import points as accounts
        from accounts.services.roles import MODERATORS
        from common.admin.dashboard import FIGURES
        from common.admin.navigation import NAVIGATION
        from common.metrics import COLLECTORS
        from events.points import ADDED as EVENT_ADDITIONS
        from events.points import KINDS
        from ladder import points as ladder
        from matchmaking.admin.dashboard import figures
        from matchmaking.admin.navigation import PAGES
        from matchmaking.admin.words import AUDIT_ACTIONS
        from matchmaking.api.me import QUEUE
        from matchmaking.event_kinds import ADDED, TICKET_CLOSED
        from matchmaking.metrics import QueueCollector
        from matchmaking.services.outcomes import QueuedAccounts, QueuedMatches

        KINDS.add(TICKET_CLOSED)
        EVENT_ADDITIONS.add(*ADDED)
        accounts.ME.add(QUEUE)
        accounts.LISTENERS.add(QueuedAccounts())
        ladder.LISTENERS.add(QueuedMatches())
        accounts.ROLE_PERMISSIONS.add(
            *accounts.may(
                MODERATORS,
                "matchmaking.lift_penalty",
                "matchmaking.view_offer",
                "matchmaking.view_penalty",
                "matchmaking.view_ticket",
            )
        )
        accounts.AUDIT_ACTIONS.add(*AUDIT_ACTIONS)
        NAVIGATION.add(*PAGES)
        FIGURES.add(figures)
        COLLECTORS.add(QueueCollector())
