"""How a process answers requests: uvicorn with documented options, alone or as gunicorn's worker."""

from typing import Any

from njetassist import open_files

OPTIONS: dict[str, Any] = {
    "loop": "asyncio",
    # Unlike httptools it limits the headers of a request, and refuses one that names no host.
    "http": "h11",
    "h11_max_incomplete_event_size": 32 * 1024,
    "ws": "none",
    "lifespan": "on",
    # One connection more is answered with 503.
    "limit_concurrency": open_files.connections(),
    # A phone that requests a page again within a minute reuses its connection.
    "timeout_keep_alive": 75,
    "timeout_graceful_shutdown": 20,
    # njetassist.middleware alone decides which proxies are trusted.
    "proxy_headers": False,
    "server_header": False,
    # It would contain join links and show who plays when.
    "access_log": False,
    "log_config": None,
}
