"""The process beside the server ends with its parent, and a new one takes the place of one that was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from games.rules.errors import UnknownSeat
from games.services import apart

ROOT = Path(__file__).parents[2]


def pid() -> int:
    """The process that this runs in."""
    return os.getpid()


def refuse(seat: int) -> None:
    """Refuse."""
    raise UnknownSeat(seat=seat)


def test_it_is_another_process_and_the_same_one_each_time() -> None:
    assert apart.run(pid) == apart.run(pid) != os.getpid()


def test_a_refusal_comes_back_as_it_is() -> None:
    with pytest.raises(UnknownSeat) as refused:
        apart.run(refuse, 7)

    assert refused.value.params == {"seat": 7}


def test_after_it_was_killed_there_is_a_new_one() -> None:
    os.kill(before := apart.run(pid), signal.SIGKILL)

    with pytest.raises(BrokenProcessPool):
        apart.run(pid)

    assert apart.run(pid) not in (before, os.getpid())


def test_it_ends_with_a_parent_that_was_killed() -> None:
    code = "from games.services import apart; apart.run(print, 'runs', flush=True); input()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, **pipes) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"runs\n"
        parent.kill()

        # The child holds the other end, so this ends with it.
        assert parent.stdout.read() == b""
