from django.apps import AppConfig


class MatchmakingConfig(AppConfig):
    name = "matchmaking"

    def ready(self) -> None:
        from ladder.api.metrics import REGISTRY
        from ladder.services import watching
        from matchmaking.metrics import QueueCollector
        from matchmaking.services import offers

        watching.register(offers.WATCHER)
        REGISTRY.register(QueueCollector())
