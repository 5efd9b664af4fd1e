"""Writing a record (`NOTATION.md`): the tags, then round by round what was done and what the rules make of it.

Must not know: how a text is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from games.formats.notation.lines import LISTED, item_of, space_item, tally_items, word_of
from games.formats.notation.record import DIGITAL, FORMAT, OPEN, Record, paper_to_text, result_of
from games.formats.notation.tokens import quoted
from games.rules.actions import Action, AddPenalty, Finish, Place, Play, RecordTally
from games.rules.full import State, advance, public_of
from games.rules.options import MOST_ROUNDS
from games.rules.public import PublicState
from games.rules.rounds import Round
from games.rules.ruleset import PRESETS, Ruleset
from games.rules.setup import Setup

WIDTH = 80
INDENT = 8
"""Columns: a list is wrapped at `WIDTH`; the items of a line begin after `INDENT`."""


def write(record: Record) -> str:
    """The canonical text of a record; `parse` gives the record again.

    Errors: the refusal of the first action that the rules do not allow (an `IllegalAction`; `MissingField` for a quick
    entry without a row).
    """
    state: State = PublicState.start(record.setup)
    body = _Body(record.setup)
    for action, seat in record.moves:
        before, state = public_of(state), advance(state, action, seat=seat)
        body.add(action, seat, before, public_of(state))
    blocks = [_tags(record, result_of(public_of(state))), *body.blocks()]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


# --- tags ---


def _tags(record: Record, result: str) -> list[str]:
    setup = record.setup
    known = {
        "Source": record.source,
        "Date": record.began,
        "Ended": record.ended,
        "Minutes": None if record.occasion.minutes is None else str(record.occasion.minutes),
        "Place": record.occasion.place or None,
        "Note": record.occasion.note or None,
        "Group": record.group,
    }
    options = {name: _option(value) for name, value in changed_options(setup.ruleset).items()}
    return [
        _tag("Format", FORMAT),
        *(_tag(name, value) for name, value in known.items() if value is not None),
        _tag("Preset", setup.ruleset.preset),
        *([_tag("Mode", DIGITAL)] if setup.digital else []),
        *([_tag("Hands", OPEN)] if setup.open_hands else []),
        *([] if setup.paper is None else [_tag("Paper", paper_to_text(setup.paper))]),
        *_named_tags("Option", options),
        *_named_tags("Player", {seat.token: seat.name for seat in setup.seats}),
        *_named_tags("Earlier", {f"{setup.seats[each.seat].token} {each.until}": each.name for each in setup.earlier}),
        _tag("Dealer", setup.seats[setup.dealer].token),
        _tag("Result", result),
    ]


def _tag(name: str, value: str) -> str:
    return f"[{name} {quoted(value)}]"


def _named_tags(name: str, values: dict[str, str]) -> list[str]:
    width = max(map(len, values), default=0)
    return [f"[{name} {key:<{width}} {quoted(value)}]" for key, value in values.items()]


def changed_options(ruleset: Ruleset) -> dict[str, object]:
    """The options that are not as the preset has them, with their values in JSON."""
    preset = PRESETS[ruleset.preset]
    rounds = preset.rounds[ruleset.players] if ruleset.options.target is None else MOST_ROUNDS
    usual: dict[str, object] = {**preset.defaults, "rounds": rounds}
    return {name: value for name, value in ruleset.options.to_json().items() if value != usual[name]}


def _option(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


# --- rounds ---


class _Body:
    """The lines after the tags, in blocks with a blank line between them, gathered action by action."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._blocks: list[list[str]] = [[]]
        self._heading_due = True
        self._word = ""
        self._items: list[str] = []

    def add(self, action: Action, seat: int | None, before: PublicState, after: PublicState) -> None:
        """One more action, who acted, and the states before and after it."""
        current = before.current
        assert current is not None, "an action was applied, so there was a round"
        if self._heading_due and not isinstance(action, AddPenalty | Finish):
            self._begin(current)
        done = len(after.finished) > len(before.finished)
        if not (done and isinstance(action, RecordTally)):
            self._add(action, seat, before)
        if isinstance(action, Place) and after.current is not None and after.phase is not before.phase:
            self._flush()
            self._write("open", _listed(self._open_items(after.current)))
        if done:
            self._score(action, after)
        # A round that is scored or void is followed by a fresh one.
        self._heading_due = self._heading_due or done or word_of(action) == "void"

    def blocks(self) -> list[list[str]]:
        """The lines gathered, block by block."""
        self._flush()
        return self._blocks

    def _begin(self, current: Round) -> None:
        self._flush()
        rounds, dealer = self._setup.ruleset.options.rounds, self._setup.seats[current.dealer].token
        self._blocks.append([f"== Round {current.number} of {rounds}, {dealer} deals =="])
        self._heading_due = False

    def _add(self, action: Action, seat: int | None, before: PublicState) -> None:
        due = before.acting_seats
        who = due[0] if seat is None and len(due) == 1 else seat
        word, item = word_of(action), item_of(action, self._setup, seat=who)
        # The cards of one trick stand on one line.
        full = isinstance(action, Play) and len(self._items) == before.players
        if word != self._word or word not in LISTED or full:
            self._flush()
        self._word = word
        self._items.append(item)

    def _flush(self) -> None:
        if self._word:
            # Only reasons are quoted, and a text in quotation marks stays on its line.
            whole = ", ".join(self._items)
            self._write(self._word, [whole] if '"' in whole else _AFTER_COMMAS.split(whole))
        self._word, self._items = "", []

    def _write(self, word: str, pieces: Sequence[str]) -> None:
        self._blocks[-1] += wrapped(word, pieces)

    def _open_items(self, current: Round) -> list[str]:
        left = ((row.key, row.settled_space) for row in current.board.rows)
        return [space_item(row, space, self._setup) for row, space in left if space is not None]

    def _score(self, action: Action, after: PublicState) -> None:
        self._flush()
        done = after.finished[-1]
        lines = {"score": self._figures(done.score.points), "total": self._figures(after.totals)}
        if done.score.raw != done.score.points:
            lines = {"raw": self._figures(done.score.raw), **lines}
        if isinstance(action, RecordTally):
            lines = {"tally": tally_items(action, self._setup), **lines}
        for word, items in zip(lines, aligned(lines.values()), strict=True):
            self._write(word, _listed(items))

    def _figures(self, figures: Sequence[int]) -> list[str]:
        return [f"{seat.token} {figure}" for seat, figure in zip(self._setup.seats, figures, strict=True)]


def aligned(lines: Iterable[Sequence[str]]) -> list[list[str]]:
    """The same items, with blanks before them so that they stand in columns."""
    rows = [list(line) for line in lines]
    # The comma after an item belongs to its width, the blank after that to the joint.
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = []
    for row in rows:
        lacking = [0, *(width - len(item) for width, item in zip(widths, row, strict=True))]
        padded.append([" " * lack + item for lack, item in zip(lacking, row, strict=False)])
    return padded


def wrapped(word: str, pieces: Sequence[str]) -> list[str]:
    """A line, or several of at most `WIDTH` columns: broken between the pieces, the rest indented."""
    lines: list[str] = []
    line = f"{word:<{INDENT}}"
    for piece in pieces:
        if len(line) > INDENT and len(line) + 1 + len(piece) > WIDTH:
            lines.append(line)
            line = " " * INDENT
        line += piece.lstrip() if len(line) == INDENT else f" {piece}"
    return [*lines, line.rstrip()]


def _listed(items: Sequence[str]) -> list[str]:
    """Items with a comma after each but the last."""
    return [*(f"{item}," for item in items[:-1]), *items[-1:]]


_AFTER_COMMAS = re.compile("(?<=[,;]) ")
