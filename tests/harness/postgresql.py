"""A PostgreSQL cluster of its own, which can be stopped and started.

Must not know: what is kept in it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Self

import pytest

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


class Cluster:
    """A cluster in a temporary directory, without a password.  Durable, as an operator runs it."""

    def __init__(self, address: str = "") -> None:
        """`address`: where to listen; empty for a Unix socket only."""
        if not PROGRAMS:
            pytest.skip("Debian's postgresql is not installed")
        self._bin = PROGRAMS[-1].parent
        self._address = address
        self._directory = Path(tempfile.mkdtemp(prefix="njet-pg.", dir="/tmp"))
        # PostgreSQL refuses to run as root.
        self._as = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self._as:
            shutil.chown(self._directory, "postgres")

    def __enter__(self) -> Self:
        self._run("initdb", "-U", "njet", "-A", "trust", "-E", "UTF8", "--no-sync")
        with (self._directory / "data" / "pg_hba.conf").open("a") as rules:
            rules.write("host all all samenet trust\n")
        self.start()
        subprocess.run([self._bin / "createdb", "-h", self._directory, "-U", "njet", "njet"], check=True)
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop()
        shutil.rmtree(self._directory)

    @property
    def url(self) -> str:
        """The `DATABASE_URL`."""
        return f"postgres://njet@{self._address or str(self._directory).replace('/', '%2F')}/njet"

    def start(self) -> None:
        """Start it, and wait until it is up."""
        options = f"-c listen_addresses='{self._address}' -c unix_socket_directories='{self._directory}'"
        self._run("pg_ctl", "-l", str(self._directory / "log"), "-w", "-o", options, "start")

    def stop(self) -> None:
        """Stop it as a crash does: without a word to its clients."""
        self._run("pg_ctl", "-m", "immediate", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        # In /: the user may not enter the directory of the caller.
        command = [*self._as, str(self._bin / program), "-D", str(self._directory / "data"), *arguments]
        subprocess.run(command, cwd="/", check=True, stdout=subprocess.DEVNULL)
