"""Confirming the rounds of a physical table, and corrections of what both teams have confirmed."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.openapi import DELETED, WRITTEN, found, operation
from games.api.permissions import IsScorekeeper
from games.api.serializers.fields import read
from games.api.serializers.games import AskedRequestSerializer, AskedSerializer, ConfirmationRequestSerializer
from games.api.views.base import GameEndpoint
from games.services import confirmations, tables
from games.services.write import WriteRequest


class ConfirmationsView(GameEndpoint):
    rights = (IsScorekeeper,)

    @operation("confirm", WRITTEN, request=ConfirmationRequestSerializer, refuses=(409, 422))
    def post(self, request: Request, game_id: str) -> Response:
        """Confirm a round.

        The team of a seat confirms the points of a complete round. What both teams have confirmed is not taken back
        (`round_confirmed`); until then `withdraw_correction` takes a confirmation back, by its `seq`. `amend`
        answers with a pending correction then, instead of making it. It is made once both teams have confirmed it, with
        its `seq` as `about`, in each of its rounds. Any version since the round was complete is accepted, as long as
        nothing was corrected or taken back since.
        """
        asked = read(ConfirmationRequestSerializer, request.data)
        return self.written(
            confirmations.confirm(
                game_id=game_id,
                actor=self.key,
                round_number=asked.validated_data["round"],
                seat=asked.validated_data["seat"],
                about=asked.validated_data["about"],
                request=asked.writing,
            )
        )


class AskedView(GameEndpoint):
    rights_to_change = (IsScorekeeper,)

    @operation("asks_confirmation", found(AskedSerializer, "As it is."))
    def get(self, request: Request, game_id: str) -> Response:
        """Whether rounds are to be confirmed.

        The pages of the table ask both teams to confirm each round, or they do not. Rounds can be confirmed either way.
        """
        return self.serialized(AskedSerializer, {"asked": self.key.game.asks_confirmation})

    @operation(
        "ask_confirmation", found(AskedSerializer, "As it is now."), request=AskedRequestSerializer, refuses=(409, 422)
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Ask for confirmations, or not."""
        asked = read(AskedRequestSerializer, request.data).validated_data["asked"]
        tables.ask_confirmation(game=self.key.game, asked=asked)
        return self.get(request, game_id)


class CorrectionView(GameEndpoint):
    rights = (IsScorekeeper,)

    @operation("withdraw_correction", DELETED, refuses=(409, 422))
    def delete(self, request: Request, game_id: str, seq: int) -> Response:
        """Withdraw a pending correction, or what one team has confirmed while the other has not."""
        confirmations.withdraw(game_id=game_id, actor=self.key, about=seq, request=WriteRequest())
        return Response(status=204)
