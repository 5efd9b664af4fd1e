"""`manage.py serve`: prepares data directory, database, key and static files, and starts the server.

Every problem ends the command with one sentence.
"""

import errno
import io
import os
import re
import signal
import socket
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, NamedTuple

import segno
import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection, transaction
from django.utils import translation
from django.utils.translation import gettext as _

from games.database import file_lock, sqlite_files
from games.groups import statistics
from games.keys import addresses
from games.models import Group
from njetassist import catalogues, open_files, secret_key, staticfiles

DEFAULT_BIND = "0.0.0.0:8000"
# A server that was just killed may still hold the lock.
PATIENCE = 1.5
# Seconds for looking for damage in the database; `backup` checks all of it.
QUICK_CHECK = 0.5


class Bind(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self}/"


def read_bind(text: str) -> Bind:
    found = re.fullmatch(r"(?P<host>[^:\[\]/\s]*|\[[0-9a-fA-F:.]+\]):(?P<port>[0-9]{1,5})", text)
    if found is None or int(found["port"]) > 65535:
        raise CommandError(f"--bind must be an address and a port like {DEFAULT_BIND}, not {text!r}.")
    return Bind(found["host"].strip("[]") or "0.0.0.0", int(found["port"]))


class Command(BaseCommand):
    help = "Sets everything up and runs the server until Ctrl-C."
    # System checks are for developers; operators see only what prevents the start.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--bind",
            default=DEFAULT_BIND,
            metavar="ADDRESS:PORT",
            help=f"where to listen (default: {DEFAULT_BIND}, every network of this machine)",
        )

    def handle(self, *, bind: str, **options: Any) -> None:
        wanted = read_bind(bind)
        open_files.raise_limit()
        # Ctrl-C and SIGTERM end the preparations without a stack trace.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            with refusals_of_the_disk():
                make_data_directory()
                take_lock()
                # In processes of their own, which leave nothing of their memory and threads to the server.
                with ProcessPoolExecutor(2, get_context("fork")) as preparing:
                    database, files = preparing.submit(prepare_database), preparing.submit(prepare_files)
                is_new, has_collected = database.result(), files.result()
                is_lost = is_new and settings.SECRET_KEY_FILE.exists()
                secret_key.keep()
            # Python's own handler raises an exception, which is dropped if the garbage collector runs just then: from
            # here on these signals wait until the server has handlers (njetassist.asgi, njetassist.worker.when_ready).
            signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
            from njetassist.asgi import application, load_pages  # (needs the key)

            load_pages()
            # Only now: a load balancer is refused until then, and asks another host.
            with listen(wanted) as listener:
                translation.activate(terminal_language())
                if is_lost:
                    self.warn_of_a_lost_database()
                if has_collected:
                    self.stdout.write(_("Collected the static files."))
                self.announce(Bind(wanted.host, listener.getsockname()[1]))
                serve(application, listener)
        except KeyboardInterrupt:
            sys.exit(0)

    def warn_of_a_lost_database(self) -> None:
        self.stdout.write(
            _(
                "The database is new, but the secret key is older: if games are missing, stop the server and "
                "restore a backup (.github/OPERATIONS.md)."
            )
        )

    def announce(self, bind: Bind) -> None:
        kept = _("NJET Assist keeps its games in {folder} and listens on {address}.")
        self.stdout.write("\n" + kept.format(folder=settings.DATA_DIR, address=bind))
        if settings.HTTPS:
            self.show(_("Its address is {address}"), f"https://{settings.PUBLIC_HOSTS[0].removeprefix('.')}/")
        else:
            self.announce_at_home(bind)
        self.stdout.write(_("Ctrl-C ends it.") + "\n")
        self.stdout.flush()

    def announce_at_home(self, bind: Bind) -> None:
        everywhere = bind.host in ("0.0.0.0", "::")
        lan = addresses.lan_address() if everywhere else bind.host
        own = addresses.parse(bind.host)
        if everywhere:
            self.stdout.write(_("On this computer: {address}").format(address=Bind("localhost", bind.port).url))
        if lan is None:
            self.stdout.write(_("Phones cannot reach it: this computer is in no network."))
        elif bind.host == "localhost" or (own is not None and own.is_loopback):
            here = _("On this computer: {address} (phones cannot reach it)")
            self.stdout.write(here.format(address=Bind(lan, bind.port).url))
        else:
            self.show(_("On phones in the same wifi: {address}"), Bind(lan, bind.port).url)
        self.stdout.write(
            _(
                "Over plain http browsers allow no offline use, no screen that stays on and no share menu; "
                ".github/OPERATIONS.md says how to serve it over https."
            )
        )

    def show(self, sentence: str, address: str) -> None:
        code = io.StringIO()
        # Half blocks are smaller; a terminal without UTF-8 gets coloured spaces.
        compact = "utf" in (getattr(self.stdout, "encoding", None) or "").lower()
        segno.make(address, micro=False).terminal(out=code, compact=compact)
        self.stdout.write(f"{sentence.format(address=address)}\n\n{code.getvalue()}")


