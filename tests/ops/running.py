"""Runs manage.py in processes of its own, as an operator would. Knows nothing of the code inside."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
MANAGE = [sys.executable, str(ROOT / "manage.py")]


def environment(data: Path, **extra: str) -> dict[str, str]:
    """Nothing of the developer's own settings: the tests of the server use SQLite, and one process on any machine."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("NJET_", "DATABASE_URL", "DJANGO_"))
    }
    usual = {"NJET_DATA": str(data), "WEB_CONCURRENCY": "1", "PYTHONWARNINGS": "default", "NO_PROXY": "*"}
    # A test records a game in less time than people need for a tap.
    usual["NJET_WRITES"] = "0"
    return {**kept, **usual, **extra}


def manage(data: Path, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*MANAGE, *arguments], env=environment(data, **extra), capture_output=True, text=True, timeout=300, check=False
    )


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: str


def named(headers: Message) -> dict[str, str]:
    """The headers with their names as people write them: on the line their case means nothing."""
    return {name.title(): value for name, value in headers.items()}


class Server:
    """`manage.py serve` on a free port; ended by its number at the end of the block."""

    def __init__(
        self, data: Path, *, bind: str = "127.0.0.1:0", cwd: Path = ROOT, under: Sequence[str] = (), **extra: str
    ) -> None:
        """`under`: a command that runs the server."""
        self.output = data.parent / f"{data.name}.output"
        self.errors = data.parent / f"{data.name}.errors"
        with self.output.open("w") as output, self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [*under, *MANAGE, "serve", "--bind", bind],
                env={**environment(data), **extra},
                cwd=cwd,
                stdout=output,
                stderr=errors,
            )
        self.port = self._wait_for_port()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def _wait_for_port(self) -> int:
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            if found := re.search(r"listens on \S+:(\d+)\.\n.*Ctrl-C", self.output.read_text(), re.DOTALL):
                return int(found[1])
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        self.process.kill()
        raise AssertionError(f"The server did not start: {self.errors.read_text()}")

    def get(self, path: str, **headers: str) -> Answer:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return Answer(response.status, named(response.headers), response.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, named(error.headers), error.read().decode())

    def end(self, number: signal.Signals, *, within: float = 30) -> int:
        """Send a signal; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(timeout=within)
