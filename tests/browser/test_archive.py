"""A group is restored from its file in parts, by the script of the page; what is there already stays as it is."""

from __future__ import annotations

from base64 import b64encode

import pytest

from games.groups import archive
from games.keys import registry
from games.models import GroupRole
from games.services import restoring
from tests.browser.conftest import OpenPhone
from tests.browser.expecting import expect
from tests.browser.phone import Phone
from tests.browser.prepared import give
from tests.cast.groups import new_group, played

pytestmark = [pytest.mark.browser, pytest.mark.engines]


# The drivers have no chooser of files in common.
CHOOSE = """(input, text) => {
  const chosen = new DataTransfer();
  chosen.items.add(new File([Uint8Array.from(atob(text), (each) => each.charCodeAt(0))], "group.jsonl.gz"));
  input.files = chosen.files;
}"""


def choose(phone: Phone, content: bytes) -> None:
    """Choose a file with this content."""
    phone.page.locator("[type=file]").evaluate(CHOOSE, b64encode(content).decode())


def test_a_group_is_restored_from_its_file(open_phone: OpenPhone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restoring, "AT_ONCE", 2)
    group, copy = new_group(), new_group("Elsewhere")
    for _ in range(3):
        played(group)
    file = b"".join(archive.packed(group))
    phone = open_phone()
    give(phone, registry.issue(group=copy, role=GroupRole.OWNER, label="Ana’s phone"))
    phone.open(f"/groups/{copy.pk}/archive/")
    said = phone.page.locator("#restore output")

    for added, known in ((3, 0), (0, 3)):
        choose(phone, file)
        phone.tap("Restore")
        expect(said).to_have_text(f"{added} added · {known} there already")
    assert copy.games.count() == 3

    choose(phone, b"no file of a group")
    phone.tap("Restore")
    expect(said).to_have_text("This is no file of a group.")
