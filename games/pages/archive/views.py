"""A whole group as one file: to keep it, to move it to another server, to bring back what is missing."""

from __future__ import annotations

import json
import zlib

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from games.errors import status_of
from games.groups import archive
from games.keys import permissions, sessions
from games.keys.write_rate import write_rate
from games.models import Game, GroupKey, Status
from games.pages import downloads
from games.pages.guards import in_group_owns
from games.rules import NjetError
from games.rules.errors import Malformed
from games.services import restoring
from games.texts import refusals

MOST_UNPACKED = 8_000_000
"""Bytes of the games of one request; the script sends a million and a half characters, or one game."""


@require_GET
@in_group_owns
def page(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """Save the group, or restore what a file has."""
    finished = Game.objects.filter(group=key.group, status=Status.FINISHED).count()
    return render(request, "games/archive/archive.html", {"key": key, "games": finished, "at_once": restoring.AT_ONCE})


@require_GET
@in_group_owns
def file(request: HttpRequest, key: GroupKey) -> StreamingHttpResponse:
    """The file, sent as it is made."""
    name = downloads.named("njet-group", timezone.now(), key.group_id, "jsonl.gz")
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(archive.packed(key.group), content_type="application/gzip", headers=headers)


@require_POST
def restore(request: HttpRequest) -> JsonResponse:
    """Store some games of a file: `head`, its first line, and `games`, a compressed file (gzip) with a line for each.

    The script of the page sends one part after the other and shows how far it is.  Every answer is JSON: `stored` and
    `known` are numbers, `refused` sentences; or `error`, the code and sentence why nothing was stored.
    """
    try:
        key = sessions.group_key_of_session(request.session, request.POST.get("group", ""))
        permissions.require(permissions.owns_group, key)
        write_rate.count(key)
        head = _json_of(request.POST.get("head", ""))
        players, seasons = restoring.read_head(head), restoring.read_seasons(head)
        games = [_json_of(line) for line in _lines(request.FILES.get("games")) if line.strip()]
        done = restoring.restore(group_id=key.group_id, through=key, players=players, games=games, seasons=seasons)
    except NjetError as error:
        refused = {"code": error.code, "message": refusals.error_sentence(error)}
        return JsonResponse({"error": refused}, status=status_of(error))
    sentences = [f"{own_id}: {refusals.error_sentence(error)}" for own_id, error in done.refused.items()]
    return JsonResponse({"stored": done.added, "known": done.known, "refused": sentences})


def _lines(sent: UploadedFile[bytes] | None) -> list[str]:
    """The lines of a compressed file, none of none.

    Errors: `Malformed`, also for more than `MOST_UNPACKED` bytes.
    """
    if sent is None:
        return []
    unpacking = zlib.decompressobj(wbits=archive.GZIP)
    try:
        unpacked = unpacking.decompress(sent.read(), MOST_UNPACKED).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise Malformed(problem="broken") from error
    if not unpacking.eof:
        raise Malformed(problem="broken")
    # Not `splitlines`: a name may have a separator that only Unicode knows.
    return unpacked.split("\n")


def _json_of(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(problem="no json") from error
