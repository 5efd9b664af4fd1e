"""Correcting a round: its entries as a form, the changes in a submitted form, and their preview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.pages.forms import action_of, optional_number, row_of, whole_number
from games.pages.parts.players import Player, players_of
from games.rules import (
    AddPenalty,
    DeleteAction,
    EnterConditions,
    InsertAction,
    Key,
    NameTeam,
    NjetError,
    Phase,
    Place,
    RecordTally,
    RecordTrick,
    ReplaceAction,
    Ruleset,
    Setup,
    VoidRound,
    amended,
    kind_of,
)
from games.rules.actions import Action
from games.rules.errors import AmendmentConflicts, MissingField, WrongType
from games.rules.replay import Change, Step
from games.services.previews import StandingChange
from games.texts import words
from games.texts.entries import describe_step


@dataclass(frozen=True)
class Choice:
    """An option of a select."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True)
class ChoiceGroup:
    """Options under one heading."""

    label: str
    choices: list[Choice]


@dataclass(frozen=True)
class FigureField:
    """A player's figures in a tally."""

    player: Player
    tricks: str
    captured: str


@dataclass(frozen=True)
class TrickField:
    """A trick that may be inserted; `prefix` starts the names of its fields."""

    prefix: str
    winners: list[Choice]
    captured: str

    @property
    def is_typed(self) -> bool:
        """Whether anything was typed into it."""
        return bool(self.captured) or any(choice.is_chosen for choice in self.winners)


@dataclass(frozen=True)
class EntryForm:
    """An entry to be edited.  `prefix` starts the names of its fields; `kind` says which there are.

    `inserted`, `inserted_tricks`: entries that may be missing after it.
    """

    prefix: str
    number: int
    kind: str
    text: str
    who: str
    spaces: list[ChoiceGroup]
    rows: list[tuple[str, str, list[Choice]]]
    partners: list[tuple[Player, bool]]
    seats: list[Choice]
    captured: str
    figures: list[FigureField]
    points: str
    reason: str
    is_deleted: bool
    inserted: list[ChoiceGroup]
    inserted_tricks: list[TrickField]

    @property
    def is_open(self) -> bool:
        """Whether something was typed into the folded part."""
        chosen = [choice for group in self.inserted for choice in group.choices if choice.is_chosen]
        return self.is_deleted or bool(chosen) or any(trick.is_typed for trick in self.inserted_tricks)


@dataclass(frozen=True)
class CorrectionPage:
    """The form of a round."""

    number: int
    rounds: list[int]
    entries: list[EntryForm]


def correction_page(ledger: Ledger, number: int, typed: Mapping[str, str] | None = None) -> CorrectionPage:
    """The entries of a round to be edited, with what was typed so far."""
    steps = steps_of(ledger, number)
    reached = sorted({step.round_number for step in ledger.replay.applied})
    tricks = _tricks_to_insert(ledger, number)
    return CorrectionPage(
        number=number,
        rounds=reached,
        entries=[
            _entry_form(ledger, place, step, typed or {}, tricks.get(step.key, 0))
            for place, step in enumerate(steps, start=1)
        ],
    )


def steps_of(ledger: Ledger, number: int) -> list[Step]:
    """The applied actions of a round, in order."""
    return [step for step in ledger.replay.applied if step.round_number == number]


MOST_TRICKS_AT_A_PLACE = 3


def _tricks_to_insert(ledger: Ledger, number: int) -> dict[Key, int]:
    """After which entries of a round a trick may be missing, and how many after each.

    As many as are missing, at least one: it may take the place of one that is deleted.  A round that was counted at
    once has no tricks of its own.
    """
    steps = steps_of(ledger, number)
    if not any(isinstance(step.action, RecordTrick) for step in steps):
        return {}
    states = [*(step.before for step in steps[1:]), ledger.state]
    current = ledger.state.current
    open_round = current if current is not None and current.number == number else None
    missing = 0
    if open_round is not None and ledger.state.tally_bounds is not None:
        missing = ledger.state.tally_bounds.tricks - len(open_round.tricks)
    return {
        step.key: min(max(missing, 1), MOST_TRICKS_AT_A_PLACE)
        for step, after in zip(steps, states, strict=True)
        if isinstance(step.action, RecordTrick) or (after.phase is Phase.TRICKS and step is not steps[-1])
    }


