from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MatchmakingConfig(AppConfig):
    name = "matchmaking"
    verbose_name = _("Matchmaking")

    def ready(self) -> None:
        from ladder.api.metrics import REGISTRY
        from ladder.services import watching
        from matchmaking.metrics import QueueCollector
        from matchmaking.services import outcomes

        watching.register(outcomes.WATCHER)
        REGISTRY.register(QueueCollector())
