"""The number of processes that answer requests."""

import os


def wanted() -> int:
    """As many as there are cores that this process may use, or as WEB_CONCURRENCY says."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(os.environ.get("WEB_CONCURRENCY", "").strip() or cores)
