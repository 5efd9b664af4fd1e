"""What all tests share of the settings. Knows no game: builders and casts live beside the tests."""

import fcntl
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from django.conf import settings
from django.db import connection

from tests.ops.running import Server


def pytest_configure() -> None:
    # Static files come straight from their directories: nothing has to be collected before a test.
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STATIC_ROOT = None
    settings.WHITENOISE_AUTOREFRESH = True
    settings.WHITENOISE_USE_FINDERS = True
    # Who needs bots lets them act.
    settings.NJET_BOTS = "off"
    settings.NJET_BOT_PAUSE = 0


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[None]:
    """To look for examples in what the tests say of themselves would import each of them a second time."""
    collected = yield
    if not file_path.name.startswith("test_"):
        return collected
    return [each for each in collected if not isinstance(each, DoctestModule)]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """SQLite's tests use a file as the server does: connections in memory share one lock and never wait."""
    if connection.vendor == "sqlite":
        directory: Path = tmp_path_factory.mktemp("database")
        connection.settings_dict["TEST"]["NAME"] = str(directory / "test.sqlite3")


@pytest.fixture(scope="session")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the very first start of a server leaves behind, to be copied by whoever starts another.

    It takes seconds, so of all processes that run tests one makes it for all.
    """
    own = tmp_path_factory.getbasetemp()
    place = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "first"
    place.mkdir(exist_ok=True)
    data, made = place / "data", place / "made"
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            with Server(data) as server:
                assert server.get("/static/missing").status == 404
                assert server.end(signal.SIGINT) == 0
            made.touch()
    return data
