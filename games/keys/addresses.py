"""IP addresses: the client of a request, private hosts, and the address of this machine in its network."""

import ipaddress
import socket
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Reserved for documentation (RFC 5737, RFC 3849): no host has these addresses, and nothing is sent to them.
UNUSED = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


@lru_cache
def parse(text: str) -> Address | None:
    try:
        address = ipaddress.ip_address(text.strip())
    except ValueError:
        return None
    # A dual-stack socket reports ::ffff:192.168.1.5 for a phone that spoke IPv4.
    return getattr(address, "ipv4_mapped", None) or address


def home_network(text: str) -> str:
    """An IPv4 address as it is; the /64 network of an IPv6 address, in which a home or a phone chooses freely."""
    address = parse(text)
    if not isinstance(address, ipaddress.IPv6Address):
        return text if address is None else str(address)
    return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))


def is_trusted_proxy(text: str) -> bool:
    address = parse(text)
    return address is not None and any(address in network for network in settings.TRUSTED_PROXIES)


def client_address(request: HttpRequest) -> str:
    """The address of the client, read from `X-Forwarded-For` as far as trusted proxies wrote it.

    Read from the right: each proxy appends the address of its client.  What a client sent itself stands further left.
    """
    peer: str = request.META.get("REMOTE_ADDR", "")
    hops = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    while is_trusted_proxy(peer) and hops:
        address = parse(hops.pop())
        if address is None:
            break
        peer = str(address)
    return peer


def is_private_host(domain: str) -> bool:
    """Whether the host of a URL is a literal address of a private network.

    A name is none, because any website may let its name point here (DNS rebinding).
    """
    address = parse(domain.removeprefix("[").removesuffix("]"))
    if address is None or address.is_unspecified or address.is_multicast:
        return False
    return address.is_private or address.is_link_local


def lan_address() -> str | None:
    """The address of this machine for others in the same network; None without a network.

    Connecting a datagram socket sends nothing: the system only chooses the address it would send from.
    """
    for family, unused in UNUSED:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((unused, 9))
            except OSError:
                continue  # no route by this protocol
            own = parse(probe.getsockname()[0].partition("%")[0])
        if own is not None and not own.is_loopback and not own.is_unspecified:
            return str(own)
    return None
