"""What the decisions of a finished digital game were worth."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from games.analysis import tasks
from games.analysis.decisions import Progress, turning_points
from games.api.openapi import ASK_AGAIN_AFTER, operation
from games.api.serializers.analysis import AnalysisProgressSerializer, AnalysisSerializer
from games.api.serializers.parameters import AnalysisParameters
from games.api.views.base import GameEndpoint

AGAIN = 2
"""Seconds until it may be complete."""


class AnalysisView(GameEndpoint):
    @operation(
        "analysis",
        {
            200: OpenApiResponse(AnalysisSerializer, "All decisions that were not forced."),
            202: OpenApiResponse(
                AnalysisProgressSerializer, "It is computed. `Retry-After` says when to ask for it again."
            ),
        },
        parameters=[AnalysisParameters, ASK_AGAIN_AFTER],
        refuses=(409, 422),
    )
    def get(self, request: Request, game_id: str) -> Response:
        """What the decisions of a seat were worth.

        For finished digital games, computed when it is first asked for. Each decision is compared with what the strong
        bot would have done with the same view, over the same guesses of the hidden cards.
        """
        seat = AnalysisParameters.of(request.query_params).validated_data["seat"]
        found = tasks.asked(self.key.game, (self.key.seat or 0) if seat is None else seat)
        progress = Progress.from_json(found.result)
        if found.computed_at is None:
            document = {"seat": found.seat, "done": len(progress.judged), "of": progress.total}
            waits = self.serialized(AnalysisProgressSerializer, document, 202)
            waits.headers["Retry-After"] = str(AGAIN)
            return waits
        turned = {each.seq for each in turning_points(progress.judged)}
        decisions = [
            {
                "seq": each.seq,
                "played": each.played,
                "best": each.best,
                "difference": each.difference,
                "error": each.error,
                "turning_point": each.seq in turned,
            }
            for each in progress.judged
        ]
        expected = [{"seq": each.seq, "points": each.points} for each in progress.judged]
        return self.serialized(AnalysisSerializer, {"seat": found.seat, "decisions": decisions, "expected": expected})
