"""Exports of a game as files, links and texts; and the import of a game."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner, b62_encode
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods
from segno import DataOverflowError

from games.formats import bgg, bgsplay, bgstats, summary
from games.formats import document as records
from games.formats.play import Play
from games.groups import history, lists
from games.keys import limits, sessions
from games.keys.addresses import client_address
from games.keys.invitations import INVITE_LASTS
from games.models import Game
from games.pages import downloads
from games.pages.base_table import Table
from games.pages.errors import form_page, no_table
from games.pages.export.forms import ImportForm
from games.pages.forms import form_id, new_request_id, once_of
from games.pages.guards import sees_table
from games.pages.new.views import member_key, sit_down
from games.pages.parts.invitation import QrCode, qr_code
from games.pages.time_zone import zone_called
from games.services import creation
from games.texts.unnamed import called

EASY_TO_SCAN = 80
"""Modules on a side of a QR code.  One of more is too fine for a phone held in one hand."""

SHORT_HEADER = 3_000
"""Characters of a redirect: a server in front of this one may refuse headers of 4 KB."""

HOUR = 3600


class HourlySigner(TimestampSigner):
    """The same signature for an hour: a page that shows one does not differ from one second to the next."""

    def timestamp(self) -> str:
        """The begin of the hour."""
        return b62_encode(int(time.time()) // HOUR * HOUR)


PLAYS = HourlySigner(salt="bgstats")
"""Marks the short addresses of plays, which open for a phone without a key."""


@require_GET
@sees_table
def page(request: HttpRequest, table: Table) -> HttpResponse:
    """Everything that a game can be exported as."""
    game = table.game
    context: dict[str, object] = {"game_id": game.pk, "is_finished": game.finished_at is not None}
    if game.finished_at is not None:
        play = _play(game)
        context |= {
            "bgstats": bgstats.link(play, bgg_id=settings.NJET_BGG_ID),
            "qr": _qr_code(request.build_absolute_uri(play_address(game))),
            "comment": bgg.comment(play),
            "line": summary.line(summary.standings(play.state, play.names), play.began, play.place),
        }
    return render(request, "games/export/export.html", context)


def _play(game: Game) -> Play:
    """A finished game as other programs see it, its players as this reader calls them."""
    play = history.play_of(game)
    return replace(play, people=tuple(replace(each, name=called(each.name)) for each in play.people))


def play_address(game: Game) -> str:
    """The short address of a play, with the time zone of this phone: the one that scans it is new to the server."""
    zone = urlencode({"zone": timezone.get_current_timezone_name()})
    return f"{reverse('games:bgstats_play', args=[PLAYS.sign(game.pk)])}?{zone}"


def _qr_code(link: str) -> QrCode | None:
    try:
        code = qr_code(link)
    except DataOverflowError:
        return None
    return code if code.size <= EASY_TO_SCAN else None


@require_GET
def bgstats_play(request: HttpRequest, play: str) -> HttpResponse:
    """Lead a phone that scanned the QR code to BG Stats, with the play in the address."""
    try:
        games = Game.objects.filter(finished_at__isnull=False, deleted_at=None)
        game = games.filter(pk=PLAYS.unsign(play, max_age=INVITE_LASTS)).first()
    except BadSignature:
        game = None
    if game is None:
        return no_table(request)
    with timezone.override(zone_called(request.GET.get("zone", ""))):
        return redirect(bgstats.link(_play(game), bgg_id=settings.NJET_BGG_ID, longest=SHORT_HEADER))


@require_GET
@sees_table
def file(request: HttpRequest, table: Table, name: str) -> HttpResponse:
    """One file of a game."""
    if name not in FILES:
        raise Http404
    content_type, make = FILES[name]
    stem, _, ending = name.rpartition(".")
    saved_as = downloads.named(stem, table.game.created_at, table.game.pk, ending)
    return downloads.saved(make(table.game), name=saved_as, content_type=content_type)


def _bgsplay(game: Game) -> str:
    return bgsplay.text([_play(game)], bgg_id=settings.NJET_BGG_ID, made_at=timezone.now())


def _json(game: Game) -> str:
    # In as few bytes as over REST, so that it is not too long to be taken in again.
    return json.dumps(records.document(game), ensure_ascii=False, separators=(",", ":"))


def _png(game: Game) -> bytes:
    # A server that no one asks for a picture goes without what draws it.
    from games.formats.picture import png
    from games.pages.export.pictured import pictured

    return png(pictured(_play(game)))


FILES: dict[str, tuple[str, Callable[[Game], str | bytes]]] = {
    # No type is registered for it; under JSON's a phone would show it instead of handing it over.
    "njet.bgsplay": ("application/octet-stream", _bgsplay),
    "njet.json": ("application/json", _json),
    "njet.txt": ("text/plain; charset=utf-8", records.text),
    "result.png": ("image/png", _png),
}


@require_http_methods(["GET", "POST"])
def import_game(request: HttpRequest) -> HttpResponse:
    """Import a finished game, as `njet` text or as `json`: pasted, or as a file."""
    initial = {"group": request.GET.get("group", "")}
    data, files = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = ImportForm(data, files, initial=initial)
    mistakable: dict[str, str] = {}
    if form.is_valid():
        with form.refusals():
            through = member_key(request, form.cleaned_data["group"])
            if through is None:
                limits.count_stranger(client_address(request), limits.IMPORTS)
            imported = form.read()
            if through is not None:
                names = imported.ledger.current_setup.names
                mistakable = lists.mistakable(through.group, [names[seat] for seat in sorted(imported.ledger.people)])
            if not mistakable or ", ".join(mistakable) == form.cleaned_data["sure"]:
                created = creation.import_game(
                    imported=imported,
                    creator_label="",
                    once=once_of(request),
                    group_id=None if through is None else through.group_id,
                    through=through,
                )
                return sit_down(request, created)
    return form_page(
        request,
        "games/export/import.html",
        form,
        mistakable=mistakable,
        groups=[key.group for key in sessions.group_keys(request.session) if key.may_play],
        request_id=form_id(request.POST) or new_request_id(),
    )
