"""Opening, reading, changing and deleting games."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpResponse
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.authentication import BinKeyAuthentication
from games.api.openapi import DELETED, ETAG, IF_NONE_MATCH, WRITTEN, WRITTEN_OR_PREVIEW, found, made, operation
from games.api.permissions import IsHostOrHoldsSeat, IsScorekeeper, MayAct, MayDeleteGame
from games.api.serializers.fields import EmptyRequestSerializer, WriteRequestSerializer, read
from games.api.serializers.games import (
    AmendRequestSerializer,
    AnswerRequestSerializer,
    BotRequestSerializer,
    CreatedSerializer,
    NewGameSerializer,
    OccasionRequestSerializer,
    PlayOnRequestSerializer,
    PreviewSerializer,
    ProposalRequestSerializer,
    RecordRequestSerializer,
    RematchRequestSerializer,
    SetupRequestSerializer,
    UndoRequestSerializer,
)
from games.api.serializers.log import LOG_ENTRIES, log_entries
from games.api.serializers.parameters import FormatParameters, LogParameters
from games.api.serializers.presets import PresetSerializer
from games.api.serializers.sheet import SheetRowSerializer
from games.api.serializers.state import SCHEMA, StateSerializer, state_of
from games.api.throttles import CreationThrottle, WriteThrottle
from games.api.views.base import ApiView, GameEndpoint, OpeningEndpoint, created, repeatable
from games.errors import BotsAreDigital, SeatOnly
from games.formats import sheet
from games.keys import limits
from games.keys.addresses import client_address
from games.live.epoch import epoch
from games.log import store
from games.rules import PRESETS
from games.rules.errors import DigitalOnly
from games.services import creation, deletion, digital, previews, proposals, tables


class PresetsView(ApiView):
    @operation("presets", found(PresetSerializer(many=True), "What can be played."))
    def get(self, request: Request) -> Response:
        """The presets."""
        return self.serialized(PresetSerializer, PRESETS.values(), many=True)


class GamesView(OpeningEndpoint):
    throttle_classes = (CreationThrottle, WriteThrottle)

    @operation(
        "create_game",
        made(CreatedSerializer, "The table and its keys, shown this once.", repeatable=True),
        request=NewGameSerializer,
        refuses=(401, 403, 404, 409, 422, 429),
    )
    def post(self, request: Request) -> Response:
        """Open a table, or with `paper` enter a game that is over.

        No key is needed; to open it in a group, the key of one of its members.
        """
        asked = read(NewGameSerializer, request.data)
        key = self.member_of(asked.validated_data["group"])
        where = {
            "creator_label": None,
            "asked": repeatable(request, asked.validated_data["request_id"]),
            "group_id": asked.validated_data["group"],
            "through": key,
        }
        setup = asked.setup
        if setup.paper is None:
            return created(request, creation.create_game(setup=setup, bots=asked.bots, **where))
        return created(request, creation.enter_finished(setup=setup, occasion=asked.played, **where))


class GameView(GameEndpoint):
    rights_to_change = (MayDeleteGame,)

    @operation(
        "state",
        {
            200: OpenApiResponse(StateSerializer, "As the key holder may see it."),
            304: OpenApiResponse(description="Nothing new."),
        },
        parameters=[IF_NONE_MATCH, ETAG],
    )
    def get(self, request: Request, game_id: str) -> Response:
        """The state of a game."""
        key = self.key
        # The version is the same for every viewer; the key says whose view it is.
        # The next game is no entry of the log.
        shown = f"{key.game.version}-{key.role}{'' if key.seat is None else key.seat}-{key.game.next_id or ''}"
        etag = f'"{SCHEMA}-{epoch()}-{shown}"'
        headers = {"ETag": etag}
        if key.seat is None:
            # What everybody at the table may see, no hand: a cache of the client alone may keep it, and asks each time.
            headers |= {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
        if is_known(etag, request.META.get("HTTP_IF_NONE_MATCH", "")):
            return Response(status=304, headers=headers)
        state = state_of(store.seen(key.game, key.seat), key.game, may_record=key.may_record)
        return Response(state, headers=headers)

    @operation("delete_game", DELETED)
    def delete(self, request: Request, game_id: str) -> Response:
        """Delete a game.

        By its scorekeeper; a result that a group counts is deleted with the key of an owner of the group, a confirmed
        one with the scorekeeper's key that came with the game. For 30 days `restore` brings it back, as does a phone
        that recorded it. Until then it does not exist for any key.
        """
        stored = None if self.key._state.adding else self.key
        deletion.delete_game(game_id=game_id, actor=stored)
        return Response(status=204)


class RestoreView(GameEndpoint):
    authentication_classes = (BinKeyAuthentication,)
    rights = (IsScorekeeper,)

    @operation("restore_game", found(StateSerializer, "As it was."), request=EmptyRequestSerializer)
    def post(self, request: Request, game_id: str) -> Response:
        """Restore a deleted game.

        Within 30 days, with the scorekeeper's key. Every key that was valid is valid again, and a group has its result.
        """
        read(EmptyRequestSerializer, request.data)
        game = deletion.restore_game(game_id=game_id, actor=self.key)
        return Response(state_of(store.seen(game, None), game, may_record=True))


class ActionsView(GameEndpoint):
    rights = (MayAct,)

    @operation("record", WRITTEN, request=RecordRequestSerializer, refuses=(409, 422))
    def post(self, request: Request, game_id: str) -> Response:
        """Record an action.

        At a physical table the scorekeeper acts for every seat; in a digital game the holder of a seat's key acts for
        that seat. While several players choose at once, any version since that phase opened is accepted; a choice is
        final. In a digital game `finish` is a proposal to the other players.
        """
        asked = read(RecordRequestSerializer, request.data)
        action, seat = asked.validated_data["action"], asked.validated_data["seat"]
        if self.key.seat is not None and seat not in (None, self.key.seat):
            raise SeatOnly()
        return self.written(
            tables.record_action(game_id=game_id, actor=self.key, action=action, seat=seat, request=asked.writing)
        )


class UndoView(GameEndpoint):
    rights = (MayAct,)

    @operation("undo", WRITTEN, request=UndoRequestSerializer, refuses=(409, 422))
    def post(self, request: Request, game_id: str) -> Response:
        """Take back.

        Takes back the latest effective entry, amendments included, until the game is locked. The log stays raw: the
        entry keeps its place, and the undo is an entry of its own. In a digital game it is a proposal to the other
        players, as with `proposals`; never across a deal.
        """
        asked = read(UndoRequestSerializer, request.data)
        to_seq = asked.validated_data["to_seq"]
        return self.written(tables.undo(game_id=game_id, actor=self.key, request=asked.writing, to_seq=to_seq))


class AmendView(GameEndpoint):
    rights = (IsScorekeeper,)

    @operation("amend", WRITTEN_OR_PREVIEW, request=AmendRequestSerializer, refuses=(409, 422))
    def post(self, request: Request, game_id: str) -> Response:
        """Correct earlier entries.

        Replaces, deletes and inserts actions in one step. `amendment_conflicts` names the later entry that would
        become impossible. What changes a round that both teams have confirmed waits for both, and replaces a correction
        that was waiting.
        """
        asked = read(AmendRequestSerializer, request.data)
        changes = asked.validated_data["changes"]
        if asked.validated_data["preview"]:
            ledger = self.seen_for_preview(asked.writing)
            return self.serialized(
                PreviewSerializer, {"changes": previews.preview_amend(ledger=ledger, changes=changes)}
            )
        return self.written(tables.amend(game_id=game_id, actor=self.key, request=asked.writing, changes=changes))


class SetupView(GameEndpoint):
    rights = (IsScorekeeper,)

    @operation("correct_setup", WRITTEN_OR_PREVIEW, request=SetupRequestSerializer, refuses=(409, 422))
    def post(self, request: Request, game_id: str) -> Response:
        """Correct names, tokens, the first dealer or the number of rounds."""
        asked = read(SetupRequestSerializer, request.data)
        if asked.validated_data["preview"]:
            changes = previews.preview_setup(ledger=self.seen_for_preview(asked.writing), **asked.corrections)
            return self.serialized(PreviewSerializer, {"changes": changes})
        return self.written(
            tables.correct_setup(game_id=game_id, actor=self.key, request=asked.writing, **asked.corrections)
        )


class OccasionView(GameEndpoint):
    rights = (IsScorekeeper,)

    @operation("state_occasion", WRITTEN, request=OccasionRequestSerializer, refuses=(409, 422))
    def post(self, request: Request, game_id: str) -> Response:
        """State when, how long and where a game was played, or a note."""
        asked = read(OccasionRequestSerializer, request.data)
        return self.written(
            tables.state_occasion(game_id=game_id, actor=self.key, request=asked.writing, stated=asked.stated)
        )


class LockView(GameEndpoint):
    rights = (IsScorekeeper,)

    @operation("lock", WRITTEN, request=WriteRequestSerializer, refuses=(409, 422))
    def post(self, request: Request, game_id: str) -> Response:
        """Confirm the result."""
        asked = read(WriteRequestSerializer, request.data)
        return self.written(tables.lock(game_id=game_id, actor=self.key, request=asked.writing))


class ReopenView(GameEndpoint):
    rights = (IsScorekeeper,)

    @operation("reopen", WRITTEN, request=WriteRequestSerializer, refuses=(409, 422))
    def post(self, request: Request, game_id: str) -> Response:
        """Continue a finished game.

        Takes back the entry that finished the game, until the result is confirmed.
        """
        asked = read(WriteRequestSerializer, request.data)
        return self.written(tables.reopen(game_id=game_id, actor=self.key, request=asked.writing))


class RematchView(GameEndpoint):
    rights = (IsScorekeeper,)

    @operation(
        "rematch",
        made(CreatedSerializer, "The new table, the next player deals; its keys are shown this once.", repeatable=True),
        request=RematchRequestSerializer,
        refuses=(409, 422),
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Open the next game of the same table.

        A digital game can be played with the same deals again, by the same dealer.
        """
        asked = read(RematchRequestSerializer, request.data).validated_data
        same_deals = bool(asked["same_deals"])
        if same_deals:
            self.demand_digital(DigitalOnly(action="same_deals"))
        game, through = self.key.game, self.key.through
        ledger = store.seen(game, None)
        made = creation.rematch(
            game=game,
            ledger=ledger,
            creator_label=None,
            asked=repeatable(request, asked["request_id"]),
            through=through,
            same_deals=same_deals,
        )
        return created(request, made)


