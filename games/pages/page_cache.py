"""A cache of rendered pages: a page that several phones show is rendered once, and its fragment compressed once.

A log only grows, so a game and its version determine what a page shows: a cached page is never wrong, only old (the
same holds for ledgers, see `games.log.store`).  What belongs to one phone (its CSRF token, its next request id, its
key, whose phone it is) is a mark in the cached page.  It is filled in for each response, or by the phone itself
(`static/njet/live.js`).  What users type cannot contain a mark, because templates escape its first character.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from games.live.fragment import Fragment
from games.models import Key
from games.pages.appearance import theme
from games.pages.forms import new_request_id

MOST_KEPT = 512

OF_A_FRAGMENT = ("csrf_token", "request_id", "key_id")
MARKS = {name: mark_safe(f"<{name}>") for name in (*OF_A_FRAGMENT, "label", "dark_media")}

_kept: dict[Hashable, Future[Fragment]] = {}
"""The page that was used latest is at the end."""
_turn = threading.Lock()


def kept(template: str, make_context: Callable[[], Mapping[str, object]], *, version: int, kind: Hashable) -> Fragment:
    """A rendered template with its marks.

    `kind`: everything that it depends on, besides version, template and language.  It is rendered if it is not cached,
    by the first thread that asks for it; the others wait.
    """
    name = (template, get_language(), version, kind)
    with _turn:
        is_first = name not in _kept
        page = _kept[name] = Future() if is_first else _kept.pop(name)
        if len(_kept) > MOST_KEPT:
            del _kept[next(iter(_kept))]
    if is_first:
        try:
            page.set_result(rendered(template, make_context(), version=version))
        except BaseException as error:
            with _turn:
                _kept.pop(name, None)
            page.set_exception(error)
    return page.result()


def rendered(template: str, context: Mapping[str, object], *, version: int) -> Fragment:
    """A rendered template with its marks, in one line, because the data of an event has one line."""
    # The page is for readers of all time zones.
    with timezone.override(None):
        text = render_to_string(template, {**context, **MARKS})
    return Fragment(version, re.sub(r"\s*[\r\n]\s*", " ", text).encode())


def filled_in(page: Fragment, request: HttpRequest, key: Key) -> bytes:
    """A cached page for the phone of a request."""
    own = {
        "csrf_token": get_token(request),
        "request_id": new_request_id(),
        "key_id": str(key.pk),
        "label": escape(key.label),
        **theme.context(request),
    }
    content = page.content
    for name, mark in MARKS.items():
        content = content.replace(mark.encode(), own[name].encode())
    return content


def with_marks(request: HttpRequest, page: Fragment) -> HttpResponse:
    """A cached page for a phone that fills in the marks: as it was compressed for all."""
    if "gzip" in request.META.get("HTTP_ACCEPT_ENCODING", ""):
        return HttpResponse(page.gzip, headers={"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})
    return HttpResponse(page.content)
