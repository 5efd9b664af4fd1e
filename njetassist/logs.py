"""Removes secrets from log messages: a join link or a key in a log would let every reader of it join the table.

Long arguments are cut: the path of a refused request has any length.
"""

import copy
import logging
import re
from collections import Counter
from typing import Any

LONGEST_ARGUMENT = 200
LINES_A_MINUTE = 60
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

    def formatException(self, ei: Any) -> str:
        """The traceback, of a failure of the database only its message: then every request fails in the same way."""
        # Not at the top: gunicorn's master imports this module, and none of the application.
        from games.errors import of_database

        if of_database(ei[1]) is None:
            return super().formatException(ei)
        return f"{type(ei[1]).__name__}: {' '.join(str(ei[1]).split())}"


def _cut(argument: object) -> object:
    is_long = isinstance(argument, str) and len(argument) > LONGEST_ARGUMENT
    return f"{str(argument)[:LONGEST_ARGUMENT]}…" if is_long else argument


class Bounded(logging.Filter):
    """Lets so many lines of one message through in a minute: each refused request of a stranger writes one."""

    def __init__(self) -> None:
        super().__init__()
        self.minute = 0
        self.lines: Counter[tuple[object, ...]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        minute = int(record.created // 60)
        if minute != self.minute:
            self.minute = minute
            self.lines.clear()
        # Django writes one message for every status.
        message = (record.name, record.levelno, record.msg, getattr(record, "status_code", None))
        self.lines[message] += 1
        if self.lines[message] == LINES_A_MINUTE:
            record.msg, record.args = f"{record.getMessage()} (no more of these in this minute)", ()
        return self.lines[message] <= LINES_A_MINUTE
