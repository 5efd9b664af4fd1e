"""A game's log, folded: the entries, the set-up, the states, and what each reader may see of them (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from games.log import times
from games.rules import (
    Deal,
    FinishedRound,
    LockEntry,
    PublicState,
    Setup,
    UndoEntry,
)
from games.rules import Key as ActionKey
from games.rules.confirmations import (
    PendingCorrection,
    changed_rounds,
    confirmations,
    is_confirmed,
    pending_correction,
)
from games.rules.entries import setup_from_json
from games.rules.occasion import Occasion
from games.rules.redaction import PlayerView, read_by, redact_entry, shows_more, view_for
from games.rules.replay import (
    Addition,
    Effective,
    Entry,
    HolderEntry,
    OccasionEntry,
    Replay,
    SeatEntry,
    SetupEntry,
    Step,
    effective,
    fold,
    play_on,
    refold,
)
from games.rules.text import skeleton


@dataclass(frozen=True)
class Ledger:
    """The log of a game and its fold.

    `setup` is the set-up at the beginning, `written` its document; `current_setup` has every correction.  `view`: what
    the reader of a redacted ledger sees of a digital game.  `copied`: the last entry that is that of another game, 0 if
    there is none.  A redacted ledger has no field with a card hidden from its
    reader.

    A value but for two caches of what methods return: `_redacted` of `seen_by` and `played_by`, by seat, and by the
    seat whose hand is shown; `_renamed` of `with_names`, by the names.
    """

    game_id: str
    version: int
    written: Mapping[str, Any] = field(hash=False)
    setup: Setup
    entries: tuple[Entry, ...]
    counting: Effective
    replay: Replay
    locked: bool
    view: PlayerView | None = None
    copied: int = 0
    _redacted: dict[tuple[int | None, int | None], Ledger] = field(default_factory=dict, compare=False, repr=False)
    _renamed: dict[frozenset[tuple[str, str]], Ledger] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(
        cls, game_id: str, written: Mapping[str, Any], setup: Setup, entries: Sequence[Entry], copied: int = 0
    ) -> Ledger:
        """Fold a log from its first entry.  `setup`: what `written` is the document of."""
        counting = effective(setup, entries)
        return cls(
            game_id=game_id,
            version=len(entries),
            written=written,
            setup=setup,
            entries=tuple(entries),
            counting=counting,
            replay=fold(counting.setup, counting.actions),
            locked=any(isinstance(entry, LockEntry) for entry in entries),
            copied=copied,
        )

    @property
    def digital(self) -> bool:
        """Whether the app deals and sees the cards."""
        return self.setup.digital

    @property
    def bots(self) -> tuple[str | None, ...]:
        """The level of each seat's bot, None for a player."""
        return self.counting.bots

    @property
    def people(self) -> frozenset[int]:
        """The seats that no bot plays."""
        return frozenset(seat for seat, bot in enumerate(self.bots) if bot is None)

    @property
    def first_bots(self) -> tuple[str | None, ...]:
        """The same at the beginning; a bot that came later replaces a player."""
        bots: list[str | None] = [None] * self.state.players
        for entry in self.entries:
            if not isinstance(entry, SeatEntry):
                break
            bots[entry.seat] = entry.bot
        return tuple(bots)

    def stands_in(self, seat: int) -> bool:
        """Whether a seat's bot has replaced its player in this round: they could still return."""
        if self.bots[seat] is None or self.first_bots[seat] is not None:
            return False
        return self.dealt_at <= max(
            entry.seq for entry in self.entries if isinstance(entry, SeatEntry) and entry.seat == seat
        )

    @cached_property
    def holder_changes(self) -> tuple[SeatEntry | HolderEntry, ...]:
        """The entries since the opening that gave a hand another reader: a phone, or a bot that came or left.

        Another level of a bot is no such change.
        """
        changes: list[SeatEntry | HolderEntry] = []
        bots = list(self.first_bots)
        for entry in self.entries:
            if isinstance(entry, HolderEntry):
                changes.append(entry)
            elif isinstance(entry, SeatEntry):
                if (entry.bot is None) != (bots[entry.seat] is None):
                    changes.append(entry)
                bots[entry.seat] = entry.bot
        return tuple(changes)

    @property
    def state(self) -> PublicState:
        """The present state."""
        return self.replay.state

    @property
    def current_setup(self) -> Setup:
        """The set-up with every correction."""
        return self.counting.setup

    @property
    def occasion(self) -> Occasion:
        """What was stated last of when and where the game was played."""
        stated = (entry.occasion for entry in reversed(self.entries) if isinstance(entry, OccasionEntry))
        return next(stated, Occasion())

    @property
    def began(self) -> datetime | None:
        """When the game began, if that was stated."""
        began = self.occasion.began
        return None if began is None else times.from_json("began", began)

    @property
    def dealt_at(self) -> int:
        """The entry of the latest deal, 0 if nothing was dealt."""
        deals = (step.key.seq for step in reversed(self.replay.applied) if isinstance(step.action, Deal))
        return next(deals, 0)

    @cached_property
    def rounds_at(self) -> dict[ActionKey, int]:
        """The round that each effective action belongs to."""
        return {step.key: step.round_number for step in self.replay.applied}

    @cached_property
    def pending(self) -> PendingCorrection | None:
        """The correction that waits for the confirmation of both teams."""
        return None if self.locked else pending_correction(self.counting, self.replay, seq=self.version + 1)

    def confirmable(self, about: int | None) -> tuple[FinishedRound, ...]:
        """The complete rounds, or those that the correction `about` would change, as corrected."""
        if about is None:
            return self.state.finished
        return self.pending.rounds if self.pending is not None and self.pending.entry.seq == about else ()

    def teams_confirming(self, done: FinishedRound, about: int | None) -> list[tuple[int, ...]]:
        """The teams that have confirmed a round, or as corrected by `about`."""
        confirms = [each for each in self.counting.confirms if about is None or each.about == about]
        return [each.team for each in confirmations(done, confirms)]

    @property
    def withdrawable(self) -> tuple[int, ...]:
        """The entries that can be withdrawn: the correction that waits, and what one of the two teams has confirmed."""
        correction = self.counting.correction
        if self.locked:
            return ()
        pending = () if self.pending is None else self.pending.rounds
        by_round = [
            *(confirmations(done, self.counting.confirms) for done in self.state.finished),
            *(confirmations(done, self.pending.confirms) for done in pending if self.pending is not None),
        ]
        alone = (confirms[0].seq for confirms in by_round if len(confirms) == 1)
        return (*alone, *(() if correction is None else (correction.seq,)))

    def confirmed_rounds_changed_by(self, after: PublicState) -> tuple[int, ...]:
        """The numbers of the rounds that both teams have confirmed and that this state has differently, or not.

        A name that moves to another seat gives its player the points of another one in every round.
        """
        confirms = self.counting.confirms
        if after.setup != self.current_setup and self._moves_a_name(after.setup):
            return tuple(done.number for done in self.state.finished if is_confirmed(done, confirms))
        return changed_rounds(self.state, after, confirms)

    def _moves_a_name(self, after: Setup) -> bool:
        """Whether a seat gets a name that another seat has or had, as in an exchange of two names by a third one."""
        setups = [self.setup, *(entry.setup for entry in self.entries if isinstance(entry, SetupEntry))]
        had = {(seat, skeleton(name)) for setup in setups for seat, name in enumerate(setup.names)}
        pairs = enumerate(zip(self.current_setup.names, after.names, strict=True))
        given = [(seat, skeleton(name)) for seat, (before, name) in pairs if name != before]
        return any(seat != other and name == key for seat, name in given for other, key in had)

    @property
    def undoable(self) -> tuple[int, ...]:
        """The entries that can be undone, oldest first: none that was copied."""
        return tuple(seq for seq in self.counting.undoable if seq > self.copied)

    @property
    def last_undoable(self) -> int | None:
        """The entry that undo would undo."""
        return self.undoable[-1] if self.undoable and not self.locked else None

    def entry(self, seq: int) -> Entry:
        """One entry.  Entries are numbered from 1 on, without gaps."""
        return self.entries[seq - 1]

    def step(self, key: ActionKey) -> Step | None:
        """The applied action with this key, None if it does not count (any more)."""
        return self._steps.get(key)

    @cached_property
    def _steps(self) -> dict[ActionKey, Step]:
        return {step.key: step for step in self.replay.applied}

    def with_entries(self, added: Sequence[Entry]) -> Ledger:
        """The ledger with more entries at its end.  Actions that they do not change are not folded again."""
        entries = (*self.entries, *added)
        if self.replay.error is not None:
            return ledger_of(self.game_id, self.written, entries, self.copied)
        additions = [entry for entry in added if isinstance(entry, Addition)]
        if len(additions) == len(added):
            return self._with_additions(entries, additions)
        undo = added[0] if len(added) == 1 else None
        counting = self.counting.undone(undo) if isinstance(undo, UndoEntry) else None
        if counting is None:
            counting = effective(self.setup, entries)
        return replace(
            self,
            version=len(entries),
            entries=entries,
            counting=counting,
            replay=self._replayed(counting),
            locked=self.locked or any(isinstance(entry, LockEntry) for entry in added),
            _redacted={},
            _renamed={},
        )

    def _replayed(self, counting: Effective) -> Replay:
        """The fold of other effective actions, from the first one that differs."""
        if counting.setup != self.current_setup:
            return fold(counting.setup, counting.actions)
        before, now = self.counting.actions, counting.actions
        if before[: len(now)] == now:
            return refold(self.replay, len(now), ())
        pairs = enumerate(zip(before, now, strict=False))
        kept = next((place for place, (old, new) in pairs if old != new), len(before))
        return refold(self.replay, kept, now[kept:])

    def _with_additions(self, entries: tuple[Entry, ...], added: Sequence[Addition]) -> Ledger:
        # The usual case, a new action at the end, is one more step of the fold.
        counting = self.counting.with_entries(added)
        keyed = counting.actions[len(self.counting.actions) :]
        grown = replace(
            self,
            version=len(entries),
            entries=entries,
            counting=counting,
            replay=play_on(self.replay.full or self.replay.state, self.replay.applied, keyed),
            _redacted={},
            _renamed={},
        )
        if grown.replay.error is not None:
            raise grown.replay.error
        # None of these entries has a name.
        grown._renamed.update({names: renamed.with_entries(added) for names, renamed in list(self._renamed.items())})
        if not grown.state.is_over and not shows_more(self.setup, added):
            # The readers so far will read on.
            for (viewer, hand), seen in list(self._redacted.items()):
                seen = seen.with_entries([redact_entry(entry, hand) for entry in added])
                grown._redacted[viewer, hand] = replace(seen, view=grown._view(viewer, hand))
        return grown

    # --- who may read what ---

    def with_names(self, called: Callable[[str], str]) -> Ledger:
        """A whole ledger as if the players had had other names.  `called`: the name of each."""
        setups = [self.setup, *(entry.setup for entry in self.entries if isinstance(entry, SetupEntry))]
        had = {name for setup in setups for name in (*setup.names, *(stint.name for stint in setup.earlier))}
        names = {name: other for name in had if (other := called(name)) != name}
        if not names:
            return self
        key = frozenset(names.items())
        if key not in self._renamed:
            entries = [
                replace(entry, setup=entry.setup.with_names(names)) if isinstance(entry, SetupEntry) else entry
                for entry in self.entries
            ]
            renamed = Ledger.of(self.game_id, self.written, self.setup.with_names(names), entries, self.copied)
            self._renamed[key] = renamed
        return self._renamed[key]

    def seen_by(self, viewer: int | None) -> Ledger:
        """The ledger as the key of a seat may read it, or with None as everybody at the table may.

        While a bot plays for a seat, its key reads what everybody may.
        """
        plays = viewer is not None and self.bots[viewer] is None
        return self._seen(viewer, viewer if plays else None)

    def played_by(self, seat: int) -> Ledger:
        """The ledger as the player of a seat reads it, a person or a bot."""
        return self._seen(seat, seat)

    def view_before(self, step: Step) -> PlayerView | None:
        """What the seat that acted in a step saw then, as far as the reader of this ledger may know it."""
        return None if step.full is None or step.seat is None else view_for(step.full, step.seat)

    def _seen(self, viewer: int | None, hand: int | None) -> Ledger:
        """A fold of the entries with no hand but that of the seat `hand`."""
        if not self.digital:
            return self
        if (viewer, hand) not in self._redacted:
            entries = read_by(hand, self.setup, self.entries, over=self.state.is_over)
            seen = Ledger.of(self.game_id, self.written, self.setup, entries, self.copied)
            self._redacted[viewer, hand] = replace(seen, view=self._view(viewer, hand))
        return self._redacted[viewer, hand]

    def _view(self, viewer: int | None, hand: int | None) -> PlayerView:
        full = self.replay.full
        return PlayerView(viewer, self.state) if full is None else replace(view_for(full, hand), seat=viewer)


def ledger_of(game_id: str, written: Mapping[str, Any], entries: Sequence[Entry], copied: int = 0) -> Ledger:
    """Fold a log with the document of its set-up."""
    return Ledger.of(game_id, written, setup_from_json(written), entries, copied)
