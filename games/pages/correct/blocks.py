"""A round whose board is settled, as three blocks to be corrected: the board, the teams, the figures.

The fields are named like those of the table: each row by its key, `partners` and `monster`, `tricks-0`, `captured-0`.
`asked` is the start player for whom the partners were shown; `was`, what the blocks held before anything was typed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _

from games.errors import StaleVersion
from games.log.ledger import Ledger
from games.pages.actions import action_of
from games.pages.correct.forms import LedgerForm, steps_of
from games.pages.forms import NumberField, Refused, TextField
from games.pages.parts.board import RowView, board_rows
from games.pages.parts.players import Player, players_of
from games.pages.parts.teams import PartnerChoice, partner_choices
from games.rules import (
    AddPenalty,
    DeleteAction,
    EnterConditions,
    FinishedRound,
    NameTeam,
    NjetError,
    Place,
    PublicState,
    RecordTally,
    RecordTrick,
    ReplaceAction,
    Round,
    RowKey,
    VoidRound,
)
from games.rules.actions import Action
from games.rules.errors import MissingField, MonsterInLargerTeam, MonsterMissing, OwnPartner, UnknownSpace
from games.rules.replay import Change, Step
from games.rules.scoring import TallyBounds, Won
from games.rules.teams import PLAYERS_WITH_MONSTER, Teams
from games.texts import words

FIGURES = "figures"
"""The name of what is wrong with the figures together."""


def round_to_correct(ledger: Ledger, number: int) -> Round | FinishedRound | None:
    """A round, if its board is settled."""
    state = ledger.state
    rounds: list[Round | FinishedRound] = [*state.finished, *([] if state.current is None else [state.current])]
    return next((each for each in rounds if each.number == number and each.conditions is not None), None)


class BlocksForm(LedgerForm):
    """The blocks of a round, and the few changes of its entries that lead to what was typed.

    * Another space stays open: the player who covered it covered the space that was open instead; a board that was
      noted at once is noted with the other space.
    * Other teams: the entry that names them is replaced.
    * Other figures: a tally is replaced.  Of tricks that were recorded one by one the latest is changed that makes the
      figures right on its own; if none does, a tally takes the place of the last trick.  By the rules it counts instead
      of those before it.  Tricks that the corrected round has no place for are deleted.
    """

    def __init__(self, data: QueryDict | None, ledger: Ledger, number: int) -> None:
        done = round_to_correct(ledger, number)
        assert done is not None, "only a round with a settled board has blocks"
        self.ledger, self.done = ledger, done
        self.stands = _standing(ledger.state, done)
        was = dict(parse_qsl(data.get("was", ""), keep_blank_values=True)) if data is not None else {}
        self.is_late = bool(was) and was != self.stands
        if data is not None and self.is_late:
            data = data.copy()
            # Keep what another phone has corrected since, where nothing else was typed.
            for name, value in self.stands.items():
                if data.get(name, "") == was.get(name):
                    data[name] = value
        super().__init__(data)
        for name, value in self.stands.items():
            kind = name.partition("-")[0]
            is_figure = kind in ("tricks", "captured")
            self.fields[name] = (
                NumberField(kind, optional=True, initial=value) if is_figure else TextField(initial=value)
            )
        self.fields[FIGURES] = TextField()
        self.changes: list[Change] = []
        self.block = ""

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
        steps = steps_of(self.ledger, self.done.number)
        voided = [place for place, step in enumerate(steps) if isinstance(step.action, VoidRound)]
        steps = [step for step in steps[max(voided, default=-1) + 1 :] if not isinstance(step.action, AddPenalty)]
        with self.refusals():
            self.block = "board"
            state = self._settle(steps)
            self.block = "partners"
            state = self._name_teams(state, steps)
            self.block = FIGURES
            self._count(state, [step for step in steps if isinstance(step.action, RecordTrick | RecordTally)])
            self.block = ""

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

    def _settle(self, steps: Sequence[Step]) -> PublicState:
        """The state after the board."""
        rows = {row.key: row.settled_space for row in self.done.board.rows}
        wanted = {row: self.cleaned_data[row.value] for row in rows}
        for row, space in wanted.items():
            if not space:
                raise MissingField(action="conditions", field=row.value)
            if space not in self.done.board.row(row).spaces:
                raise UnknownSpace(row=row.value, space=space)
        state = steps[0].before
        for step in steps:
            action: Action = step.action
            match action:
                case Place(row, space):
                    action = Place(row, rows[row] or "") if space == wanted[row] else action
                case EnterConditions():
                    action = replace(action, **{row.value: space for row, space in wanted.items()})
                case _:
                    break
            state = state.apply(action)
            self._replace(step, action)
        return state

    def _name_teams(self, state: PublicState, steps: Sequence[Step]) -> PublicState:
        """The state after the teams."""
        step = next((step for step in steps if isinstance(step.action, NameTeam)), None)
        if step is None or state.current is None or state.current.conditions is None:
            return state
        if self.cleaned_data["asked"] != str(self.start):
            raise OwnPartner(seat=self.start)
        choice, monster = self.partners, self.cleaned_data["monster"]
        if choice is not None and not choice.needs_monster:
            monster = str(choice.monsters[0].seat) if choice.monsters else ""
        settled = state.current.conditions.start
        fields = {
            "do": NameTeam.kind,
            "team": f"{self.cleaned_data['partners']}:{monster}",
            "start": "" if self.start == settled else str(self.start),
        }
        action = action_of(fields, players=state.players)
        after = state.apply(action)
        assert after.current is not None, "the tricks follow the teams"
        if (after.current.teams, self.start) != (self.done.teams, self.done.conditions and self.done.conditions.start):
            self._replace(step, action)
        return after

    def _count(self, state: PublicState, steps: Sequence[Step]) -> None:
        if "tricks-0" not in self.fields:
            return
        tricks, captured = (
            tuple(self.cleaned_data[f"{kind}-{seat}"] or 0 for seat in range(state.players))
            for kind in ("tricks", "captured")
        )
        tally, actions = RecordTally(tricks, captured), [step.action for step in steps]
        for tried in (actions, *_with_one_trick_changed(actions, tally)):
            states = _played(state, tried)
            if len(states) == len(tried) and _won(state, states) == _figures(tally):
                for step, action in zip(steps, tried, strict=True):
                    self._replace(step, action)
                return
        states = _played(state, actions)
        kept = min(len(states) - bool(_won(state, states)), len(steps) - 1)
        (states[kept - 1] if kept else state).apply(tally)
        self._replace(steps[kept], tally)
        self.changes += [DeleteAction(step.key) for step in steps[kept + 1 :]]

    def _replace(self, step: Step, action: Action) -> None:
        if action != step.action:
            self.changes.append(ReplaceAction(step.key, action))


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


def _played(state: PublicState, actions: Sequence[Action]) -> list[PublicState]:
    """The states after each action, up to the one that completes the round or the first that is refused."""
    states: list[PublicState] = []
    for action in actions:
        try:
            states.append((states[-1] if states else state).apply(action))
        except NjetError:
            break
        if _won(state, states):
            break
    return states


def _won(before: PublicState, states: Sequence[PublicState]) -> tuple[Won, ...]:
    """What each seat has won, once the round is complete."""
    finished = states[-1].finished if states else ()
    return finished[-1].won if len(finished) > len(before.finished) else ()


def _figures(tally: RecordTally) -> tuple[Won, ...]:
    return tuple(Won(*each) for each in zip(tally.tricks, tally.captured, strict=True))


def _with_one_trick_changed(actions: Sequence[Action], tally: RecordTally) -> Iterator[list[Action]]:
    """The tricks with one of them changed so that they have the figures of the tally, the latest first."""
    for place in reversed(range(len(actions))):
        left = {seat: (won.tricks, won.captured) for seat, won in enumerate(_figures(tally))}
        for trick in (*actions[:place], *actions[place + 1 :]):
            if not isinstance(trick, RecordTrick):
                return
            tricks, captured = left[trick.winner]
            left[trick.winner] = (tricks - 1, captured - trick.captured)
        changed = [RecordTrick(seat, captured) for seat, (tricks, captured) in left.items() if tricks == 1]
        if len(changed) == 1 and sum(figures != (0, 0) for figures in left.values()) == 1:
            yield [*actions[:place], changed[0], *actions[place + 1 :]]


@dataclass(frozen=True)
class CountedLine:
    """The figures of a player, as typed.  `per_trick`: the most captured cards that one trick can bring them."""

    player: Player
    typed_tricks: str
    typed_captured: str
    per_trick: int | None


@dataclass(frozen=True)
class Figures:
    """The figures of a round, and what they can be.

    `tricks`, `captured_least`, `captured_most`: of all players together; `rounds`: the first two by the open space in
    the row of discards.
    """

    lines: list[CountedLine]
    tricks: int
    captured_least: int
    captured_most: int
    rounds: str
    capturable: str
    capturable_plural: str


@dataclass(frozen=True)
class ChoiceLine:
    """A choice of partners.  `per_trick`: the most captured cards that one trick can bring each player then."""

    choice: PartnerChoice
    is_chosen: bool
    per_trick: str


@dataclass(frozen=True)
class Blocks:
    """The blocks as the page shows them.

    `start`: the start player; `starts`: the players that the table may have agreed on instead; `monsters`: who may hold
    the monster card.
    """

    rows: list[RowView]
    start: Player
    starts: Sequence[Player]
    choices: list[ChoiceLine]
    monsters: list[tuple[Player, bool]]
    figures: Figures | None
    was: str


def blocks_of(form: BlocksForm) -> Blocks:
    """The blocks with what was typed so far."""
    state, done = form.ledger.state, form.done
    players = players_of(state.setup)
    has_teams = "partners" in form.fields
    return Blocks(
        rows=[_row(form, row) for row in board_rows(state, done, with_outcomes=True)],
        start=players[form.start],
        starts=players if has_teams and not state.ruleset.options.start_row else (),
        choices=[
            ChoiceLine(choice, choice == form.partners, " ".join(map(str, _per_trick(form, choice))))
            for choice in partner_choices(state, form.start)
        ]
        if has_teams
        else [],
        monsters=[(player, form.typed("monster") == str(player.seat)) for player in players]
        if has_teams and state.players in PLAYERS_WITH_MONSTER
        else [],
        figures=_figures_of(form, players) if "tricks-0" in form.fields else None,
        was=urlencode(form.stands),
    )


def _figures_of(form: BlocksForm, players: Sequence[Player]) -> Figures:
    ruleset, teams = form.ledger.state.ruleset, form.done.teams
    assert teams is not None, "figures follow the teams"
    bounds = {space: TallyBounds.of(ruleset, teams, discard=space) for space in ruleset.spaces(RowKey.DISCARD)}
    now = bounds.get(form.typed("discard"), next(iter(bounds.values())))
    # While the partners are open, so is what a trick can bring.
    per_trick: Sequence[int | None] = now.captured_per_trick
    if "partners" in form.fields:
        per_trick = [None] * len(players) if form.partners is None else _per_trick(form, form.partners)
    return Figures(
        lines=[
            CountedLine(player, form.typed(f"tricks-{player.seat}"), form.typed(f"captured-{player.seat}"), most)
            for player, most in zip(players, per_trick, strict=True)
        ],
        tricks=now.tricks,
        captured_least=now.captured_least,
        captured_most=now.captured_most,
        rounds=json.dumps({space: (each.tricks, each.captured_least) for space, each in bounds.items()}),
        capturable=words.capturable(ruleset),
        capturable_plural=words.capturable_plural(ruleset),
    )


def _per_trick(form: BlocksForm, choice: PartnerChoice) -> tuple[int, ...]:
    """The most captured cards that one trick can bring each player, with these partners."""
    assert form.done.conditions is not None, "the board is settled"
    own, other = (tuple(player.seat for player in side) for side in (choice.partners, choice.rest))
    teams = Teams((form.start, *own), other, None)
    # The same with any number of discards.
    return TallyBounds.of(form.ledger.state.ruleset, teams, discard=form.done.conditions.discard).captured_per_trick


def _row(form: BlocksForm, row: RowView) -> RowView:
    """A row in which each space can be chosen; the tokens of absent players stay covered."""
    typed = form.typed(row.key)
    spaces = [
        replace(space, by=None, is_covered=not space.space, is_last=bool(space.space) and space.space == typed)
        for space in row.spaces
    ]
    return replace(row, spaces=spaces, settled=next((space.outcome for space in spaces if space.is_last), ""))
