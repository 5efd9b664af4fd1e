"""The Django application of the server itself: its commands and its checks."""

from django.apps import AppConfig


class NjetassistConfig(AppConfig):
    name = "njetassist"

    def ready(self) -> None:
        from njetassist import checks  # noqa: F401  (registers them)
