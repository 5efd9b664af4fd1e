"""A version poll gets the same answer as from the whole middleware, which it does not pass."""

from __future__ import annotations

from collections.abc import Callable
from http.cookies import SimpleCookie

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from games.keys import registry, sessions
from games.keys.session_store import EXPIRY, SessionStore
from games.live.hub import hub
from games.pages.base_table import MARKS_HEADER
from games.pages.presence import HERE
from tests.cast.digital import DigitalTable
from tests.cast.pages import Phone
from tests.cast.seats import at_seats
from tests.cast.tables import Table

pytestmark = pytest.mark.django_db

POLLS = "njetassist.poll_middleware.PollMiddleware"
ASKING = {"HX-Request": "true", MARKS_HEADER: "1"}
GZIP = {"Accept-Encoding": "gzip"}

Ask = Callable[..., HttpResponse]


@pytest.fixture
def ask(settings: Settings) -> Ask:
    """A request of a phone that fills in the marks, after it was compared with what the whole middleware answers."""
    middleware = list(settings.MIDDLEWARE)

    def ask(phone: Phone, address: str, method: str = "GET", **headers: str) -> HttpResponse:
        # A phone that uses its session for the first time gets a cookie with it, once.
        phone.client.get("/")
        short, whole = (
            send(phone, address, method, settings, names, headers)
            for names in (middleware, [name for name in middleware if name != POLLS])
        )
        assert short.status_code == whole.status_code
        is_nothing = is_short(short) and short.status_code == 204
        assert dict(short.headers) == (of_no_language(whole) if is_nothing else dict(whole.headers))
        assert short.content == whole.content
        assert short.cookies == whole.cookies == SimpleCookie()
        return short

    return ask


def of_no_language(answer: HttpResponse) -> dict[str, str]:
    """The headers without what they say of the language: an answer without a body has none."""
    vary = answer.headers["Vary"].removeprefix("Accept-Language, ")
    return {name: value for name, value in answer.headers.items() if name != "Content-Language"} | {"Vary": vary}


def is_short(answer: HttpResponse) -> bool:
    """Whether a request was answered without a search for its address."""
    return answer.wsgi_request.resolver_match is None


def send(
    phone: Phone, address: str, method: str, settings: Settings, middleware: list[str], headers: dict[str, str]
) -> HttpResponse:
    settings.MIDDLEWARE = middleware
    client = Client(headers={**ASKING, **headers})
    client.cookies = SimpleCookie({name: cookie.value for name, cookie in phone.client.cookies.items()})
    return client.generic(method, address)


@pytest.mark.parametrize("headers", [{}, GZIP])
def test_nothing_is_new(ask: Ask, table: Table, ana: Phone, headers: dict[str, str]) -> None:
    answer = ask(ana, f"/g/{table.id}/?since={table.version}", **headers)

    assert is_short(answer)
    assert (answer.status_code, answer.content, answer.headers["Content-Length"]) == (204, b"", "0")
    assert {"Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options", "X-Robots-Tag"} <= set(
        answer.headers
    )
    assert (answer.headers["Cache-Control"], answer.headers["Vary"]) == ("no-store", "Cookie")


@pytest.mark.parametrize("headers", [{}, GZIP])
@pytest.mark.parametrize("query", ["since=0", "board&since=0", "", "since=a\0b&epoch=%00"])
def test_a_fragment(ask: Ask, table: Table, cleo: Phone, query: str, headers: dict[str, str]) -> None:
    table.record("trump red")

    answer = ask(cleo, f"/g/{table.id}/?{query}", **headers)

    assert is_short(answer)
    assert (answer.status_code, "Content-Encoding" in answer.headers) == (200, headers == GZIP)
    assert "Accept-Encoding" in answer.headers["Vary"]


def test_a_hand(ask: Ask) -> None:
    phone = at_seats(DigitalTable(), 1)

    answer = ask(phone, phone.address_of("table") + "?since=0")

    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")


def test_a_revoked_key_and_a_stranger_find_no_table(ask: Ask, table: Table, ben: Phone, dan: Phone, eve: Phone) -> None:
    assert ben.key is not None
    registry.revoke(ben.key)

    for phone in (ben, dan, eve):
        assert ask(phone, f"/g/{table.id}/?since={table.version}").status_code == 404


@pytest.mark.parametrize("game_id", ["000000000000", "a%00b", "%F0%9F%90%95", "x" * 3000, ".."])
def test_a_table_that_does_not_exist(ask: Ask, ana: Phone, game_id: str) -> None:
    assert ask(ana, f"/g/{game_id}/?since=0").status_code == 404


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "OPTIONS", "BREW"])
def test_another_method_takes_the_ordinary_way(ask: Ask, table: Table, ana: Phone, method: str) -> None:
    assert ask(ana, f"/g/{table.id}/?since={table.version}", method).status_code in (204, 403, 405)


@pytest.mark.parametrize("address", ["/g/{}/placements/", "/g/{}", "/live/{}/-/", "/x/g/{}/"])
def test_another_address_takes_the_ordinary_way(ask: Ask, table: Table, ana: Phone, address: str) -> None:
    ask(ana, address.format(table.id))


@pytest.mark.parametrize(("headers", "status"), [({"Host": "example.org"}, 400), ({"Content-Length": "9999999"}, 413)])
def test_what_is_refused_before_stays_refused(
    ask: Ask, table: Table, ana: Phone, headers: dict[str, str], status: int
) -> None:
    assert ask(ana, f"/g/{table.id}/?since={table.version}", **headers).status_code == status


def test_plain_http_is_redirected_where_https_is_served(ask: Ask, table: Table, ana: Phone, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True

    assert ask(ana, f"/g/{table.id}/?since={table.version}").status_code == 301


def test_a_phone_that_asks_is_present(table: Table, ana: Phone) -> None:
    assert ana.key is not None

    answer = ana.client.get(f"/g/{table.id}/?since={table.version}", headers=ASKING)

    assert ana.key.pk in hub.present(table.id)
    assert ana.key.label in answer.headers[HERE].encode().decode("unicode_escape")


def test_a_session_id_is_first_used_by_asking(table: Table, ana: Phone) -> None:
    old = ana.client.cookies[settings.SESSION_COOKIE_NAME].value
    with_key = SessionStore(old)
    sessions.remember(with_key, Table().key)
    with_key.save()
    ana.client.cookies[settings.SESSION_COOKIE_NAME] = with_key.session_key

    answer = ana.client.get(f"/g/{table.id}/?since={table.version}", headers=ASKING)

    assert answer.status_code == 204
    assert answer.cookies[settings.SESSION_COOKIE_NAME].value == with_key.session_key
    assert EXPIRY in SessionStore(old)
