"""The endpoints that hand a whole game out and take one in, in the formats of this and of other programs.

Knows: which format is written by whom.  Must not know: what stands in a document.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api import describe_groups as describe
from games.api import group_requests, parameters
from games.api.base import ApiView, created
from games.api.fields import LongJSONParser, LongTextParser
from games.club import history
from games.errors import NotFinished
from games.formats import bgsplay, bgstats
from games.formats import document as records
from games.formats.play import Play
from games.models import Game
from games.services import creation


class ExportView(ApiView):
    """A whole game."""

    @describe.export
    def get(self, request: Request, game_id: str) -> Response | HttpResponse:
        wanted = parameters.export_format(request.query_params)
        key = self.bearer(request, game_id)
        game = key.game
        match wanted:
            case "njet":
                return HttpResponse(records.text(game, viewer=key.seat), content_type="text/plain; charset=utf-8")
            case "bgstats":
                play = _play_of(game)
                number = settings.NJET_BGG_ID
                document = bgstats.document(play, bgg_id=number)
                return Response({"document": document, "link": bgstats.link(play, bgg_id=number)})
            case "bgsplay":
                text = bgsplay.text([_play_of(game)], bgg_id=settings.NJET_BGG_ID, made_at=timezone.now())
                headers = {"Content-Disposition": f'attachment; filename="njet-{game.pk}.bgsplay"'}
                # No type is registered for it; under JSON's a phone would show it instead of handing it over.
                return HttpResponse(text, content_type="application/octet-stream", headers=headers)
            case _:
                return Response(records.document(game, viewer=key.seat))


class ImportView(ApiView):
    """A whole game that comes back."""

    parser_classes = (LongJSONParser, LongTextParser)

    @describe.import_
    def post(self, request: Request) -> Response:
        asked = group_requests.importing(request.data, request.query_params)
        key = None if asked.group_id is None else self.member(request, asked.group_id)
        made = creation.import_game(imported=asked.imported, creator_label=None, group_id=asked.group_id, through=key)
        return created(request, made)


def _play_of(game: Game) -> Play:
    if game.finished_at is None:
        raise NotFinished()
    return history.play_of(game)
