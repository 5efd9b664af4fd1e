"""The configuration of gunicorn: worker, time limits, logs.

`manage.py serve` uses it. To start gunicorn directly: `gunicorn -c python:njetassist.gunicorn_conf`.
"""

import ctypes
import gc
import os
import signal
import sys
from typing import Any

from gunicorn import glogging, sock

from njetassist import open_files, processes
from njetassist.logs import RedactingFormatter

wsgi_app = "njetassist.asgi:application"
# A process runs Python on one core at a time.
workers = processes.wanted()
worker_class = "njetassist.worker.Worker"
asgi_lifespan = "on"
asgi_loop = "asyncio"
# The worker looks into this parser for the address of a request that it refuses.
http_parser = "python"
worker_connections = open_files.connections()

# A phone that requests a page again within a minute reuses its connection.
keepalive = 75
timeout = 30
graceful_timeout = 20
if os.access("/dev/shm", os.W_OK):
    # A heartbeat on a slow disk could look like a hung worker.
    worker_tmp_dir = "/dev/shm"

control_socket_disable = True

# njetassist.middleware alone decides which proxies are trusted.
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""

# There is no access log: it would contain join links and show who plays when.
accesslog = None
errorlog = "-"
loglevel = "warning"
logger_class = "njetassist.gunicorn_conf.RedactingLogger"

# A worker listens as soon as it can answer, if `serve` does not yet.  gunicorn itself would listen before its workers
# have started, and asks here whether it has to.
sock.BaseSocket._is_listening = staticmethod(lambda socket: True)  # type: ignore[method-assign]

PR_SET_PDEATHSIG = 1


class RedactingLogger(glogging.Logger):
    """Redacts the requested path, which some messages of gunicorn contain."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        for handler in (*self.error_log.handlers, *self.access_log.handlers):
            handler.setFormatter(RedactingFormatter(self.error_fmt, self.datefmt))


def when_ready(server: Any) -> None:
    # `manage.py serve` blocks these signals while gunicorn replaces it, so that a Ctrl-C in between is not lost and
    # causes no stack trace.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def post_worker_init(worker: Any) -> None:
    from django.urls import get_resolver

    from njetassist import daily  # (needs the settings that loading the application sets up)

    _ = get_resolver().url_patterns  # loads every page, which the first request would wait for otherwise
    gc.freeze()
    gc.enable()
    daily.begin()


def post_fork(server: Any, worker: Any) -> None:
    """Load without the garbage collector: what loads stays, and looking through it takes a quarter of the time.

    Kill the worker when its master dies: it would keep the port and the lock.
    """
    gc.disable()
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != server.pid:
        os._exit(1)  # the master died before the line above
