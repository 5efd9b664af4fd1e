"""Two hosts, a database and nginx, set up as OPERATIONS.md says: after any failure no tap is lost and phones go on.

Each machine is a network namespace of this one, so the test needs root.
"""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import ClassVar, Self

import pytest

from tests.harness.audit import audit
from tests.harness.conftest import Report
from tests.harness.lines import Answer, Document, Line, NoAnswer
from tests.harness.machines import ADDRESSES, HOSTS, NAME, Host, Network, Proxy, blocks, hosts, may_make_networks
from tests.harness.postgresql import Cluster
from tests.harness.scorekeepers import Load, Scorekeeper, Table, at_work
from tests.live.phones import Answer as Page
from tests.live.phones import Stream, Visitor
from tests.ops.running import manage

pytestmark = [
    pytest.mark.harness,
    pytest.mark.skipif(not may_make_networks(), reason="NO NETWORK NAMESPACES HERE: several machines were not tried"),
]

TABLES = 3
MORE = 20
"""The least number of taps before and after the event."""
GIVES_UP_AFTER = 10.0
"""Seconds: those of a phone (static/njet/taps.js)."""
SILENCE = 9.0
AGAIN_AFTER = 2.0
"""Seconds between two attempts of a browser to open a stream."""
FOUND_WITHIN = 5.0
CUT_OFF_WITHIN = 15.0
VERSION = re.compile(r'data-version="(\d+)"')
"""In a fragment."""


@dataclass
class Machines:
    """Everything that runs."""

    network: Network
    database: Cluster
    hosts: dict[str, Host]
    proxy: Proxy
    slowness: float = 0.0
    """The longest time without an answer while nothing failed."""


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """All machines; the hosts start together on an empty database; the tests run in the network of the phones."""
    directory = tmp_path_factory.mktemp("machines")
    with ExitStack() as running:
        network = running.enter_context(Network())
        with network.inside("database"):
            database = running.enter_context(Cluster(ADDRESSES["database"]))
        running.enter_context(network.inside("phones"))
        (directory / "nginx").mkdir()
        proxy = running.enter_context(Proxy(network, directory / "nginx"))
        yield Machines(network, database, running.enter_context(hosts(network, directory)), proxy)


# --- phones behind the proxy ---


class ProxiedLine(Line):
    """A kept connection to the proxy.  An answer that only says that a server is away is none."""

    def __init__(self, proxy: Proxy) -> None:
        self._connection: HTTPConnection = proxy.line(GIVES_UP_AFTER)
        self.forget()

    def forget(self) -> None:
        """Measure from now on."""
        self._answered = time.monotonic()
        self.longest = 0.0
        """The longest time between two answers."""

    def _ask(self, method: str, address: str, document: Document | None, key: str, headers: dict[str, str]) -> Answer:
        answer = super()._ask(method, address, document, key, headers)
        if answer.status in (500, 502, 503, 504):
            raise NoAnswer(answer.text)
        now = time.monotonic()
        self.longest, self._answered = max(self.longest, now - self._answered), now
        return answer


class ProxiedVisitor(Visitor):
    """A browser behind the proxy."""

    proxy: ClassVar[Proxy]

    def line(self) -> HTTPConnection:
        return self.proxy.line(GIVES_UP_AFTER)

    def post(self, path: str, fields: dict[str, str], **headers: str) -> Page:
        return super().post(path, fields, Origin=f"https://{NAME}", **headers)

    def listen(self, asks: str = "", **headers: str) -> Stream:
        return ProxiedStream(self.port, f"/live/{self.game_id}/{asks}", self.cookie(), **headers)


class ProxiedStream(Stream):
    """A stream through the proxy."""

    def _connect(self, port: int) -> tuple[socket.socket, str]:
        return ProxiedVisitor.proxy.connect(GIVES_UP_AFTER), NAME


class Listener:
    """A phone that keeps a stream of fragments open as a browser does.

    It is opened again after 2 s, and given up after 9 s of silence.
    """

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.version = -1
        self.longest = 0.0
        """The longest time from the end of a stream, or its last event, until there was another."""
        self.opened = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self.wait_for(0)
        return self

    def __exit__(self, *_exc: object) -> None:
        self._ended.set()
        self._thread.join()

    def wait_for(self, version: int) -> None:
        """Wait until it has heard of a version."""
        deadline = time.monotonic() + CUT_OFF_WITHIN
        while self.version < version:
            assert time.monotonic() < deadline, f"heard of {self.version}, not of {version}"
            time.sleep(0.01)

    def _run(self) -> None:
        lost = None
        while not self._ended.is_set():
            try:
                with self._visitor.watch() as stream:
                    if stream.status != 200:
                        raise ConnectionError(stream.status)
                    self.opened += 1
                    if lost is not None:
                        self.longest = max(self.longest, time.monotonic() - lost)
                    lost = self._listen(stream)
            except (OSError, ValueError):
                lost = lost or time.monotonic()
            self._ended.wait(AGAIN_AFTER)

    def _listen(self, stream: Stream) -> float:
        """Listen to the end of a stream; when it was lost."""
        heard = time.monotonic()
        while not self._ended.is_set():
            try:
                event = stream.next(within=0.5)
            except TimeoutError:
                if time.monotonic() - heard > SILENCE:
                    return heard
                continue
            except OSError:
                break
            if event.name == "bye":
                break
            heard = time.monotonic()
            if event.name == "version":
                self.version = int(event.data)
            elif (shown := VERSION.search(event.data)) and event.name == "table":
                self.version = int(shown[1])
        return time.monotonic()


