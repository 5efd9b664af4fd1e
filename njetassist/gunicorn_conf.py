"""The configuration of gunicorn, which keeps several processes on PostgreSQL: worker, time limits, logs.

`manage.py serve` uses it. To start gunicorn directly: `gunicorn -c python:njetassist.gunicorn_conf`.
"""

import ctypes
import os
import signal
import sys
from typing import Any

from gunicorn import glogging

from njetassist.logs import Bounded, RedactingFormatter
from njetassist.settings import PROCESSES

wsgi_app = "njetassist.asgi:application"
# Loaded once, before the workers are forked: they share its memory.
preload_app = True
workers = PROCESSES
worker_class = "njetassist.worker.Worker"
timeout = 30
graceful_timeout = 20
if os.access("/dev/shm", os.W_OK):
    # A heartbeat on a slow disk could look like a hung worker.
    worker_tmp_dir = "/dev/shm"

control_socket_disable = True

# There is no access log: it would contain join links and show who plays when.
accesslog = None
errorlog = "-"
loglevel = "warning"
logger_class = "njetassist.gunicorn_conf.RedactingLogger"

PR_SET_PDEATHSIG = 1


class RedactingLogger(glogging.Logger):
    """Redacts the requested path, which some messages of the server contain, and limits how often each is logged."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        for handler in (*self.error_log.handlers, *self.access_log.handlers):
            handler.setFormatter(RedactingFormatter(self.error_fmt, self.datefmt))
            handler.addFilter(Bounded())


def on_starting(server: Any) -> None:
    from njetassist.asgi import load_pages  # (needs the settings)

    load_pages()


def when_ready(server: Any) -> None:
    # `manage.py serve` blocks these signals until gunicorn has handlers for them, so that no Ctrl-C is lost.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def post_fork(server: Any, worker: Any) -> None:
    """Kill the worker when its master dies: it would keep the port and the lock."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != server.pid:
        os._exit(1)  # the master died before the line above
