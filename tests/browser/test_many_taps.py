"""Many taps that have waited are sent at once: faster than a key may write, and none is lost."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PATIENCE, phone_of
from tests.browser.sizes import PHONE
from tests.ops.running import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

A_SECOND = 2


def test_taps_that_have_waited_go_on_when_the_key_may_write_again(
    first_start: Path, tmp_path: Path, chromium: Browser
) -> None:
    data = shutil.copytree(first_start, tmp_path / "data")
    with Server(data, NJET_WRITES=str(A_SECOND)) as server:
        address = f"http://localhost:{server.port}"
        context = chromium.new_context(base_url=address, has_touch=True, is_mobile=True, viewport=vars(PHONE))
        phone = phone_of(context, address)
        phone.new_table("njet-english", ["Ana", "Ben", "Cleo"], dealer="Cleo")
        phone.watch.forgive("429 (Too Many Requests)")
        phone.open(f"/g/{phone.game_id}/?board")
        refused: list[int] = []
        phone.page.on("response", lambda answer: refused.append(answer.status) if answer.status == 429 else None)
        phone.lose_line()
        for space in ("trump red", "trump blue", "points 1", "points 2", "discard njet", "discard discard_1"):
            phone.space(*space.split()).tap()
        phone.space("supertrump", "red").tap()

        phone.find_line()

        expect(phone.table).to_have_attribute("data-version", "7", timeout=PATIENCE)
        expect(phone.page.locator("#line")).to_be_hidden()
        assert refused
        context.close()
