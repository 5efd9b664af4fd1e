"""Registers the app with Django. Knows its name and nothing else."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
