"""Everything that changes something: one function each, keyword-only, one transaction each.

Knows: what each change asks of a log before it is written.  Must not know: HTTP, forms, sentences.  The rules decide;
nothing is decided here that a log could not be asked.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from games.club import totals
from games.database import write_queue
from games.errors import (
    AlreadyImported,
    BotsAreDigital,
    ConfirmedForGood,
    DealsNotOurs,
    FinishedForGood,
    LastScorekeeperKey,
    NotFinished,
    NotFound,
    TableOnlyOperation,
    UndoNotAllowed,
)
from games.formats.document import Imported
from games.keys import access
from games.live.hub import GONE, hub
from games.log import store
from games.log.store import Ledger
from games.models import TABLE_ROLES, Game, Group, GroupKey, Key, Mode, Role, Seat
from games.rules import (
    RULES_VERSION,
    ActionEntry,
    AmendEntry,
    LockEntry,
    PublicState,
    Setup,
    SetupEntry,
    UndoEntry,
    amended,
    fold,
)
from games.rules.actions import Action
from games.rules.entries import payload_of, setup_to_json
from games.rules.errors import NotYourTurn
from games.rules.replay import Change, Entry, Replay, conflict
from games.services import digital, write
from games.services.write import LONGEST_REQUEST_ID as LONGEST_REQUEST_ID
from games.services.write import Outcome, Request, results_of, seat_results


@dataclass(frozen=True)
class Created:
    """A new game.  `secrets`: a program's keys by role, shown this once; `creator`: a browser's key.

    In a digital game also `seat_secrets`, a program's keys by seat, or `seats`, the keys of the seats that are played
    on the browser that opened it.  `ledger` is what everybody may see.  `repeated`: the game was there already;
    `creator` is then None if the key was taken back.
    """

    game: Game
    ledger: Ledger
    secrets: Mapping[str, str]
    creator: Key | None
    repeated: bool = False
    seat_secrets: Mapping[int, str] = field(default_factory=dict)
    seats: Sequence[Key] = ()


def create_game(
    *,
    setup: Setup,
    bots: Sequence[str | None] = (),
    own_seats: Sequence[int] = (0,),
    deals_of: Game | None = None,
    creator_label: str | None = "",
    rematch_of: Game | None = None,
    once: str | None = None,
    group_id: str | None = None,
    through: GroupKey | None = None,
) -> Created:
    """Open a table, in a group if one is given; `through` is the key of the group that the browser bears.

    A digital game is dealt at once.  `bots`: a level for each seat that a bot plays; `own_seats`: the seats played on
    the browser that opens it; `deals_of`: the game whose deals are played once more.

    `creator_label` names the browser that opens it and becomes a scorekeeper; None: a program, which gets a key for
    each role.  `once` names the browser and its form: the same set-up sent by it again, even at once, is the same game.

    Errors: `BotsAreDigital`; `NotFound` if the group is gone.
    """
    if any(bots) and not setup.digital:
        raise BotsAreDigital()
    levels = [*bots, *[None] * (setup.ruleset.players - len(bots))]
    people = [seat for seat, level in enumerate(levels) if level is None]

    def create(creation_id: str | None) -> Created:
        with write_queue.in_turn():
            if rematch_of is not None:
                # A game before a group, as every writer does: the new row would otherwise ask for it afterwards.
                Game.objects.select_for_update().filter(pk=rematch_of.pk).first()
            game, ledger = _new_game(
                setup,
                levels,
                rematch_of=rematch_of,
                deals_of=deals_of,
                creation_id=creation_id,
                group_id=group_id,
                through=through,
            )
            made = _with_keys(game, ledger, creator_label, through)
            if not setup.digital:
                return made
            made = replace(made, ledger=digital.open_table(game, ledger, bots=levels).seen_by(None))
            if creator_label is None:
                return replace(made, seat_secrets=_seat_secrets(game, people, through))
            return replace(made, seats=_own_seats(game, people, own_seats, through))

    what = [setup_to_json(setup), group_id]
    return _once(once, [*what, levels, list(own_seats)] if setup.digital else what, create)


def _seat_secrets(game: Game, people: Sequence[int], through: GroupKey | None) -> dict[int, str]:
    return {seat: access.issue_seat_key(game=game, seat=seat, label="", through=through)[0] for seat in people}


def _own_seats(game: Game, people: Sequence[int], own: Sequence[int], through: GroupKey | None) -> list[Key]:
    return [
        access.issue_browser_seat_key(game=game, seat=seat, label="", through=through)
        for seat in sorted(set(own))
        if seat in people
    ]


def _once(once: str | None, what: object, create: Callable[[str | None], Created]) -> Created:
    """What is created, or was by the same browser and form, of which `what` has to be the same too."""
    if once is None:
        return create(None)
    creation_id = access.creation_id(once, json.dumps(what, sort_keys=True))
    try:
        return _created_before(creation_id) or create(creation_id)
    except (IntegrityError, AlreadyImported):
        # The other one was faster: the constraint on `creation_id`, or the lock of the group, made this one wait and
        # then refused it.
        created = _created_before(creation_id)
        if created is None:
            raise
        return created


def _created_before(creation_id: str) -> Created | None:
    game = Game.objects.filter(creation_id=creation_id).first()
    if game is None:
        return None
    creator = access.creator_of(game)
    return Created(
        game,
        store.seen(game, None),
        {},
        creator,
        repeated=True,
        seats=() if creator is None else access.first_seat_keys(game, creator),
    )


def _new_game(
    setup: Setup, bots: Sequence[str | None], *, group_id: str | None, through: GroupKey | None, **values: Any
) -> tuple[Game, Ledger]:
    group = _group(group_id, through)
    game = Game.objects.create(
        mode=Mode.DIGITAL if setup.digital else Mode.TABLE,
        preset=setup.ruleset.preset,
        players=setup.ruleset.players,
        setup=setup_to_json(setup),
        rules_version=RULES_VERSION,
        group=group,
        **values,
    )
    ledger = store.read(game)
    # The entries that seat the bots come with the first deal.
    results = [{**result, "bot": bot or ""} for result, bot in zip(seat_results(ledger), bots, strict=True)]
    Seat.objects.bulk_create(Seat(game=game, number=number, **result) for number, result in enumerate(results))
    if group is not None:
        totals.seat_players(group, list(Seat.objects.filter(game=game).order_by("number")))
    return game, ledger


def _group(group_id: str | None, through: GroupKey | None = None) -> Group | None:
    if group_id is None:
        return None
    group = totals.locked(group_id)
    if group is None:
        raise NotFound()
    if through is not None:
        access.demand_valid(through)
    return group


def _with_keys(game: Game, ledger: Ledger, creator_label: str | None, through: GroupKey | None = None) -> Created:
    if creator_label is None:
        shown = {
            role.value: access.issue_key(game=game, role=role, label=f"API {role}", through=through)[0]
            for role in TABLE_ROLES
        }
        return Created(game, ledger, shown, None)
    creator = access.issue_browser_key(game=game, role=Role.SCOREKEEPER, label=creator_label, through=through)
    return Created(game, ledger, {}, creator)


def record_action(*, game_id: str, actor: Key, action: Action, request: Request, seat: int | None = None) -> Outcome:
    """Write down an action.  `seat`: who acts, if the sender says so; in a digital game it is the actor's own.

    Errors: `StaleVersion`, `RequestIdReused`, `GameLocked`, and the refusals of the rules; those of `digital.record`.
    """
    if actor.game.mode == Mode.DIGITAL:
        return digital.record(game_id=game_id, actor=actor, action=action, request=request)

    def decide(ledger: Ledger) -> list[Entry]:
        if seat is not None and ledger.state.acting_seats and seat not in ledger.state.acting_seats:
            raise NotYourTurn(seat=seat, acting=list(ledger.state.acting_seats))
        ledger.state.apply(action, seat=seat)
        return [ActionEntry(ledger.version + 1, action)]

    return write.write("record", game_id=game_id, actor=actor, request=request, decide=decide)


def undo(*, game_id: str, actor: Key, request: Request, to_seq: int | None = None) -> Outcome:
    """Take back the latest effective entry, or every one after `to_seq`, the latest first.

    In a digital game that is put to the others.
    Errors: `UndoNotAllowed` if nothing is left to take back, `ConfirmedForGood` if the game is locked, `StaleVersion`,
    `RequestIdReused`; those of `digital.propose`.
    """
    if actor.game.mode == Mode.DIGITAL:
        return digital.propose(game_id=game_id, actor=actor, kind="takeback", to_seq=to_seq, request=request)

    def decide(ledger: Ledger) -> list[Entry]:
        undoable = ledger.counting.undoable
        taken = undoable[-1:] if to_seq is None else tuple(seq for seq in undoable if seq > to_seq)
        if not taken:
            raise UndoNotAllowed()
        first = ledger.version + 1
        return [UndoEntry(first + place, undoes=seq) for place, seq in enumerate(reversed(taken))]

    return write.write(
        "undo", game_id=game_id, actor=actor, request=request, decide=decide, when_locked=ConfirmedForGood
    )


def amend(*, game_id: str, actor: Key, request: Request, changes: Sequence[Change]) -> Outcome:
    """Correct earlier actions in one step.

    Errors: `AmendmentConflicts`, `UnknownEntry`, the refusal of a corrected action; `StaleVersion`, `GameLocked`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        _amended(ledger, changes)
        return [AmendEntry(ledger.version + 1, tuple(changes))]

    return write.write("amend", game_id=game_id, actor=actor, request=request, decide=decide)


