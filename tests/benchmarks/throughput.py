"""Requests per second of the application against bare Django views.

`python -m tests.benchmarks.throughput [SECONDS] [--repeats 5]`

Starts the server as `manage.py serve` does, with the views of `bare.py` beside the application, and measures both in
turn, A B A B …, over kept connections.  Prints requests per second, the processor time that the server spends for each
on Linux, and the ratios; the machine's speed cancels out.  Where other programs are busy, the ratio of the processor
times says more.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from tests.benchmarks.figures import show_figure

PORT = 8791
CLIENTS = 4
MOST_PLACEMENTS = 600
"""More than a server records in a second."""
ROOT = Path(__file__).resolve().parents[2]

Ask = Callable[[HTTPConnection], None]


def main() -> None:
    parser = argparse.ArgumentParser(description="Requests per second against bare Django views.")
    parser.add_argument("seconds", nargs="?", type=float, default=3.0)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "NJET_DATA": data, "DJANGO_SETTINGS_MODULE": "tests.benchmarks.bare_settings"}
        environment["NJET_WRITES"] = "0"
        command = [sys.executable, "manage.py", "serve", "--bind", f"127.0.0.1:{PORT}"]
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        try:
            wait_until_it_answers()
            measure(server.pid, options.seconds, options.repeats)
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


def measure(server: int, seconds: float, repeats: int) -> None:
    cookie, table = open_table()
    about = re.search(r'data-version="(\d+)"[^>]* data-epoch="(\w*)"', page_of(table, cookie))
    assert about is not None, "the page of a table says its version"
    version, epoch = about.groups()
    latest, earlier = (f"{table}?own=&epoch={epoch}&since={since}" for since in (version, int(version) - 1))
    pairs: list[tuple[str, Ask, Ask]] = [
        ("empty poll / bare view", get(latest, cookie, 204), get("/bare/view/", cookie)),
        ("empty poll / bare view behind the middleware", get(latest, cookie, 204), get("/bare/behind/", cookie)),
        ("fragment / bare view", get(earlier, cookie), get("/bare/view/", cookie)),
        ("fragment / bare view behind the middleware", get(earlier, cookie), get("/bare/behind/", cookie)),
        ("table page / bare page", get(table, cookie, script=False), get("/bare/page/", cookie, script=False)),
        ("placement / bare insert", Placements(), post_bare),
    ]
    for name, ours, bare in pairs:
        # Each thread of the server opens a connection to the database first.
        for ask in (ours, bare):
            throughput(server, ask, seconds / 4)
        rates, times = [], []
        for _ in range(repeats):
            if isinstance(ours, Placements):
                ours.prepare(seconds)
            mine, theirs = throughput(server, ours, seconds), throughput(server, bare, seconds)
            rates.append(mine.rate / theirs.rate)
            times.append(theirs.cost / mine.cost if mine.cost else 0)
            print(f"{name}: {mine} against {theirs} = {rates[-1]:.2f}, by processor time {times[-1]:.2f}")
        print(f"{name}: median ratio {statistics.median(rates):.2f}")
        show_figure(name, statistics.median(rates))
        show_figure(f"{name}, by processor time", statistics.median(times))


@dataclass
class Measured:
    """`rate`: requests per second; `cost`: milliseconds of the server's processor time for each, 0 where not known."""

    rate: float
    cost: float

    def __str__(self) -> str:
        return f"{self.rate:7.0f}/s ({self.cost:.2f} ms)"


def throughput(server: int, ask: Ask, seconds: float) -> Measured:
    """Each client asks for this time, at least once however slow the machine is."""
    counts = [0] * CLIENTS
    began = time.monotonic()

    def client(number: int) -> None:
        line = connect()
        while not counts[number] or time.monotonic() < began + seconds:
            ask(line)
            counts[number] += 1

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    before = processor_time(server)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - began
    return Measured(sum(counts) / took, (processor_time(server) - before) / sum(counts) * 1000)


