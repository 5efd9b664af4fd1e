"""The form of a game from paper: who played, each player's points, by which rules, and its occasion."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from django.http import QueryDict

from games.log.ledger import Ledger
from games.pages.forms import Refused, SeatsForm, TextField, whole_number
from games.pages.occasion.forms import OccasionForm
from games.rules import DEFAULT_PRESET, NjetError
from games.rules.errors import NameMissing, PaperLineIncomplete, WrongPlayerCount
from games.rules.paper import PaperSheet
from games.rules.ruleset import MOST_PLAYERS
from games.rules.setup import Setup, typed_names


class PaperForm(SeatsForm):
    """For each place a name, and the points: one total, or those of each round, as they stand on the paper."""

    def __init__(self, data: QueryDict | None, initial: Mapping[str, str] | None = None) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.add_points(MOST_PLAYERS)

    def add_points(self, places: int, names: Sequence[str] = (), points: Sequence[str] = ()) -> None:
        """Add the fields of a number of places, with their initial values."""
        for place in range(places):
            self.fields[f"name-{place}"] = TextField(initial=names[place] if names else "")
            self.fields[f"points-{place}"] = TextField(initial=points[place] if points else "")

    @property
    def places(self) -> list[tuple[int, str, str]]:
        """Each place: its number, the name and the points as they were typed."""
        count = sum(name.startswith("name-") for name in self.fields)
        return [(place, self.typed(f"name-{place}"), self.typed(f"points-{place}")) for place in range(count)]

    @property
    def _taken(self) -> list[int]:
        return [place for place, name, points in self.places if name.strip() or points.strip()]

    @property
    def player_names(self) -> list[str]:
        """The players, by seat."""
        return [self.typed(f"name-{place}") for place in self._taken]

    def clean(self) -> None:
        """Read the points as `paper`, a sheet."""
        super().clean()
        columns = []
        for place in self._taken:
            try:
                typed = re.split(r"[\s,;]+", self.typed(f"points-{place}").strip().strip(",;"))
                columns.append([whole_number("points", each) for each in typed if each])
            except NjetError as error:
                self.add_error(f"points-{place}", Refused(error))
        if self.errors:
            return
        longest = max(map(len, columns), default=0)
        for place, column in zip(self._taken, columns, strict=True):
            if len(column) < max(longest, 1):
                self.add_error(
                    f"points-{place}", Refused(PaperLineIncomplete(line=len(column) + 1, players=len(columns)))
                )
        if not self.errors:
            self.cleaned_data["paper"] = PaperSheet(tuple(zip(*columns, strict=True)), by_round=longest > 1)

    def field_about(self, refusal: NjetError) -> str | None:
        """The field of the player whom a refusal names."""
        if refusal.code == "paper_figure_too_large":
            return f"points-{self._taken[int(str(refusal.params['seat']))]}"
        if isinstance(refusal, NameMissing):
            return f"name-{self._taken[int(str(refusal.params['number'])) - 1]}"
        if isinstance(refusal, WrongPlayerCount):
            return "name-0"
        return super().field_about(refusal)


class NewPaperForm(PaperForm, OccasionForm):
    """A game from paper that is not there yet.  `preset`: the rules; `group`: the group that it joins."""

    about = OccasionForm.about

    preset = TextField(initial=DEFAULT_PRESET)
    group = TextField()

    def setup(self) -> Setup:
        """The set-up with the sheet.

        Errors: every `IllegalSetup`.
        """
        return Setup.of(
            preset=self.cleaned_data["preset"] or DEFAULT_PRESET,
            names=typed_names(self.player_names),
            paper=self.cleaned_data["paper"],
        )


class ChangedPaperForm(PaperForm):
    """The sheet of a game from paper, to be corrected: the players stay."""

    def __init__(self, data: QueryDict | None, ledger: Ledger) -> None:
        SeatsForm.__init__(self, data)
        setup = ledger.current_setup
        assert setup.paper is not None, "the game is from paper"
        columns = [" ".join(map(str, column)) for column in zip(*setup.paper.lines, strict=True)]
        self.add_points(len(setup.seats), setup.names, columns)
