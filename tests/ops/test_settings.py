"""The readers of the environment: every wrong value is one clear sentence, every value is documented."""

import os
import re
import runpy
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from django.conf import global_settings
from django.core.exceptions import ImproperlyConfigured

from tests.ops.running import ROOT, manage

KEY = "k" * 25 + "0123456789" * 3

Load = Callable[..., dict[str, Any]]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Load:
    """Loads the settings, and Django's own for what they leave out, with exactly these variables."""
    for name in os.environ:
        if name.startswith(("NJET_", "DATABASE_URL", "WEB_CONCURRENCY")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("NJET_DATA", str(tmp_path))

    def run(**variables: str) -> dict[str, Any]:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return {**vars(global_settings), **runpy.run_path(str(ROOT / "njetassist" / "settings.py"))}

    return run


# --- Values that work -----------------------------------------------------------------------------------


def test_without_any_variable_it_is_a_server_at_home(load: Load, tmp_path: Path) -> None:
    settings = load()

    assert settings["PROFILE"] == "lan"
    assert settings["DEBUG"] is False
    assert settings["DATABASES"]["default"]["NAME"] == str(tmp_path / "njet.sqlite3")
    assert settings["SECURE_SSL_REDIRECT"] is False
    assert settings["TRUSTED_PROXIES"] == []
    assert "django.contrib.admin" not in settings["INSTALLED_APPS"]
    assert "django.contrib.auth" not in settings["INSTALLED_APPS"]


def test_the_data_directory_is_beside_the_code_unless_named(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NJET_DATA")

    assert load()["DATA_DIR"] == ROOT / "data"


def test_sqlite_keeps_what_it_acknowledged(load: Load) -> None:
    database = load()["DATABASES"]["default"]

    assert database["OPTIONS"] == {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
    }
    assert database["CONN_MAX_AGE"] is None


def test_a_database_url_names_postgresql(load: Load) -> None:
    database = load(DATABASE_URL="postgres://ana:secret@db.example:5433/njet")["DATABASES"]["default"]

    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert (database["HOST"], database["PORT"], database["NAME"]) == ("db.example", 5433, "njet")
    assert database["CONN_MAX_AGE"] is None


def test_a_connection_to_postgresql_that_is_dead_is_given_up_in_seconds_unless_its_url_says_otherwise(
    load: Load,
) -> None:
    url = "postgres://ana:secret@db.example/njet?connect_timeout=30&sslmode=verify-full"

    options = load(DATABASE_URL=url)["DATABASES"]["default"]["OPTIONS"]

    assert options["tcp_user_timeout"] == 10_000
    assert "idle_in_transaction_session_timeout" in options["options"]
    assert (str(options["connect_timeout"]), options["sslmode"]) == ("30", "verify-full")


@pytest.mark.parametrize(("budget", "free_again"), [("0.25", 11), ("60", 70)])
def test_postgresql_ends_no_transaction_of_a_bot_that_searches(load: Load, budget: str, free_again: int) -> None:
    url = "postgres://ana:secret@db.example/njet"

    options = load(DATABASE_URL=url, NJET_BOT_BUDGET=budget)["DATABASES"]["default"]["OPTIONS"]

    assert options["options"] == f"-c idle_in_transaction_session_timeout={free_again}s"


def test_https_makes_cookies_that_no_neighbour_can_set(load: Load) -> None:
    settings = load(NJET_PROFILE="https", NJET_HOSTS="njet.example")

    for cookie in ("SESSION", "CSRF", "LANGUAGE", "COUNT", "THEME", "INVITATION", "TIME_ZONE"):
        assert settings[f"{cookie}_COOKIE_NAME"].startswith("__Host-")
    for cookie in ("SESSION", "CSRF", "LANGUAGE"):
        assert settings[f"{cookie}_COOKIE_SECURE"] is True
    assert settings["PREFERENCE_COOKIE"]["secure"] is True
    assert settings["SECURE_HSTS_SECONDS"] == 63_072_000
    assert settings["SECURE_HSTS_INCLUDE_SUBDOMAINS"] is False
    assert settings["ALLOWED_HOSTS"] == ["njet.example"]
    assert settings["TRUSTED_PROXIES"] == [ip_network("127.0.0.1"), ip_network("::1")]


@pytest.mark.parametrize("profile", ["lan", "https"])
def test_cookies_last_400_days_and_no_script_reads_them(load: Load, profile: str) -> None:
    settings = load(NJET_PROFILE=profile, NJET_HOSTS="njet.example")

    for cookie in ("SESSION", "CSRF", "LANGUAGE"):
        assert settings[f"{cookie}_COOKIE_AGE"] == 400 * 24 * 60 * 60
        assert settings[f"{cookie}_COOKIE_HTTPONLY"] is True
        assert settings[f"{cookie}_COOKIE_SAMESITE"] == "Lax"
    secure = profile == "https"
    lasting = {"max_age": 400 * 24 * 60 * 60, "secure": secure, "httponly": True, "samesite": "Lax"}
    assert settings["PREFERENCE_COOKIE"] == lasting


def test_subdomains_are_bound_to_https_only_when_asked(load: Load) -> None:
    settings = load(NJET_PROFILE="https", NJET_HOSTS="njet.example", NJET_HSTS_SUBDOMAINS="1")

    assert settings["SECURE_HSTS_INCLUDE_SUBDOMAINS"] is True


def test_lists_are_separated_by_commas_or_blanks(load: Load) -> None:
    settings = load(NJET_HOSTS="a.example, B.example  c.example [fd00::5]", NJET_TRUSTED_PROXIES="10.0.0.0/8,::1")

    assert settings["PUBLIC_HOSTS"] == ["a.example", "b.example", "c.example", "[fd00::5]"]
    assert settings["TRUSTED_PROXIES"] == [ip_network("10.0.0.0/8"), ip_network("::1")]


def test_the_number_at_boardgamegeek_is_known_only_if_it_is_set(load: Load) -> None:
    assert load()["NJET_BGG_ID"] is None
    assert load(NJET_BGG_ID=" 12 ")["NJET_BGG_ID"] == 12


def test_bots_play_by_themselves_at_a_pace_that_people_can_follow(load: Load) -> None:
    usual = load()
    assert (usual["NJET_BOTS"], usual["NJET_BOT_PAUSE"], usual["NJET_BOT_BUDGET"]) == ("auto", 900, 0.25)
    assert usual["NJET_ANALYSIS_GUESSES"] == 480
    other = load(NJET_BOTS="off", NJET_BOT_PAUSE="0", NJET_BOT_BUDGET="1.5")
    assert (other["NJET_BOTS"], other["NJET_BOT_PAUSE"], other["NJET_BOT_BUDGET"]) == ("off", 0, 1.5)


# --- The secret key -------------------------------------------------------------------------------------


def test_the_key_comes_from_the_variable(load: Load) -> None:
    assert load(NJET_SECRET_KEY=KEY)["SECRET_KEY"] == KEY


def test_the_key_comes_from_a_file(load: Load, tmp_path: Path) -> None:
    file = tmp_path / "of the operator"
    file.write_text(f"{KEY}\n")

    assert load(NJET_SECRET_KEY_FILE=str(file))["SECRET_KEY"] == KEY


def test_the_key_comes_from_the_data_directory(load: Load, tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text(KEY)

    settings = load()

    assert settings["SECRET_KEY"] == KEY
    assert settings["SECRET_KEY_IS_TEMPORARY"] is False


def test_before_the_first_start_every_process_has_a_key_of_its_own(load: Load, tmp_path: Path) -> None:
    first, second = load(), load()

    assert first["SECRET_KEY"] != second["SECRET_KEY"]
    assert first["SECRET_KEY_IS_TEMPORARY"] is True
    assert list(tmp_path.iterdir()) == []


def test_one_process_serves_sqlite_and_one_for_each_core_postgresql(load: Load) -> None:
    cores = len(os.sched_getaffinity(0))

    for value in ("", " ", "1"):
        assert load(WEB_CONCURRENCY=value)["PROCESSES"] == 1
    for value, processes in (("", cores), ("1", 1), ("7", 7)):
        loaded = load(WEB_CONCURRENCY=value, DATABASE_URL="postgres://njet@localhost/njet")
        assert loaded["PROCESSES"] == processes


# --- Values that do not ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"NJET_PROFILE": "home"}, "NJET_PROFILE must be one of lan, https, not 'home'."),
        ({"NJET_PROFILE": "https"}, "NJET_HOSTS must name the hosts that this server answers to over https."),
        ({"NJET_DEBUG": "maybe"}, "NJET_DEBUG must be 1 or 0, not 'maybe'."),
        ({"NJET_HSTS_SUBDOMAINS": "x"}, "NJET_HSTS_SUBDOMAINS must be 1 or 0, not 'x'."),
        ({"NJET_ANALYSIS_GUESSES": "-1"}, "NJET_ANALYSIS_GUESSES must be a whole number from 0 on, not '-1'."),
        ({"NJET_BOTS": "on"}, "NJET_BOTS must be one of auto, off, not 'on'."),
        *(
            ({"NJET_BOT_PAUSE": wrong}, f"NJET_BOT_PAUSE must be a whole number from 0 on, not {wrong!r}.")
            for wrong in ("-1", "0.9", "soon", "٣", "9" * 7)
        ),
        *(
            ({"NJET_BOT_BUDGET": wrong}, f"NJET_BOT_BUDGET must be seconds, more than 0 and up to 60, not {wrong!r}.")
            for wrong in ("0", "-1", "61", "1e1", "nan", "٣", "1.")
        ),
        *(
            ({"NJET_BGG_ID": wrong}, f"NJET_BGG_ID must be a whole number from 1 on, not {wrong!r}.")
            for wrong in ("0", "-1", "1.5", "njet", "٣", "9" * 5000)
        ),
        ({"WEB_CONCURRENCY": "0"}, "WEB_CONCURRENCY must be a whole number from 1 on, not '0'."),
        (
            {"WEB_CONCURRENCY": "2"},
            "WEB_CONCURRENCY must be 1 with SQLite: several processes need PostgreSQL (DATABASE_URL).",
        ),
        *(
            ({"NJET_HOSTS": wrong}, f"NJET_HOSTS must be host names without scheme, port and star, not {wrong!r}.")
            for wrong in ("*", "*.njet.example", "https://njet.example", "a.example, njet.example:443", "[::1]:443")
        ),
        (
            {"NJET_TRUSTED_PROXIES": "10.0.0.1/8"},
            "NJET_TRUSTED_PROXIES must be addresses or networks like 10.0.0.0/8: 10.0.0.1/8 has host bits set.",
        ),
        ({"NJET_SECRET_KEY": "short"}, "The secret key (NJET_SECRET_KEY) must have at least 50 characters, not 5."),
        (
            {"NJET_SECRET_KEY_FILE": "/nowhere/key"},
            "The secret key cannot be read from /nowhere/key: No such file or directory.",
        ),
        (
            {"NJET_SECRET_KEY": KEY, "NJET_SECRET_KEY_FILE": "/nowhere/key"},
            "NJET_SECRET_KEY and NJET_SECRET_KEY_FILE are both set: set one of them.",
        ),
        *(
            (
                {"DATABASE_URL": url},
                "DATABASE_URL must look like postgres://user:password@host:5432/name or sqlite:////path/to/file.",
            )
            for url in ("oracle://ana:secret@host/name", "postgres://ana:secret@host", "sqlite://:memory:", "njet")
        ),
    ],
)
def test_a_wrong_value_is_one_clear_sentence(load: Load, variables: dict[str, str], sentence: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refusal:
        load(**variables)

    assert str(refusal.value) == sentence


# --- Together -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_deployment_check_has_nothing_to_say(tmp_path: Path) -> None:
    done = manage(
        tmp_path, "check", "--deploy", "--fail-level", "WARNING", NJET_PROFILE="https", NJET_HOSTS="njet.example"
    )

    assert done.returncode == 0, done.stderr


def test_every_variable_is_documented_and_every_documented_one_is_read() -> None:
    source = (ROOT / "njetassist" / "settings.py").read_text()
    read = set(re.findall(r'"(NJET_[A-Z_]+|DATABASE_URL|WEB_CONCURRENCY)"', source)) | {"NJET_SECRET_KEY_FILE"}

    documented = re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / ".github" / "OPERATIONS.md").read_text(), re.MULTILINE)

    assert sorted(documented) == sorted(read)
