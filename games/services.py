"""Everything that changes something: one function each, keyword-only, one transaction each.

Knows: the order of a write (repeated request, version, rules, log, copies of the result).  Must not know: HTTP, forms,
sentences.  The rules decide; nothing is decided here that a log could not be asked.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from games import access, books, log, turns
from games.errors import (
    AlreadyImported,
    BotsAreDigital,
    ConfirmedForGood,
    DigitalNotAvailable,
    GameLocked,
    LastScorekeeperKey,
    NotFinished,
    NotFound,
    RequestIdReused,
    StaleVersion,
    UndoNotAllowed,
)
from games.live.hub import GONE, hub
from games.log import Ledger
from games.models import Game, Group, GroupKey, Key, Mode, Role, Seat, Status
from games.records import Imported
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
from games.rules.errors import NotYourTurn, WrongType
from games.rules.replay import Change, Entry, Replay, conflict

logger = logging.getLogger(__name__)

LONGEST_REQUEST_ID = 64


@dataclass(frozen=True)
class Request:
    """What a client says about its own request: the version it saw, an id of its own, and what the id stands for."""

    version: int | None = None
    request_id: str | None = None
    body: Mapping[str, object] | None = None

    def fingerprint(self, operation: str) -> str:
        """A hash of what is asked for: the same id with another fingerprint is another request."""
        asked = json.dumps([operation, self.body], sort_keys=True, default=str)
        return hashlib.sha256(asked.encode()).hexdigest()


@dataclass(frozen=True)
class Outcome:
    """The answer to a write: `version` as the request left it, the present ledger, whether it was done before."""

    version: int
    ledger: Ledger
    repeated: bool = False


@dataclass(frozen=True)
class Created:
    """A new game.  `secrets`: a program's keys by role, shown this once; `creator`: a browser's key.

    `repeated`: the game was there already; `creator` is then None if the key was taken back.
    """

    game: Game
    ledger: Ledger
    secrets: Mapping[str, str]
    creator: Key | None
    repeated: bool = False


def create_game(
    *,
    setup: Setup,
    mode: str = Mode.TABLE,
    bots: bool = False,
    creator_label: str | None = "",
    rematch_of: Game | None = None,
    once: str | None = None,
    group_id: str | None = None,
    through: GroupKey | None = None,
) -> Created:
    """Open a table, in a group if one is given; `through` is the key of the group that the browser bears.

    `creator_label` names the browser that opens it and becomes a scorekeeper; None: a program, which gets a key for
    each role.  `once` names the browser and its form: the same set-up sent by it again, even at once, is the same game.

    Errors: `DigitalNotAvailable`, `BotsAreDigital`; `NotFound` if the group is gone.
    """
    if mode != Mode.TABLE:
        raise DigitalNotAvailable()
    if bots:
        raise BotsAreDigital()

    def create(creation_id: str | None) -> Created:
        with turns.in_turn():
            if rematch_of is not None:
                # A game before a group, as every writer does: the new row would otherwise ask for it afterwards.
                Game.objects.select_for_update().filter(pk=rematch_of.pk).first()
            game, ledger = _new_game(
                setup, mode, rematch_of=rematch_of, creation_id=creation_id, group_id=group_id, through=through
            )
            return _with_keys(game, ledger, creator_label, through)

    return _once(once, [log.setup_to_json(setup), group_id], create)


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
    return None if game is None else Created(game, log.read(game), {}, access.creator_of(game), repeated=True)


def _new_game(
    setup: Setup, mode: str, *, group_id: str | None, through: GroupKey | None, **values: Any
) -> tuple[Game, Ledger]:
    group = _group(group_id, through)
    game = Game.objects.create(
        mode=mode,
        preset=setup.ruleset.preset,
        players=setup.ruleset.players,
        setup=log.setup_to_json(setup),
        rules_version=RULES_VERSION,
        group=group,
        **values,
    )
    ledger = log.read(game)
    seats = [Seat(game=game, number=number, **result) for number, result in enumerate(seat_results(ledger))]
    Seat.objects.bulk_create(seats)
    if group is not None:
        books.seat_players(group, list(Seat.objects.filter(game=game).order_by("number")))
    return game, ledger


def _group(group_id: str | None, through: GroupKey | None = None) -> Group | None:
    if group_id is None:
        return None
    group = books.locked(group_id)
    if group is None:
        raise NotFound()
    if through is not None:
        access.demand_valid(through)
    return group


def _with_keys(game: Game, ledger: Ledger, creator_label: str | None, through: GroupKey | None = None) -> Created:
    if creator_label is None:
        shown = {
            role.value: access.issue_key(game=game, role=role, label=f"API {role}", through=through)[0] for role in Role
        }
        return Created(game, ledger, shown, None)
    creator = access.issue_browser_key(game=game, role=Role.SCOREKEEPER, label=creator_label, through=through)
    return Created(game, ledger, {}, creator)


def record_action(*, game_id: str, actor: Key, action: Action, request: Request, seat: int | None = None) -> Outcome:
    """Write down an action.  `seat`: who acts, if the sender says so.

    Errors: `StaleVersion`, `RequestIdReused`, `GameLocked`, and the refusals of the rules.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        if seat is not None and ledger.state.acting_seats and seat not in ledger.state.acting_seats:
            raise NotYourTurn(seat=seat, acting=list(ledger.state.acting_seats))
        ledger.state.apply(action, seat=seat)
        return [ActionEntry(ledger.version + 1, action)]

    return _write("record", game_id=game_id, actor=actor, request=request, decide=decide)


