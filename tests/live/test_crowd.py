"""More connections and streams than a server can keep open: a table goes on."""

from __future__ import annotations

import re
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from njetassist import open_files
from tests.live.phones import Stream, Visitor
from tests.ops.running import Server

pytestmark = pytest.mark.slow

CROWD = 300
REQUEST = b"GET /manifest.webmanifest HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.fixture(params=["soft", "hard"])
def crowded(request: pytest.FixtureRequest, first_start: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that was started with 1,024 descriptors as the soft limit, or as the hard one too."""
    open_files.raise_limit()
    data = shutil.copytree(first_start, tmp_path / "data")
    option = "-Sn" if request.param == "soft" else "-n"
    with Server(data, under=["sh", "-c", f'ulimit {option} 1024; exec "$@"', "-"]) as server:
        yield server


def connect(server: Server) -> socket.socket:
    """A connection that has sent one request and got its answer."""
    line = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    line.sendall(REQUEST)
    line.recv(65536)
    return line


def connect_at_once(server: Server) -> socket.socket:
    """A connection that sends nothing, without waiting for it."""
    line = socket.socket()
    line.setblocking(False)
    line.connect_ex(("127.0.0.1", server.port))
    return line


@pytest.mark.parametrize("one", [connect, connect_at_once], ids=["one request each", "all at once"])
def test_a_table_goes_on_beside_300_idle_connections(crowded: Server, one: Callable[[Server], socket.socket]) -> None:
    ana = Visitor(crowded.port)
    ana.open_table("Ana", "Ben", "Cleo")

    with ana.listen() as stream, ExitStack() as crowd:
        for _ in range(CROWD):
            crowd.enter_context(closing(one(crowded)))
        ana.cover("trump:red")
        stream.next("version", data="1")
        assert ana.look()

    assert "Too many open files" not in crowded.errors.read_text()
    assert len(crowded.errors.read_text()) < 2000


def test_more_streams_than_the_limit_are_refused_and_their_phones_poll(first_start: Path, tmp_path: Path) -> None:
    data = shutil.copytree(first_start, tmp_path / "data")
    with Server(data, under=["sh", "-c", 'ulimit -n 64; exec "$@"', "-"]) as server, ExitStack() as opened:
        ana = Visitor(server.port)
        ana.open_table("Ana", "Ben", "Cleo")
        streams = [opened.enter_context(ana.listen()) for _ in range(16)]

        further = ana.get(f"/live/{ana.game_id}/")
        ana.cover("trump:red")
        polled = ana.get(f"/g/{ana.game_id}/?since=0", HX_Request="true")
        streams[0].close()
        time.sleep(5)
        again = Stream(server.port, f"/live/{ana.game_id}/", ana.cookie())

        assert (further.status, further.headers["Retry-After"]) == (503, "5")
        assert "Content-Security-Policy" in further.headers
        assert polled.status == 200
        assert again.status == 200
        again.close()


def test_a_server_raises_its_limit_of_files_as_far_as_it_may(crowded: Server) -> None:
    limits = Path(f"/proc/{crowded.process.pid}/limits").read_text()

    soft, hard = re.findall(r"^Max open files +(\d+) +(\d+)", limits, re.MULTILINE)[0]
    assert soft == hard
