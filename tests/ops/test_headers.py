"""Every answer has the same security headers, for any address, method and status; hashed files have some of them."""

import uuid
from ipaddress import ip_network

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.test import Client
from django.urls import get_resolver, include, path, register_converter
from django.urls.converters import StringConverter
from django.views.decorators.http import require_GET
from pytest_django import Settings

from njetassist.bridge import BUSY
from tests.ops.addresses_of import addresses_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW")

EXPECTED = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'; media-src 'self'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
}

STATIC_FILE = "/static/django_htmx/htmx-4.min.js"


def assert_protected(response: HttpResponseBase) -> None:
    address = response.request["PATH_INFO"]
    expected = dict(EXPECTED)
    if address.startswith("/join/"):
        # A join link stands in no Referer, not even in that of the page's own style sheet.
        expected["Referrer-Policy"] = "strict-origin"
    assert {name: response.headers.get(name) for name in EXPECTED} == expected
    is_listed = not address.startswith(("/join/", "/g/", "/groups/"))
    assert response.headers.get("X-Robots-Tag") == (None if is_listed else "noindex")
    permissions = response.headers["Permissions-Policy"].split(", ")
    camera = "camera=(self)" if address.startswith("/join/") else "camera=()"
    assert {item for item in permissions if not item.endswith("=()")} - {camera} == {
        "fullscreen=(self)",
        "screen-wake-lock=(self)",
        "clipboard-write=(self)",
    }
    assert {camera, "microphone=()", "geolocation=()", "payment=()", "usb=()"} <= set(permissions)
    assert "Cache-Control" in response.headers
    if response.streaming:
        b"".join(response.streaming_content)  # a file that is read to its end is closed