def undo(*, game_id: str, actor: Key, request: Request, to_seq: int | None = None) -> Outcome:
    """Take back the latest effective entry, or every one after `to_seq`, the latest first.

    Errors: `UndoNotAllowed` if nothing is left to take back, `ConfirmedForGood` if the game is locked, `StaleVersion`,
    `RequestIdReused`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        undoable = ledger.counting.undoable
        taken = undoable[-1:] if to_seq is None else tuple(seq for seq in undoable if seq > to_seq)
        if not taken:
            raise UndoNotAllowed()
        first = ledger.version + 1
        return [UndoEntry(first + place, undoes=seq) for place, seq in enumerate(reversed(taken))]

    return _write("undo", game_id=game_id, actor=actor, request=request, decide=decide, when_locked=ConfirmedForGood)


def amend(*, game_id: str, actor: Key, request: Request, changes: Sequence[Change]) -> Outcome:
    """Correct earlier actions in one step.

    Errors: `AmendmentConflicts`, `UnknownEntry`, the refusal of a corrected action; `StaleVersion`, `GameLocked`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        _amended(ledger, changes)
        return [AmendEntry(ledger.version + 1, tuple(changes))]

    return _write("amend", game_id=game_id, actor=actor, request=request, decide=decide)


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

    return _write("correct_setup", game_id=game_id, actor=actor, request=request, decide=decide)


def lock(*, game_id: str, actor: Key, request: Request) -> Outcome:
    """Confirm the result: from now on nothing is changed.

    Errors: `NotFinished`, `GameLocked`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        _demand_finished(ledger)
        return [LockEntry(ledger.version + 1)]

    return _write("lock", game_id=game_id, actor=actor, request=request, decide=decide)


def reopen(*, game_id: str, actor: Key, request: Request) -> Outcome:
    """Take back the entry that finished the game, and what was entered after it.

    Errors: `NotFinished`, `ConfirmedForGood` if the game is locked.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        _demand_finished(ledger)
        entries: list[Entry] = []
        while ledger.state.current is None:
            entry = UndoEntry(ledger.version + 1, undoes=ledger.counting.undoable[-1])
            entries.append(entry)
            ledger = ledger.with_entries([entry])
        return entries

    return _write("reopen", game_id=game_id, actor=actor, request=request, decide=decide, when_locked=ConfirmedForGood)


