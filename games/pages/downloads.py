"""Files that people save: named by the reader's days, and tables that their spreadsheets open."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import chain

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from games.formats.csv import COMMA, SEMICOLON

BYTE_ORDER_MARK = "\ufeff"
"""Without it Excel takes UTF-8 for the encoding of its country."""


def saved(content: str | bytes | Iterable[str], *, name: str, content_type: str) -> HttpResponse:
    """A file that browsers save under this name."""
    return HttpResponse(
        content, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def named(stem: str, at: datetime, own_id: str, ending: str) -> str:
    """The name of a file: “njet-2026-11-21-7m3k9c2x4b1a.csv”.  `at`: of this time it has the day."""
    return f"{stem}-{timezone.localdate(at)}-{own_id}.{ending}"


def delimiter_of(request: HttpRequest) -> str:
    """The delimiter that the address of a table asks for (`games.templatetags.njet.csv_queries`)."""
    return SEMICOLON if request.GET.get("delimiter") == "semicolon" else COMMA


def spreadsheet(text: Iterable[str], *, name: str) -> HttpResponse:
    """A table as CSV."""
    return saved(chain([BYTE_ORDER_MARK], text), name=name, content_type="text/csv; charset=utf-8")
