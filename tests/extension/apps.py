from django.apps import AppConfig


class LunchConfig(AppConfig):
    name = "tests.extension"
    label = "lunch"

    def ready(self) -> None:
        from accounts import points as accounts
        from accounts.services.roles import MODERATORS
        from common.admin.dashboard import FIGURES, PANELS
        from common.admin.navigation import NAVIGATION
        from common.api.operations import READINESS
        from common.metrics import COLLECTORS
        from events import points as events
        from ladder import points as ladder
        from tests.extension import additions as lunch

        accounts.ME.add(lunch.LUNCH)
        accounts.LISTENERS.add(lunch.Neighbours())
        accounts.ROLE_PERMISSIONS.add(
            *accounts.may(MODERATORS, "accounts.view_servicekey"),
            *accounts.may(lunch.COOKS, "ladder.view_ladder"),
        )
        accounts.AUDIT_ACTIONS.add(lunch.SERVE)
        events.KINDS.add(lunch.LUNCH_SERVED)
        events.ADDITIONS.add(lunch.SOUP_LEFT)
        ladder.LISTENERS.add(lunch.Waiters())
        ladder.BUSY.add(lunch.AT_LUNCH)
        NAVIGATION.add(lunch.MENU)
        FIGURES.add(lunch.figures)
        PANELS.add(lunch.PANEL)
        COLLECTORS.add(lunch.SoupCollector())
        READINESS.add(lunch.KITCHEN)
