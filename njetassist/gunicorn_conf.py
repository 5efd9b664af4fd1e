"""How gunicorn runs the application: the only place that names its worker.

Knows processes, signals and time limits. Knows nothing of Django. `manage.py serve` uses it, and any
other way to start gunicorn can: `gunicorn -c python:njetassist.gunicorn_conf`.
"""

import ctypes
import os
import signal
import sys
from typing import Any

from gunicorn import glogging

from njetassist.logs import RedactingFormatter

wsgi_app = "njetassist.asgi:application"
worker_class = "njetassist.worker.Worker"
asgi_lifespan = "on"
asgi_loop = "asyncio"

# A phone that looks at the table again within a minute finds its connection open.
keepalive = 75
timeout = 30
graceful_timeout = 20
if os.access("/dev/shm", os.W_OK):
    # A heartbeat on a slow disk could look like a hung worker.
    worker_tmp_dir = "/dev/shm"

control_socket_disable = True

# Whether a proxy may speak for a client is decided once, in njetassist.middleware.
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""

# There is no access log: it would list join links and who plays when.
accesslog = None
errorlog = "-"
loglevel = "warning"
logger_class = "njetassist.gunicorn_conf.RedactingLogger"

STOPPING = (signal.SIGINT, signal.SIGTERM)
PR_SET_PDEATHSIG = 1


class RedactingLogger(glogging.Logger):
    """Some of gunicorn's own lines repeat the address that was asked for."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        for handler in (*self.error_log.handlers, *self.access_log.handlers):
            handler.setFormatter(RedactingFormatter(self.error_fmt, self.datefmt))


def when_ready(server: Any) -> None:
    # `manage.py serve` holds these back while one program replaces the other, so that a Ctrl-C in
    # between is neither lost nor a stack trace.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)


def post_fork(server: Any, worker: Any) -> None:
    """A worker must not outlive a killed master: it would keep the port and the lock."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != server.pid:
        os._exit(1)  # the master died before the line above
