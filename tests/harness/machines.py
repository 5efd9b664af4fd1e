"""Machines of their own: network namespaces on one bridge, and what OPERATIONS.md lets run on each of them.

Needs root.  Must not know: games.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import secrets
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Self

from tests.harness.serving import kill_group
from tests.ops.running import ROOT, environment

ADDRESSES = {"database": "10.0.0.10", "a": "10.0.0.11", "b": "10.0.0.12", "proxy": "10.0.0.20", "phones": "10.0.0.99"}
HOSTS = ("a", "b")
NAME = "njet.example"
CLONE_NEWNET = 0x40000000
PATIENCE = 60


def may_make_networks() -> bool:
    """Whether this user and this kernel make network namespaces."""
    if os.getuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"njet-{os.getpid()}-try"
    if subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False).returncode != 0:
        return False
    _ip("netns", "del", name)
    return True


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)


class Network:
    """A machine for each address, each with one cable to the same switch."""

    def __init__(self) -> None:
        self._prefix = f"njet-{os.getpid()}"
        self._switch = f"{self._prefix}-switch"

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            undo.callback(self.__exit__)
            _ip("netns", "add", self._switch)
            _ip("-n", self._switch, "link", "add", "bridge", "type", "bridge")
            _ip("-n", self._switch, "link", "set", "bridge", "up")
            for machine, address in ADDRESSES.items():
                own, port = f"{self._prefix}-{machine}", f"to-{machine}"
                _ip("netns", "add", own)
                _ip("-n", self._switch, "link", "add", port, "type", "veth", "peer", "name", "cable", "netns", own)
                _ip("-n", self._switch, "link", "set", port, "master", "bridge", "up")
                _ip("-n", own, "addr", "add", f"{address}/24", "dev", "cable")
                _ip("-n", own, "link", "set", "cable", "up")
                _ip("-n", own, "link", "set", "lo", "up")
            undo.pop_all()
        return self

    def __exit__(self, *_exc: object) -> None:
        for machine in ("switch", *ADDRESSES):
            subprocess.run(["ip", "netns", "del", f"{self._prefix}-{machine}"], capture_output=True, check=False)

    @contextmanager
    def inside(self, machine: str) -> Iterator[None]:
        """Let this thread, and the processes and threads that it starts, use the network of a machine."""
        with open("/proc/thread-self/ns/net") as before, open(f"/run/netns/{self._prefix}-{machine}") as there:
            _enter(there.fileno())
            try:
                yield
            finally:
                _enter(before.fileno())

    def plug(self, machine: str, *, is_in: bool) -> None:
        """Pull the cable of a machine, or plug it in."""
        _ip("-n", self._switch, "link", "set", f"to-{machine}", "up" if is_in else "down")


def _enter(namespace: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(namespace, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "the network of the machine cannot be entered")


# --- what OPERATIONS.md says ---


def blocks(language: str) -> list[str]:
    """The blocks of OPERATIONS.md in one language."""
    found = re.findall(
        rf"^```{language}\n(.*?)^```$", (ROOT / ".github" / "OPERATIONS.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert found, f"OPERATIONS.md shows no {language}"
    return found


def variables() -> dict[str, str]:
    """The environment of a host."""
    (text,) = [block for block in blocks("sh") if "NJET_TRUSTED_PROXIES" in block]
    return dict(line.split("=", 1) for line in text.splitlines())


def command() -> list[str]:
    """What systemd runs."""
    (unit,) = blocks("ini")
    start = re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    assert start is not None
    program, *arguments = shlex.split(start[1])
    assert program == "/opt/njet/.venv/bin/python"
    return [sys.executable, *arguments]


# --- what runs on them ---


class Host:
    """A machine with the application."""

    def __init__(self, network: Network, machine: str, data: Path, key: Path) -> None:
        """`key`: the file that all hosts have."""
        self._network = network
        self.machine = machine
        self._errors = data.parent / f"{data.name}.errors"
        usual = environment(data)
        del usual["WEB_CONCURRENCY"]
        own = {"NJET_DATA": str(data), "NJET_SECRET_KEY_FILE": str(key)}
        self.environment = {**usual, **variables(), **own}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the application, without waiting for it."""
        with self._network.inside(self.machine), self._errors.open("ab") as errors:
            self._process = subprocess.Popen(
                command(), cwd=ROOT, env=self.environment, stdout=errors, stderr=errors, start_new_session=True
            )

    def wait(self) -> None:
        """Wait until it answers."""
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert self._process is not None
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"{self.machine} does not answer: {self.errors()[-3000:]}")
            time.sleep(0.05)

    def _answers(self) -> bool:
        line = HTTPConnection(ADDRESSES[self.machine], 8000, timeout=5)
        with contextlib.closing(line), contextlib.suppress(OSError, HTTPException):
            line.request("GET", "/", headers={"Host": NAME})
            line.getresponse()
            return True
        return False

    def errors(self) -> str:
        """What it wrote."""
        return self._errors.read_text()

    def kill(self) -> None:
        """SIGKILL for all of it."""
        kill_group(self._process)

    def end(self) -> None:
        """Stop it as `systemctl stop` does."""
        assert self._process is not None
        self._process.terminate()
        assert self._process.wait(PATIENCE) == 0


class Proxy:
    """nginx on its machine, with the site of OPERATIONS.md."""

    def __init__(self, network: Network, directory: Path) -> None:
        self._network = network
        self._directory = directory
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        key, certificate = self._directory / f"{NAME}.key", self._directory / f"{NAME}.crt"
        subprocess.run(
            [
                *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
                *("-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
                *("-keyout", str(key), "-out", str(certificate)),
            ],
            check=True,
            capture_output=True,
        )
        self.trust = ssl.create_default_context(cafile=str(certificate))
        (site,) = blocks("nginx")
        site = site.replace("/etc/ssl", str(self._directory)).replace("/var/log/nginx", str(self._directory))
        (self._directory / "site").write_text(site)
        configuration = self._directory / "nginx.conf"
        configuration.write_text(
            f"pid {self._directory}/pid;\nerror_log {self._directory}/start.log;\nworker_rlimit_nofile 20000;\n"
            f"events {{ worker_connections 10000; }}\nhttp {{ include {self._directory}/site; }}\n"
        )
        with self._network.inside("proxy"):
            self._process = subprocess.Popen(["nginx", "-c", str(configuration), "-g", "daemon off;"])
        return self

    def __exit__(self, *_exc: object) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(PATIENCE)

    def logs(self) -> str:
        """Everything that nginx has written."""
        return "".join(file.read_text() for file in self._directory.glob("*.log"))

    def connect(self, timeout: float) -> socket.socket:
        """An encrypted connection."""
        plain = socket.create_connection((ADDRESSES["proxy"], 443), timeout)
        return self.trust.wrap_socket(plain, server_hostname=NAME)

    def line(self, timeout: float) -> HTTPSConnection:
        """A connection for requests, which is made with the first of them."""
        proxy = self

        class Line(HTTPSConnection):
            def connect(self) -> None:
                self.sock = proxy.connect(timeout)

        return Line(NAME, timeout=timeout)


@contextmanager
def hosts(network: Network, directory: Path) -> Iterator[dict[str, Host]]:
    """Both hosts, started together; killed at the end."""
    key = directory / "key"
    key.write_text(secrets.token_urlsafe(48))
    with ExitStack() as running:
        found = {}
        for machine in HOSTS:
            found[machine] = Host(network, machine, directory / machine, key)
            running.callback(found[machine].kill)
            found[machine].start()
        for host in found.values():
            host.wait()
        yield found
