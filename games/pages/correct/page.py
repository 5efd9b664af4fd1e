"""Correcting a round: its entries as they are shown to be edited, and the preview of a correction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.pages.actions import GIVES, TAKES
from games.pages.correct.forms import MOST_TRICKS_AT_A_PLACE, prefix_of, steps_of
from games.pages.parts.players import Player, WithSpace, players_of
from games.rules import (
    AddPenalty,
    EnterConditions,
    Key,
    NameTeam,
    Phase,
    Place,
    RecordTally,
    RecordTrick,
    RowKey,
    Setup,
    VoidRound,
    kind_of,
)
from games.rules.actions import Action
from games.rules.replay import Step
from games.texts import words
from games.texts.entries import describe_step


@dataclass(frozen=True)
class SpaceChoice(WithSpace):
    """A space that can be chosen.  `label`: how it is read out."""

    space: str
    label: str
    player: Player | None


SpaceRow = tuple[str, str, list[tuple[SpaceChoice, bool]]]
"""A row of the board: its key, its name, its spaces, each with whether it is chosen."""

SeatChoice = tuple[Player, bool]
"""A player, with whether they are chosen."""


@dataclass(frozen=True)
class TrickField:
    """A trick that may be inserted; `prefix` starts the names of its fields."""

    prefix: str
    winners: list[SeatChoice]
    captured: str


@dataclass(frozen=True)
class EntryForm:
    """An entry to be edited.  `prefix` starts the names of its fields; `kind` says which there are.

    `is_open`: it was asked for, or something was typed into it; `group`: the heading above it, where it is the first.

    `spaces`: of a marker, those that can be covered; of a settled board, those that can stay open.  `figures`: the
    tricks and captured cards of each player in a tally.  `inserted`, `inserted_tricks`: what may be missing after it;
    `inserts_now`: that was asked for, or something is chosen.
    """

    prefix: str
    number: int
    kind: str
    text: str
    who: str
    is_deleted: bool
    is_open: bool
    inserts_now: bool
    group: str
    inserted_tricks: list[TrickField]
    spaces: list[SpaceRow] = field(default_factory=list)
    partners: list[SeatChoice] = field(default_factory=list)
    seats: list[SeatChoice] = field(default_factory=list)
    captured: str = ""
    figures: list[tuple[Player, str, str]] = field(default_factory=list)
    way: str = ""
    points: str = ""
    reason: str = ""
    inserted: list[SpaceRow] = field(default_factory=list)


def entry_forms(
    ledger: Ledger, number: int, typed: Mapping[str, str], opened: Sequence[str], *, inserts: bool
) -> list[EntryForm]:
    """The entries of a round to be edited, with what was typed so far.

    `opened`: fields whose entries are unfolded; `inserts`: with what can be inserted after them.
    """
    steps = steps_of(ledger, number)
    tricks = _tricks_to_insert(ledger, number)
    unfolded = {name.partition("-")[0] for name in opened}
    groups = [_group(step.action) for step in steps]
    return [
        _entry_form(
            ledger,
            index + 1,
            step,
            typed,
            tricks.get(step.key, 0),
            is_open=prefix_of(step.key).removesuffix("-") in unfolded,
            inserts=inserts,
            group=groups[index] if groups[index] not in groups[index - 1 : index] else "",
        )
        for index, step in enumerate(steps)
    ]


def _group(action: Action) -> str:
    """The heading above entries of this kind."""
    match action:
        case Place() | EnterConditions():
            return _("Board")
        case NameTeam():
            return _("Teams")
        case RecordTrick() | RecordTally():
            return _("Tricks")
    return _("Other")


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


def _entry_form(
    ledger: Ledger,
    number: int,
    step: Step,
    typed: Mapping[str, str],
    tricks: int,
    *,
    is_open: bool,
    inserts: bool,
    group: str,
) -> EntryForm:
    setup, prefix = ledger.current_setup, prefix_of(step.key)
    players = players_of(setup)
    form = EntryForm(
        prefix=prefix,
        number=number,
        kind=kind_of(step.action),
        text=describe_step(step, setup),
        who="" if step.seat is None else setup.names[step.seat],
        is_deleted=f"{prefix}delete" in typed,
        is_open=is_open,
        inserts_now=(is_open and inserts)
        or any(text for name, text in typed.items() if name.startswith(f"{prefix}insert")),
        group=group,
        inserted_tricks=[_trick_field(f"{prefix}insert-{index}-", players, typed) for index in range(1, tricks + 1)],
    )
    return _filled(form, setup, step.action, typed)


def _filled(form: EntryForm, setup: Setup, action: Action, typed: Mapping[str, str]) -> EntryForm:
    """With the fields of a kind of action: what was typed into them, before that what the entry says."""
    prefix, players = form.prefix, players_of(setup)
    sent = f"{prefix}kind" in typed

    def value(name: str, stands: object) -> str:
        return typed.get(f"{prefix}{name}", "") if sent else str(stands)

    match action:
        case Place(row, space):
            return replace(
                form,
                spaces=_space_rows(setup, [value("space", f"{row}:{space}")]),
                inserted=_space_rows(setup, [typed.get(f"{prefix}insert", "")]),
            )
        case EnterConditions():
            left = [f"{row}:{value(row.value, space)}" for row, space in action.spaces.items()]
            return replace(form, spaces=_space_rows(setup, left))
        case NameTeam(partners, monster):
            chosen = [f"{prefix}partner-{seat}" in typed if sent else seat in partners for seat in range(len(players))]
            return replace(
                form,
                partners=list(zip(players, chosen, strict=True)),
                seats=_seat_choices(players, value("monster", "" if monster is None else monster)),
            )
        case RecordTrick(winner, captured):
            seats = _seat_choices(players, value("winner", winner))
            return replace(form, seats=seats, captured=value("captured", captured))
        case RecordTally(won, taken):
            figures = [
                (player, value(f"tricks-{seat}", won[seat]), value(f"captured-{seat}", taken[seat]))
                for seat, player in enumerate(players)
            ]
            return replace(form, figures=figures)
        case AddPenalty(seat, points, reason):
            seats = _seat_choices(players, value("seat", seat))
            return replace(
                form,
                seats=seats,
                way=value("way", TAKES if points < 0 else GIVES),
                points=value("points", abs(points)),
                reason=value("reason", reason),
            )
        case VoidRound(reason):
            return replace(form, reason=value("reason", reason))
    return form


def _trick_field(prefix: str, players: Sequence[Player], typed: Mapping[str, str]) -> TrickField:
    winners = _seat_choices(players, typed.get(f"{prefix}winner", ""))
    return TrickField(prefix, winners, typed.get(f"{prefix}captured", ""))


def _space_rows(setup: Setup, chosen: Sequence[str]) -> list[SpaceRow]:
    """The board, row by row.  `chosen`: spaces with their rows, “trump:red”."""
    ruleset, players = setup.ruleset, players_of(setup)
    return [
        (
            row.value,
            str(words.ROW_NAMES[row]),
            [
                (
                    SpaceChoice(
                        space,
                        words.covered(row, space, ruleset, setup.names),
                        players[int(space)] if row is RowKey.START else None,
                    ),
                    f"{row}:{space}" in chosen,
                )
                for space in ruleset.spaces(row)
            ],
        )
        for row in ruleset.rows
    ]


def _seat_choices(players: Sequence[Player], chosen: str) -> list[SeatChoice]:
    return [(player, str(player.seat) == chosen) for player in players]
