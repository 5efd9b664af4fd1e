"""The form of a round whose board is settled, as three blocks to be corrected: the board, the teams, the figures.

The fields are named like those of the table: each row by its key, `partners` and `monster`, `tricks-0`, `captured-0`.
`asked` is the start player for whom the partners were shown; `was`, what the blocks held before anything was typed.
"""

from __future__ import annotations

from urllib.parse import parse_qsl

from django.http import QueryDict
from django.utils.translation import gettext as _

from games.errors import StaleVersion
from games.log.ledger import Ledger
from games.pages.actions import action_of
from games.pages.correct.forms import LedgerForm
from games.pages.correct.round_changes import RoundChanges
from games.pages.forms import NumberField, Refused, TextField
from games.pages.parts.teams import PartnerChoice, partner_choices
from games.rules import FinishedRound, NameTeam, NjetError, PublicState, RecordTally, Round
from games.rules.actions import Action
from games.rules.errors import MonsterInLargerTeam, MonsterMissing, OwnPartner
from games.rules.replay import Change

FIGURES = "figures"
"""The name of what is wrong with the figures together."""


def round_to_correct(ledger: Ledger, number: int) -> Round | FinishedRound | None:
    """A round, if its board is settled."""
    state = ledger.state
    rounds: list[Round | FinishedRound] = [*state.finished, *([] if state.current is None else [state.current])]
    return next((each for each in rounds if each.number == number and each.conditions is not None), None)


class BlocksForm(LedgerForm):
    """The blocks of a round.  `stands`: what they hold; `is_late`: another phone has corrected the round since."""

    def __init__(self, data: QueryDict | None, ledger: Ledger, number: int) -> None:
        done = round_to_correct(ledger, number)
        assert done is not None, "only a round with a settled board has blocks"
        self.ledger, self.done = ledger, done
        self.stands = _standing(ledger.state, done)
        self.is_late = False
        super().__init__(None if data is None else self._merged(data))
        for name, value in self.stands.items():
            kind = name.partition("-")[0]
            is_figure = kind in ("tricks", "captured")
            self.fields[name] = (
                NumberField(kind, optional=True, initial=value) if is_figure else TextField(initial=value)
            )
        self.fields[FIGURES] = TextField()
        self.changes: list[Change] = []
        self.block = ""

    def _merged(self, data: QueryDict) -> QueryDict:
        """What was typed; where nothing was, what another phone has corrected since."""
        was = dict(parse_qsl(data.get("was", ""), keep_blank_values=True))
        self.is_late = bool(was) and was != self.stands
        if not self.is_late:
            return data
        data = data.copy()
        for name, value in self.stands.items():
            if data.get(name, "") == was.get(name):
                data[name] = value
        return data

    @property
    def start(self) -> int:
        """The start player, as typed."""
        assert self.done.conditions is not None, "the board is settled"
        typed = self.typed("start") if "start" in self.fields else ""
        seats = {str(seat): seat for seat in range(self.ledger.state.players)}
        return seats.get(typed, self.done.conditions.start)

    @property
    def refuses_figures(self) -> bool:
        """Whether a figure, or all of them together, cannot be."""
        return any(name.startswith((FIGURES, "tricks", "captured")) for name in self.errors)

    @property
    def partners(self) -> PartnerChoice | None:
        """The partners as typed; where they were chosen for another start player, those that keep the teams."""
        if "partners" not in self.fields or self.done.teams is None:
            return None
        choices = partner_choices(self.ledger.state, self.start)
        if self.typed("asked") == str(self.start):
            return next((choice for choice in choices if choice.value == self.typed("partners")), None)
        team = set(self.done.teams.team_of(self.start)) - {self.start}
        return next((choice for choice in choices if {player.seat for player in choice.partners} == team), None)

    def clean(self) -> None:
        """Read the changes, block by block.  A block that is refused ends it: the next ones depend on it."""
        if self.is_late:
            sentence = _("The round was corrected on another phone meanwhile. What you changed is kept: look again.")
            self.add_error(None, Refused(StaleVersion(self.ledger), sentence))
        if self.errors:
            return
        changes = RoundChanges(self.ledger, self.done)
        with self.refusals():
            self.block = "board"
            changes.settle({row.key: self.cleaned_data[row.key.value] for row in self.done.board.rows})
            self.block = "partners"
            if "partners" in self.fields and changes.start is not None:
                changes.name_teams(self._team(settled=changes.start), start=self.start)
            self.block = FIGURES
            if "tricks-0" in self.fields:
                changes.count(RecordTally(self._figures("tricks"), self._figures("captured")))
            self.block = ""
        self.changes = changes.made

    def sentence(self, refusal: NjetError) -> str:
        """A refusal in words; a later entry that would become impossible is named."""
        if isinstance(refusal, OwnPartner) and self.typed("asked") != str(self.start):
            name = self.ledger.current_setup.names[self.start]
            return _("{name} starts now. Check the partners.").format(name=name)
        return super().sentence(refusal)

    def field_about(self, refusal: NjetError) -> str | None:
        """The field of the block that is refused."""
        if self.block == "board":
            return str(refusal.params.get("row") or refusal.params.get("field"))
        if isinstance(refusal, MonsterMissing | MonsterInLargerTeam):
            return "monster"
        seat = refusal.params.get("seat")
        return f"captured-{seat}" if self.block == FIGURES and seat is not None else self.block

    def _team(self, *, settled: int) -> Action:
        """The action that names the teams.  `settled`: the start player by the board."""
        if self.cleaned_data["asked"] != str(self.start):
            raise OwnPartner(seat=self.start)
        choice, monster = self.partners, self.cleaned_data["monster"]
        if choice is not None and not choice.needs_monster:
            monster = str(choice.monsters[0].seat) if choice.monsters else ""
        fields = {
            "do": NameTeam.kind,
            "team": f"{self.cleaned_data['partners']}:{monster}",
            "start": "" if self.start == settled else str(self.start),
        }
        return action_of(fields, players=self.ledger.state.players)

    def _figures(self, kind: str) -> tuple[int, ...]:
        return tuple(self.cleaned_data[f"{kind}-{seat}"] or 0 for seat in range(self.ledger.state.players))


def _standing(state: PublicState, done: Round | FinishedRound) -> dict[str, str]:
    """What the blocks of a round hold: their fields."""
    assert done.conditions is not None, "the board is settled"
    fields = {row.key.value: row.settled_space or "" for row in done.board.rows}
    if done.teams is not None and state.players > 2:
        start = done.conditions.start
        partners = "-".join(str(seat) for seat in done.teams.own if seat != start)
        monster = "" if done.teams.monster is None else str(done.teams.monster)
        fields |= {"start": str(start), "asked": str(start), "partners": partners or "alone", "monster": monster}
    if isinstance(done, FinishedRound):
        for seat, won in enumerate(done.won):
            fields |= {f"tricks-{seat}": str(won.tricks), f"captured-{seat}": str(won.captured)}
    return fields
