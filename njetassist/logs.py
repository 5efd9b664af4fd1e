"""What may stand in a log line. Knows the shapes of secrets in text, not where they come from.

A join link or a key in a log would let everybody who reads it sit down at the table.
"""

import logging
import re

SECRETS = re.compile(r"(?i)(/join/|bearer\s+)[^\s\"'<>]+")


def redact(line: str) -> str:
    return SECRETS.sub(r"\1[redacted]", line)


class RedactingFormatter(logging.Formatter):
    """Redacts the finished text, so that arguments and tracebacks are covered too."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))
