"""A cache of rendered pages: a page that several phones request is rendered once.

A log only grows, so a game and its version determine what a page shows: a cached page is never wrong, only old (the
same holds for ledgers, see `games.log.store`).  What belongs to one phone (its CSRF token, its next request id, its
key) is a placeholder in the cached page and is filled in for each response.  The placeholders are random for each
process, so that no name that a user types can contain one.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable, Mapping

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.translation import get_language

from games.database.latest import Latest
from games.models import Key
from games.pages.forms import new_request_id

MOST_KEPT = 256

_CSRF, _REQUEST_ID, _KEY = (f"mark-{secrets.token_hex(16)}" for _ in range(3))
_kept: Latest[Hashable, str] = Latest(MOST_KEPT)


def rendered(
    request: HttpRequest,
    template: str,
    make_context: Callable[[], Mapping[str, object]],
    *,
    key: Key,
    kept_as: Hashable,
    status: int = 200,
) -> HttpResponse:
    """A template as an answer.

    `kept_as`: everything that the page depends on, besides template and language; None for a page of its own.
    `make_context` is asked only if the page is not kept.
    """
    name = (template, get_language(), kept_as)
    text = _kept.get(name) if kept_as is not None else None
    if text is None:
        marks = {"csrf_token": _CSRF, "request_id": _REQUEST_ID, "key_id": _KEY}
        text = render_to_string(template, {**make_context(), **marks})
        if kept_as is not None:
            _kept.put(name, text)
    text = text.replace(_CSRF, get_token(request)).replace(_REQUEST_ID, new_request_id()).replace(_KEY, str(key.pk))
    return HttpResponse(text, status=status)
