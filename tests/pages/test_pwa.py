"""The application on a home screen: its manifest and icons, offered only where browsers would take them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.test import Client
from pytest_django import Settings

from tests.cast.pages import Phone, read_html
from tests.ops.test_headers import EXPECTED

ADDRESS = "/manifest.webmanifest"
TEMPLATES = configured.BASE_DIR / "templates"

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_the_manifest_says_how_the_application_is_installed() -> None:
    found = Client().get(ADDRESS).json()

    assert (found["name"], found["short_name"], found["lang"]) == ("NJET Assist", "NJET", "en")
    assert (found["start_url"], found["scope"], found["id"], found["display"]) == ("/", "/", "/", "standalone")


def test_its_colours_are_those_of_the_pages() -> None:
    found = Client().get(ADDRESS).json()

    css = (Path(configured.BASE_DIR) / "static/njet/base/theme.css").read_text(encoding="utf-8")
    paper = re.search(r"--paper: (#\w+)", css)[1]
    assert found["theme_color"] == found["background_color"] == paper


def test_it_may_be_kept_for_a_day_and_is_protected_like_everything_else() -> None:
    response = Client().get(ADDRESS)

    assert response.headers["Content-Type"] == "application/manifest+json"
    assert set(response.headers["Cache-Control"].split(", ")) == {"max-age=86400", "public"}
    assert {name: response.headers.get(name) for name in EXPECTED} == EXPECTED
    assert not response.cookies


def png_size(content: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")


def test_every_icon_is_there_in_its_size_and_small() -> None:
    icons = Client().get(ADDRESS).json()["icons"]

    assert {(icon["sizes"], icon["purpose"]) for icon in icons} == {
        *(("any", "any"), ("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"))
    }
    for icon in icons:
        content = Path(finders.find(icon["src"].removeprefix("/static/"))).read_bytes()
        assert len(content) < 6 * 1024, icon
        if icon["type"] == "image/png":
            assert "x".join(map(str, png_size(content))) == icon["sizes"]


def test_the_icon_for_apple_is_there_too() -> None:
    content = Path(finders.find("njet/apple-touch-icon.png")).read_bytes()

    assert png_size(content) == (180, 180)
    assert len(content) < 6 * 1024


# --- where it is offered ---


def links(html: str) -> dict[str, str]:
    """What a page links in its head, by relation."""
    return {link.attrs["rel"]: link.attrs["href"] for link in read_html(html).all("link")}


def test_over_plain_http_no_page_offers_what_no_browser_would_take() -> None:
    assert links(Phone().get("/").html).keys() == {"icon", "stylesheet"}


@pytest.mark.parametrize(("address", "status"), [("/", 200), ("/nowhere/", 404), ("/g/000000000000/", 404)])
def test_over_https_every_page_offers_it(settings: Settings, address: str, status: int) -> None:
    settings.HTTPS = True

    response = Client().get(address)

    assert response.status_code == status
    found = links(response.content.decode())
    assert found["manifest"] == ADDRESS
    assert found["apple-touch-icon"] == "/static/njet/apple-touch-icon.png"


DOCUMENTS = sorted(
    str(template.relative_to(TEMPLATES))
    for template in TEMPLATES.rglob("*.html")
    if "<!doctype" in template.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_page_describes_itself_to_search_engines_as_the_manifest_does(name: str) -> None:
    """Every other template extends one of these."""
    description = Client().get(ADDRESS).json()["description"]

    page = render_to_string(name, {"swagger_ui_css": "", "script_url": "", "favicon_href": ""})

    assert f'<meta name="description" content="{description}">' in page
