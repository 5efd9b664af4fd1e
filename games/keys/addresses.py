"""Addresses: whose request it is, which hosts are at home, where phones find this machine.

Knows IP addresses and the configured proxies. Knows nothing of games, keys or limits.
"""

import ipaddress
import socket

from django.conf import settings
from django.http import HttpRequest

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Set aside for documentation (RFC 5737, RFC 3849): nobody is there, and nothing is sent to them.
NOBODY = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def parse(text: str) -> Address | None:
    try:
        address = ipaddress.ip_address(text.strip())
    except ValueError:
        return None
    # A dual-stack socket reports ::ffff:192.168.1.5 for a phone that spoke IPv4.
    return getattr(address, "ipv4_mapped", None) or address


def is_trusted_proxy(text: str) -> bool:
    address = parse(text)
    return address is not None and any(address in network for network in settings.TRUSTED_PROXIES)


def client_address(request: HttpRequest) -> str:
    """The address the request came from, as far as configured proxies vouch for it.

    Read from the right: each proxy appends the one that spoke to it, and only what a trusted
    proxy wrote is worth anything. Whatever a client sends itself stands further left.
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
    """Whether the host of an address line is a literal address of a private network.

    A name proves nothing: any website may let its name point here (DNS rebinding).
    """
    address = parse(domain.removeprefix("[").removesuffix("]"))
    if address is None or address.is_unspecified or address.is_multicast:
        return False
    return address.is_private or address.is_link_local


def lan_address() -> str | None:
    """The address under which others in the same network reach this machine; None without a network.

    Connecting a datagram socket sends nothing: the system only chooses the address it would send from.
    """
    for family, nobody in NOBODY:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((nobody, 9))
            except OSError:
                continue  # no route by this protocol
            own = parse(probe.getsockname()[0].partition("%")[0])
        if own is not None and not own.is_loopback and not own.is_unspecified:
            return str(own)
    return None
