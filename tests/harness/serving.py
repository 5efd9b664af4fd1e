"""A server that can be killed and started again on the same port.

Knows: processes, process groups, ports, how long a start takes.  Must not know: games, nor which worker gunicorn runs.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from enum import Enum
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Self

from tests.ops.running import MANAGE, ROOT, environment

PATIENCE = 60

# Below the ports that clients get: a client that calls a dead server again and again could be given the very port that
# it calls, and would then talk to itself.
PORTS = range(20_000, 32_000)


class Way(Enum):
    """How a server is started."""

    SERVE = "manage.py serve"
    GUNICORN = "gunicorn with its configuration, without the preparations of serve"


def kill_group(process: subprocess.Popen[bytes] | None) -> None:
    """SIGKILL for a process and all that it has started."""
    # One that has ended has given its number back.
    if process is not None and process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


class Serving:
    """A server on the data of one directory, in a process group of its own: on PostgreSQL with two processes."""

    def __init__(self, data: Path, *, fault: str = "", under: Sequence[str] = (), **variables: str) -> None:
        """`fault`: a class of `tests.harness.faults`.  `under`: a command that runs the server (strace)."""
        self.port = free_port()
        self.errors = data.parent / f"{data.name}.errors"
        self._under = under
        processes = "2" if "DATABASE_URL" in variables else "1"
        self._environment = environment(data, **{"PYTHONPATH": str(ROOT), "WEB_CONCURRENCY": processes, **variables})
        if fault:
            self._environment |= {"DJANGO_SETTINGS_MODULE": "tests.harness.faulty", "PLANTED_FAULT": fault}
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, failure: type[BaseException] | None, *_exc: object) -> None:
        self.kill()
        if failure is not None:
            # Printed, because the file is removed with the test's data.
            print(f"What the server wrote:\n{self.errors.read_text()[-3000:]}")

    @property
    def group(self) -> int:
        """The number of the server's process group."""
        assert self._process is not None
        return self._process.pid

    def start(self, way: Way = Way.SERVE) -> float:
        """Start it; the seconds until it answered for the first time."""
        began = time.monotonic()
        with self.errors.open("ab") as errors:
            self._process = subprocess.Popen(
                [*self._under, *self._command(way)],
                cwd=ROOT,
                env=self._environment,
                stdout=errors,
                stderr=errors,
                start_new_session=True,
            )
        self._wait_for_an_answer(began + PATIENCE)
        return time.monotonic() - began

    def kill(self) -> None:
        """SIGKILL for all of it, as when somebody pulls the plug."""
        kill_group(self._process)

    def end(self) -> None:
        """SIGTERM, and the time to tidy up."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(PATIENCE)

    def _command(self, way: Way) -> list[str]:
        match way:
            case Way.SERVE:
                return [*MANAGE, "serve", "--bind", f"127.0.0.1:{self.port}"]
            case Way.GUNICORN:
                return [sys.executable, "-m", "tests.harness.bare_gunicorn", str(self.port)]

    def _wait_for_an_answer(self, deadline: float) -> None:
        while not self._answers():
            assert self._process is not None
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise AssertionError(f"The server does not answer: {self.errors.read_text()[-3000:]}")
            time.sleep(0.01)

    def _answers(self) -> bool:
        with contextlib.closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as line:
            try:
                line.request("GET", "/api/v1/presets/")
                return line.getresponse().status == 200
            except (OSError, HTTPException):
                return False


def free_port() -> int:
    """A port that no one listens on."""
    for port in itertools.islice(iter(lambda: random.choice(PORTS), None), 100):
        with socket.socket() as candidate, contextlib.suppress(OSError):
            candidate.bind(("127.0.0.1", port))
            return port
    raise AssertionError("There is no free port.")
