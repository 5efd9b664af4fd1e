"""The form of a list of old games: its text, what new names mean, and the games that it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.formats import paper_list
from games.formats.paper_list import ListedGame, PaperList
from games.log import times
from games.pages.forms import Form, TextField
from games.pages.occasion.forms import EVENING
from games.rules import PRESETS, NjetError
from games.rules.errors import PaperListUnreadable
from games.rules.occasion import Occasion
from games.rules.paper import PaperSheet
from games.rules.setup import Setup, typed_names
from games.texts import refusals, words

LARGEST_FILE = 200_000
"""Bytes: some hundred games have twenty thousand."""


@dataclass(frozen=True)
class ListLine:
    """What becomes of a line: `refused` says why it is no game; `is_there`: the group has the game already."""

    line: int
    day: date | None = None
    rules: str = ""
    players: tuple[tuple[str, int], ...] = ()
    refused: str = ""
    is_there: bool = False


@dataclass(frozen=True)
class Question:
    """A name that is new in the group and nearly that of `player`.  `means_player`: it is the same person."""

    place: int
    name: str
    player: str
    means_player: bool


class ListForm(Form):
    """A list as text or file.  `means-0` says whom a new name means, `sure` that the preview was seen.

    `lines`: what becomes of each line; `games`: those that the group has not; both after `settle`.
    """

    file = forms.FileField(required=False, allow_empty_file=True)
    text = TextField()
    sure = TextField()

    def __init__(self, data: QueryDict | None, files: Any, usual_rules: str) -> None:
        super().__init__(data, files)
        self.usual_rules = usual_rules
        self.content = ""
        self.found = PaperList(())
        self.lines: list[ListLine] = []
        self.questions: list[Question] = []
        self.games: list[tuple[Setup, Occasion]] = []

    def field_about(self, refusal: NjetError) -> str | None:
        """What is refused is the text."""
        return "file" if self.cleaned_data.get("file") else "text"

    def read(self) -> Sequence[str]:
        """Read the list; answers the names of its players.

        Errors: `PaperListUnreadable` if it is none at all.
        """
        uploaded, typed = self.cleaned_data["file"], self.cleaned_data["text"]
        self.content = typed if uploaded is None else uploaded.read(LARGEST_FILE).decode("utf-8-sig", "replace")
        self.found = paper_list.read(self.content, _column_words())
        return self.found.names

    def ask(self, mistakable: Mapping[str, str]) -> list[tuple[date, dict[str, int]]]:
        """Ask about names that are new and nearly those of players; answers the results as they would be stored."""
        self.questions = [
            Question(place, name, player, means_player=self.data.get(f"means-{place}") == "player")
            for place, (name, player) in enumerate(mistakable.items())
        ]
        return [(game.day, dict(self._players(game))) for game in self.found.games]

    def settle(self, are_there: Sequence[bool]) -> None:
        """Say what becomes of each line.  `are_there`: whether the group has each of the games already."""
        lines = {line: ListLine(line, refused=_sentence(line, error)) for line, error in self.found.refused.items()}
        for game, is_there in zip(self.found.games, are_there, strict=True):
            line = ListLine(game.line, day=game.day, players=self._players(game), is_there=is_there)
            try:
                setup, occasion = self._entered(game, line.players)
                if not is_there:
                    self.games.append((setup, occasion))
                lines[game.line] = replace(line, rules=words.preset_name(setup.ruleset.preset))
            except NjetError as error:
                lines[game.line] = replace(line, refused=_sentence(game.line, error))
        self.lines = [line for _number, line in sorted(lines.items())]

    @property
    def is_ready(self) -> bool:
        """Whether every line can be stored."""
        return not any(line.refused for line in self.lines)

    def _players(self, game: ListedGame) -> tuple[tuple[str, int], ...]:
        called = {each.name: each.player for each in self.questions if each.means_player}
        return tuple((called.get(name, name), total) for name, total in game.totals.items())

    def _entered(self, game: ListedGame, players: tuple[tuple[str, int], ...]) -> tuple[Setup, Occasion]:
        at = datetime.combine(game.day, game.time or time.fromisoformat(EVENING))
        occasion = Occasion.of(
            began=times.to_json(timezone.make_aware(at)), minutes=game.minutes, place=game.place, note=game.note
        )
        if game.day > timezone.localdate() + timedelta(days=1):
            raise PaperListUnreadable(problem="day", line=game.line, cell=game.day.isoformat())
        paper = PaperSheet((tuple(total for _name, total in players),), by_round=False)
        names = typed_names([name for name, _total in players])
        return Setup.of(preset=self._preset(game), names=names, paper=paper), occasion

    def _preset(self, game: ListedGame) -> str:
        if not game.rules:
            return self.usual_rules
        called = {words.preset_name(key).casefold(): key for key in PRESETS} | {key: key for key in PRESETS}
        if game.rules.casefold() not in called:
            raise PaperListUnreadable(problem="rules", line=game.line, cell=game.rules[:40])
        return called[game.rules.casefold()]


def _sentence(line: int, error: NjetError) -> str:
    sentence = refusals.error_sentence(error)
    return sentence if "line" in error.params else _("Line {line}: {reason}").format(line=line, reason=sentence)


def _column_words() -> dict[str, str]:
    """The columns in the words of the reader's language."""
    return {
        _("Day"): "day",
        pgettext("a day", "Date"): "day",
        "date": "day",
        _("Time"): "time",
        _("Rules"): "rules",
        pgettext("a game", "Box"): "rules",
        "box": "rules",
        _("Minutes"): "minutes",
        _("Place"): "place",
        _("Note"): "note",
    }
