"""The app; its `ready` registers the signal that queues bot tasks."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games.bot_runner import tasks  # noqa: F401  (needs the models)