def changes_of_form(ledger: Ledger, number: int, data: Mapping[str, str]) -> list[Change]:
    """The changes in a submitted form; an unchanged field makes none.

    Errors: `Malformed` and its kin.
    """
    steps = steps_of(ledger, number)
    changes: list[Change] = []
    after = _key_before(ledger, steps[0].key) if steps else Key(0)
    for step in steps:
        prefix = _prefix(step.key)
        if f"{prefix}delete" in data:
            changes.append(DeleteAction(step.key))
        else:
            # An insertion after a deleted entry follows the last entry that stays.
            after = step.key
            action = _action_of(prefix, step, data, ledger.state.players) if f"{prefix}kind" in data else step.action
            if action != step.action:
                changes.append(ReplaceAction(step.key, action))
        inserted = data.get(f"{prefix}insert", "")
        if inserted:
            row, _colon, space = inserted.partition(":")
            changes.append(InsertAction(after, Place(row_of(row), space)))
        changes += [InsertAction(after, trick) for trick in _inserted_tricks(prefix, data)]
    return changes


def _inserted_tricks(prefix: str, data: Mapping[str, str]) -> list[RecordTrick]:
    tricks = []
    for place in range(1, MOST_TRICKS_AT_A_PLACE + 1):
        winner, captured = (data.get(f"{prefix}insert-{place}-{name}", "").strip() for name in ("winner", "captured"))
        if captured and not winner:
            raise MissingField(action="trick", field="winner")
        if winner:
            tricks.append(RecordTrick(whole_number("winner", winner), optional_number("captured", captured) or 0))
    return tricks


def _key_before(ledger: Ledger, key: Key) -> Key:
    before = Key(0)
    for step in ledger.replay.applied:
        if step.key == key:
            return before
        before = step.key
    return before


def penalty_changes(ledger: Ledger, action: AddPenalty) -> list[Change]:
    """A penalty in a finished game: inserted before the entry that ended it."""
    last = ledger.counting.actions[-1].key
    return [InsertAction(_key_before(ledger, last), action)]


@dataclass(frozen=True)
class StandingChangeLine:
    """How a correction moves a player: “Ben 31 → 27, first → second”."""

    player: Player
    text: str


def standing_lines(ledger: Ledger, changes: Sequence[StandingChange]) -> list[StandingChangeLine]:
    """What a correction changes in the standings, a line for each player it moves."""
    players = players_of(ledger.current_setup)
    return [StandingChangeLine(players[change.seat], _standing_text(change)) for change in changes]


def _standing_text(change: StandingChange) -> str:
    totals = _("{before} → {after}").format(
        before=words.signed(change.total_before), after=words.signed(change.total_after)
    )
    if change.rank_before == change.rank_after:
        return totals
    ranks = _("{before} → {after}").format(before=place(change.rank_before), after=place(change.rank_after))
    return f"{totals}, {ranks}"


def place(rank: int) -> str:
    """A rank in words."""
    return [_("first"), _("second"), _("third"), _("fourth"), _("fifth")][rank - 1]


def refusal_sentence(ledger: Ledger, error: NjetError) -> str:
    """Why a correction is refused; a later entry that would become impossible is named."""
    names = ledger.current_setup.names
    if isinstance(error, AmendmentConflicts):
        step = ledger.step(Key(int(str(error.params["seq"])), int(str(error.params["part"]))))
        if step is not None:
            return _("Entry {seq}, “{entry}”, would become impossible: {reason}").format(
                seq=step.key.seq,
                entry=describe_step(step, ledger.current_setup),
                reason=words.conflict_reason(error, names),
            )
    return words.error_sentence(error, names)


def preview_lines(ledger: Ledger, changes: Sequence[Change]) -> list[tuple[str, str]]:
    """Each change as a line with the present and the corrected entry."""
    setup, seq = ledger.current_setup, ledger.version + 1
    corrected = amended(setup, ledger.counting.actions, seq=seq, changes=changes)
    steps = {step.key: step for step in corrected.applied}
    lines = []
    for part, change in enumerate(changes, start=1):
        key = Key(seq, part) if isinstance(change, InsertAction) else change.key
        before, after = ledger.step(key), steps.get(key)
        sentence = _("deleted") if after is None else describe_step(after, setup)
        if isinstance(change, InsertAction):
            sentence = _("inserted: {entry}").format(entry=sentence)
        lines.append(("" if before is None else describe_step(before, setup), sentence))
    return lines


def _prefix(key: Key) -> str:
    return f"e{key.seq}.{key.part}-"


