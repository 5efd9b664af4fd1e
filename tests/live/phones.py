"""A browser of few words that talks to a real server: cookies, forms, and a stream of events read byte by byte.

Knows HTTP, cookies and the fields of the forms.  Must not know: anything inside the server.
"""

from __future__ import annotations

import json
import re
import socket
import time
import uuid
import zlib
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from typing import Any, Self
from urllib.parse import urlencode

ROUND_OF_THREE = (
    {"do": "conditions", "start": "0", "discard": "njet", "trump": "red", "supertrump": "njet", "points": "2"},
    {"do": "team", "team": "1:2"},
    {"do": "tally", "tricks-0": "6", "tricks-1": "5", "tricks-2": "5", "captured-0": "1", "captured-2": "2"},
)


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: str


@dataclass(frozen=True)
class Event:
    """One event of a stream."""

    name: str
    data: str

    @property
    def json(self) -> Any:
        return json.loads(self.data)


@dataclass
class Visitor:
    """A browser at a server.  `version` is that of the table it saw last."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    game_id: str = ""
    version: int = 0

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None, **headers: str) -> Answer:
        """Send a request on a line of its own."""
        line = self.line()
        try:
            line.request(
                method, path, urlencode(fields) if fields is not None else None, self._headers(fields, headers)
            )
            response = line.getresponse()
            self._keep(response)
            headers = {name.title(): value for name, value in response.getheaders()}
            return Answer(response.status, headers, response.read().decode())
        finally:
            line.close()

    def line(self) -> HTTPConnection:
        """A new connection."""
        return HTTPConnection("127.0.0.1", self.port, timeout=20)

    def get(self, path: str, **headers: str) -> Answer:
        """GET."""
        return self.ask("GET", path, **headers)

    def post(self, path: str, fields: dict[str, str], **headers: str) -> Answer:
        """POST a form with what every form carries."""
        return self.ask("POST", path, {"csrfmiddlewaretoken": self._token(), **fields}, **headers)

    def open_table(self, *names: str) -> str:
        """Open a table and take a seat at it; the id of the game."""
        page = self.get("/new/").body
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
        fields = {f"name-{number}": name for number, name in enumerate(names)}
        answer = self.post("/new/", {**hidden, "preset": "njet-english", "dealer": "0", **fields})
        assert answer.status == 302, answer.body
        self.game_id = answer.headers["Location"].split("/")[2]
        self.look()
        return self.game_id

    def look(self) -> str:
        """Read the table."""
        page = self.get(f"/g/{self.game_id}/?board").body
        self.version = int(re.search(r'data-version="(\d+)"', page)[1])
        return page

    def cover(self, space: str) -> Answer:
        """Cover a space, given as `row:space`."""
        return self.act({"do": "place", "space": space})

    def undo(self) -> Answer:
        """Take the last entry back, also that of another phone."""
        return self.act({"sure": "1"}, view="undo")

    def act(self, fields: dict[str, str], *, request_id: str = "", view: str = "act") -> Answer:
        """Tap."""
        stamp = {"version": str(self.version), "request_id": request_id or uuid.uuid4().hex}
        answer = self.post(f"/g/{self.game_id}/{view}/", {**stamp, **fields}, HX_Request="true")
        if found := re.search(r'data-version="(\d+)"', answer.body):
            self.version = int(found[1])
        return answer

    def invite(self, role: str, label: str = "") -> Visitor:
        """Let another browser in."""
        link = self.link(role)
        other = type(self)(self.port)
        other.get(link)
        answer = other.post(link, {"sit": "1", "label": label})
        assert answer.status == 302, answer.body
        other.game_id = self.game_id
        other.look()
        return other

    def link(self, role: str) -> str:
        """The path of a new invitation."""
        page = self.post(f"/g/{self.game_id}/phones/", {"role": role}).body
        link = re.search(r"/join/[\w-]{20,}/", page)
        assert link, page
        return link[0]

    def finish(self) -> None:
        """Play the round to its end at once, and finish the game early."""
        for fields in ROUND_OF_THREE:
            assert self.act(fields).status == 200
        stamp = {"version": str(self.version), "request_id": uuid.uuid4().hex}
        assert self.post(f"/g/{self.game_id}/finish/", stamp).status == 302

    def listen(self, asks: str = "", **headers: str) -> Stream:
        """Open the stream of the table's events.  `asks`: what follows the address."""
        return Stream(self.port, f"/live/{self.game_id}/{asks}", self.cookie(), **headers)

    def watch(self, asks: str = "?fragment", encoding: str = "gzip") -> Stream:
        """The same as a phone that shows the fragments that it gets."""
        return self.listen(asks, Accept_Encoding=encoding)

    def _headers(self, fields: dict[str, str] | None, extra: dict[str, str]) -> dict[str, str]:
        headers = {name.replace("_", "-"): value for name, value in extra.items()}
        if self.cookies:
            headers["Cookie"] = self.cookie()
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        return headers

    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def _keep(self, response: HTTPResponse) -> None:
        for header in response.headers.get_all("Set-Cookie") or []:
            name, value = header.split(";")[0].split("=", 1)
            self.cookies[name] = value

    def _token(self) -> str:
        return next(value for name, value in self.cookies.items() if "csrf" in name)