def rematch(
    *,
    game: Game,
    ledger: Ledger,
    creator_label: str | None,
    once: str | None = None,
    through: GroupKey | None = None,
) -> Created:
    """Open the next game of the same table, in the same group, with the deal moved on.

    `once`, `through`: as for `create_game`.

    Errors: `NotFinished`.
    """
    _demand_finished(ledger)
    setup = ledger.current_setup.rematch(rounds_played=len(ledger.state.finished))
    return create_game(
        setup=setup,
        mode=game.mode,
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
        with turns.in_turn():
            group = _group(group_id, through)
            _demand_new(group, imported)
            return _restored(imported, group, creation_id, creator_label, through)

    entries = [log.payload_of(new.entry) for new in imported.entries]
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
        mode=Mode.TABLE,
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
    log.restore(game, imported.entries)
    seats = [Seat(game=game, number=number, **result) for number, result in enumerate(seat_results(ledger))]
    Seat.objects.bulk_create(seats)
    if group is not None:
        books.seat_players(group, list(Seat.objects.filter(game=game).order_by("number")))
    ledger = log.read(game)
    books.settle(game, ledger.replay)
    return _with_keys(game, ledger, label, through)


def delete_game(*, game_id: str) -> None:
    """Delete a game with its log, keys and invitations, for good."""
    with turns.in_turn():
        # Who is just writing to the game comes first: his entry would otherwise be left without its game.
        game = Game.objects.select_for_update().filter(pk=game_id).first()
        if game is not None:
            books.withdraw(game)
            game.delete()
        transaction.on_commit(lambda: log.forget(game_id))
        transaction.on_commit(lambda: hub.announce(game_id, GONE, over=True))


def revoke_key(*, game_id: str, key_id: int) -> None:
    """Take a key of a game back.

    Errors: `NotFound`, `LastScorekeeperKey`: nobody could ever change the game again.
    """
    with turns.in_turn():
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
    written = log.actors(ledger.game_id, seqs)
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
    return amended(ledger.current_setup, ledger.counting.actions, seq=ledger.version + 1, changes=changes)


def _refolded(ledger: Ledger, setup: Setup) -> Replay:
    result = fold(setup, ledger.counting.actions)
    if result.error is not None and result.refused is not None:
        raise conflict(result.refused, result.error)
    return result


def _demand_finished(ledger: Ledger) -> None:
    if ledger.state.current is not None:
        raise NotFinished()


# --- the one way in which a log grows ---


def _write(
    operation: str,
    *,
    game_id: str,
    actor: Key,
    request: Request,
    decide: Callable[[Ledger], Sequence[Entry]],
    when_locked: type[GameLocked | UndoNotAllowed] = GameLocked,
) -> Outcome:
    """One transaction: repeated request, version, decision, log, copies.  A lost race is a stale version."""
    request_id, fingerprint = _request_id(request), request.fingerprint(operation)
    try:
        with turns.in_turn():
            game = Game.objects.select_for_update().filter(pk=game_id).first()
            if game is None:
                raise NotFound()
            ledger = log.read(game)
            done = _repeated(game_id, actor, request_id, fingerprint)
            if done is not None:
                return Outcome(done, ledger, repeated=True)
            if request.version is not None and request.version != game.version:
                raise StaleVersion(ledger)
            if ledger.locked:
                raise when_locked()
            now = timezone.now()
            grown = log.append(
                game,
                ledger,
                decide(ledger),
                actor=actor,
                at=now,
                request_id=request_id,
                request_hash=None if request_id is None else fingerprint,
            )
            _copy_results(game, ledger, grown, now)
            over = grown.state.current is None
            transaction.on_commit(lambda: hub.announce(game_id, grown.version, key=actor.pk, over=over))
            return Outcome(grown.version, grown)
    except IntegrityError as error:
        # Only a writer who slipped past the lock gets here; the constraint on (game, seq) has kept the log whole.
        logger.warning("a race for game %s was settled by a constraint: %s", game_id, error)
        raise StaleVersion(log.read(Game.objects.get(pk=game_id))) from error


def _request_id(request: Request) -> str | None:
    if request.request_id is not None:
        log.demand_storable("request_id", request.request_id)
        if len(request.request_id) > LONGEST_REQUEST_ID:
            raise WrongType(field="request_id", expected=f"a text of up to {LONGEST_REQUEST_ID} signs")
    return request.request_id


def _repeated(game_id: str, actor: Key, request_id: str | None, fingerprint: str) -> int | None:
    if request_id is None:
        return None
    written = log.find_request(game_id, actor, request_id)
    if written is None:
        return None
    seq, request_hash = written
    if request_hash != fingerprint:
        raise RequestIdReused()
    return seq


def _copy_results(game: Game, before: Ledger, after: Ledger, now: datetime) -> None:
    state = after.state
    game.version = after.version
    fields = ["version"]
    for name, value in results_of(after).items():
        if getattr(game, name) != value:
            setattr(game, name, value)
            fields.append(name)
    finished_before, finished = before.state.current is None, state.current is None
    if finished != finished_before:
        game.finished_at = now if finished else None
        fields.append("finished_at")
    if after.locked and game.locked_at is None:
        game.locked_at = now
        fields.append("locked_at")
    game.save(update_fields=fields)
    standings_before, standings = seat_results(before), seat_results(after)
    if standings != standings_before:
        _copy_standings(game, before, after, standings)
    books.settle(game, after.replay)


def _copy_standings(game: Game, before: Ledger, after: Ledger, standings: Sequence[Mapping[str, object]]) -> None:
    called, now_called = before.current_setup.names, after.current_setup.names
    group = _group_of_renamed(game) if called != now_called else None
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    for seat, values in zip(seats, standings, strict=True):
        for name, value in values.items():
            setattr(seat, name, value)
        if called[seat.number] != now_called[seat.number]:
            seat.player = None
    Seat.objects.bulk_update(seats, ["name", "token", "total", "rank", "is_winner", "player"])
    if group is not None:
        books.seat_players(group, seats)


def _group_of_renamed(game: Game) -> Group | None:
    # Somebody else was sitting there: what was counted for one player is another's.
    books.take_out(game)
    return None if game.group_id is None else books.locked(game.group_id)


def results_of(ledger: Ledger) -> dict[str, object]:
    """The columns of a game that copy what its log says."""
    state = ledger.state
    return {
        "status": (Status.FINISHED if state.current is None else Status.PLAYING).value,
        "rounds_played": len(state.finished),
    }


def seat_results(ledger: Ledger) -> list[dict[str, object]]:
    """The columns of the seats that copy what the log says, by seat."""
    state, winners = ledger.state, ledger.state.winners
    figures = zip(ledger.current_setup.seats, state.totals, state.ranks, strict=True)
    return [
        {"name": seat.name, "token": seat.token, "total": total, "rank": rank, "is_winner": number in winners}
        for number, (seat, total, rank) in enumerate(figures)
    ]
