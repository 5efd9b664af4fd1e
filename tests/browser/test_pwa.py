"""A browser reads the manifest: it finds it, understands every word of it, and finds nothing to complain about."""

from __future__ import annotations

import json

import pytest
from pytest_django import Settings

from tests.browser.phone import Phone

pytestmark = [pytest.mark.browser]


def test_chromium_understands_the_manifest(phone: Phone, settings: Settings) -> None:
    # Of the https profile only what it links; the browser trusts this machine over plain http as well.
    settings.HTTPS = True
    phone.open("/")

    session = phone.page.context.new_cdp_session(phone.page)
    found = session.send("Page.getAppManifest")

    assert found["url"] == f"{phone.address}/manifest.webmanifest"
    assert found["errors"] == []
    assert json.loads(found["data"])["short_name"] == "NJET"
    # The browsers of tests keep nothing, and say so; they have no other reason not to install it.
    reasons = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {reason["errorId"] for reason in reasons} <= {"in-incognito"}
