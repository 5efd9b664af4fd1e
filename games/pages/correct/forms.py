"""The forms of corrections: the entries of a round, and the set-up.

The fields of an entry start with its key: `e3.0-space` is the space of entry 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import ClassVar

from django.http import QueryDict
from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.pages.actions import action_of, place_of
from games.pages.forms import Form, NumberField, Refused, SeatsForm, TextField, optional_number, whole_number
from games.rules import (
    AddPenalty,
    DeleteAction,
    InsertAction,
    Key,
    NameTeam,
    NjetError,
    RecordTrick,
    ReplaceAction,
    kind_of,
)
from games.rules.actions import Action
from games.rules.errors import AmendmentConflicts, MissingField, WrongType
from games.rules.replay import Change, Step
from games.texts import refusals
from games.texts.entries import describe_step

MOST_TRICKS_AT_A_PLACE = 3
"""How many forgotten tricks can be inserted after one entry."""


def steps_of(ledger: Ledger, number: int) -> list[Step]:
    """The applied actions of a round, in order."""
    return [step for step in ledger.replay.applied if step.round_number == number]


def prefix_of(key: Key) -> str:
    """The start of the names of an entry's fields."""
    return f"e{key.seq}.{key.part}-"


def penalty_changes(ledger: Ledger, penalties: Sequence[AddPenalty]) -> list[Change]:
    """Penalties inserted after the last action, in a finished game before the one that ended it."""
    actions = ledger.counting.actions
    last = actions[-1].key if actions else Key(0)
    after = _key_before(ledger, last) if ledger.state.is_over else last
    return [InsertAction(after, penalty) for penalty in penalties]


def refusal_sentence(ledger: Ledger, error: NjetError) -> str:
    """Why a correction is refused; a later entry that would become impossible is named."""
    names = ledger.current_setup.names
    if isinstance(error, AmendmentConflicts):
        step = ledger.step(Key(int(str(error.params["seq"])), int(str(error.params["part"]))))
        if step is not None:
            return _("Entry {seq}, “{entry}”, would become impossible: {reason}").format(
                seq=step.key.seq,
                entry=describe_step(step, ledger.current_setup),
                reason=refusals.conflict_reason(error, names),
            )
    return refusals.error_sentence(error, names)


class LedgerForm(Form):
    """A form whose refusals name the later entry that would become impossible."""

    ledger: Ledger

    def sentence(self, refusal: NjetError) -> str:
        """A refusal in words."""
        return refusal_sentence(self.ledger, refusal)


