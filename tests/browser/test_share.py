"""The result of a game is sent from a phone: as a picture, or as a line of text."""

from __future__ import annotations

import pytest

from games.models import GroupRole
from tests.browser.phone import Phone
from tests.browser.test_groups import come_in
from tests.cast.groups import new_group, played

pytestmark = pytest.mark.browser

SHARES = """
navigator.canShare = () => true;
navigator.share = async (data) => {
  window.shared = data;
};
"""
"""What a browser over https has, and the tests' does not."""


@pytest.fixture
def finished(phone: Phone) -> str:
    """The address of a finished game that the phone may see."""
    group = new_group()
    come_in(phone, group, GroupRole.VIEWER)
    return f"/g/{played(group).id}"


@pytest.mark.parametrize("page", ["sheet", "export"])
def test_the_picture_is_sent_as_a_file(phone: Phone, finished: str, page: str) -> None:
    phone.page.add_init_script(SHARES)
    phone.open(f"{finished}/{page}/")

    phone.tap("The result as a picture")

    phone.page.wait_for_function("() => window.shared?.files?.length === 1")
    name, kind, size = phone.page.evaluate("(({name, type, size}) => [name, type, size])(window.shared.files[0])")
    assert (name, kind) == ("njet.png", "image/png")
    assert size > 10_000
    assert phone.path == f"{finished}/{page}/"


def test_where_files_cannot_be_sent_the_picture_is_saved(phone: Phone, finished: str) -> None:
    phone.open(f"{finished}/sheet/")

    with phone.page.expect_download() as download:
        phone.tap("The result as a picture")

    assert download.value.suggested_filename.endswith(".png")


def test_the_line_is_sent_as_a_text(phone: Phone, finished: str) -> None:
    phone.page.add_init_script(SHARES)
    phone.open(f"{finished}/export/")

    phone.tap("Send the text")

    phone.page.wait_for_function("() => window.shared?.text?.includes('won NJET with')")