def correct_setup(
    *,
    game_id: str,
    actor: Key,
    request: Request,
    names: Sequence[str] | None = None,
    tokens: Sequence[str] | None = None,
    dealer: int | None = None,
    rounds: int | None = None,
) -> Outcome:
    """Put names, tokens, the first dealer or the number of rounds right.

    Errors: every `IllegalSetup`; `AmendmentConflicts` if an entry would become impossible.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        setup = ledger.current_setup.corrected(names=names, tokens=tokens, dealer=dealer, rounds=rounds)
        _refolded(ledger, setup)
        return [SetupEntry(ledger.version + 1, setup)]

    return write.write("correct_setup", game_id=game_id, actor=actor, request=request, decide=decide)


def lock(*, game_id: str, actor: Key, request: Request) -> Outcome:
    """Confirm the result: from now on nothing is changed.

    Errors: `NotFinished`, `GameLocked`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        _demand_finished(ledger)
        return [LockEntry(ledger.version + 1)]

    return write.write("lock", game_id=game_id, actor=actor, request=request, decide=decide)


def reopen(*, game_id: str, actor: Key, request: Request) -> Outcome:
    """Take back the entry that finished the game, and what was entered after it.

    Errors: `NotFinished`, `ConfirmedForGood` if the game is locked.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        _demand_finished(ledger)
        if ledger.digital:
            raise FinishedForGood()
        entries: list[Entry] = []
        while ledger.state.current is None:
            entry = UndoEntry(ledger.version + 1, undoes=ledger.counting.undoable[-1])
            entries.append(entry)
            ledger = ledger.with_entries([entry])
        return entries

    return write.write(
        "reopen", game_id=game_id, actor=actor, request=request, decide=decide, when_locked=ConfirmedForGood
    )


def rematch(
    *,
    game: Game,
    ledger: Ledger,
    creator_label: str | None,
    once: str | None = None,
    through: GroupKey | None = None,
    same_deals: bool = False,
    own_seats: Sequence[int] = (),
) -> Created:
    """Open the next game of the same table, in the same group, with the deal moved on.

    In digital play bots sit where they sat; `same_deals`: the same deals are played once more, with the same dealer.
    `once`, `through`, `own_seats`: as for `create_game`.

    Errors: `NotFinished`; `DealsNotOurs` for the deals of a game that was taken in.
    """
    _demand_finished(ledger)
    again = same_deals and ledger.digital
    if again and game.source is not None:
        raise DealsNotOurs()
    next_setup = ledger.current_setup.rematch(rounds_played=len(ledger.state.finished))
    return create_game(
        setup=ledger.current_setup if again else next_setup,
        # Whoever left a bot in his place is a player of the next game again.
        bots=ledger.first_bots if ledger.digital else (),
        own_seats=own_seats,
        deals_of=game if again else None,
        creator_label=creator_label,
        rematch_of=game,
        once=once,
        group_id=game.group_id,
        through=through,
    )


def import_game(
    *,
    imported: Imported,
    creator_label: str | None,
    once: str | None = None,
    group_id: str | None = None,
    through: GroupKey | None = None,
) -> Created:
    """Store a finished game that was read from a document: the same log, and so the same results.

    `creator_label`, `once`, `through`: as for `create_game`.
    Errors: `NotFound` if the group is gone, `AlreadyImported` if it has the game.
    """

    def create(creation_id: str | None) -> Created:
        with write_queue.in_turn():
            group = _group(group_id, through)
            _demand_new(group, imported)
            return _restored(imported, group, creation_id, creator_label, through)

    entries = [payload_of(new.entry) for new in imported.entries]
    return _once(once, [imported.ledger.written, entries, imported.source, group_id], create)


def _demand_new(group: Group | None, imported: Imported) -> None:
    """Refuse what the group has: the game itself, or one that was taken in from a document of it."""
    written_of = imported.source.get("id")
    if group is not None and written_of is not None:
        known = Game.objects.filter(Q(pk=written_of) | Q(source__id=written_of), group=group)
        if known.exists():
            raise AlreadyImported()


def _restored(
    imported: Imported, group: Group | None, creation_id: str | None, label: str | None, through: GroupKey | None
) -> Created:
    ledger = imported.ledger
    game = Game.objects.create(
        mode=Mode.DIGITAL if ledger.digital else Mode.TABLE,
        preset=ledger.setup.ruleset.preset,
        players=ledger.setup.ruleset.players,
        setup=dict(ledger.written),
        rules_version=RULES_VERSION,
        version=ledger.version,
        created_at=imported.began,
        finished_at=imported.ended,
        locked_at=imported.locked_at,
        group=group,
        source=imported.source,
        creation_id=creation_id,
        **results_of(ledger),
    )
    store.restore(game, imported.entries)
    seats = [Seat(game=game, number=number, **result) for number, result in enumerate(seat_results(ledger))]
    Seat.objects.bulk_create(seats)
    if group is not None:
        totals.seat_players(group, list(Seat.objects.filter(game=game).order_by("number")))
    ledger = store.read(game)
    totals.update(game, ledger.replay)
    return _with_keys(game, ledger.seen_by(None), label, through)


def delete_game(*, game_id: str) -> None:
    """Delete a game with its log, keys and invitations, for good."""
    with write_queue.in_turn():
        # Who is just writing to the game comes first: his entry would otherwise be left without its game.
        game = Game.objects.select_for_update().filter(pk=game_id).first()
        if game is not None:
            totals.withdraw(game)
            game.delete()
        transaction.on_commit(lambda: store.forget(game_id))
        transaction.on_commit(lambda: hub.announce(game_id, GONE, over=True))


def revoke_key(*, game_id: str, key_id: int) -> None:
    """Take a key of a game back.

    Errors: `NotFound`, `LastScorekeeperKey`: nobody could ever change the game again.
    """
    with write_queue.in_turn():
        # Two scorekeepers who take each other's key back must take turns.
        Game.objects.select_for_update().filter(pk=game_id).first()
        valid = {key.pk: key for key in Key.objects.filter(game_id=game_id, revoked_at=None)}
        key = valid.pop(key_id, None)
        if key is None:
            raise NotFound()
        if key.may_record and not any(other.may_record for other in valid.values()):
            raise LastScorekeeperKey()
        access.revoke(key)
        transaction.on_commit(lambda: hub.revoked(game_id, [key_id]))


def drawn_dealer(ledger: Ledger) -> int:
    """A seat picked by chance to deal first."""
    return secrets.randbelow(ledger.state.players)


def entries_of_others(ledger: Ledger, actor: Key, seqs: Sequence[int]) -> dict[int, str]:
    """Those of the entries that another key wrote, with what that key is called."""
    written = store.actors(ledger.game_id, seqs)
    return {seq: key.label for seq, key in written.items() if key is not None and key.pk != actor.pk}


# --- what would be ---


@dataclass(frozen=True)
class StandingChange:
    """How a correction moves a player on the sheet."""

    seat: int
    total_before: int
    total_after: int
    rank_before: int
    rank_after: int


def preview_amend(*, ledger: Ledger, changes: Sequence[Change]) -> list[StandingChange]:
    """What a correction would change in the standings.

    Errors: those of `amend`.
    """
    return standing_changes(ledger.state, _amended(ledger, changes).state)


def preview_setup(
    *,
    ledger: Ledger,
    names: Sequence[str] | None = None,
    tokens: Sequence[str] | None = None,
    dealer: int | None = None,
    rounds: int | None = None,
) -> list[StandingChange]:
    """What another set-up would change in the standings.

    Errors: those of `correct_setup`.
    """
    setup = ledger.current_setup.corrected(names=names, tokens=tokens, dealer=dealer, rounds=rounds)
    return standing_changes(ledger.state, _refolded(ledger, setup).state)


def standing_changes(before: PublicState, after: PublicState) -> list[StandingChange]:
    """The seats whose total or rank differs."""
    figures = zip(before.totals, after.totals, before.ranks, after.ranks, strict=True)
    changes = [StandingChange(seat, *figure) for seat, figure in enumerate(figures)]
    return [
        change
        for change in changes
        if change.total_before != change.total_after or change.rank_before != change.rank_after
    ]


def _amended(ledger: Ledger, changes: Sequence[Change]) -> Replay:
    _demand_table(ledger)
    return amended(ledger.current_setup, ledger.counting.actions, seq=ledger.version + 1, changes=changes)


def _refolded(ledger: Ledger, setup: Setup) -> Replay:
    _demand_table(ledger)
    result = fold(setup, ledger.counting.actions)
    if result.error is not None and result.refused is not None:
        raise conflict(result.refused, result.error)
    return result


def _demand_table(ledger: Ledger) -> None:
    if ledger.digital:
        raise TableOnlyOperation()


def _demand_finished(ledger: Ledger) -> None:
    if ledger.state.current is not None:
        raise NotFinished()
