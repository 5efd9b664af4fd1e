"""`manage.py serve` as an operator meets it: real processes, real ports, real signals."""

import http.client
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import CommandError

from njetassist.management.commands.serve import read_bind
from tests.harness.postgresql import Cluster
from tests.harness.serving import Serving, Way
from tests.live.phones import Visitor
from tests.ops.running import MANAGE, ROOT, Server, environment, manage

# Each starts a server of its own.
pytestmark = pytest.mark.slow

SESSION = ("kept", "data", "2999-01-01 00:00:00")


def remember(data: Path) -> None:
    with closing(sqlite3.connect(data / "njet.sqlite3")) as database, database:
        database.execute("INSERT INTO django_session VALUES (?, ?, ?)", SESSION)


def remembered(data: Path) -> list[tuple[str, str, str]]:
    with closing(sqlite3.connect(data / "njet.sqlite3")) as database:
        return database.execute("SELECT * FROM django_session").fetchall()


def test_the_first_start_sets_everything_up(first_start: Path) -> None:
    key = first_start / "secret_key"

    assert first_start.stat().st_mode & 0o777 == 0o700
    assert {
        file.name: file.stat().st_mode & 0o077 for file in first_start.iterdir() if file.stat().st_mode & 0o077
    } == {}
    assert len(key.read_text()) >= 50
    assert (first_start / "static" / "staticfiles.json").exists()
    assert remembered(first_start) == []


def test_static_files_no_one_uses_are_not_collected(first_start: Path) -> None:
    collected = first_start / "static"

    assert not (collected / "rest_framework").exists()
    assert not list(collected.rglob("*redoc*"))
    assert not list(collected.rglob("*.map"))
    assert [file.name.split(".")[0] for file in collected.glob("django_htmx/*.br")] == ["htmx-4"]


# --- One start shows many things ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Ended:
    """What a server left behind: a start takes seconds, so several tests look at the same one."""

    data: Path
    output: str
    errors: str
    status: int
    """From the signal to the end."""


UNSAFE, SAFE = ("delete", "wal") if sqlite3.sqlite_version_info >= (3, 51, 3) else ("wal", "delete")
SECRET = "s3cr3t-token-of-a-table"


