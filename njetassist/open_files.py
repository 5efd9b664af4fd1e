"""How many files a process of the server may have open, and so how many connections and streams it accepts."""

import contextlib
import resource

MOST_CONNECTIONS = 4096
KEPT_FREE = 512
"""Descriptors for databases, logs and connections that arrive at once: asyncio accepts a hundred in each turn of its
loop, and closes the one that makes room three turns later."""
GRANTED_BY_MACOS = 10_240
"""macOS reports an unlimited hard limit and grants this one."""


def raise_limit() -> None:
    """Raise the soft limit to the hard one, as far as the system grants it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard, max(soft, GRANTED_BY_MACOS)):
        with contextlib.suppress(ValueError, OSError):
            return resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def connections() -> int:
    """The connections that one process keeps open."""
    limit, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return min(MOST_CONNECTIONS, max(limit - KEPT_FREE, limit // 2))