class CorrectionForm(LedgerForm):
    """The entries of a round.  Of each entry, the fields of its action; `delete`; and what is inserted after it."""

    def __init__(self, data: QueryDict, ledger: Ledger, number: int) -> None:
        super().__init__(data)
        self.ledger = ledger
        self.steps = steps_of(ledger, number)
        self.changes: list[Change] = []
        prefixes = tuple(prefix_of(step.key) for step in self.steps)
        for name in data:
            if name.startswith(prefixes):
                self.fields[name] = TextField()

    def clean(self) -> None:
        """Read the changes: an unchanged field makes none."""
        after = _key_before(self.ledger, self.steps[0].key) if self.steps else Key(0)
        for step in self.steps:
            deleted = f"{prefix_of(step.key)}delete" in self.data
            # An insertion after a deleted entry follows the last entry that stays.
            after = after if deleted else step.key
            try:
                self.changes += [DeleteAction(step.key)] if deleted else self._replaced(step)
                self.changes += [InsertAction(after, action) for action in self._inserted(step)]
            except NjetError as refusal:
                self._refuse_at(prefix_of(step.key), refusal)

    def field_about(self, refusal: NjetError) -> str | None:
        """The first field of the entry that a refusal names."""
        if isinstance(refusal, AmendmentConflicts):
            key = Key(int(str(refusal.params["seq"])), int(str(refusal.params["part"])))
            return next((name for name in self.fields if name.startswith(prefix_of(key)) and "kind" not in name), None)
        return None

    @property
    def touched(self) -> list[str]:
        """The entries that are changed, and the fields that are refused."""
        refused = list(self.errors)
        keys = [change.after if isinstance(change, InsertAction) else change.key for change in self.changes]
        return [*map(prefix_of, keys), *refused]

    def _refuse_at(self, prefix: str, refusal: NjetError) -> None:
        """Show a refusal at the field that it names; of several figures, at the first that is no number."""
        named = f"{prefix}{refusal.params.get('field')}"
        fields = [name for name in self.fields if name == named or name.startswith(f"{named}-")]
        shown = [name for name in fields if not name.endswith("-kind")]
        field = next((name for name in shown if not _is_number(self.data[name])), shown[0] if shown else None)
        self.add_error(field, Refused(refusal, self.sentence(refusal)))

    def _fields(self, prefix: str) -> dict[str, str]:
        return {name.removeprefix(prefix): self.data[name] for name in self.fields if name.startswith(prefix)}

    def _replaced(self, step: Step) -> list[Change]:
        fields = self._fields(prefix_of(step.key))
        action = _action(step, fields, self.ledger.state.players) if "kind" in fields else step.action
        return [] if action == step.action else [ReplaceAction(step.key, action)]

    def _inserted(self, step: Step) -> list[Action]:
        """The forgotten marker or tricks after an entry."""
        marker = self.data.get(f"{prefix_of(step.key)}insert", "")
        actions: list[Action] = [place_of(marker)] if marker else []
        for index in range(1, MOST_TRICKS_AT_A_PLACE + 1):
            prefix = f"{prefix_of(step.key)}insert-{index}-"
            try:
                actions += _forgotten_trick(self._fields(prefix))
            except NjetError as refusal:
                self._refuse_at(prefix, refusal)
        return actions


def _forgotten_trick(fields: Mapping[str, str]) -> list[Action]:
    winner, captured = (fields.get(name, "").strip() for name in ("winner", "captured"))
    if captured and not winner:
        raise MissingField(action="trick", field="winner")
    if not winner:
        return []
    return [RecordTrick(whole_number("winner", winner), optional_number("captured", captured) or 0)]


def _is_number(text: str) -> bool:
    with suppress(WrongType):
        optional_number("", text)
        return True
    return False


def _action(step: Step, fields: dict[str, str], players: int) -> Action:
    """The corrected action of an entry.

    Errors: `Malformed` and its subclasses.
    """
    if isinstance(step.action, NameTeam):
        partners = tuple(seat for seat in range(players) if f"partner-{seat}" in fields)
        return NameTeam(partners, optional_number("monster", fields.get("monster")), step.action.start)
    kind = kind_of(step.action)
    if fields.get("kind") != kind:
        raise WrongType(field="kind", expected=kind)
    if isinstance(step.action, RecordTrick):
        fields = {**fields, "trick": f"{fields.get('winner', '')}:{fields.get('captured', '')}"}
    return action_of({**fields, "do": kind}, players=players)


def _key_before(ledger: Ledger, key: Key) -> Key:
    before = Key(0)
    for step in ledger.replay.applied:
        if step.key == key:
            return before
        before = step.key
    return before


class SetupForm(LedgerForm, SeatsForm):
    """The set-up of a game: names, tokens, the first dealer, the number of rounds.  `draw`: the dealer is drawn."""

    about: ClassVar = {"option_not_allowed": "rounds", "stint_impossible": "since"}

    dealer = NumberField("dealer", optional=True)
    rounds = NumberField("rounds", optional=True)
    since = NumberField("since", optional=True)

    def __init__(self, data: QueryDict | None, ledger: Ledger) -> None:
        setup = ledger.current_setup
        initial = {"dealer": str(setup.dealer), "rounds": str(setup.ruleset.options.rounds)}
        super().__init__(data, initial=initial)
        self.ledger = ledger
        self.add_seats(len(setup.seats), setup.names, [seat.token for seat in setup.seats])

    def sent(self, kind: str) -> list[str] | None:
        """The names or tokens, None if the form has none."""
        if f"{kind}-0" not in self.data:
            return None
        return [self.cleaned_data[f"{kind}-{seat}"] for seat in range(self.ledger.state.players)]
