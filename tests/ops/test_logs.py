"""No secret in a log line."""

import logging
import sqlite3
import sys

import pytest
from django.db import OperationalError

from njetassist.logs import LINES_A_MINUTE, Bounded, RedactingFormatter, redact


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

    text = RedactingFormatter("%(message)s").format(record)

    assert text == f"Not Found: {'/x' * 100}…"
    assert len(record.getMessage()) > 10_000


def test_a_failure_of_the_database_is_a_line_and_a_fault_of_the_program_a_traceback() -> None:
    away, fault = (
        OperationalError("connection failed:\n\tIs the server running?"),
        OperationalError("no such column: x"),
    )
    fault.__cause__ = sqlite3.OperationalError()
    fault.__cause__.sqlite_errorcode = sqlite3.SQLITE_ERROR

    assert formatted(away).splitlines()[1:] == ["OperationalError: connection failed: Is the server running?"]
    assert "Traceback" in formatted(fault)


def formatted(error: Exception) -> str:
    try:
        raise error
    except OperationalError:
        record = logging.LogRecord("x", logging.ERROR, "x", 1, "Service Unavailable: /", None, sys.exc_info())
    return RedactingFormatter("%(message)s").format(record)


def test_a_message_has_so_many_lines_in_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(Bounded())
    for number in range(1000):
        for status in (404, 503):
            record = logging.LogRecord("django.request", logging.WARNING, "x", 1, "%s: %s", (status, number), None)
            record.created, record.status_code = 60.0 * (number // 500), status
            handler.handle(record)

    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2 * 2 * LINES_A_MINUTE
    assert {"404: 0", "503: 0", "404: 500", "404: 59 (no more of these in this minute)"} <= set(lines)
