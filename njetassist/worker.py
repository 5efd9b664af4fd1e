"""gunicorn, which keeps several processes on PostgreSQL: started in this process, with uvicorn's worker."""

import ctypes
import os
import signal
import sys
from typing import Any

from django.conf import settings
from gunicorn.app.base import BaseApplication
from uvicorn_worker import UvicornWorker

from njetassist.uvicorn_options import OPTIONS

PR_SET_PDEATHSIG = 1


class Worker(UvicornWorker):  # type: ignore[misc]  # (without types)
    """The worker of gunicorn."""

    CONFIG_KWARGS = OPTIONS


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


CONFIGURATION = {
    "workers": settings.PROCESSES,
    "worker_class": Worker,
    "graceful_timeout": 20,
    # A heartbeat on a slow disk could look like a hung worker.
    "worker_tmp_dir": "/dev/shm" if os.access("/dev/shm", os.W_OK) else None,
    "control_socket_disable": True,
    "logconfig_dict": settings.LOGGING,
    "when_ready": when_ready,
    "post_fork": post_fork,
}
"""There is no access log: it would contain join links and show who plays when."""


class Gunicorn(BaseApplication):
    """gunicorn in this process."""

    def __init__(self, application: Any, listener: int) -> None:
        """`listener`: the descriptor of the socket, which gunicorn closes."""
        self.application, self.listener = application, listener
        super().__init__()

    def load_config(self) -> None:
        assert self.cfg is not None, "gunicorn has made it"
        for name, value in {**CONFIGURATION, "bind": f"fd://{self.listener}"}.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        return self.application