class Stream:
    """An open stream of events.  `heard`: every byte that came, decompressed; `wire`: as it came, joined."""

    def __init__(self, port: int, path: str, cookie: str, **headers: str) -> None:
        self.socket, host = self._connect(port)
        asked = {"Host": host, "Cookie": cookie, "Accept": "text/event-stream", **headers}
        lines = [f"GET {path} HTTP/1.1", *(f"{name.replace('_', '-')}: {asked[name]}" for name in asked)]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        received = b""
        while b"\r\n\r\n" not in received:
            received += self.socket.recv(65536)
        head, _, self._chunks = received.partition(b"\r\n\r\n")
        self.heard = self.buffer = self.wire = b""
        status, *lines = head.decode().split("\r\n")
        self.status = int(status.split(" ", 2)[1])
        self.headers = {name.title(): value for name, value in (line.split(": ", 1) for line in lines)}
        self._unzip = zlib.decompressobj(31) if self.headers.get("Content-Encoding") == "gzip" else None
        if self.status == 200:
            self._take(b"")
            self.name = self.next("hello").data
        else:
            self.close()

    def _connect(self, port: int) -> tuple[socket.socket, str]:
        """A connection, and the name of its host."""
        return socket.create_connection(("127.0.0.1", port), timeout=10), f"127.0.0.1:{port}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Drop the line without a word."""
        self.socket.close()

    def next(self, name: str = "", *, within: float = 10, data: str = "") -> Event:
        """The next event, of a name, with data if given.  Others are passed over.

        Errors: `TimeoutError`; `ConnectionError` when the stream has ended.
        """
        deadline = time.monotonic() + within
        while True:
            event = self._event(deadline)
            if (not name or event.name == name) and (not data or event.data == data):
                return event

    def arrived(self) -> bytes:
        """Every byte that has come so far, without waiting for more."""
        self.socket.settimeout(0.001)
        try:
            while data := self.socket.recv(65536):
                self._take(data)
        except TimeoutError:
            pass
        return self.heard

    def _event(self, deadline: float) -> Event:
        while True:
            while b"\n\n" not in self.buffer:
                self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
                data = self.socket.recv(65536)
                if not data:
                    raise ConnectionError("the stream has ended")
                self._take(data)
            text, _, self.buffer = self.buffer.partition(b"\n\n")
            found = re.search(r"event: (\w+)\ndata: ([^\n]*)$", text.decode())
            if found:
                return Event(found[1], found[2])

    def _take(self, data: bytes) -> None:
        """Take apart what came: chunks of HTTP, of which each is complete."""
        self._chunks += data
        while found := re.match(rb"([0-9a-fA-F]+)\r\n", self._chunks):
            begin, end = found.end(), found.end() + int(found[1], 16)
            if len(self._chunks) < end + 2:
                break
            chunk, self._chunks = self._chunks[begin:end], self._chunks[end + 2 :]
            self.wire += chunk
            text = chunk if self._unzip is None else self._unzip.decompress(chunk)
            self.heard += text
            self.buffer += text
