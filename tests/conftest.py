"""Settings, database and collection for all tests."""

import fcntl
import gc
import itertools
import os
import signal
from collections.abc import Iterator
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from django.conf import settings
from django.db import connection
from django.template import Template
from django.utils import timezone, translation
from pytest_django import DjangoDbBlocker

from games.live.epoch import epoch
from njetassist.catalogues import compile_into
from tests import laws
from tests.cast import deals
from tests.ops.running import Server

DATABASE_FIXTURES = {"db", "transactional_db", "django_db_reset_sequences", "django_db_serialized_rollback"}
FEW = 3
"""Up to this number of files or tests, a second process would cost more time than it saves."""

NEED = {
    "httpx": ["api/test_generated_clients.py"],
    "openapi_core": ["api/test_openapi_core.py"],
    "playwright": ["browser", "benchmarks/motion.py"],
    "schemathesis": ["api/test_schema_fuzz.py", "api/test_generated_clients.py"],
}
"""Tests that need a package of .ci/requirements.txt, which the README's command does not install."""

collect_ignore = [path for package, paths in NEED.items() if find_spec(package) is None for path in paths]

FOLDERS = {"browser": {"browser"}, "harness": {"harness", "live", "ops"}}
"""Where the tests with these markers are, so that .ci/run collects nothing else for them."""

render = Template._render
"""The method as it is outside tests."""


def pytest_configure(config: pytest.Config) -> None:
    laws.load_default()
    translations = Path(config.cache.mkdir("locale")) if hasattr(config, "cache") else settings.LOCALE_PATHS[-1]
    compile_into(translations)
    settings.LOCALE_PATHS = [translations]
    # Static files are served from their source directories: no test needs `collectstatic`.
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STATIC_ROOT = None
    settings.WHITENOISE_AUTOREFRESH = True
    settings.WHITENOISE_USE_FINDERS = True
    # Tests that need bots call them.
    settings.NJET_BOTS = "off"
    settings.NJET_BOT_PAUSE = 0
    # A test records a game in less time than people need for a tap.
    settings.NJET_WRITES = 0


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """No worker for a few files or tests; the number of cores for everything else."""
    named = [argument.split("::")[0] for argument in config.args]
    return 0 if len(named) <= FEW and all(Path(path).is_file() for path in named) else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[None]:
    """Skip doctests in test modules: collecting them would import each module a second time."""
    collected = yield
    if not file_path.name.startswith("test_"):
        return collected
    return [each for each in collected if not isinstance(each, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let the garbage collector pass over what lives until the end: modules and collected tests."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    gc.enable()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[pytest.CollectReport]:
    """Every second process collects the files of a folder from the end, so that no two compile the same ones."""
    report = yield
    if int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 2 and isinstance(collector, pytest.Directory):
        report.result.reverse()
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests in one order, and mark those of the database `database`, those of random examples `law`."""
    items.sort(key=lambda item: item.path)
    for item in items:
        for marker in FOLDERS.keys() & {mark.name for mark in item.iter_markers()}:
            if item.path.relative_to(Path(__file__).parent).parts[0] not in FOLDERS[marker]:
                raise pytest.UsageError(f"{item.nodeid} is marked {marker}: .ci/run looks for it in {FOLDERS[marker]}")
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("law")
        fixtures = getattr(item, "fixturenames", ())
        if item.get_closest_marker("django_db") or not DATABASE_FIXTURES.isdisjoint(fixtures):
            item.add_marker("database")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """A test begins in English, after pages of other tests in any language, and with the first of the known deals."""
    translation.deactivate()
    deals.begin()


@pytest.fixture(autouse=True, scope="session")
def rendering_without_records(django_test_environment: None) -> None:
    """Django's test runner copies the context of each rendered template. No test reads these copies."""
    Template._render = render


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """SQLite's tests use a file as the server does: connections in memory share one lock and never wait.

    Nothing waits for the disk: what a power cut leaves is the subject of `tests/harness`, with servers of its own.
    """
    if connection.vendor == "sqlite":
        directory: Path = tmp_path_factory.mktemp("database")
        connection.settings_dict["TEST"]["NAME"] = str(directory / "test.sqlite3")
        connection.settings_dict["OPTIONS"]["init_command"] = (
            "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA foreign_keys = ON"
        )


@pytest.fixture
def seconds_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock is a second later: what is written one after the other has different times."""
    began, looks = timezone.now(), itertools.count()
    monkeypatch.setattr(timezone, "now", lambda: began + timedelta(seconds=next(looks)))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """A process reads the epoch once: not within a test that counts its statements."""
    with django_db_blocker.unblock():
        epoch()


@pytest.fixture(scope="session")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data directory after the first start of a server, for other servers to copy.

    It takes seconds, so one of all test processes makes it.
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
