"""What all tests share of the settings. Knows no game: builders and casts live beside the tests."""

from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection


def pytest_configure() -> None:
    # Static files come straight from their directories: nothing has to be collected before a test.
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STATIC_ROOT = None
    settings.WHITENOISE_AUTOREFRESH = True
    settings.WHITENOISE_USE_FINDERS = True


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """SQLite's tests use a file as the server does: connections in memory share one lock and never wait."""
    if connection.vendor == "sqlite":
        directory: Path = tmp_path_factory.mktemp("database")
        connection.settings_dict["TEST"]["NAME"] = str(directory / "test.sqlite3")
