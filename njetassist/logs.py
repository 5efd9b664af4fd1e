"""Removes secrets from log messages: a join link or a key in a log would let every reader of it join the table.

What is logged again and again is bounded.
"""

import copy
import logging
import re
from collections import Counter

LINES_A_MINUTE = 60
SECRETS = re.compile(r"(?i)(/join/|bearer\s+)[^\s\"'<>]+")


def redact(line: str) -> str:
    return SECRETS.sub(r"\1[redacted]", line)


class RedactingFormatter(logging.Formatter):
    """Redacts the formatted text, so that arguments and tracebacks are covered too."""

    def format(self, record: logging.LogRecord) -> str:
        record = copy.copy(record)
        error = _failure(record)
        if error is not None:
            # Every request fails in the same way: its message says more than a traceback.
            record.exc_info = record.exc_text = None
            record.msg, record.args = f"{record.getMessage()} ({error})", ()
        return redact(super().format(record))


def _failure(record: logging.LogRecord) -> str | None:
    """The failure of the database that a message brings with it, in a line."""
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return None
    # Not at the top: the settings are complete before the application is loaded.
    from games.errors import of_database

    return None if of_database(error) is None else f"{type(error).__name__}: {' '.join(str(error).split())}"


class Bounded(logging.Filter):
    """Limits how many lines of one message are logged in a minute: each refused request of a stranger writes one.

    About a database that is offline or full there is one, with any text: every request has a message then.  Such a
    message brings the error, is about an answer with such a status, or is marked by `extra={"outage": True}`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.minute = 0
        self.lines: Counter[object] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        if (minute := int(record.created // 60)) != self.minute:
            self.minute = minute
            self.lines.clear()
        status = getattr(record, "status_code", None)
        is_outage = status in (503, 507) or hasattr(record, "outage") or _failure(record) is not None
        # Django writes one message for every status.
        message = "outage" if is_outage else (record.name, record.levelno, record.msg, status)
        most = 1 if is_outage else LINES_A_MINUTE
        self.lines[message] += 1
        if self.lines[message] == most:
            record.msg, record.args = f"{record.getMessage()} (no more of these in this minute)", ()
        return self.lines[message] <= most