def _action_of(prefix: str, step: Step, data: Mapping[str, str], players: int) -> Action:
    fields = {name.removeprefix(prefix): value for name, value in data.items() if name.startswith(prefix)}
    if isinstance(step.action, NameTeam):
        partners = tuple(seat for seat in range(players) if f"partner-{seat}" in fields)
        return NameTeam(partners, optional_number("monster", fields.get("monster")), step.action.start)
    kind = kind_of(step.action)
    if fields.get("kind") != kind:
        raise WrongType(field="kind", expected=kind)
    if isinstance(step.action, RecordTrick):
        fields["trick"] = f"{fields.get('winner', '')}:{fields.get('captured', '')}"
    return action_of({**fields, "do": kind}, players=players)


def _entry_form(ledger: Ledger, number: int, step: Step, typed: Mapping[str, str], tricks: int) -> EntryForm:
    setup, prefix = ledger.current_setup, _prefix(step.key)
    players = players_of(setup)
    action = step.action
    sent = f"{prefix}kind" in typed

    def value(name: str, stands: object) -> str:
        return typed.get(f"{prefix}{name}", "") if sent else str(stands)

    return EntryForm(
        prefix=prefix,
        number=number,
        kind=kind_of(action),
        text=describe_step(step, setup),
        who="" if step.seat is None else setup.names[step.seat],
        spaces=_space_groups(setup, value("space", f"{action.row}:{action.space}"))
        if isinstance(action, Place)
        else [],
        rows=_condition_rows(setup, action, value) if isinstance(action, EnterConditions) else [],
        partners=[
            (player, f"{prefix}partner-{player.seat}" in typed if sent else player.seat in action.partners)
            for player in players
        ]
        if isinstance(action, NameTeam)
        else [],
        seats=_seat_choices(players, action, value),
        captured=value("captured", action.captured) if isinstance(action, RecordTrick) else "",
        figures=[
            FigureField(
                player,
                value(f"tricks-{player.seat}", action.tricks[player.seat]),
                value(f"captured-{player.seat}", action.captured[player.seat]),
            )
            for player in players
        ]
        if isinstance(action, RecordTally)
        else [],
        points=value("points", action.points) if isinstance(action, AddPenalty) else "",
        reason=value("reason", action.reason) if isinstance(action, AddPenalty | VoidRound) else "",
        is_deleted=f"{prefix}delete" in typed,
        inserted=_space_groups(setup, typed.get(f"{prefix}insert", "")) if isinstance(action, Place) else [],
        inserted_tricks=[_trick_field(f"{prefix}insert-{place}-", players, typed) for place in range(1, tricks + 1)],
    )


def _trick_field(prefix: str, players: Sequence[Player], typed: Mapping[str, str]) -> TrickField:
    winner = typed.get(f"{prefix}winner", "")
    choices = [Choice(str(player.seat), player.name, str(player.seat) == winner) for player in players]
    return TrickField(prefix, choices, typed.get(f"{prefix}captured", ""))


def _space_groups(setup: Setup, chosen: str) -> list[ChoiceGroup]:
    ruleset: Ruleset = setup.ruleset
    return [
        ChoiceGroup(
            str(words.ROW_NAMES[row]),
            [
                Choice(f"{row}:{space}", words.covered(row, space, ruleset, setup.names), f"{row}:{space}" == chosen)
                for space in ruleset.spaces(row)
            ],
        )
        for row in ruleset.rows
    ]


def _condition_rows(setup: Setup, action: EnterConditions, value: object) -> list[tuple[str, str, list[Choice]]]:
    assert callable(value), "the caller reads what was typed"
    rows = []
    for row, stands in action.spaces.items():
        chosen = value(row.value, stands)
        choices = [
            Choice(space, words.settled(row, space, setup.ruleset, setup.names), space == chosen)
            for space in setup.ruleset.spaces(row)
        ]
        rows.append((row.value, str(words.ROW_NAMES[row]), choices))
    return rows


def _seat_choices(players: Sequence[Player], action: Action, value: object) -> list[Choice]:
    assert callable(value), "the caller reads what was typed"
    match action:
        case RecordTrick(winner=winner):
            chosen = value("winner", winner)
        case AddPenalty(seat=seat):
            chosen = value("seat", seat)
        case NameTeam(monster=monster):
            chosen = value("monster", "" if monster is None else monster)
        case _:
            return []
    return [Choice(str(player.seat), player.name, str(player.seat) == chosen) for player in players]