@pytest.fixture(scope="module")
def interrupted(first_start: Path, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """A second start, for phones too, with another journal than it should have; visited, then ended by Ctrl-C."""
    data = shutil.copytree(first_start, tmp_path_factory.mktemp("interrupted") / "data")
    remember(data)
    with closing(sqlite3.connect(data / "njet.sqlite3")) as database:
        database.execute(f"PRAGMA journal_mode = {UNSAFE}")

    with Server(data, bind="0.0.0.0:0") as server:
        server.get("/")
        server.get(f"/join/{SECRET}")
        server.get(f"/join/{SECRET}/more?and={SECRET}")
        server.get("/nowhere", Authorization=f"Bearer {SECRET}")
        server.get(f"/join/{SECRET}", Host="evil.example")
        # Gunicorn itself repeats a line that it cannot read.
        with closing(socket.create_connection(("127.0.0.1", server.port))) as stranger:
            stranger.sendall(f"GET /join/{SECRET}\r\n\r\n".encode())
            stranger.recv(1000)
        status = server.end(signal.SIGINT)
        return Ended(data, server.output.read_text(), server.errors.read_text(), status)


@pytest.fixture(scope="module")
def terminated(first_start: Path, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """A start from elsewhere, for this computer alone; ended by SIGTERM while a connection is open."""
    data = shutil.copytree(first_start, tmp_path_factory.mktemp("terminated") / "data")

    with (
        Server(data, cwd=data.parent, NJET_DATA=data.name) as server,
        closing(http.client.HTTPConnection("127.0.0.1", server.port)) as phone,
    ):
        phone.request("GET", "/static/missing")
        answer = phone.getresponse()
        answer.read()
        assert answer.status == 404
        status = server.end(signal.SIGTERM, within=15)
        return Ended(data, server.output.read_text(), server.errors.read_text(), status)


@pytest.fixture(scope="module")
def hurried(first_start: Path, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """A start in a terminal of another age, ended as soon as it was announced."""
    data = shutil.copytree(first_start, tmp_path_factory.mktemp("hurried") / "data")
    with Server(data, bind="0.0.0.0:0", PYTHONIOENCODING="ascii") as server:
        # It does not answer requests yet.
        status = server.end(signal.SIGINT)
        return Ended(data, server.output.read_text(), server.errors.read_text(), status)


def test_the_address_is_printed_with_a_qr_code_for_phones(interrupted: Ended) -> None:
    assert "On this computer: http://localhost:" in interrupted.output
    assert "On phones in the same wifi: http://" in interrupted.output
    assert "▄▄▄▄▄ █" in interrupted.output


def test_a_terminal_without_utf_8_gets_a_qr_code_too(hurried: Ended) -> None:
    assert "\x1b[7m  " in hurried.output


def test_a_server_for_this_computer_alone_says_so_and_shows_no_code(terminated: Ended) -> None:
    assert "phones cannot reach it" in terminated.output
    assert "▄▄▄▄▄ █" not in terminated.output


@pytest.mark.parametrize("ended", ["interrupted", "terminated"])
def test_signals_end_it_with_status_0(request: pytest.FixtureRequest, ended: str) -> None:
    server: Ended = request.getfixturevalue(ended)

    assert server.status == 0
    assert "Traceback" not in server.errors


def test_a_signal_before_the_server_is_up_is_not_lost(hurried: Ended) -> None:
    assert hurried.status == 0
    assert "Traceback" not in hurried.errors


def test_an_open_connection_does_not_hold_up_the_end(terminated: Ended) -> None:
    # Gunicorn waits 20 s for a request that is being answered; `terminated` waits less than that for the end.
    assert terminated.status == 0


def test_a_second_start_finds_everything_again(interrupted: Ended, first_start: Path) -> None:
    assert (interrupted.data / "secret_key").read_text() == (first_start / "secret_key").read_text()
    assert remembered(interrupted.data) == [SESSION]
    assert "Collected" not in interrupted.output


@pytest.mark.harness
def test_a_signal_waits_until_the_server_has_a_handler_for_it(first_start: Path) -> None:
    command = [*MANAGE, "serve", "--bind", "127.0.0.1:0"]
    with subprocess.Popen(command, env=environment(first_start), stdout=subprocess.DEVNULL) as server:
        deadline, seen = time.monotonic() + 20, 0
        # More than once in a row: for microseconds the C library does so for each thread that it starts.
        while seen < 3:
            assert time.monotonic() < deadline
            seen = seen + 1 if blocks(server.pid, signal.SIGINT) else 0
            time.sleep(0.01)
        server.send_signal(signal.SIGINT)
        assert server.wait(10) == 0


def blocks(pid: int, number: signal.Signals) -> bool:
    """Whether a process keeps a signal for later (proc(5): a mask in hexadecimal digits)."""
    status = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return bool(int(status["SigBlk"], 16) >> number - 1 & 1)


@pytest.mark.harness
def test_changed_static_files_are_collected_again(data: Path) -> None:
    (data / "static.sha256").write_text("another version")

    with Server(data) as server:
        server.end(signal.SIGINT)

    assert "Collected the static files." in server.output.read_text()


def test_the_journal_mode_is_the_one_that_is_safe_with_this_sqlite(interrupted: Ended) -> None:
    with closing(sqlite3.connect(interrupted.data / "njet.sqlite3")) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == (SAFE,)


def test_it_serves_from_any_working_directory_and_keeps_relative_paths(terminated: Ended, first_start: Path) -> None:
    # What it found is the directory beside the one that it was started in, and it made no other.
    assert terminated.status == 0
    assert [each.name for each in terminated.data.parent.iterdir() if each.is_dir()] == ["data"]
    assert (terminated.data / "secret_key").read_text() == (first_start / "secret_key").read_text()


def test_no_join_link_and_no_key_reaches_the_log(interrupted: Ended) -> None:
    assert "/join/[redacted]" in interrupted.errors
    assert SECRET not in interrupted.errors + interrupted.output


def test_head_and_split_cookies(data: Path) -> None:
    """As a monitor asks, and as a proxy passes on what HTTP/2 has split."""
    with Server(data) as server, closing(http.client.HTTPConnection("127.0.0.1", server.port)) as phone:
        for path in (
            "/",
            "/groups/",
            "/nowhere",
            "/robots.txt",
            "/api/v1/presets/",
            "/api/v1/schema/",
            "/static/missing",
        ):
            answers = []
            for method in ("GET", "HEAD"):
                phone.request(method, path, headers={"Accept-Encoding": "identity"})
                answer = phone.getresponse()
                answers.append((answer.status, answer.getheader("Content-Length"), answer.read()))
            (status, length, body), headers_only = answers
            assert headers_only == (status, length, b"")
            assert length == str(len(body)), path
        phone.putrequest("GET", "/")
        phone.putheader("Cookie", "x=2")
        phone.putheader("Cookie", "njet_language=nl")
        phone.endheaders()
        assert b'lang="nl"' in phone.getresponse().read()
        server.end(signal.SIGTERM, within=15)

    assert "WARNING" not in server.errors.read_text().replace("WARNING django.request: Not Found", "")


# --- Killed, and where its data are --------------------------------------------------------------------------


@pytest.mark.harness
def test_a_killed_server_starts_again_on_its_port_at_once(data: Path) -> None:
    with Server(data) as killed:
        killed.get("/")
        killed.process.kill()
        killed.process.wait()

    with Server(data, bind=f"127.0.0.1:{killed.port}") as server:
        assert server.get("/static/missing").status == 404
        assert server.port == killed.port


@pytest.mark.harness
def test_no_worker_outlives_gunicorn_not_even_a_hung_one(data: Path) -> None:
    with Serving(data) as serving:
        serving.kill()
        serving.start(Way.GUNICORN)
        (worker,) = children(serving.group)
        os.kill(worker, signal.SIGSTOP)

        os.kill(serving.group, signal.SIGKILL)

        assert gone(worker)


@pytest.mark.harness
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_one_process_on_sqlite_or_one_for_each_core_and_all_of_them_end_at_once(data: Path, kind: str) -> None:
    cores = len(os.sched_getaffinity(0))

    with ExitStack() as opened:
        url = opened.enter_context(Cluster()).url if kind == "postgresql" else ""
        server = opened.enter_context(Server(data, WEB_CONCURRENCY="", DATABASE_URL=url))
        ana = Visitor(server.port)
        ana.open_table("Ana", "Ben", "Cleo")
        for _ in range(4 * cores):
            opened.enter_context(ana.listen())

        assert len(children(server.process.pid)) == (cores if url else 0)
        # uvicorn alone would wait 20 s for the streams.
        assert server.end(signal.SIGTERM, within=10) == 0


def children(parent: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def gone(process: int) -> bool:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True  # dead, and only waiting for anyone who adopted it
        time.sleep(0.02)
    os.kill(process, signal.SIGKILL)
    return False


POSTGRESQL = os.environ.get("DATABASE_URL", "")


@pytest.mark.skipif(not POSTGRESQL.startswith("postgres"), reason="DATABASE_URL names no PostgreSQL")
def test_it_serves_from_postgresql(data: Path) -> None:
    with Server(data, DATABASE_URL=POSTGRESQL) as server:
        assert server.get("/nowhere").status == 404
        assert server.end(signal.SIGTERM) == 0
        assert "Traceback" not in server.errors.read_text()


# --- Refusals: one sentence, a status that is not 0, no stack --------------------------------------------


def assert_refused(data: Path, *arguments: str, saying: str, **extra: str) -> str:
    done = manage(data, "serve", *arguments, **extra)

    assert done.returncode != 0
    assert saying in done.stderr
    assert done.stderr.strip().count("\n") == 0, done.stderr
    assert done.stdout == ""
    return done.stderr


def test_a_taken_port_is_refused(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        assert_refused(data, "--bind", f"127.0.0.1:{port}", saying=f"Port {port} is taken")


@pytest.mark.harness
def test_a_second_server_on_the_same_data_is_refused(data: Path) -> None:
    with Server(data):
        assert_refused(data, "--bind", "127.0.0.1:0", saying="A server is already running")


@pytest.mark.parametrize(
    "bind",
    ["8000", "localhost", "localhost:", "localhost:http", "127.0.0.1:65536", "127.0.0.1:-1", "::1:8000", "a b:1"],
)
def test_a_bad_bind_is_refused(bind: str) -> None:
    with pytest.raises(CommandError, match=r"--bind must be an address and a port like 0\.0\.0\.0:8000"):
        read_bind(bind)


def test_a_bad_bind_is_refused_in_one_sentence(tmp_path: Path) -> None:
    assert_refused(tmp_path, "--bind=127.0.0.1:-1", saying="--bind must be an address and a port like 0.0.0.0:8000")


@pytest.mark.parametrize("host", ["203.0.113.7", "no-such-host.invalid"])
def test_an_address_of_another_machine_is_refused(tmp_path: Path, host: str) -> None:
    assert_refused(tmp_path, "--bind", f"{host}:8000", saying=f"This machine cannot listen on {host}:8000")


@pytest.mark.parametrize("place", ["file/data", "file"])
def test_a_data_directory_below_a_file_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")

    assert_refused(tmp_path / place, "--bind", "127.0.0.1:0", saying="cannot be written")


def test_a_data_directory_where_no_one_may_write_is_refused() -> None:
    # Even root makes no directories here.
    assert_refused(
        Path("/proc/njet"), "--bind", "127.0.0.1:0", saying="The data directory /proc/njet cannot be written"
    )


@pytest.mark.parametrize(
    "url", ["mysql://user:hidden@host/name", "postgres://user:hidden@host", "nonsense", "sqlite://"]
)
def test_an_unreadable_database_url_is_refused_without_repeating_it(tmp_path: Path, url: str) -> None:
    said = assert_refused(tmp_path, saying="DATABASE_URL must look like postgres://", DATABASE_URL=url)

    assert "hidden" not in said


def test_a_database_server_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    assert_refused(
        tmp_path,
        "--bind",
        "127.0.0.1:0",
        saying="The database cannot be used (DATABASE_URL)",
        DATABASE_URL=f"postgres://user:hidden@127.0.0.1:{port}/name",
    )


def test_a_database_file_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "njet.sqlite3").write_text("This is a letter to the editor. " * 100)

    assert_refused(tmp_path, "--bind", "127.0.0.1:0", saying="file is not a database")


def test_an_emptied_database_is_refused_beside_its_secret_key(data: Path) -> None:
    (data / "njet.sqlite3").write_bytes(b"")

    assert_refused(data, "--bind", "127.0.0.1:0", saying="is empty: restore a backup")


def test_a_page_of_zeros_is_refused(data: Path) -> None:
    with closing(sqlite3.connect(data / "njet.sqlite3")) as database:
        (root,) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'django_session'").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with (data / "njet.sqlite3").open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(bytes(size))

    assert_refused(data, "--bind", "127.0.0.1:0", saying="is damaged")


def test_a_new_database_beside_an_old_secret_key_is_mentioned(data: Path) -> None:
    (data / "njet.sqlite3").unlink()

    with Server(data) as server:
        assert server.get("/nowhere").status == 404

    assert "The database is new, but the secret key is older" in server.output.read_text()


def test_files_that_others_may_read_are_taken_from_them(data: Path) -> None:
    data.chmod(0o755)
    files = [data / "njet.sqlite3", data / "njet.sqlite3.lock", data / "njet.sqlite3.turn"]
    for file in files:
        file.touch()
        file.chmod(0o644)

    with Server(data) as server:
        assert server.get("/new/").status == 200
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_a_database_in_a_missing_directory_is_refused(tmp_path: Path) -> None:
    assert_refused(
        tmp_path, "--bind", "127.0.0.1:0", saying="cannot be written", DATABASE_URL=f"sqlite:///{tmp_path}/no/file"
    )


def test_a_wrong_setting_is_refused(tmp_path: Path) -> None:
    assert_refused(tmp_path, saying="NJET_PROFILE must be one of lan, https, not 'home'.", NJET_PROFILE="home")


def test_the_application_does_not_start_with_a_key_of_its_own_making(tmp_path: Path) -> None:
    done = manage(tmp_path, "shell", "-v0", "-c", "import njetassist.wsgi")

    assert done.returncode != 0
    assert "There is no secret key" in done.stderr


LOADED = """
import gc, sys
from njetassist import asgi
asgi.load_pages()
print(gc.get_freeze_count() > 100_000, "games.pages.home.views" in sys.modules)
"""


def test_a_server_has_loaded_every_page(first_start: Path) -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", LOADED],
        env=environment(first_start),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert loaded.stdout.split() == ["True", "True"]
