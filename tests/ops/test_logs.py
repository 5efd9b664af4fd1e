"""No secret in a log line."""

import logging
import sys

import pytest

from njetassist.logs import RedactingFormatter, redact


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
