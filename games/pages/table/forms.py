"""The form of a round that is counted at once."""

from __future__ import annotations

from django.http import QueryDict

from games.pages.forms import Form, NumberField
from games.rules import NjetError


class TallyForm(Form):
    """The tricks and captured cards of each seat: `tricks-0`, `captured-0`, and so on; an empty field is a 0."""

    def __init__(self, data: QueryDict, players: int) -> None:
        super().__init__(data)
        for seat in range(players):
            for kind in ("tricks", "captured"):
                self.fields[f"{kind}-{seat}"] = NumberField(kind, optional=True)

    def field_about(self, refusal: NjetError) -> str | None:
        """The captured cards of the seat that a refusal names; sums are about the whole form."""
        return f"captured-{refusal.params.get('seat')}"
