"""How many files a process of the server may have open, and so how many connections and streams it accepts."""

import contextlib
import resource

MOST_CONNECTIONS = 4096
KEPT_FREE = 512
"""Descriptors for databases, logs and connections that arrive at once: asyncio accepts a hundred in each turn of its
loop, and closes the one that makes room three turns later."""
GRANTED_BY_MACOS = 10_240
"""macOS reports an unlimited hard limit and grants this one."""


def raise_limit() -> int:
    """Raise the soft limit to the hard one, as far as the system grants it.  The limit from now on."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard, GRANTED_BY_MACOS):
        if 0 <= soft < wanted or wanted < 0:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
                break
    return limit()


def limit() -> int:
    """The soft limit of this process."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 1 << 30 if soft == resource.RLIM_INFINITY else soft


def connections() -> int:
    """The connections that one process keeps open."""
    return min(MOST_CONNECTIONS, max(limit() - KEPT_FREE, limit() // 2))


def streams() -> int:
    """The streams among them: the other half is for pages."""
    return connections() // 2
