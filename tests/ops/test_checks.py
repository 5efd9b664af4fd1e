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
    monkeypatch.setattr(checks, "connection", SimpleNamespace(vendor="sqlite"))


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
    monkeypatch.setattr(checks, "connection", SimpleNamespace(vendor="postgresql"))
    assert found() == ["njetassist.W003", "njetassist.W004"]

    monkeypatch.setenv(ONE_KEY, "/etc/njet.key")
    monkeypatch.setenv(PROXIES, "10.0.0.20")
    assert found() == []


@pytest.mark.slow
def test_the_command_prints_them(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", "--deploy")

    assert "njetassist.W001" in done.stderr
