from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EventsConfig(AppConfig):
    name = "events"
    verbose_name = _("Events")

    def ready(self) -> None:
        from accounts import points as accounts
        from events.api.me import LAST_EVENT
        from events.kinds import ACCOUNT_SUSPENDED, SUSPENSION_LIFTED
        from events.points import KINDS
        from events.services.accounts import EventAccountListener

        KINDS.add(ACCOUNT_SUSPENDED, SUSPENSION_LIFTED)
        accounts.LISTENERS.add(EventAccountListener())
        accounts.ME.add(LAST_EVENT)
