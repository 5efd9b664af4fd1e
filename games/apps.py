"""Registers the app with Django, and what bots have to do with the writes that make them due."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games.bot_runner import tasks  # noqa: F401  (needs the models)