class PlayOnView(GameEndpoint):
    @operation(
        "play_on",
        made(CreatedSerializer, "The new table; its keys are shown this once.", repeatable=True),
        request=PlayOnRequestSerializer,
        refuses=(409, 422, 429),
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Play on from a step of a finished game.

        For digital games that were dealt here: a new game of one person against bots, with the same players, deals and
        actions up to that step, in no group. Not after the last step, nor in a round that was broken off.
        """
        asked = read(PlayOnRequestSerializer, request.data).validated_data
        self.demand_digital(DigitalOnly(action="play_on"))
        # All who read the game may do this, also those who have a link for spectators.
        limits.count_stranger(client_address(request), limits.CREATIONS)
        made = creation.play_on(
            game=self.key.game,
            step=asked["step"],
            seat=asked["seat"],
            level=asked["level"],
            creator_label=None,
            asked=repeatable(request, asked["request_id"]),
        )
        return created(request, made)


# --- digital games ---


class ProposalsView(GameEndpoint):
    rights = (MayAct,)

    @operation("propose", WRITTEN, request=ProposalRequestSerializer, refuses=(409, 422))
    def post(self, request: Request, game_id: str) -> Response:
        """Propose to the other players.

        In digital games, with a seat's key: to take back, to be granted all remaining tricks of the round (the hand is
        shown to all), or to finish after the complete rounds, which is final. Bots answer at once, and a proposal that
        all agree to is carried out at once. Open proposals end when the game goes on, except those to finish.
        """
        asked = read(ProposalRequestSerializer, request.data)
        kind, to_seq = asked.validated_data["type"], asked.validated_data["to_seq"]
        self.demand_digital(DigitalOnly(action=kind))
        return self.written(
            proposals.propose(game_id=game_id, actor=self.key, kind=kind, to_seq=to_seq, request=asked.writing)
        )


class ProposalView(GameEndpoint):
    rights = (MayAct,)

    @operation("answer_proposal", WRITTEN, request=AnswerRequestSerializer, refuses=(409, 422))
    def post(self, request: Request, game_id: str, seq: int) -> Response:
        """Agree to a proposal, refuse it, or withdraw it.

        One refusal closes a proposal; the player who made it withdraws it by refusing.
        """
        asked = read(AnswerRequestSerializer, request.data)
        self.demand_digital(DigitalOnly(action="agree"))
        writing = replace(asked.writing, body={**asked.initial_data, "about": seq})
        agrees = asked.validated_data["agree"]
        return self.written(
            proposals.answer(game_id=game_id, actor=self.key, about=seq, agrees=agrees, request=writing)
        )


class SeatBotView(GameEndpoint):
    rights = (IsHostOrHoldsSeat,)

    @operation("seat_bot", WRITTEN, request=BotRequestSerializer, refuses=(409, 422))
    def post(self, request: Request, game_id: str, seat: int) -> Response:
        """Let a bot play for a seat, or give the seat back.

        In digital games, with the host's key or that of the seat itself. While a bot plays, the key of the seat shows
        no hand.
        """
        asked = read(BotRequestSerializer, request.data)
        self.demand_digital(BotsAreDigital())
        level = asked.validated_data["level"]
        return self.written(
            digital.put_bot(game_id=game_id, actor=self.key, seat=seat, level=level, request=asked.writing)
        )


# --- reading ---


class LogView(GameEndpoint):
    @operation("log", found(LOG_ENTRIES, "Oldest first."), parameters=[LogParameters])
    def get(self, request: Request, game_id: str) -> Response:
        """Every entry, raw.

        In a digital game as the key holder may read it: hidden cards are counted.
        """
        after = LogParameters.of(request.query_params).validated_data["after"]
        game = self.key.game
        entries = store.seen_rows(store.seen(game, self.key.seat), after=after) if after < game.version else []
        return Response(log_entries(entries))


class SheetView(GameEndpoint):
    @operation(
        "sheet",
        {
            (200, "application/json"): OpenApiResponse(
                SheetRowSerializer(many=True), "A row for each round and player."
            ),
            (200, "text/csv"): OpenApiResponse(str, "The same, for spreadsheets."),
        },
        parameters=[FormatParameters],
    )
    def get(self, request: Request, game_id: str) -> Response | HttpResponse:
        """The score sheet."""
        wanted = FormatParameters.of(request.query_params).validated_data["format"]
        ledger = store.seen(self.key.game, None)
        shown = ledger.state, ledger.counting.confirms
        if wanted == "json":
            return self.serialized(SheetRowSerializer, sheet.rows(*shown), many=True)
        file = {"Content-Disposition": f'attachment; filename="njet-{game_id}.csv"'}
        return HttpResponse(sheet.as_csv(*shown), content_type="text/csv; charset=utf-8", headers=file)


def is_known(etag: str, if_none_match: str) -> bool:
    """Whether a client that sends this header has the present document already."""
    known = parse_etags(if_none_match)
    return "*" in known or etag in {each.removeprefix("W/") for each in known}
