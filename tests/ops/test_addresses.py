"""Whose request it is, behind proxies and without."""

from ipaddress import ip_network

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from games.keys.addresses import client_address, lan_address, parse
from njetassist.middleware import ForwardedByTrustedProxies


@pytest.fixture(autouse=True)
def proxies(settings: Settings) -> None:
    settings.TRUSTED_PROXIES = [ip_network("127.0.0.1"), ip_network("10.0.0.0/8"), ip_network("fd00::/8")]


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        # No one in between.
        ("203.0.113.5", "", "203.0.113.5"),
        ("127.0.0.1", "", "127.0.0.1"),
        # One proxy, two proxies.
        ("127.0.0.1", "203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "203.0.113.5, 10.1.1.1", "203.0.113.5"),
        ("fd00::1", "2001:db8::5", "2001:db8::5"),
        ("::ffff:127.0.0.1", "203.0.113.5", "203.0.113.5"),
        # What a client writes itself stands further left and counts for nothing.
        ("127.0.0.1", "198.51.100.9, 203.0.113.5", "203.0.113.5"),
        ("203.0.113.5", "198.51.100.9", "203.0.113.5"),
        ("127.0.0.1", "198.51.100.9, not an address", "127.0.0.1"),
        # Everybody is trusted: the client is the one furthest away.
        ("127.0.0.1", "10.1.1.1, 10.1.1.2", "10.1.1.1"),
    ],
)
def test_the_client_is_the_last_one_that_no_trusted_proxy_vouches_against(
    peer: str, forwarded: str, client: str
) -> None:
    extra = {"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}
    request = RequestFactory().get("/", REMOTE_ADDR=peer, **extra)

    assert client_address(request) == client


def test_a_stranger_cannot_say_where_a_request_comes_from() -> None:
    request = RequestFactory().get(
        "/",
        REMOTE_ADDR="203.0.113.5",
        HTTP_FORWARDED="for=198.51.100.9",
        HTTP_X_FORWARDED_FOR="198.51.100.9",
        HTTP_X_FORWARDED_HOST="evil.example",
        HTTP_X_FORWARDED_PROTO="https",
    )

    ForwardedByTrustedProxies(lambda _request: None)(request)

    assert not [name for name in request.META if "FORWARDED" in name]


def test_the_address_for_phones_is_one_of_this_machine() -> None:
    address = lan_address()

    assert address is None or parse(address) is not None
