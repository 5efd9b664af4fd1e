"""Removes secrets from log messages: a join link or a key in a log would let every reader of it join the table."""

import logging
import re

SECRETS = re.compile(r"(?i)(/join/|bearer\s+)[^\s\"'<>]+")


def redact(line: str) -> str:
    return SECRETS.sub(r"\1[redacted]", line)


class RedactingFormatter(logging.Formatter):
    """Redacts the formatted text, so that arguments and tracebacks are covered too."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))