def fail(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("planted")


def forbid(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


def suspect(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation("planted")


@require_GET
def read(request: HttpRequest) -> HttpResponse:
    return HttpResponse("read")


def write(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.body, status=201)


def leave(request: HttpRequest) -> HttpResponse:
    return redirect("/read")


def keep(request: HttpRequest) -> HttpResponse:
    return HttpResponse("kept", headers={"Cache-Control": "private, max-age=60"})


class EvenConverter(StringConverter):
    regex = "[02468]+"


register_converter(EvenConverter, "even")

planted = [
    path("fail", fail),
    path("forbid", forbid),
    path("suspect", suspect),
    path("read", read),
    path("write", write),
    path("leave", leave),
    path("keep", keep),
    path("item/<uuid:key>/<int:number>/<slug:word>/<path:rest>", read),
    path("even/<even:number>/", include([path("<name>", read)])),
]
urlpatterns = [path("planted/", include(planted)), path("", include("njetassist.urls"))]


@pytest.fixture
def phone() -> Client:
    return Client(raise_request_exception=False, enforce_csrf_checks=True)


@pytest.fixture
def secure_phone(settings: Settings) -> Client:
    """A browser that speaks to a server in the https profile."""
    settings.HTTPS = True
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 63_072_000
    settings.TRUSTED_PROXIES = []
    return Client(raise_request_exception=False)


def test_the_walk_fills_in_every_kind_of_parameter() -> None:
    found = set(addresses_of(get_resolver(__name__)))

    assert f"/planted/item/{uuid.UUID(int=0)}/1/1/1" in found
    assert f"/planted/even/{'0' * 22}/1" in found


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_every_address_is_protected_for_every_method(phone: Client, method: str) -> None:
    for address in addresses_of(get_resolver()):
        response = phone.generic(method, address)

        assert response.status_code != 500, f"{method} {address}"
        assert_protected(response)


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/planted/read", 200),
        ("/planted/leave", 302),
        ("/planted/suspect", 400),
        ("/planted/forbid", 403),
        ("/planted/nowhere", 404),
        ("/nowhere", 404),
        ("/api/v1/nowhere", 404),
        ("/static/nowhere.css", 404),
        ("/%00%ff", 404),
        ("/planted/fail", 500),
    ],
)
def test_every_status_is_protected_and_never_kept(phone: Client, address: str, status: int) -> None:
    response = phone.get(address)

    assert response.status_code == status
    assert response.headers["Cache-Control"] == "no-store"
    assert_protected(response)


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(("address", "checks", "status"), [("read", False, 405), ("write", True, 403)])
def test_a_wrong_method_and_a_forged_form_are_refused_and_protected(address: str, checks: bool, status: int) -> None:
    response = Client(enforce_csrf_checks=checks, raise_request_exception=False).post(f"/planted/{address}")

    assert response.status_code == status
    assert_protected(response)


@pytest.mark.urls(__name__)
def test_a_view_may_say_itself_how_long_its_answer_keeps(phone: Client) -> None:
    response = phone.get("/planted/keep")

    assert response.headers["Cache-Control"] == "private, max-age=60"
    assert_protected(response)


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_static_files_are_protected(phone: Client, method: str) -> None:
    response = phone.generic(method, STATIC_FILE)

    assert response.status_code == (405 if method == "POST" else 200)
    assert "Access-Control-Allow-Origin" not in response.headers
    assert_protected(response)


def test_an_unchanged_static_file_is_protected(phone: Client) -> None:
    first = phone.get(STATIC_FILE)
    assert_protected(first)

    response = phone.get(STATIC_FILE, headers={"If-None-Match": first.headers["ETag"]})

    assert response.status_code == 304
    assert_protected(response)


@pytest.mark.parametrize("profile", ["phone", "secure_phone"])
def test_hashed_static_files_have_no_policies_of_documents(
    request: pytest.FixtureRequest, settings: Settings, profile: str
) -> None:
    settings.WHITENOISE_IMMUTABLE_FILE_TEST = lambda path, url: True
    settings.ALLOWED_HOSTS = ["testserver"]
    browser: Client = request.getfixturevalue(profile)

    first = browser.get(STATIC_FILE, secure=True)
    since = first.headers["Last-Modified"]
    unchanged = browser.get(STATIC_FILE, secure=True, headers={"If-Modified-Since": since})
    refused = browser.post(STATIC_FILE, secure=True)

    protection = {
        "Cache-Control": "max-age=315360000, public, immutable",
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }
    of_the_file = {"Content-Type", "Content-Length", "Content-Encoding", "Last-Modified", "Vary"}
    for response in (first, unchanged):
        assert {name: value for name, value in response.headers.items() if name not in of_the_file} == protection
        b"".join(response.streaming_content or [])
    assert (first.status_code, unchanged.status_code) == (200, 304)
    assert_protected(refused)


def test_search_engines_may_read_the_home_page_and_the_lesson_only(phone: Client) -> None:
    rules = phone.get("/robots.txt")

    assert rules.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert rules.content.decode().splitlines() == ["User-agent: *", "Allow: /$", "Allow: /learn/", "Disallow: /"]


# --- Hosts ----------------------------------------------------------------------------------------------


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8000",
        "127.0.0.1:8000",
        "10.1.2.3",
        "172.16.0.9:8000",
        "192.168.178.20:8000",
        "[::1]:8000",
        "[fe80::1]",
        "[fd00::2]:8000",
        "[::ffff:192.168.1.5]",
    ],
)
def test_private_addresses_are_known_at_home(phone: Client, host: str) -> None:
    assert phone.get("/planted/read", headers={"host": host}).status_code == 200


@pytest.mark.urls(__name__)
def test_the_names_of_this_machine_are_known_at_home(phone: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["*", "laptop", "laptop.local"]

    assert phone.get("/planted/read", headers={"host": "laptop:8000"}).status_code == 200
    assert phone.get("/planted/read", headers={"host": "Laptop.local"}).status_code == 200


@pytest.mark.parametrize("address", ["/", STATIC_FILE, "/api/v1/games/"])
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "192.168.178.20.evil.example",
        "localhost.evil.example",
        "8.8.8.8",
        "[2001:4860:4860::8888]",
        "[::ffff:8.8.8.8]",
        "0.0.0.0",
        "a b",
        "",
    ],
)
def test_a_website_that_points_its_name_here_is_refused(phone: Client, host: str, address: str) -> None:
    response = phone.get(address, headers={"host": host})

    assert response.status_code == 400
    assert response.headers["Cache-Control"] == "no-store"
    assert_protected(response)


