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
        from events.points import ADDITIONS, KINDS
        from ladder import points as ladder
        from matchmaking.admin.additions import AUDIT_ACTIONS, PAGES, figures
        from matchmaking.api.me import QUEUE
        from matchmaking.event_kinds import ADDED_FIELDS, TICKET_CLOSED
        from matchmaking.metrics import QueueCollector
        from matchmaking.services.outcomes import QueueAccountListener, QueueMatchListener

        KINDS.add(TICKET_CLOSED)
        ADDITIONS.add(*ADDED_FIELDS)
        accounts.ME.add(QUEUE)
        accounts.LISTENERS.add(QueueAccountListener())
        ladder.LISTENERS.add(QueueMatchListener())
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
