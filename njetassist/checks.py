"""What `manage.py check --deploy` finds missing on a public server, and where several hosts share a database."""

import os
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import Tags, Warning, register
from django.db import connection


@register(Tags.security, deploy=True)
def missing_settings(**_options: Any) -> list[Warning]:
    """What an operator has to set."""
    return [Warning(problem, hint=hint, id=f"njetassist.{number}") for number, problem, hint in _missing()]


def _missing() -> Iterator[tuple[str, str, str]]:
    """The number of each warning, what is wrong, and what to do."""
    share_a_database = connection.vendor == "postgresql"
    if not settings.HTTPS:
        yield (
            "W001",
            "Everybody on the way can read keys and hands: pages are served over plain http.",
            "Set NJET_PROFILE=https and NJET_HOSTS, and put a proxy in front (.github/OPERATIONS.md).",
        )
    if any(network.prefixlen == 0 for network in settings.TRUSTED_PROXIES):
        yield (
            "W002",
            "NJET_TRUSTED_PROXIES trusts every address: clients choose the address that their limits count for.",
            "Name the addresses of your proxies.",
        )
    if share_a_database and not (os.environ.get("NJET_SECRET_KEY") or os.environ.get("NJET_SECRET_KEY_FILE")):
        yield (
            "W003",
            "Each host makes a secret key of its own: a phone loses its tables when another host answers.",
            "Set NJET_SECRET_KEY or NJET_SECRET_KEY_FILE to the same key on every host.",
        )
    if share_a_database and settings.HTTPS and not os.environ.get("NJET_TRUSTED_PROXIES"):
        yield (
            "W004",
            "Only a proxy on this machine is trusted: behind a load balancer every request would be redirected.",
            "Set NJET_TRUSTED_PROXIES to the addresses of the load balancer, or to 127.0.0.1 if it runs here.",
        )