@contextmanager
def playing(machines: Machines, what: str, report: Report, *, within: float) -> Iterator[Load]:
    """Tables at work, each with two programs that record and two phones that listen.

    At the end: what was acknowledged is there once, all phones have heard of it, and none was alone for longer.
    """
    ProxiedVisitor.proxy = machines.proxy
    lines: list[ProxiedLine] = []
    keepers: list[Scorekeeper] = []
    listeners: list[tuple[Table, Listener]] = []

    def line() -> ProxiedLine:
        lines.append(opened.enter_context(ProxiedLine(machines.proxy)))
        return lines[-1]

    with ExitStack() as opened:
        for number in range(TABLES):
            ana = ProxiedVisitor(443)
            ana.open_table("Ana", "Ben", "Cleo", "Dan", "Eve")
            joined = line().post("/api/v1/join/", {"token": ana.link("scorekeeper").split("/")[2]})
            assert joined.status == 201, joined.text
            table = Table(ana.game_id, joined.document["key"])
            for phone in (ana, ana.invite("scorekeeper", label="Ben")):
                listeners.append((table, opened.enter_context(Listener(phone))))
            for name in ("careful", "bold"):
                keepers.append(Scorekeeper(f"{name} at {number}", table, line(), names_version=name == "careful"))
        with at_work(keepers) as load:
            for each in lines:
                each.forget()
            load.wait_for(MORE)
            yield load
            load.wait_for(MORE)

        environment = machines.hosts["a"].environment
        findings = audit(keepers, line(), Path(environment["NJET_DATA"]), **environment)
        for table, listener in listeners:
            listener.wait_for(table.state(lines[-1])["version"])
        without_answer = max(each.longest for each in lines)
        without_stream = max(listener.longest for _, listener in listeners)
        report(
            f"{what}: {load.acknowledged} acknowledged, {sum(each.retries for each in keepers)} retries, "
            f"{findings or 'nothing lost'}; longest time without an answer {without_answer:.1f} s, "
            f"without a stream {without_stream:.1f} s"
        )
        assert not findings
        # A machine that is busy with other things is slow without any failure, too.
        machines.slowness = machines.slowness or without_answer
        assert max(without_answer, without_stream) <= within + 3 * machines.slowness


def test_both_hosts_serve_one_table(machines: Machines, report: Report) -> None:
    with playing(machines, "two hosts", report, within=FOUND_WITHIN):
        pass


def test_phones_find_the_other_host_when_one_is_killed(machines: Machines, report: Report) -> None:
    with playing(machines, "a host is killed", report, within=FOUND_WITHIN) as load:
        machines.hosts["a"].kill()
        load.wait_for(MORE)
        time.sleep(FOUND_WITHIN)
    machines.hosts["a"].start()
    machines.hosts["a"].wait()


def test_hosts_are_upgraded_one_after_the_other(machines: Machines, report: Report) -> None:
    with playing(machines, "an upgrade", report, within=FOUND_WITHIN) as load:
        for machine in HOSTS:
            machines.hosts[machine].end()
            load.wait_for(MORE)
            machines.hosts[machine].start()
            machines.hosts[machine].wait()


def test_the_database_is_restarted(machines: Machines, report: Report) -> None:
    with playing(machines, "the database restarts", report, within=CUT_OFF_WITHIN), machines.network.inside("database"):
        machines.database.stop()
        time.sleep(AGAIN_AFTER)
        machines.database.start()

    assert "Traceback" not in "".join(host.errors() for host in machines.hosts.values())


def test_a_host_that_is_cut_off_is_left(machines: Machines, report: Report) -> None:
    with playing(machines, "a host is cut off", report, within=CUT_OFF_WITHIN) as load:
        machines.network.plug("a", is_in=False)
        time.sleep(SILENCE + AGAIN_AFTER)
        load.wait_for(MORE)
        machines.network.plug("a", is_in=True)


def test_no_join_link_is_in_a_log(machines: Machines) -> None:
    ana = ProxiedVisitor(443)
    ana.open_table("Ana", "Ben", "Cleo")
    link = ana.link("viewer")

    ana.get(link)
    ana.get("/static/missing", Referer=f"https://{NAME}{link}")
    for host in machines.hosts.values():
        host.kill()
    ana.get(link)
    ana.get("/static/missing", Referer=f"https://{NAME}{link}")

    logs = machines.proxy.logs()
    assert "GET /join/- 200" in logs
    assert "GET /join/- 502" in logs
    assert link.split("/")[2] not in logs + "".join(host.errors() for host in machines.hosts.values())


def test_the_check_finds_nothing_missing_on_a_host(machines: Machines) -> None:
    host = machines.hosts["a"].environment

    done = manage(Path(host["NJET_DATA"]), "check", "--deploy", "--fail-level", "WARNING", **host)

    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    (unit,) = blocks("ini")
    file = tmp_path / "njet.service"
    file.write_text(unit.replace("/opt/njet/.venv/bin/python", sys.executable))

    done = subprocess.run(["systemd-analyze", "verify", file], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout + done.stderr) == (0, "")
