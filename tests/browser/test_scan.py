"""The camera reads the code of an invitation where the browser can; what it sees is put in its place here."""

from __future__ import annotations

import json

import pytest

from games.keys import invitations
from games.models import Role
from tests.browser.conftest import OpenPhone
from tests.browser.expecting import expect
from tests.browser.phone import Phone
from tests.builders import english
from tests.cast.tables import Table

pytestmark = [pytest.mark.browser]

# A detector that finds these codes, one after the other, in the picture of a camera that is none.
CAMERA = """
const codes = %s;
globalThis.BarcodeDetector = class {
  static getSupportedFormats = async () => %s;
  detect = async () => (codes.length ? [{ rawValue: codes.shift() }] : []);
};
navigator.mediaDevices.getUserMedia = async () => {
  if (%s) throw new DOMException("", "NotAllowedError");
  const canvas = document.createElement("canvas");
  canvas.getContext("2d").fillRect(0, 0, 9, 9);
  return (globalThis.film = canvas.captureStream(9));
};
"""


def with_camera(phone: Phone, *codes: str, formats: tuple[str, ...] = ("qr_code",), is_forbidden: bool = False) -> None:
    phone.page.add_init_script(CAMERA % (json.dumps(codes), json.dumps(formats), json.dumps(is_forbidden)))
    phone.open("/join/")


def test_the_code_of_an_invitation_is_read_and_followed(phone: Phone) -> None:
    path = f"/join/{invitations.invite(game=Table(english(5)).game, role=Role.VIEWER).token}/"
    with_camera(phone, f"{phone.address}{path}")

    phone.tap("Scan the code")

    phone.page.wait_for_url(f"**{path}")


def test_other_codes_are_not_followed(phone: Phone) -> None:
    with_camera(phone, "https://njet.example/join/abc/", "WIFI:S:cafe;;", f"{phone.address}/learn/")

    phone.tap("Scan the code")

    phone.sees("This is no invitation to a table here.")
    phone.page.wait_for_function("film.getTracks()[0].readyState === 'live'")
    assert phone.path == "/join/"


def test_without_leave_to_use_the_camera_the_code_is_typed(phone: Phone) -> None:
    with_camera(phone, is_forbidden=True)

    phone.tap("Scan the code")

    phone.sees("The camera cannot be used here")
    expect(phone.page.locator("video")).to_be_hidden()


@pytest.mark.parametrize("formats", [("ean_13",), ()])
def test_a_browser_that_reads_no_such_codes_offers_nothing(open_phone: OpenPhone, formats: tuple[str, ...]) -> None:
    phone = open_phone()
    with_camera(phone, formats=formats)

    phone.sees("The code on the other phone")
    expect(phone.page.locator("#scan")).to_be_hidden()
