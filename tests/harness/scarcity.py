"""Disks that are full, and become empty again, under a running server.

Knows: file systems, limits of processes.  Must not know: what is stored.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

BLOCK = 4096


@contextmanager
def small_filesystem(directory: Path, *, size: int) -> Iterator[None]:
    """A file system of this size in bytes on a directory, for the length of the block.  Takes root, or sudo for it."""
    _as_root("mount", "-t", "tmpfs", "-o", f"size={size},uid={os.getuid()},mode=700", "tmpfs", str(directory))
    try:
        yield
    finally:
        # Lazily: a server that was killed just before may not have closed its files yet.
        _as_root("umount", "--lazy", str(directory))


def _as_root(*command: str) -> None:
    if os.geteuid() != 0:
        if shutil.which("sudo") is None or subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode:
            pytest.skip(
                "Only root can mount a small file system; the limit on the size of files is tested all the same."
            )
        command = ("sudo", "-n", *command)
    subprocess.run(command, check=True)


class Rubbish:
    """A file that takes all the room there is, and gives some of it back."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def fill(self) -> None:
        """Leave nothing."""
        room = os.statvfs(self._file.parent)
        with self._file.open("ab", buffering=0) as file, suppress(OSError):
            for _ in range(room.f_bfree):
                file.write(b"\0" * BLOCK)
        assert os.statvfs(self._file.parent).f_bfree == 0

    def shrink(self) -> None:
        """Give one block back."""
        os.truncate(self._file, max(0, self._file.stat().st_size - BLOCK))


@contextmanager
def files_that_may_not_grow(group: int, *, beyond: int) -> Iterator[None]:
    """No process of the group can make a file larger than this number of bytes, for the length of the block."""
    members = [int(each.name) for each in Path("/proc").glob("[0-9]*") if _group_of(each) == group]
    before = [resource.prlimit(member, resource.RLIMIT_FSIZE) for member in members]
    for member, (_, hard) in zip(members, before, strict=True):
        resource.prlimit(member, resource.RLIMIT_FSIZE, (beyond, hard))
    try:
        yield
    finally:
        for member, limits in zip(members, before, strict=True):
            resource.prlimit(member, resource.RLIMIT_FSIZE, limits)


def _group_of(process: Path) -> int | None:
    try:
        # The name in brackets may contain anything; state, parent and group follow it.
        return int((process / "stat").read_text().rpartition(")")[2].split()[2])
    except (FileNotFoundError, ProcessLookupError):
        return None
