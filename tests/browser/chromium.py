"""The browser that the journeys run in."""

from __future__ import annotations

import os

PROGRAM = os.environ.get("CHROMIUM") or "/usr/bin/chromium"

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
]
