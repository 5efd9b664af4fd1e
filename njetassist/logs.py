"""Removes secrets from log messages: a join link or a key in a log would let every reader of it join the table.

Long arguments are cut: the path of a refused request has any length.
"""

import copy
import logging
import re

LONGEST_ARGUMENT = 200
SECRETS = re.compile(r"(?i)(/join/|bearer\s+)[^\s\"'<>]+")


def redact(line: str) -> str:
    return SECRETS.sub(r"\1[redacted]", line)


class RedactingFormatter(logging.Formatter):
    """Redacts the formatted text, so that arguments and tracebacks are covered too."""

    def format(self, record: logging.LogRecord) -> str:
        args = record.args
        if isinstance(args, tuple):
            record = copy.copy(record)
            record.args = tuple(_cut(each) for each in args)
        return redact(super().format(record))


def _cut(argument: object) -> object:
    is_long = isinstance(argument, str) and len(argument) > LONGEST_ARGUMENT
    return f"{str(argument)[:LONGEST_ARGUMENT]}…" if is_long else argument
