"""What goes wrong outside of a table: unknown addresses, broken requests, faults of our own."""

from __future__ import annotations

import pytest
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from games.pages.appearance.theme import AUTO, DARK_MEDIA
from tests.cast.pages import Phone, read_html

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def fail(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("planted")


def suspect(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation("planted")


urlpatterns = [path("fail/", fail), path("suspect/", suspect), path("", include("njetassist.urls"))]
handler404 = "games.pages.errors.page_not_found"
handler400 = "games.api.errors.bad_request"
handler500 = "games.api.errors.server_error"


@pytest.mark.parametrize("address", ["/nowhere/", "/g/", "/g/x/nowhere/", "/g/x/undo/-1/", "/g/x/undo/1.5/", "/new/x/"])
@pytest.mark.parametrize("htmx", [False, True])
def test_an_unknown_address_is_a_page_with_a_way_home(address: str, htmx: bool) -> None:
    page = Phone(htmx=htmx).get(address)

    assert page.status == 404
    assert page.is_page
    assert page.notice == "There is no such page."
    assert page.root.all("a", class_="button")[0].attrs["href"] == "/"


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(("address", "status"), [("/fail/", 500), ("/suspect/", 400)])
def test_a_fault_is_a_page_with_a_sentence_and_tells_nothing_of_the_inside(address: str, status: int) -> None:
    response = Client(raise_request_exception=False).get(address)

    html = response.content.decode()
    page = read_html(html)
    assert response.status_code == status
    assert page.one("p", class_="lead").text.endswith(".")
    assert page.one("a", class_="button").attrs["href"] == "/"
    assert f'media="{DARK_MEDIA[AUTO]}"' in html
    assert "planted" not in html
    assert "Traceback" not in html


def test_a_form_that_was_open_too_long_says_what_to_do() -> None:
    page = Phone().get("/join/")
    page.phone.client.cookies.clear()

    page = page.press("Next", code="ABCD-1234")

    assert page.status == 403
    assert page.notice == "This page has stood open too long. Go back, reload it and send it again."
    assert not page.offers("Go back")


@pytest.mark.parametrize(
    ("sent_from", "leads_back"), [("http://testserver/join/", True), ("http://elsewhere.example/join/", False)]
)
def test_from_a_form_that_was_open_too_long_one_goes_back_to_it_and_to_no_other_site(
    sent_from: str, leads_back: bool
) -> None:
    phone = Phone()

    response = phone.client.post("/join/", {"code": "ABCD-1234"}, headers={"Referer": sent_from})

    links = [link.attrs["href"] for link in read_html(response.content.decode()).all("a", class_="button")]
    assert links == ([sent_from] if leads_back else []) + ["/"]
