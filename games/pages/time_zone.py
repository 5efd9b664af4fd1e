"""The time zone of the phone that reads a page: the days of all that people read are its days.

`static/njet/times.js` keeps the name of the zone in a cookie.  Without script it is the server's zone.
"""

from __future__ import annotations

import re
from contextlib import suppress
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.http import HttpRequest

_NAME = re.compile(r"[A-Za-z0-9_+-]{1,30}(/[A-Za-z0-9_+-]{1,30}){0,2}", re.ASCII)


def zone_of(request: HttpRequest) -> ZoneInfo | None:
    """The time zone of the phone that sent a request; None, the server's, if it is not known."""
    return zone_called(request.COOKIES.get(settings.TIME_ZONE_COOKIE_NAME, ""))


def zone_called(name: str) -> ZoneInfo | None:
    """The time zone of the IANA database with this name, None if there is none."""
    # The name is part of a path.
    if _NAME.fullmatch(name):
        # A folder of the database, or one of its files that is no zone.
        with suppress(ZoneInfoNotFoundError, OSError, ValueError):
            return ZoneInfo(name)
    return None
