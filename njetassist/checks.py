"""What `manage.py check --deploy` finds missing on a public server, and where several hosts share a database."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import Tags, Warning, register
from django.db import connection

NETWORK_FILE_SYSTEMS = {"9p", "ceph", "cifs", "fuse.glusterfs", "fuse.sshfs", "glusterfs", "nfs", "nfs4", "smb3"}
MOUNTS = Path("/proc/self/mounts")


@register(Tags.security, deploy=True)
def missing_settings(**_options: Any) -> list[Warning]:
    """What an operator has to set."""
    found = []
    if not settings.HTTPS:
        found.append(
            Warning(
                "Everybody on the way can read keys and hands: pages are served over plain http.",
                hint="Set NJET_PROFILE=https and NJET_HOSTS, and put a proxy in front (.github/OPERATIONS.md).",
                id="njetassist.W001",
            )
        )
    if any(network.prefixlen == 0 for network in settings.TRUSTED_PROXIES):
        found.append(
            Warning(
                "NJET_TRUSTED_PROXIES trusts every address: clients choose the address that their limits count for.",
                hint="Name the addresses of your proxies.",
                id="njetassist.W002",
            )
        )
    return [*found, *(_of_several_hosts() if connection.vendor == "postgresql" else _of_sqlite())]


def _of_several_hosts() -> list[Warning]:
    """Several hosts may share the database."""
    found = []
    if not (os.environ.get("NJET_SECRET_KEY") or os.environ.get("NJET_SECRET_KEY_FILE")):
        found.append(
            Warning(
                "Each host makes a secret key of its own: a phone loses its tables when another host answers.",
                hint="Set NJET_SECRET_KEY or NJET_SECRET_KEY_FILE to the same key on every host.",
                id="njetassist.W003",
            )
        )
    if settings.HTTPS and not os.environ.get("NJET_TRUSTED_PROXIES"):
        found.append(
            Warning(
                "Only a proxy on this machine is trusted: behind a load balancer every request would be redirected.",
                hint="Set NJET_TRUSTED_PROXIES to the addresses of the load balancer, or to 127.0.0.1 if it runs here.",
                id="njetassist.W004",
            )
        )
    return found


def _of_sqlite() -> list[Warning]:
    """One host has the database."""
    file = Path(connection.settings_dict["NAME"])
    if file_system_of(file) not in NETWORK_FILE_SYSTEMS:
        return []
    return [
        Warning(
            f"The SQLite database {file} is on a network file system, whose locks do not protect it.",
            hint="Keep it on a disk of this machine; several hosts share PostgreSQL (DATABASE_URL).",
            id="njetassist.W005",
        )
    ]


def file_system_of(file: Path) -> str:
    """The kind of the file system that holds a file; empty where the system does not say."""
    if not MOUNTS.exists():
        return ""
    mounts = [line.split(" ") for line in MOUNTS.read_text(errors="replace").splitlines()]
    kinds = {Path(mount[1].replace("\\040", " ")): mount[2] for mount in mounts}
    return next((kinds[place] for place in (file, *file.parents) if place in kinds), "")
