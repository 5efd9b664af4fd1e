"""What happens at a digital table: players act, bots act, bots take seats.

The ledgers here show every hand.  The outcome of a write shows what the actor's seat may see (`games.services.write`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from games.errors import BotPlays, StepNotRepeatable
from games.log import store
from games.log.ledger import Ledger
from games.models import Game, Key
from games.rules import ActionEntry, Deal, Discard, Finish, Pass, Phase, UndoEntry
from games.rules.actions import Action, Claim
from games.rules.cards import sort_hand
from games.rules.errors import GameOver, OnlyByConsent, OnlyChanceDeals, UnknownSeat
from games.rules.replay import Entry, SeatEntry, SetupEntry, Step
from games.services import bot_names, seating
from games.services.pending_entries import PendingEntries
from games.services.proposals import let_bots_answer, propose, require_own_play, seat_of
from games.services.write import Outcome, WriteRequest, extend, only_holders_changed, write


def open_table(game: Game, ledger: Ledger, *, bots: Sequence[str | None]) -> Ledger:
    """Seat the bots and deal the first round, within the transaction that creates the game.

    A game that plays on from a step of another one repeats it up to there.

    Errors: `StepNotRepeatable`.
    """
    pending = PendingEntries(ledger)
    for seat, level in enumerate(bots):
        if level is not None:
            _seat_bot(pending, seat, level)
    pending.deal()
    if game.from_step is not None and game.deals_of is not None:
        _repeat(pending, store.read(game.deals_of).replay.applied, game.from_step)
    return extend(game, ledger, pending.entries, actor=None)


def _repeat(pending: PendingEntries, steps: Sequence[Step], last: int) -> None:
    """Add the actions of another game up to a step, which is not its last one.  Its rounds are dealt again.

    Errors: `StepNotRepeatable` unless each state is that of the other game.
    """
    for number, step in enumerate(steps[: last + 1], start=1):
        if isinstance(step.action, Deal):
            continue
        if pending.full != step.full:
            raise StepNotRepeatable()
        if number <= last:
            seat = step.seat if isinstance(step.action, Discard | Pass) else None
            pending.add(partial(ActionEntry, action=step.action, seat=seat))


def _seat_bot(pending: PendingEntries, seat: int, level: str | None) -> None:
    pending.add(lambda seq: SeatEntry(seq, seat, level))


def record(*, game_id: str, actor: Key, action: Action, request: WriteRequest) -> Outcome:
    """Record the action of a player.  To finish early is proposed to the others.

    Errors: `SeatOnly`, `BotPlays`, `StaleVersion`, `RequestIdReused`, `GameLocked`, and the refusals of the rules.
    """
    if isinstance(action, Finish):
        return propose(game_id=game_id, actor=actor, kind="finish", request=request)
    seat = seat_of(actor)

    def decide(ledger: Ledger) -> list[Entry]:
        require_own_play(ledger, seat)
        return _played(ledger, seat, action)

    return write("record", game_id=game_id, actor=actor, request=request, decide=decide, same_to=_still_choosing)


def act_for_bot(*, game_id: str, seat: int, version: int, action: Action) -> Outcome:
    """Record the action that a bot chose at this version; of several processes that do so one succeeds.

    Errors: `StaleVersion`; `BotPlays` if the bot has left the seat; the refusals of the rules.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        if ledger.bots[seat] is None:
            raise BotPlays()
        return _played(ledger, seat, action)

    return write("bot", game_id=game_id, actor=None, request=WriteRequest(version=version), decide=decide)


def bots_due(ledger: Ledger) -> list[tuple[int, str]]:
    """The bots that must act now, with their levels."""
    due = ((seat, ledger.bots[seat]) for seat in ledger.state.acting_seats)
    return [(seat, level) for seat, level in due if level is not None]


def _played(ledger: Ledger, seat: int, action: Action) -> list[Entry]:
    match action:
        case Deal():
            raise OnlyChanceDeals()
        case Claim():
            raise OnlyByConsent()
        case Discard(tuple() as cards):
            action = Discard(sort_hand(cards))
        case Pass(tuple() as cards):
            action = Pass(sort_hand(cards))
    pending = PendingEntries(ledger)
    # A log may hide cards, a player may not: the full state refuses that.
    pending.full.apply(action, seat=seat)
    several = isinstance(action, Discard | Pass)
    pending.add(lambda seq: ActionEntry(seq, action, seat if several else None))
    return pending.entries


def _still_choosing(ledger: Ledger, version: int) -> bool:
    """Whether only choices of other players were recorded since a version: these do not affect a choice face down."""
    if ledger.state.phase not in (Phase.DISCARDING, Phase.PASSING):
        return only_holders_changed(ledger, version)
    return all(
        not isinstance(entry, ActionEntry | UndoEntry) or _is_choice(ledger, entry)
        for entry in ledger.entries[version:]
    )


def _is_choice(ledger: Ledger, entry: Entry) -> bool:
    """Whether an entry is a choice of cards, or undoes one."""
    if isinstance(entry, UndoEntry):
        entry = ledger.entry(entry.undoes)
    return isinstance(entry, ActionEntry) and isinstance(entry.action, Discard | Pass)


def put_bot(
    *, game_id: str, actor: Key, seat: int, level: str | None, request: WriteRequest, shows: Key | None = None
) -> Outcome:
    """Let a bot play for a seat, or return the seat to its player (None).  The caller checks the permission.

    A bot that plays for no one has a name of its own.
    `shows`: the key whose notices the actor's phone shows; None: the actor's.

    Errors: `UnknownSeat`, `GameOver`, `StaleVersion`.
    """
    decided: list[Ledger] = []

    def decide(ledger: Ledger) -> list[Entry]:
        decided[:] = [ledger]
        if not 0 <= seat < ledger.state.players:
            raise UnknownSeat(seat=seat)
        if ledger.state.is_over:
            raise GameOver()
        pending = PendingEntries(ledger)
        if ledger.bots[seat] == level:
            return []
        setup = bot_names.renamed(actor.game, ledger, seat, level)
        if setup != ledger.current_setup:
            pending.add(lambda seq: SetupEntry(seq, setup))
        _seat_bot(pending, seat, level)
        if level is not None:
            let_bots_answer(pending, of=seat)
        return pending.entries

    outcome = write(f"bot {seat} {level}", game_id=game_id, actor=actor, request=request, decide=decide)
    if not outcome.repeated:
        seating.acknowledge_own([(shows or actor).pk], decided[0], outcome.version)
    return outcome
