"""Pages in threads: long answers, clients that go away, clients that take their time.  Under a real gunicorn."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from njetassist import bridge
from tests.live.downloads import CHUNK, THREADS
from tests.ops.running import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file with what gunicorn logs."""
    return tmp_path_factory.mktemp("bridge") / "errors"


@pytest.fixture(scope="module")
def port(errors: Path) -> Iterator[int]:
    with errors.open("wb") as log, socket.create_server(("127.0.0.1", 0)) as listener:
        listener.set_inheritable(True)
        options = ["-k", "asgi", "--asgi-lifespan", "off", "--no-control-socket", "--bind", f"fd://{listener.fileno()}"]
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *options, "tests.live.downloads:application"],
            cwd=ROOT,
            stderr=log,
            pass_fds=[listener.fileno()],
        )
        number = listener.getsockname()[1]
        try:
            yield number
        finally:
            process.kill()
            process.wait()


def get(port: int, path: str, *, body: bytes | None = None) -> tuple[int, bytes]:
    line = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        line.request("POST" if body is not None else "GET", path, body)
        response = line.getresponse()
        return response.status, response.read()
    finally:
        line.close()


def begin(port: int, request: bytes) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=10)
    line.sendall(request)
    return line


def is_open(line: socket.socket) -> bool:
    """Whether the server still waits at the other end."""
    line.setblocking(False)
    try:
        while line.recv(65536):
            pass
    except BlockingIOError:
        return True
    return False


def test_a_long_answer_arrives_whole(port: int) -> None:
    assert get(port, "/long?100") == (200, CHUNK * 100)


def test_a_body_arrives_whole_and_one_that_is_too_long_stays_unread(port: int) -> None:
    assert get(port, "/echo", body=b"a" * 1000) == (200, b"a" * 1000)
    assert get(port, "/echo", body=b"a" * 1001)[1] == b""


def test_a_fault_is_an_error_and_the_next_request_is_answered(port: int) -> None:
    assert get(port, "/fault")[0] == 500
    assert get(port, "/") == (200, b"short")


def test_an_answer_to_head_has_the_headers_of_get_and_no_body(port: int, errors: Path) -> None:
    line = HTTPConnection("127.0.0.1", port, timeout=10)
    for path, length in (("/", "5"), ("/long", None), ("/", "5")):
        line.request("HEAD", path)
        response = line.getresponse()
        assert (response.status, response.getheader("Content-Length"), response.read()) == (200, length, b"")
    line.close()

    assert "WARNING" not in errors.read_text()


def test_all_cookie_fields_of_a_request_are_read(port: int) -> None:
    """As a proxy passes on what HTTP/2 has split."""
    assert get(port, "/cookies") == (200, b"none")
    fields = b"Cookie: a=1\r\nX: y\r\nCookie: b=2; c=3\r\ncookie: d=\xe4\r\n"
    line = begin(port, b"GET /cookies HTTP/1.0\r\nHost: x\r\n" + fields + b"\r\n")

    answer = b"".join(iter(lambda: line.recv(4096), b""))

    line.close()
    assert answer.endswith(b"\r\n\r\na=1; b=2; c=3; d=\xe4")


def test_fifty_aborted_downloads_block_no_one(port: int) -> None:
    assert get(port, "/") == (200, b"short")
    for _ in range(50):
        line = begin(port, b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
        line.recv(1024)
        line.close()
    # gunicorn lets an application finish for three seconds after its client went away.
    time.sleep(3.5)

    assert get(port, "/") == (200, b"short")


@pytest.mark.parametrize(
    "request_",
    [b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\na", b"GET /long?3 HTTP/1.1\r\nHost: x\r\n\r\n"],
)
def test_clients_that_send_or_read_slowly_hold_no_thread(port: int, request_: bytes) -> None:
    slow = [begin(port, request_) for _ in range(3 * THREADS)]

    assert get(port, "/") == (200, b"short")

    assert all(is_open(line) for line in slow)
    for line in slow:
        line.close()


def test_a_body_that_does_not_say_how_long_it_is_stays_unread(port: int) -> None:
    line = begin(port, b"POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    with contextlib.suppress(OSError):
        for _ in range(50):
            line.sendall(b"10000\r\n" + b"a" * 65536 + b"\r\n")
        line.sendall(b"0\r\n\r\n")

    answer = line.recv(65536)

    line.close()
    assert b"aaaa" not in answer


def test_clients_that_do_not_read_long_answers_hold_no_thread(port: int) -> None:
    stuck = [begin(port, b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(3 * THREADS)]
    time.sleep(1)

    assert get(port, "/") == (200, b"short")
    assert get(port, "/long?100") == (200, CHUNK * 100)

    for line in stuck:
        line.close()


def test_an_answer_whose_client_has_left_is_closed_and_not_computed_to_its_end() -> None:
    computed: list[int] = []
    closed = threading.Event()

    def chunks() -> Iterator[bytes]:
        try:
            for number in range(1000):
                computed.append(number)
                yield CHUNK * 4
        finally:
            closed.set()

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterator[bytes]:
        start_response("200 OK", [])
        return chunks()

    sent = asyncio.run(ask(bridge.Bridge(application, threads=1, limit_of=len), "/", leaves=True))

    assert closed.wait(10)
    assert len(computed) < 5
    assert all(message.get("more_body", True) for message in sent)


async def ask(asked: bridge.Bridge, path: str, *, leaves: bool = False) -> list[Any]:
    """The messages of an answer.  `leaves`: the client disconnects as soon as it has sent its request."""
    bodies = iter([{"type": "http.request", "body": b""}])

    async def receive() -> dict[str, Any]:
        if (body := next(bodies, None)) is not None:
            return body
        await asyncio.sleep(0 if leaves else 60)
        return {"type": "http.disconnect"}

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)
        await asyncio.sleep(0)

    scope = {"method": "GET", "path": path, "query_string": b"", "http_version": "1.1", "scheme": "http"}
    await asked({**scope, "server": ("127.0.0.1", 1), "client": None, "headers": []}, receive, send)
    return sent


def test_of_more_requests_than_may_wait_each_is_refused_at_once_without_a_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bridge, "MOST_WAITING", 3)
    free = threading.Event()

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if environ[bridge.BUSY]:
            start_response("503 Busy", [])
            return [b"busy"]
        free.wait(10)
        start_response("200 OK", [])
        return [b"done"]

    async def crowd() -> tuple[list[Any], list[list[Any]]]:
        asked = bridge.Bridge(application, threads=1, limit_of=len)
        waiting = [asyncio.create_task(ask(asked, "/")) for _ in range(3)]
        await asyncio.sleep(0.1)
        refused = await ask(asked, "/")
        free.set()
        return refused, await asyncio.gather(*waiting)

    (start, body), answered = asyncio.run(crowd())

    assert (start["status"], body["body"]) == (503, b"busy")
    assert [messages[0]["status"] for messages in answered] == [200] * 3
