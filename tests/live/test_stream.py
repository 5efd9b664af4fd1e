"""What a phone hears, from a real server."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import signal
import socket
import time
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha384
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

from tests.live.phones import Stream, Visitor
from tests.ops.running import Server

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(first_start: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(shutil.copytree(first_start, tmp_path_factory.mktemp("live") / "data")) as server:
        yield server


@pytest.fixture
def ana(server: Server) -> Visitor:
    """A scorekeeper at a table of three."""
    visitor = Visitor(server.port)
    visitor.open_table("Ana", "Ben", "Cleo")
    return visitor


def test_a_tap_on_one_phone_reaches_the_others_before_its_next_request_is_answered(ana: Visitor) -> None:
    ben = ana.invite("scorekeeper")

    with ben.listen() as stream:
        stream.next("version", data="0")
        ana.cover("trump:red")
        ana.look()

        # What has arrived by now; to wait for more is not allowed.
        assert stream.next("version", data="1", within=0)


def test_a_stream_says_numbers_and_presence_and_nothing_of_the_game(ana: Visitor) -> None:
    with ana.listen() as stream:
        ana.cover("trump:red")
        time.sleep(0.3)
        ana.cover("trump:blue")
        stream.next("version", data="2")
        heard = stream.heard

    assert set(re.findall(rb"event: (\w+)", heard)) <= {b"hello", b"epoch", b"version", b"here", b"beat"}
    for secret in (b"Ben", b"trump", b"blue", b"place"):
        assert secret not in heard


def test_a_phone_that_shows_fragments_gets_the_one_of_a_poll_and_no_version(ana: Visitor) -> None:
    ben = ana.invite("scorekeeper")

    with ben.watch() as stream:
        stream.next("version", data="0")
        ana.cover("trump:red")
        fragment = stream.next("table").data
        heard = stream.arrived()

    assert fragment == ben.get(f"/g/{ben.game_id}/?since=0", HX_Request="true", NJET_Marks="1").body
    assert stream.headers["Content-Encoding"] == "gzip"
    assert b"event: version\ndata: 1\n" not in heard


@pytest.mark.parametrize("encoding", ["gzip, deflate, br", ""])
def test_a_stream_is_one_file_from_hello_to_bye(ana: Visitor, encoding: str) -> None:
    ben = ana.invite("viewer")
    with ben.watch("?board=&fragment", encoding) as stream:
        for version, space in enumerate(("trump:red", "trump:blue", "points:1"), start=1):
            ana.cover(space)
            assert f'data-version="{version}"' in stream.next("table").data
            assert ben.get(f"/live/{ben.game_id}/{stream.name}/").headers.get("Content-Encoding") is None
        page = ana.get(f"/g/{ana.game_id}/delete/").body
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
        ana.post(f"/g/{ana.game_id}/delete/", {**fields, "sure": "1"})
        stream.next("bye")
        sent, heard = stream.wire, stream.heard

    assert (gzip.decompress(sent) if encoding else sent) == heard
    assert heard.startswith(b"retry: ")
    assert heard.endswith(b"event: bye\ndata: \n\n")
    assert heard.count(b"event: table\n") == 3
    assert len(sent) < len(heard) / 3 or not encoding


def test_a_stream_begins_with_epoch_and_version_and_who_is_there(ana: Visitor) -> None:
    ana.cover("trump:red")
    page = ana.look()

    with ana.listen() as stream:
        assert f'data-epoch="{stream.next("epoch").data}"' in page
        assert 'data-epoch=""' not in page
        assert stream.next("version").data == "1"
        assert [phone["away"] for phone in stream.next("here").json] == [False]


def test_a_stream_beats_within_five_seconds(ana: Visitor) -> None:
    with ana.listen() as stream:
        stream.next("beat", within=5.5)


def test_a_stream_obeys_the_same_headers_as_a_page(ana: Visitor) -> None:
    page = ana.get(f"/g/{ana.game_id}/").headers

    with ana.listen() as stream:
        beat = ana.get(f"/live/{ana.game_id}/{stream.name}/")
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        assert "Content-Length" not in stream.headers

    for name in ("Content-Security-Policy", "X-Frame-Options", "Referrer-Policy", "X-Content-Type-Options"):
        assert stream.headers[name] == page[name] == beat.headers[name]
    assert beat.status == 204


def test_a_stranger_hears_nothing(ana: Visitor, server: Server) -> None:
    stranger = Visitor(server.port)
    stranger.open_table("Xena", "Yves")

    assert Stream(server.port, f"/live/{ana.game_id}/", stranger.cookie()).status == 404
    assert Stream(server.port, f"/live/{ana.game_id}/", "").status == 404
    assert Stream(server.port, "/live/nosuchgame00/", ana.cookie()).status == 404
    assert stranger.get(f"/live/{ana.game_id}/abc/").status == 404


def test_a_sign_of_life_of_a_stream_does_not_work_for_another_table(ana: Visitor, server: Server) -> None:
    other = Visitor(server.port)
    other.open_table("Xena", "Yves")

    with ana.listen() as stream:
        assert Visitor(server.port).get(f"/live/{other.game_id}/{stream.name}/").status == 404


@pytest.mark.parametrize("asks", ["", "?fragment"])
def test_a_phone_whose_key_is_taken_back_hears_nothing_more(ana: Visitor, asks: str) -> None:
    ben = ana.invite("viewer")
    page = ana.get(f"/g/{ana.game_id}/phones/").body
    revoke = re.findall(r"/phones/\d+/revoke/", page)[-1]

    with ben.listen(asks) as stream:
        ana.post(f"/g/{ana.game_id}{revoke}", {})
        ana.cover("trump:red")
        stream.next("bye")
        assert b"trump" not in stream.arrived()

    assert Stream(ben.port, f"/live/{ana.game_id}/", ben.cookie()).status == 404


def test_a_deleted_game_ends_its_streams(ana: Visitor) -> None:
    ben = ana.invite("viewer")

    with ben.listen() as stream:
        page = ana.get(f"/g/{ana.game_id}/delete/").body
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
        assert ana.post(f"/g/{ana.game_id}/delete/", {**fields, "sure": "1"}).status == 302
        assert stream.next("version", data="-1")
        stream.next("bye")


def test_the_phones_of_a_finished_game_hear_of_the_next_one_and_nothing_after_it(ana: Visitor) -> None:
    ben = ana.invite("viewer")
    ana.finish()

    with ben.listen() as stream:
        stream.next("version")
        assert ana.post(f"/g/{ana.game_id}/rematch/", {}).status == 302
        stream.next("next")
        stream.next("bye")

    assert ben.get(f"/live/{ana.game_id}/").status == 204


def test_a_poll_for_a_version_that_is_still_the_latest_is_answered_with_nothing(ana: Visitor) -> None:
    ana.cover("trump:red")

    same = ana.get(f"/g/{ana.game_id}/?since=1", HX_Request="true")
    older = ana.get(f"/g/{ana.game_id}/?since=0", HX_Request="true")

    assert (same.status, same.body) == (204, "")
    assert older.status == 200
    assert 'data-version="1"' in older.body


def test_a_phone_that_polls_is_there_for_the_others(ana: Visitor) -> None:
    ben = ana.invite("scorekeeper", label="Ben")

    with ana.listen() as stream:
        ben.get(f"/g/{ana.game_id}/?since=0", HX_Request="true")
        names = [phone["name"] for phone in stream.next("here").json]
        while "Ben" not in names:
            names = [phone["name"] for phone in stream.next("here").json]

    assert '"Ben"' in ben.get(f"/g/{ana.game_id}/?since=0").headers["Njet-Here"]


@pytest.mark.harness
def test_a_phone_that_falls_silent_is_away_after_ten_seconds(ana: Visitor) -> None:
    ben = ana.invite("scorekeeper", label="Ben")

    with ana.listen() as stream, ben.listen():
        for _ in range(9):
            # Ben's connection is open, but nothing comes from it.
            ana.get(f"/live/{ana.game_id}/{stream.name}/")
            time.sleep(1)
        assert not re.search(rb'"Ben"[^}]*"away": ?true', stream.arrived())
        states: dict[str, bool] = {}
        while states.get("Ben") is not True:
            states = {phone["name"]: phone["away"] for phone in stream.next("here").json}

    assert states["Phone 1"] is False


def test_who_records_is_shown_to_the_others(ana: Visitor) -> None:
    ben = ana.invite("scorekeeper", label="Ben")

    with ana.listen() as stream, ben.listen():
        ben.cover("trump:red")
        recording: list[str] = []
        while not recording:
            recording = [phone["name"] for phone in stream.next("here").json if phone["recording"]]

    assert recording == ["Ben"]


@pytest.mark.harness
def test_sigterm_ends_streams_and_the_server_while_phones_listen(first_start: Path, tmp_path: Path) -> None:
    with Server(shutil.copytree(first_start, tmp_path / "data")) as server:
        ana = Visitor(server.port)
        ana.open_table("Ana", "Ben")
        streams = [ana.listen() for _ in range(20)]
        idle = HTTPConnection("127.0.0.1", server.port)
        idle.request("GET", "/")
        idle.getresponse().read()

        server.process.send_signal(signal.SIGTERM)

        for stream in streams:
            assert stream.next("bye")
        assert server.process.wait(timeout=10) == 0
        idle.close()
        for stream in streams:
            stream.close()


@pytest.mark.harness
def test_dropped_streams_leak_no_thread_no_connection_and_no_file(server: Server, ana: Visitor) -> None:
    for _ in range(50):
        ana.listen().close()
    time.sleep(4)
    before = _held(server.process.pid)

    for _ in range(1000):
        ana.listen().close()

    deadline = time.monotonic() + 20
    while _held(server.process.pid) > before and time.monotonic() < deadline:
        time.sleep(0.25)
    after = _held(server.process.pid)
    # Threads for pages are made when they are first needed, each with a connection of its own.
    assert after[0] - before[0] <= 16, f"threads grew from {before[0]} to {after[0]}"
    assert after[1] - before[1] <= 3 * 16, f"files grew from {before[1]} to {after[1]}"


def _held(process: int) -> tuple[int, int]:
    return (len(list(Path(f"/proc/{process}/task").iterdir())), len(list(Path(f"/proc/{process}/fd").iterdir())))


def test_every_script_has_the_hash_of_its_content(ana: Visitor) -> None:
    pages = [ana.get(f"/g/{ana.game_id}/{name}").body for name in ("?board", "board/", "history/")]
    ana.finish()
    pages += [ana.get(f"/g/{ana.game_id}/replay/").body, ana.get("/api/v1/docs/").body]
    scripts = {}
    for page in pages:
        found = re.findall(r'<script src="([^"]*)" integrity="sha384-([^"]*)" defer></script>', page)
        # The script that starts Swagger UI is written for each request.
        assert len(found) == page.count("<script") - page.count('script="') >= 1
        scripts.update(found)

    for address, stated in scripts.items():
        content = ana.get(address).body.encode()
        assert stated == b64encode(sha384(content).digest()).decode(), address
    names = {address.rpartition("/")[2].partition(".")[0] for address in scripts}
    assert names == {"htmx-4", "live", "table-page", "screen", "times", "replay", "turned", "swagger-ui-bundle"}


LONG = b"a" * 9000


@pytest.mark.parametrize(
    ("status", "code", "request_lines"),
    [
        (414, "address_too_long", b"GET %s?" + LONG + b" HTTP/1.1\r\nHost: localhost"),
        (431, "headers_too_large", b"GET %s HTTP/1.1\r\nHost: localhost\r\nX-Long: " + LONG),
    ],
)
def test_what_is_too_long_is_refused_with_the_headers_of_every_answer(
    server: Server, status: int, code: str, request_lines: bytes
) -> None:
    for path in (b"/", b"/api/v1/presets/"):
        answer, body = _answer_to(server, request_lines.replace(b"%s", path))

        assert answer.status == status
        for name in ("Content-Security-Policy", "X-Frame-Options", "Referrer-Policy", "Permissions-Policy"):
            assert answer.headers[name]
        if path == b"/":
            assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
        else:
            error = json.loads(body)["error"]
            assert (error["code"], error.keys()) == (code, {"code", "message", "params"})


@pytest.mark.parametrize(
    "request_lines",
    [b"nonsense", b"GET / HTTP/1.1\r\nno colon", b"GET / HTTP/1.1", b"GET /" + 5 * LONG],
    ids=["no request", "a header without a colon", "no host", "a line of 45 KB"],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(server: Server, request_lines: bytes) -> None:
    answer, body = _answer_to(server, request_lines)

    assert answer.status == 400
    assert (answer.headers["Content-Type"], answer.headers["Connection"]) == ("text/plain; charset=utf-8", "close")
    assert "Traceback" not in body
    assert len(body) < 100


def _answer_to(server: Server, request_lines: bytes) -> tuple[HTTPResponse, str]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
        line.sendall(request_lines + b"\r\n\r\n")
        answer = HTTPResponse(line)
        answer.begin()
        return answer, answer.read().decode()
