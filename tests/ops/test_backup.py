"""`manage.py backup` and `restore`: nothing is lost, nothing is overwritten by accident."""

import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from games.database import sqlite_files
from tests.ops.running import MANAGE, Server, environment, manage

pytestmark = pytest.mark.slow

Spoil = Callable[[Path], None]

FAR = "2999-01-01 00:00:00"


def write(data: Path, *keys: str) -> None:
    with closing(sqlite3.connect(data / "njet.sqlite3")) as database, database:
        database.executemany("INSERT INTO django_session VALUES (?, 'data', ?)", [(key, FAR) for key in keys])


def kept(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as database:
        return [key for (key,) in database.execute("SELECT session_key FROM django_session ORDER BY 1")]


@pytest.fixture(scope="module")
def first_backup(first_start: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup in which `saved` is kept, to be copied."""
    place = tmp_path_factory.mktemp("backup")
    data, file = shutil.copytree(first_start, place / "data"), place / "backup.sqlite3"
    write(data, "saved")
    done = manage(data, "backup", str(file))
    assert (done.returncode, done.stdout) == (0, f"Backed up to {file}.\n"), done.stderr
    return file


@pytest.fixture
def backup(first_backup: Path, data: Path, tmp_path: Path) -> Path:
    """A backup in which `saved` is kept; afterwards `later` came into the database."""
    write(data, "saved")
    write(data, "later")
    return Path(shutil.copy2(first_backup, tmp_path / "backup.sqlite3"))


def assert_refused(data: Path, *arguments: str, saying: str, **extra: str) -> None:
    done = manage(data, *arguments, **extra)

    assert done.returncode != 0
    assert saying in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(data.glob(".njet*")), "something half-written was left"


def test_a_backup_is_one_sound_private_file(first_backup: Path) -> None:
    assert kept(first_backup) == ["saved"]
    assert first_backup.stat().st_mode & 0o777 == 0o600
    assert sorted(file.name for file in first_backup.parent.glob("*backup*")) == [first_backup.name]


def test_a_restored_backup_brings_everything_back(data: Path, backup: Path) -> None:
    done = manage(data, "restore", str(backup), "--force")

    assert done.returncode == 0, done.stderr
    assert kept(data / "njet.sqlite3") == ["saved"]


def test_a_restored_database_has_another_epoch(data: Path, backup: Path) -> None:
    before = epoch_of(data)

    assert manage(data, "restore", str(backup), "--force").returncode == 0

    assert len(before) == len(epoch_of(data)) == 16
    assert epoch_of(data) not in (before, epoch_of(backup))


def epoch_of(data: Path) -> str:
    with closing(sqlite3.connect(data / "njet.sqlite3" if data.is_dir() else data)) as database:
        (found,) = database.execute("SELECT epoch FROM games_installation").fetchall()
        return found[0]


def test_a_backup_is_restored_where_nothing_is_yet(backup: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "another" / "machine"

    done = manage(fresh, "restore", str(backup))

    assert done.returncode == 0, done.stderr
    assert kept(fresh / "njet.sqlite3") == ["saved"]


def test_a_database_in_wal_mode_is_backed_up_with_what_its_log_holds(data: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(data / "njet.sqlite3")) as database:
        database.execute("PRAGMA journal_mode = wal")
        with database:
            database.execute(f"INSERT INTO django_session VALUES ('in the log', 'data', '{FAR}')")

        done = manage(data, "backup", str(tmp_path / "backup"))

    assert done.returncode == 0, done.stderr
    assert kept(tmp_path / "backup") == ["in the log"]
    assert not (tmp_path / "backup-wal").exists()


def test_a_backup_holds_no_half_of_a_transaction(data: Path, tmp_path: Path) -> None:
    write(data, "committed")
    with closing(sqlite3.connect(data / "njet.sqlite3")) as database:
        database.execute(f"INSERT INTO django_session VALUES ('not yet', 'data', '{FAR}')")

        done = manage(data, "backup", str(tmp_path / "backup"))

        database.commit()
    assert done.returncode == 0, done.stderr
    assert kept(tmp_path / "backup") == ["committed"]


@pytest.mark.harness
def test_a_backup_is_made_while_the_server_runs_and_not_restored_under_it(data: Path, backup: Path) -> None:
    with Server(data) as server:
        assert manage(data, "backup", str(backup), "--force").returncode == 0
        assert_refused(data, "restore", str(backup), "--force", saying="stop it first")
        assert server.get("/static/missing").status == 404

    # Killed at the end of the block: a lock that outlived its server would lock the operator out.
    assert manage(data, "restore", str(backup), "--force").returncode == 0
    assert kept(data / "njet.sqlite3") == ["later", "saved"]


def test_nothing_is_overwritten_unasked(data: Path, backup: Path) -> None:
    assert_refused(data, "backup", str(backup), saying="exists already; --force replaces it")
    assert_refused(data, "restore", str(backup), saying="exists; --force replaces it")

    assert kept(backup) == ["saved"]
    assert kept(data / "njet.sqlite3") == ["later", "saved"]


@pytest.mark.slow
def test_a_backup_is_not_restored_under_a_worker(data: Path, backup: Path) -> None:
    held = data / "njet.sqlite3.workers"
    worker = subprocess.Popen([*MANAGE, "db_worker"], env=environment(data))
    try:
        deadline = time.monotonic() + 30
        while not held.exists() and time.monotonic() < deadline:
            time.sleep(0.05)

        assert_refused(data, "restore", str(backup), "--force", saying="end `manage.py db_worker` first")
    finally:
        worker.terminate()

    assert worker.wait(timeout=30) == 0
    assert manage(data, "restore", str(backup), "--force").returncode == 0


def test_a_journal_of_the_old_database_is_not_played_into_the_restored_one(data: Path, backup: Path) -> None:
    for suffix in ("-journal", "-wal", "-shm"):
        (data / f"njet.sqlite3{suffix}").write_bytes(b"old")

    assert manage(data, "restore", str(backup), "--force").returncode == 0

    assert not list(data.glob("njet.sqlite3-*"))
    assert kept(data / "njet.sqlite3") == ["saved"]


# --- Files that are no backup ---------------------------------------------------------------------------


def damaged(backup: Path) -> None:
    content = bytearray(backup.read_bytes())
    content[4096 : 4096 * 4] = b"\xff" * (4096 * 3)
    backup.write_bytes(content)


def with_a_lost_index(backup: Path) -> None:
    # Every table can still be read: only a check of the whole file finds the pages without an owner.
    with closing(sqlite3.connect(backup)) as database, database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute("DELETE FROM sqlite_master WHERE name LIKE 'django_session_expire_date%'")


def cut_short(backup: Path) -> None:
    backup.write_bytes(backup.read_bytes()[: 4096 * 2])


def a_letter(backup: Path) -> None:
    backup.write_text("Dear Ana, " * 1000)


def empty(backup: Path) -> None:
    backup.write_bytes(b"")


def of_another_program(backup: Path) -> None:
    backup.unlink()
    with closing(sqlite3.connect(backup)) as database:
        database.execute("CREATE TABLE recipes (name text)")


def of_another_django_project(backup: Path) -> None:
    with closing(sqlite3.connect(backup)) as database, database:
        database.execute("DELETE FROM django_migrations WHERE app IN ('games', 'sessions')")


def of_a_newer_version(backup: Path) -> None:
    with closing(sqlite3.connect(backup)) as database, database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_later', '2999-01-01')"
        )


@pytest.mark.parametrize(
    ("spoil", "saying"),
    [
        (damaged, "nothing was changed"),
        (with_a_lost_index, "is damaged"),
        (cut_short, "nothing was changed"),
        (a_letter, "cannot be read as a SQLite database"),
        (empty, "is not a database of NJET Assist"),
        (of_another_program, "is not a database of NJET Assist"),
        (of_another_django_project, "is not a database of NJET Assist (tables are missing)"),
        (of_a_newer_version, "was written by a newer version of NJET Assist (9999_later)"),
    ],
)
def test_a_file_that_is_no_sound_backup_is_refused(data: Path, backup: Path, spoil: Spoil, saying: str) -> None:
    spoil(backup)

    assert_refused(data, "restore", str(backup), "--force", saying=saying)

    assert kept(data / "njet.sqlite3") == ["later", "saved"]


def test_a_missing_file_is_refused(data: Path) -> None:
    assert_refused(data, "restore", "/nowhere/file", saying="There is no file /nowhere/file.")


def test_a_database_that_was_never_made_is_not_backed_up(tmp_path: Path) -> None:
    assert_refused(tmp_path, "backup", str(tmp_path / "file"), saying="There is no database at")

    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_refused(data: Path) -> None:
    assert_refused(data, "backup", "/proc/backup", saying="/proc/backup cannot be written")


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_the_database_is_not_its_own_backup(data: Path, command: str) -> None:
    database = data / "njet.sqlite3"

    assert_refused(data, command, str(database), "--force", saying="is the database itself")


@pytest.mark.parametrize(("command", "tool"), [("backup", "pg_dump"), ("restore", "pg_restore")])
def test_postgresql_has_its_own_tools(tmp_path: Path, command: str, tool: str) -> None:
    assert_refused(
        tmp_path, command, str(tmp_path / "file"), saying=tool, DATABASE_URL="postgres://ana:x@127.0.0.1:1/njet"
    )


# --- what a killed command leaves ---


@pytest.fixture
def large(data: Path, tmp_path: Path) -> Path:
    """A backup whose copy takes some time."""
    write(data, *(f"key-{number:032}" for number in range(150_000)))
    file = tmp_path / "large.sqlite3"
    done = manage(data, "backup", str(file))
    assert done.returncode == 0, done.stderr
    return file


def killed_in(data: Path, folder: Path, *arguments: str) -> list[str]:
    """What a command leaves in a folder that is killed as soon as it writes a copy there."""
    before = {file.name for file in folder.iterdir()}
    command = subprocess.Popen(
        [*MANAGE, *arguments], env=environment(data), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while not (left := [file.name for file in folder.glob(".*sqlite3.*") if file.name not in before]):
        assert command.poll() is None, "it ended before it wrote anything"
        time.sleep(0.001)
    command.kill()
    command.wait()
    return [name for name in left if (folder / name).exists()]


def hidden(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if file.name.startswith("."))


@pytest.mark.parametrize("next_command", ["restore", "backup", "serve"])
def test_what_a_killed_restore_has_left_is_removed(data: Path, large: Path, next_command: str) -> None:
    assert killed_in(data, data, "restore", str(large), "--force")
    assert hidden(data)

    if next_command == "restore":
        assert manage(data, "restore", str(large), "--force").returncode == 0
    elif next_command == "backup":
        assert manage(data, "backup", str(large), "--force").returncode == 0
    else:
        with Server(data):
            pass

    assert hidden(data) == []


def test_what_a_killed_backup_has_left_is_removed_by_the_next_one(data: Path, large: Path) -> None:
    assert killed_in(data, large.parent, "backup", str(large), "--force")

    assert manage(data, "backup", str(large), "--force").returncode == 0

    assert hidden(large.parent) == []


def test_files_of_a_copy_that_is_written_and_files_of_others_stay(tmp_path: Path) -> None:
    target = tmp_path / "njet.sqlite3"
    own = [".njet.sqlite3.20261127", ".njet.sqlite3.old", ".other.sqlite3.unfinished"]
    for name in (*own, ".njet.sqlite3.unfinished", ".njet.sqlite3.unfinished-journal"):
        (tmp_path / name).touch()

    with sqlite_files.replacing(target) as fresh:
        sqlite_files.remove_leftovers(target)
        assert hidden(tmp_path) == sorted([*own, fresh.name])

    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([*own, target.name])


def test_a_second_backup_into_a_folder_waits_for_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_files, "PATIENCE", 0.1)

    with (
        sqlite_files.replacing(tmp_path / "a.sqlite3"),
        pytest.raises(sqlite_files.Refused),
        sqlite_files.replacing(tmp_path / "b.sqlite3"),
    ):
        pytest.fail("two copies were written at once")

    with sqlite_files.replacing(tmp_path / "b.sqlite3") as fresh:
        fresh.touch()
    assert (tmp_path / "b.sqlite3").exists()