def terminal_language() -> str:
    """The language of the terminal, as its environment says, or English."""
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    try:
        return translation.get_supported_language_variant(locale.partition(".")[0].replace("_", "-").lower())
    except LookupError:
        return settings.LANGUAGE_CODE


@contextmanager
def refusals_of_the_disk() -> Iterator[None]:
    """What the preparations cannot write: on a disk that is full, each of them may be the first to fail."""
    try:
        yield
    except OSError as error:
        raise CommandError(
            f"The data directory {settings.DATA_DIR} cannot be written: {error.strerror}. NJET_DATA names another."
        ) from error
    except DatabaseError as error:
        said = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise CommandError(f"The database cannot be used (DATABASE_URL): {said}.") from error


def listen(bind: Bind) -> socket.socket:
    """The listening socket: [::] means every network, IPv4 included."""
    try:
        family = socket.getaddrinfo(bind.host, bind.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        is_dual = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
        return socket.create_server(bind, family=family, backlog=2048, dualstack_ipv6=is_dual)
    except OSError as error:
        raise CommandError(why_not(error, bind)) from error


def why_not(error: OSError, bind: Bind) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"Port {bind.port} is taken by a running program: stop it, or choose another with --bind."
        case errno.EACCES:
            return f"Port {bind.port} may only be used by root: choose one from 1024 on with --bind."
        case _:
            return f"This machine cannot listen on {bind}: {error.strerror}."


def make_data_directory() -> None:
    settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=settings.DATA_DIR):
        pass  # writing is the only reliable check of rights, free space and read-only media


def take_lock() -> None:
    """Lock the data until this process ends, and those that it starts."""
    try:
        file_lock.lock(file_lock.lock_file(), patience=PATIENCE)
    except BlockingIOError as error:
        raise CommandError(f"A server is already running with {file_lock.lock_file()}.") from error
    except OSError as error:
        raise CommandError(f"{file_lock.lock_file()} cannot be written: {error.strerror}.") from error


def prepare_files() -> bool:
    """Compile the catalogues and collect the static files.  Returns whether these were old."""
    catalogues.compile_into(settings.DATA_DIR / "locale")
    return not settings.DEBUG and staticfiles.collect()


def prepare_database() -> bool:
    """Check and migrate the database.  Returns whether it is new."""
    file = sqlite_files.database_file() if connection.vendor == "sqlite" else None
    if file is not None:
        if file.exists() and not file.stat().st_size and settings.SECRET_KEY_FILE.exists():
            raise CommandError(f"The database {file} is empty: restore a backup, or delete the file for a new one.")
        sqlite_files.make_private(file)
        # With every hand in them.
        sqlite_files.remove_leftovers(file)
    try:
        if connection.vendor == "postgresql":
            # Of several hosts that start together one at a time gets on, until it closes its connection.
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_lock(hashtext('njet serve'))")
        with transaction.atomic(), connection.cursor() as cursor:
            # A write fails for an unreachable server, another kind of file and missing rights alike.
            cursor.execute("CREATE TABLE njet_probe (id integer)")
            cursor.execute("DROP TABLE njet_probe")
        if file is not None:
            sqlite_files.quick_check(file, seconds=QUICK_CHECK)
    except sqlite_files.Refused as error:
        raise CommandError(f"The database {error}: restore a backup (.github/OPERATIONS.md).") from error
    is_new = not connection.introspection.table_names()
    if file is not None:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA journal_mode = {settings.SQLITE_JOURNAL_MODE}")
    call_command("migrate", interactive=False, verbosity=0)
    # A release that counts differently computes the totals of the groups again before they are read.
    if Group.objects.exclude(counted_by=statistics.VERSION).exists():
        call_command("recount", outdated=True)
    connection.close()
    return is_new


def serve(application: Any, listener: socket.socket) -> None:
    """Answer requests until a signal ends it: with SQLite in this process, with PostgreSQL in several."""
    # uvicorn and gunicorn read it too, and no empty value.
    os.environ["WEB_CONCURRENCY"] = str(settings.PROCESSES)
    if connection.vendor == "sqlite":
        from njetassist.uvicorn_options import OPTIONS

        uvicorn.Server(uvicorn.Config(application, **OPTIONS)).run([listener])
    else:
        from njetassist.worker import Gunicorn

        # gunicorn closes it.
        Gunicorn(application, listener.detach()).run()