@pytest.mark.parametrize("secure", [True, False])
@pytest.mark.parametrize("address", [STATIC_FILE, "/join/", "/api/v1/games/x/"])
@pytest.mark.parametrize("host", ["192.168.178.20", "localhost", "evil.example", "a b"])
def test_on_the_internet_only_its_own_names_are_known(
    secure_phone: Client, settings: Settings, caplog: pytest.LogCaptureFixture, host: str, address: str, secure: bool
) -> None:
    settings.ALLOWED_HOSTS = ["njet.example"]

    response = secure_phone.get(address, headers={"host": host}, secure=secure)

    assert response.status_code == 400
    assert_protected(response)
    assert response.headers.get("Strict-Transport-Security") == ("max-age=63072000" if secure else None)
    assert [record.name for record in caplog.records if record.exc_info] == []
    assert next(record.name for record in caplog.records) == "njetassist.middleware"


# --- https ----------------------------------------------------------------------------------------------


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("address", ["/planted/read", "/planted/fail", "/nowhere", STATIC_FILE])
def test_https_is_remembered_on_every_answer(secure_phone: Client, address: str) -> None:
    response = secure_phone.get(address, secure=True)

    assert response.headers["Strict-Transport-Security"] == "max-age=63072000"
    assert_protected(response)


def test_plain_http_leads_to_https(secure_phone: Client) -> None:
    response = secure_phone.get("/join/x?y=1")

    assert response.status_code == 301
    assert response.headers["Location"] == "https://testserver/join/x?y=1"
    assert_protected(response)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_api_request_over_plain_http_is_refused_and_not_redirected(secure_phone: Client, method: str) -> None:
    key = {"Authorization": "Bearer some-key"}

    refused = secure_phone.generic(method, "/api/v1/games/x/", headers=key)

    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "https_required")
    assert "Location" not in refused.headers
    assert_protected(refused)
    assert secure_phone.generic(method, "/api/v1/games/x/", headers=key, secure=True).status_code == 401


def test_only_a_configured_proxy_says_that_a_request_came_over_https(secure_phone: Client, settings: Settings) -> None:
    forwarded = {"X-Forwarded-Proto": "https"}
    assert secure_phone.get("/nowhere", headers=forwarded).status_code == 301

    settings.TRUSTED_PROXIES = [ip_network("127.0.0.1")]

    assert secure_phone.get("/nowhere", headers=forwarded).status_code == 404


# --- Bodies ---------------------------------------------------------------------------------------------


@pytest.mark.urls(__name__)
def test_a_body_of_64_kilobytes_is_read() -> None:
    response = Client().generic("POST", "/planted/write", b"x" * 65536)

    assert response.status_code == 201
    assert len(response.content) == 65536


@pytest.mark.parametrize("content_type", ["application/octet-stream", "multipart/form-data; boundary=x"])
@pytest.mark.parametrize("address", ["/", "/nowhere", STATIC_FILE])
def test_a_larger_body_is_refused(phone: Client, address: str, content_type: str) -> None:
    response = phone.generic("POST", address, b"x" * 65537, content_type=content_type)

    assert response.status_code == 413
    assert response.content == b"A request may carry at most 64 KB."
    assert_protected(response)


def test_a_body_of_absurd_length_is_refused(phone: Client) -> None:
    response = phone.generic("POST", "/", CONTENT_LENGTH="9" * 5000)

    assert response.status_code == 413
    assert_protected(response)


def test_a_larger_body_is_refused_by_the_api_in_its_own_shape(phone: Client) -> None:
    response = phone.generic("POST", "/api/v1/games/", b"x" * 65537, content_type="application/json")

    assert response.status_code == 413
    assert response.json() == {
        "error": {"code": "body_too_large", "message": "A request may carry at most 64 KB.", "params": {"limit": 65536}}
    }
    assert_protected(response)


@pytest.mark.parametrize(
    "wrong",
    [
        {"CONTENT_LENGTH": "many"},
        {"CONTENT_LENGTH": "-5"},
        {"HTTP_TRANSFER_ENCODING": "chunked"},
        {"HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": "2"},
    ],
)
def test_a_body_of_unknown_length_is_refused(phone: Client, wrong: dict[str, str]) -> None:
    response = phone.generic("POST", "/api/v1/games/", **wrong)

    assert response.status_code == 400
    assert response.json()["error"]["code"] == "malformed"
    assert_protected(response)


@pytest.mark.parametrize("address", ["/", "/api/v1/presets/", STATIC_FILE])
def test_what_the_server_has_no_thread_for_is_refused(address: str) -> None:
    response = Client(**{BUSY: True}).get(address)

    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    assert not address.startswith("/api/") or response.json()["error"]["code"] == "server_busy"
    assert_protected(response)
