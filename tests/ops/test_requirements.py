"""The server is installed from pinned files: every package, each with its hashes."""

from __future__ import annotations

import re
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCK = (ROOT / "njetassist/requirements.lock").read_text()
LOCKED = {canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==(\S+)", LOCK, re.MULTILINE)}


def pins() -> list[Requirement]:
    """Those that are for this machine."""
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    found = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return [pin for pin in found if not pin.marker or pin.marker.evaluate()]


def needed(wanted: list[Requirement]) -> set[str]:
    """The names of these packages and of all that they need on this machine."""
    found: set[str] = set()
    seen: set[str] = set()
    while wanted:
        each = wanted.pop()
        if str(each) in seen:
            continue
        seen.add(str(each))
        found.add(canonicalize_name(each.name))
        for text in requires(each.name) or []:
            further = Requirement(text)
            if not further.marker or any(further.marker.evaluate({"extra": extra}) for extra in each.extras or {""}):
                wanted.append(further)
    return found


def test_the_lock_has_the_versions_that_are_pinned() -> None:
    assert {canonicalize_name(pin.name): str(pin.specifier) for pin in pins()}.items() <= {
        name: f"=={version}" for name, version in LOCKED.items()
    }.items()


def test_the_lock_has_every_package_that_these_need() -> None:
    names = needed(pins())

    assert {"asgiref", "psycopg-binary", "brotli"} <= names
    assert names <= LOCKED.keys()


def test_every_package_of_the_lock_has_hashes() -> None:
    blocks = re.split(r"\n(?=\S)", re.sub(r"^#.*\n", "", LOCK, flags=re.MULTILINE).strip())

    assert len(blocks) == len(LOCKED)
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", block) for block in blocks)
