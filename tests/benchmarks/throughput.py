"""Requests per second of the application against bare Django views.

`python -m tests.benchmarks.throughput [SECONDS] [--repeats 5]`

Starts the server as `manage.py serve` does, with the views of `bare.py` beside the application, and measures both in
turn, A B A B …, over kept connections.  Prints requests per second and the ratios; the machine's speed cancels out.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from pathlib import Path

PORT = 8791
CLIENTS = 4
ROOT = Path(__file__).resolve().parents[2]

Ask = Callable[[HTTPConnection], None]


def main() -> None:
    parser = argparse.ArgumentParser(description="Requests per second against bare Django views.")
    parser.add_argument("seconds", nargs="?", type=float, default=3.0)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "NJET_DATA": data, "DJANGO_SETTINGS_MODULE": "tests.benchmarks.bare_settings"}
        command = [sys.executable, "manage.py", "serve", "--bind", f"127.0.0.1:{PORT}"]
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        try:
            wait_until_it_answers()
            measure(options.seconds, options.repeats)
        finally:
            server.terminate()
            server.wait(30)


def wait_until_it_answers() -> None:
    """Repeat a request until it is answered: during its preparations a server may leave connections waiting."""
    for _ in range(600):
        try:
            line = connect(timeout=3)
            line.request("GET", "/")
            answer(line, 200)
            return
        except (OSError, HTTPException):
            time.sleep(0.1)
    raise SystemExit("the server did not start")


def connect(timeout: float = 30) -> HTTPConnection:
    return HTTPConnection("127.0.0.1", PORT, timeout=timeout)


def measure(seconds: float, repeats: int) -> None:
    cookie, table = open_table()
    pairs: list[tuple[str, Ask, Ask]] = [
        ("table page / bare page", get(table, cookie), get("/bare/page/", "")),
        ("placement / bare insert", Placements(), post_bare),
    ]
    for name, ours, bare in pairs:
        ratios = []
        for _ in range(repeats):
            mine, theirs = throughput(ours, seconds), throughput(bare, seconds)
            ratios.append(mine / theirs)
            print(f"{name}: {mine:7.0f}/s against {theirs:7.0f}/s = {ratios[-1]:.2f}")
        print(f"{name}: median ratio {statistics.median(ratios):.2f}")


def throughput(ask: Ask, seconds: float) -> float:
    counts = [0] * CLIENTS
    until = time.monotonic() + seconds

    def client(number: int) -> None:
        line = connect()
        while time.monotonic() < until:
            ask(line)
            counts[number] += 1

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / seconds


def answer(line: HTTPConnection, *statuses: int) -> tuple[bytes, str]:
    response = line.getresponse()
    body = response.read()
    assert response.status in statuses, (response.status, body[:300])
    return body, response.getheader("Set-Cookie") or ""


def get(address: str, cookie: str) -> Ask:
    def ask(line: HTTPConnection) -> None:
        line.request("GET", address, headers={"Cookie": cookie})
        answer(line, 200)

    return ask


def post_bare(line: HTTPConnection) -> None:
    line.request("POST", "/bare/write/")
    answer(line, 201)


def call(line: HTTPConnection, address: str, document: object, key: str = "") -> dict[str, object]:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    line.request("POST", f"/api/v1{address}", json.dumps(document), headers)
    return dict(json.loads(answer(line, 200, 201)[0]))


class Placements:
    """Each client records placements at a table of its own, and takes the round back when it is settled."""

    def __init__(self) -> None:
        self._own = threading.local()

    def __call__(self, line: HTTPConnection) -> None:
        if not getattr(self._own, "spaces", None):
            players = [{"name": name} for name in ("Ana", "Ben", "Cleo", "Dan", "Eve")]
            game = call(line, "/games/", {"mode": "table", "preset": "njet-english", "players": players})
            self._own.game, self._own.key = game["id"], game["keys"]["scorekeeper"]  # type: ignore[index]
            rows = {"trump": ("red", "black", "blue", "yellow"), "supertrump": ("red", "black", "blue", "yellow")}
            points = [("points", point) for point in ("1", "2", "3", "4")]
            self._own.spaces = [*((row, space) for row, spaces in rows.items() for space in spaces), *points]
        row, space = self._own.spaces.pop()
        action = {"type": "place", "row": row, "space": space}
        call(line, f"/games/{self._own.game}/actions/", {"action": action}, self._own.key)


def open_table() -> tuple[str, str]:
    """A table in the middle of placing, and the cookie of a phone that sits there."""
    line = connect()
    players = [{"name": name} for name in ("Ana", "Ben", "Cleo", "Dan", "Eve")]
    game = call(line, "/games/", {"mode": "table", "preset": "njet-english", "players": players})
    key = str(game["keys"]["scorekeeper"])  # type: ignore[index]
    for space in ("red", "blue"):
        call(line, f"/games/{game['id']}/actions/", {"action": {"type": "place", "row": "trump", "space": space}}, key)
    link = str(game["links"]["join"]["scorekeeper"]).split(str(PORT))[1]  # type: ignore[index]
    line.request("GET", link)
    page, cookies = answer(line, 200)
    token = page.decode().split('csrfmiddlewaretoken" value="')[1].split('"')[0]
    form = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookies.split(";")[0]}
    line.request("POST", link, f"csrfmiddlewaretoken={token}&sit=1", form)
    _, cookies = answer(line, 302)
    session = next(part for part in cookies.replace(",", ";").split(";") if "njet_session=" in part)
    return session.strip(), f"/g/{game['id']}/"


if __name__ == "__main__":
    main()