def processor_time(process: int) -> float:
    """The seconds that all threads of a process and of its children have run."""
    tasks = list(Path(f"/proc/{process}/task").glob("*"))
    own = sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
    children = {int(child) for task in tasks for child in (task / "children").read_text().split()}
    return own + sum(map(processor_time, children))


def answer(line: HTTPConnection, *statuses: int) -> tuple[bytes, str]:
    response = line.getresponse()
    body = response.read()
    assert response.status in statuses, (response.status, body[:300])
    return body, response.getheader("Set-Cookie") or ""


def get(address: str, cookie: str, status: int = 200, *, script: bool = True) -> Ask:
    """`script`: as the script of a page asks for news."""
    headers = {"Cookie": cookie, "Accept-Encoding": "gzip", "Accept-Language": "en"}
    if script:
        headers |= {"HX-Request": "true", "NJET-Marks": "1"}

    def ask(line: HTTPConnection) -> None:
        line.request("GET", address, headers=headers)
        answer(line, status)

    return ask


def post_bare(line: HTTPConnection) -> None:
    line.request("POST", "/bare/write/")
    answer(line, 201)


def call(line: HTTPConnection, address: str, document: object, key: str = "") -> dict[str, object]:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    line.request("POST", f"/api/v1{address}", json.dumps(document), headers)
    return dict(json.loads(answer(line, 200, 201)[0]))


class Placements:
    """Each client records placements at a table of its own, and takes the next one when its round is settled."""

    def __init__(self) -> None:
        self._free: list[tuple[str, str, list[tuple[str, str]]]] = []

    def __call__(self, line: HTTPConnection) -> None:
        try:
            game, key, spaces = self._free.pop()
        except IndexError:
            game, key, spaces = self._new(line)
        row, space = spaces.pop()
        call(line, f"/games/{game}/actions/", {"action": {"type": "place", "row": row, "space": space}}, key)
        if spaces:
            self._free.append((game, key, spaces))

    def prepare(self, seconds: float) -> None:
        """Open the tables for a measurement, which is not about opening tables."""
        line = connect()
        while len(self._free) < seconds * MOST_PLACEMENTS / 12:
            self._free.append(self._new(line))

    @staticmethod
    def _new(line: HTTPConnection) -> tuple[str, str, list[tuple[str, str]]]:
        players = [{"name": name} for name in ("Ana", "Ben", "Cleo", "Dan", "Eve")]
        game = call(line, "/games/", {"mode": "table", "preset": "njet-english", "players": players})
        spaces = [(row, space) for row in ("trump", "supertrump") for space in ("red", "black", "blue", "yellow")]
        points = [("points", point) for point in ("1", "2", "3", "4")]
        return str(game["id"]), str(game["keys"]["scorekeeper"]), [*spaces, *points]


def open_table() -> tuple[str, str]:
    """A table in the middle of placing, and the cookie of a phone that sits there."""
    line = connect()
    players = [{"name": name} for name in ("Ana", "Ben", "Cleo", "Dan", "Eve")]
    game = call(line, "/games/", {"mode": "table", "preset": "njet-english", "players": players})
    key = str(game["keys"]["scorekeeper"])
    for space in ("red", "blue"):
        call(line, f"/games/{game['id']}/actions/", {"action": {"type": "place", "row": "trump", "space": space}}, key)
    link = str(game["links"]["join"]["scorekeeper"]).split(str(PORT))[1]
    line.request("GET", link)
    page, cookies = answer(line, 200)
    token = page.decode().split('csrfmiddlewaretoken" value="')[1].split('"')[0]
    form = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookies.split(";")[0]}
    line.request("POST", link, f"csrfmiddlewaretoken={token}&sit=1", form)
    _, cookies = answer(line, 302)
    session = next(part for part in cookies.replace(",", ";").split(";") if "njet_session=" in part)
    return session.strip(), f"/g/{game['id']}/"


def page_of(address: str, cookie: str) -> str:
    line = connect()
    line.request("GET", address, headers={"Cookie": cookie})
    return answer(line, 200)[0].decode()


if __name__ == "__main__":
    main()
