"""What `manage.py check --deploy` says to operators."""

from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from njetassist import checks
from tests.ops.running import manage

ONE_KEY = "NJET_SECRET_KEY_FILE"
PROXIES = "NJET_TRUSTED_PROXIES"


@pytest.fixture(autouse=True)
def public_server(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server over https that has what it needs, with SQLite."""
    settings.HTTPS = True
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.20")]
    for name in ("NJET_SECRET_KEY", ONE_KEY, PROXIES):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(checks, "connection", database("sqlite", "/var/lib/njet/njet.sqlite3"))


def database(vendor: str, name: str) -> SimpleNamespace:
    return SimpleNamespace(vendor=vendor, settings_dict={"NAME": name})


def found() -> list[str | None]:
    return [warning.id for warning in checks.missing_settings()]


def test_nothing_is_missing_for_one_host() -> None:
    assert found() == []


def test_plain_http_is_not_for_the_public(settings: Any) -> None:
    settings.HTTPS = False

    assert found() == ["njetassist.W001"]


@pytest.mark.parametrize("everywhere", ["0.0.0.0/0", "::/0"])
def test_not_every_address_is_a_proxy(settings: Any, everywhere: str) -> None:
    settings.TRUSTED_PROXIES = [ip_network(everywhere)]

    assert found() == ["njetassist.W002"]


def test_hosts_that_share_a_database_need_one_key_and_the_address_of_their_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checks, "connection", database("postgresql", "njet"))
    assert found() == ["njetassist.W003", "njetassist.W004"]

    monkeypatch.setenv(ONE_KEY, "/etc/njet.key")
    monkeypatch.setenv(PROXIES, "10.0.0.20")
    assert found() == []


@pytest.mark.parametrize(("kind", "ids"), [("nfs4", ["njetassist.W005"]), ("ext4", [])])
def test_sqlite_is_not_for_network_file_systems(
    kind: str, ids: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda / ext4 rw 0 0\nserver:/share /mnt/our\\040share {kind} rw 0 0\n")
    monkeypatch.setattr(checks, "MOUNTS", mounts)
    monkeypatch.setattr(checks, "connection", database("sqlite", "/mnt/our share/data/njet.sqlite3"))

    assert found() == ids


@pytest.mark.slow
def test_the_command_prints_them(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", "--deploy")

    assert "njetassist.W001" in done.stderr
