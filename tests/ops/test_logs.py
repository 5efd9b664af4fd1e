"""No secret in a log line."""

import io
import logging
import sqlite3
import sys
from http import HTTPStatus
from typing import NoReturn

import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.test import Client
from django.utils.module_loading import import_string

from njetassist.logs import LINES_A_MINUTE, Bounded, RedactingFormatter, redact
from tests.cast.pages import sit_down
from tests.cast.tables import Table

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Not Found: /join/aB3-_x", "Not Found: /join/[redacted]"),
        ("GET /join/aB3-_x/seat?key=aB3 200", "GET /join/[redacted] 200"),
        ("'https://host/join/aB3'", "'https://host/join/[redacted]'"),
        ("/JOIN/aB3", "/JOIN/[redacted]"),
        ("Authorization: Bearer aB3", "Authorization: Bearer [redacted]"),
        ("/join/", "/join/"),
        ("Not Found: /games/12/", "Not Found: /games/12/"),
    ],
)
def test_tokens_of_links_and_keys_are_redacted(line: str, shown: str) -> None:
    assert redact(line) == shown


def test_arguments_and_tracebacks_are_redacted_too() -> None:
    try:
        raise ValueError("while answering /join/aB3")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "x", 1, "Error: %s", ("/join/aB3",), sys.exc_info())

    text = RedactingFormatter("%(message)s").format(record)

    assert "ValueError: while answering /join/[redacted]" in text
    assert "aB3" not in text


def test_a_path_of_any_length_makes_a_short_line() -> None:
    record = logging.LogRecord("django.request", logging.WARNING, "x", 1, "%s: %s", ("Not Found", "/x" * 5_000), None)

    text = RedactingFormatter(settings.LOGGING["formatters"]["redacted"]["format"]).format(record)

    assert text.endswith("Not Found: " + "/x" * 1994 + "/")


def test_a_failure_of_the_database_is_a_line_and_a_fault_of_the_program_a_traceback() -> None:
    away, fault = (
        OperationalError("connection failed:\n\tIs the server running?"),
        OperationalError("no such column: x"),
    )
    fault.__cause__ = sqlite3.OperationalError()
    fault.__cause__.sqlite_errorcode = sqlite3.SQLITE_ERROR

    assert formatted(away) == "Service Unavailable: / (OperationalError: connection failed: Is the server running?)"
    assert "Traceback" in formatted(fault)


def formatted(error: Exception) -> str:
    try:
        raise error
    except OperationalError:
        record = logging.LogRecord("x", logging.ERROR, "x", 1, "Service Unavailable: /", None, sys.exc_info())
    return RedactingFormatter("%(message)s").format(record)


def test_a_message_has_a_limited_number_of_lines_in_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(Bounded())
    for number in range(1000):
        for status in (404, 500):
            record = logging.LogRecord("django.request", logging.WARNING, "x", 1, "%s: %s", (status, number), None)
            record.created, record.status_code = 60.0 * (number // 500), status
            handler.handle(record)

    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2 * 2 * LINES_A_MINUTE
    assert {"404: 0", "500: 0", "404: 500", "404: 59 (no more of these in this minute)"} <= set(lines)


def test_a_database_that_is_away_has_a_line_in_a_minute() -> None:
    lines: list[logging.LogRecord] = []
    handler = logging.StreamHandler()
    handler.addFilter(Bounded())
    handler.emit = lines.append
    error = OperationalError("connection failed")
    kinds = [
        {"name": "django.request", "status_code": 503, "exc_info": (type(error), error, None)},
        {"name": "django.request", "status_code": 503},
        {"name": "django.request", "status_code": 507},
        {"name": "games.api.errors", "outage": True},
        {"name": "anything", "exc_info": (type(error), error, None)},
    ]
    for number in range(3_000):
        record = logging.makeLogRecord({**kinds[number % 5], "levelno": logging.ERROR, "msg": f"Refused {number}"})
        record.created = 1000 + number / 20
        handler.handle(record)

    assert [int(record.created) for record in lines] == [1000, 1020, 1080, 1140]


# --- what requests log, as the settings have it ---


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What the server's handler writes."""
    written = io.StringIO()
    config = settings.LOGGING
    handler = logging.StreamHandler(written)
    handler.setFormatter(RedactingFormatter(config["formatters"]["redacted"]["format"]))
    # How many lines there are depends on the time, and a slow machine takes seconds for a few requests.
    handler.addFilter(at_noon)
    for name in config["handlers"]["stderr"]["filters"]:
        handler.addFilter(import_string(config["filters"][name]["()"])())
    monkeypatch.setattr(logging.getLogger("django"), "handlers", [handler])
    return written


def at_noon(record: logging.LogRecord) -> bool:
    record.created = 43_200
    return True


@pytest.mark.parametrize(
    ("action", "status"),
    [
        ({"type": "place", "row": "trump", "space": "red"}, 422),
        ({"type": "tally", "tricks": [1, 1, 1], "captured": [0, 0, 0]}, 422),
        ({"type": "place"}, 400),
    ],
)
def test_a_refused_action_of_a_program_is_a_line(
    action: dict[str, object], status: int, db: None, log: io.StringIO
) -> None:
    table = Table(None, "trump red")
    address = f"/api/v1/games/{table.id}/actions/"

    answer = Client().post(
        address,
        {"action": action},
        content_type="application/json",
        headers={"Authorization": f"Bearer {table.secrets['scorekeeper']}"},
    )

    assert answer.status_code == status
    (line,) = log.getvalue().splitlines()
    # Another Python has another phrase for 422.
    assert line.endswith(f"WARNING django.request: {HTTPStatus(status).phrase}: {address}")


def test_a_refused_tap_of_a_phone_is_a_line(db: None, log: io.StringIO) -> None:
    phone = sit_down(Table(None, "trump red"))
    page = phone.open()
    phone.table.record("points 4")

    assert page.press("Cover blue").status == 409

    (line,) = log.getvalue().splitlines()
    assert line.endswith(f"WARNING django.request: Conflict: /g/{phone.table.id}/act/")


@pytest.mark.parametrize("address", ["/join/aB3-_x/", "/join/aB3-_x/nothing/", "/g/unknown/"])
def test_an_address_that_is_not_found_is_a_line_without_a_link(address: str, db: None, log: io.StringIO) -> None:
    assert Client().get(address).status_code == 404

    (line,) = log.getvalue().splitlines()
    assert "WARNING django.request: Not Found: " in line
    assert "aB3" not in line


def test_a_failure_of_the_database_is_an_error_of_one_line(db: None, log: io.StringIO) -> None:
    class Away:
        def __call__(self, *args: object) -> NoReturn:
            raise OperationalError("connection failed:\n\tIs the server running?")

    client = Client(raise_request_exception=False)
    with connection.execute_wrapper(Away()):
        statuses = [client.post("/join/", {"code": "0000-0000"}).status_code for _ in range(5)]

    assert statuses == [503] * 5
    (line,) = log.getvalue().splitlines()
    assert "ERROR django.request: " in line
    assert "Is the server running?)" in line
