"""What the first visit of the table page weighs on the line, headers included.

`python -m tests.benchmarks.weight`

The board of five players with one marker to place, requested with everything that the page names: style sheets,
scripts, icons, the manifest. Bytes of answers as a server started by `manage.py serve` sends them, compressed.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass
from html.parser import HTMLParser
from http.client import HTTPConnection
from pathlib import Path

from tests.benchmarks.figures import show_figure
from tests.harness.serving import Serving
from tests.live.phones import Visitor

KB = 1024
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve")
COVERED = {
    "start": ["0", "1", "2", "3"],
    "discard": ["discard_1", "discard_2", "discard_2_no_zero", "pass_2_right"],
    "trump": ["red", "black", "blue", "yellow"],
    "supertrump": ["red", "black", "blue", "yellow"],
    "points": ["1", "2", "3"],
}
LOADED = {"stylesheet", "icon", "manifest", "preload", "modulepreload"}


@dataclass(frozen=True)
class Sent:
    """The bytes of an answer."""

    headers: int
    body: int
    text: bytes


class Named(HTMLParser):
    """The addresses that a page makes a browser with script load."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.is_without_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.is_without_script |= tag == "noscript"
        if self.is_without_script:
            return
        given = {name: value or "" for name, value in attrs}
        if tag in ("script", "img") and given.get("src"):
            self.addresses.append(given["src"])
        if tag == "link" and LOADED & set(given.get("rel", "").split()):
            self.addresses.append(given["href"])

    def handle_endtag(self, tag: str) -> None:
        self.is_without_script &= tag != "noscript"


def send(port: int, path: str, cookies: str, *, encoding: str = "gzip, deflate, br, zstd") -> Sent:
    """Ask for a path on a line of its own."""
    line = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        line.request("GET", path, headers={"Cookie": cookies, "Accept-Encoding": encoding})
        answer = line.getresponse()
        assert answer.status == 200, (path, answer.status)
        status = len(f"HTTP/1.1 {answer.status} {answer.reason}\r\n\r\n")
        headers = status + sum(len(f"{name}: {value}\r\n") for name, value in answer.getheaders())
        body = answer.read()
        return Sent(headers, len(body), body)
    finally:
        line.close()


def visit(port: int) -> dict[str, Sent]:
    """The answers of a first visit, by their addresses."""
    ana = Visitor(port)
    path = f"/g/{ana.open_table(*NAMES)}/"
    for row, spaces in COVERED.items():
        for space in spaces:
            answer = ana.cover(f"{row}:{space}")
            assert answer.status == 200, answer.body
    cookies = "; ".join(f"{name}={value}" for name, value in ana.cookies.items())
    page = Named()
    page.feed(send(port, path, cookies, encoding="identity").text.decode())
    addresses = [path, *dict.fromkeys(each for each in page.addresses if each.startswith("/"))]
    return {address: send(port, address, cookies) for address in addresses}


def main() -> None:
    argparse.ArgumentParser(description="What the first visit of the table page weighs.").parse_args()
    with tempfile.TemporaryDirectory() as directory, Serving(Path(directory) / "data") as server:
        sent = visit(server.port)
    for address, each in sent.items():
        print(f"{each.body:7} + {each.headers:5} {address}")
    own = [each.body for address, each in sent.items() if "/static/njet/" in address and address.endswith(".js")]
    styles = [each.body for address, each in sent.items() if address.endswith(".css")]
    name = "first visit of the table page"
    show_figure(f"{name} with headers, KB", sum(each.headers + each.body for each in sent.values()) / KB)
    show_figure(f"{name}: requests", len(sent))
    show_figure(f"{name}: own scripts, KB", sum(own) / KB)
    show_figure(f"{name}: styles, KB", sum(styles) / KB)


if __name__ == "__main__":
    main()
