"""Whole games, handed out and taken in, in the formats of this and of other programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.openapi import made, operation
from games.api.parsers import LongJSONParser, LongTextParser
from games.api.serializers.fields import CreationRequestSerializer, read
from games.api.serializers.games import CreatedSerializer
from games.api.serializers.parameters import ExportParameters, ImportParameters
from games.api.serializers.transfer import EXPORTED, IMPORTED, NjetTextSerializer
from games.api.throttles import ImportThrottle
from games.api.views.base import GameEndpoint, OpeningEndpoint, created, repeatable
from games.formats import bgsplay, bgstats
from games.formats import document as records
from games.formats.document import Imported
from games.groups import history
from games.rules.errors import Malformed
from games.services import creation


class ExportView(GameEndpoint):
    @operation(
        "export",
        {
            (200, "application/json"): OpenApiResponse(
                EXPORTED, "`json`: the game with its log. `bgstats`: a play for BG Stats, and the link that opens it."
            ),
            (200, "text/plain"): OpenApiResponse(OpenApiTypes.STR, "`njet`: the readable record."),
            (200, "application/octet-stream"): OpenApiResponse(OpenApiTypes.STR, "`bgsplay`: the file for BG Stats."),
        },
        parameters=[ExportParameters],
        refuses=(409,),
    )
    def get(self, request: Request, game_id: str) -> Response | HttpResponse:
        """The whole game.

        `bgstats` and `bgsplay` are for finished games, with times in UTC. `json` and `njet` of a digital game that is
        still played, or of a round that was never finished, contain what the key holder may see.
        """
        game, bgg_id = self.key.game, settings.NJET_BGG_ID
        match ExportParameters.of(request.query_params).validated_data["format"]:
            case "njet":
                return HttpResponse(records.text(game, viewer=self.key.seat), content_type="text/plain; charset=utf-8")
            case "bgstats":
                play = history.play_of(game)
                links = {"document": bgstats.document(play, bgg_id=bgg_id), "link": bgstats.link(play, bgg_id=bgg_id)}
                return Response(links)
            case "bgsplay":
                text = bgsplay.text([history.play_of(game)], bgg_id=bgg_id, made_at=timezone.now())
                headers = {"Content-Disposition": f'attachment; filename="njet-{game.pk}.bgsplay"'}
                # It has no registered type; with that of JSON a phone would show it instead of opening BG Stats.
                return HttpResponse(text, content_type="application/octet-stream", headers=headers)
            case _:
                return Response(records.document(game, viewer=self.key.seat))


class ImportView(OpeningEndpoint):
    throttle_classes = (ImportThrottle,)
    parser_classes = (LongJSONParser, LongTextParser)

    @operation(
        "import_game",
        made(CreatedSerializer, "The game, with the same results; its keys are shown this once.", repeatable=True),
        # Generators of clients know no text as a body: the description names it instead.
        request={"application/json": IMPORTED},
        parameters=[ImportParameters],
        refuses=(401, 403, 404, 409, 422, 429),
    )
    def post(self, request: Request) -> Response:
        """Import a finished game.

        The `json` or `njet` document of `export/`, up to 1 MB; the `njet` document also as it is, as `text/plain`. The
        rules must allow every entry.
        """
        reader, in_body = _sent(request.data)
        in_address = ImportParameters.of(request.query_params).validated_data
        group_id = _one(in_body["group"], in_address["group"], problem="two groups")
        request_id = _one(in_body["request_id"], in_address["request_id"], problem="two request ids")
        key = self.member_of(group_id)
        made = creation.import_game(
            imported=reader(),
            creator_label=None,
            asked=repeatable(request, request_id),
            group_id=group_id,
            through=key,
        )
        return created(request, made)


def _sent(body: object) -> tuple[Callable[[], Imported], dict[str, str | None]]:
    """What reads the game: from the `njet` text, as it is or in an object, or the document; and its other fields."""
    if isinstance(body, str):
        return partial(records.read_text, body), {"group": None, "request_id": None}
    if not isinstance(body, Mapping) or "njet" not in body:
        # The group of a document is the one that it was played in.
        sent = {"request_id": body["request_id"]} if isinstance(body, Mapping) and "request_id" in body else {}
        return partial(records.read_document, body), {
            **read(CreationRequestSerializer, sent).validated_data,
            "group": None,
        }
    asked = read(NjetTextSerializer, body).validated_data
    return partial(records.read_text, asked["njet"]), asked


def _one(in_body: str | None, in_address: str | None, *, problem: str) -> str | None:
    """What may stand in the body or in the address.

    Errors: `Malformed` if they differ.
    """
    if None not in (in_body, in_address) and in_body != in_address:
        raise Malformed(problem=problem)
    return in_address if in_body is None else in_body
