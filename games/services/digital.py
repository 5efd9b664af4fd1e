"""What the players of a digital game do: play their cards, ask the others, have a bot sit in.

Knows: what follows from an action without anybody's doing (the next deal), who has to agree to what, which bot is due.
Must not know: HTTP, how a bot thinks, which phone bears a key.  The rules decide; here it is written down.

The ledgers inside hold every hand.  What is answered is what the actor's seat may see (`games.services.write`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import assert_never

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction

from games.bots import consent
from games.database import write_queue
from games.errors import (
    BotPlays,
    FinishedForGood,
    NotAsked,
    NotFound,
    SeatOnly,
    UndoNotAllowed,
    UnknownProposal,
)
from games.keys import access
from games.live.hub import hub
from games.log import store
from games.log.store import Ledger
from games.models import Game, GroupKey, Invite, Key
from games.rules import ActionEntry, Deal, Discard, Finish, Pass, Phase, UndoEntry
from games.rules.actions import Action, Claim
from games.rules.cards import sort_hand
from games.rules.dealing import commitment_of, hands_of
from games.rules.entries import PROPOSALS
from games.rules.errors import GameOver, NothingToFinish, OnlyByConsent, OnlyChanceDeals, UnknownSeat, WrongPhase
from games.rules.full import FullState
from games.rules.proposals import ClaimRest, FinishEarly, OpenProposal, Proposal, Takeback
from games.rules.replay import AnswerEntry, Entry, ProposalEntry, SeatEntry
from games.services import write
from games.services.write import Outcome, Request

KINDS = PROPOSALS
"""What a player may ask of the others."""


class _Draft:
    """A log that is growing: the entries that one request adds, with what follows from them by itself."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.entries: list[Entry] = []

    @property
    def full(self) -> FullState:
        """The state with every hand."""
        assert self.ledger.replay.full is not None, "the log of a digital game that is read whole knows every card"
        return self.ledger.replay.full

    def add(self, make: Callable[[int], Entry]) -> None:
        """Add the entry that is made with its seq.  Where the next round begins it is dealt."""
        entry = make(self.ledger.version + 1)
        self.entries.append(entry)
        before, self.ledger = self.ledger, self.ledger.with_entries([entry])
        if len(self.ledger.state.finished) > len(before.state.finished) and self.ledger.state.current is not None:
            self.deal()

    def deal(self) -> None:
        """Deal the round that begins: by chance, or as in the game whose deals are played once more."""
        current = self.ledger.state.current
        assert current is not None, "only a game that goes on is dealt"
        source = Game.objects.select_related("deals_of").get(pk=self.ledger.game_id).deals_of
        deal = None if source is None else deal_of_round(store.read(source), current.number)
        if deal is None:
            seed = secrets.token_hex(32)
            deal = Deal(hands_of(self.ledger.state.ruleset, seed), seed, commitment_of(seed))
        dealt = deal
        self.add(lambda seq: ActionEntry(seq, dealt))


def deal_of_round(ledger: Ledger, number: int) -> Deal | None:
    """The deal of a round that was played to its end, None if there is none."""
    if number > len(ledger.state.finished):
        return None
    deals = (step for step in ledger.replay.applied if step.round_number == number)
    return next((step.action for step in deals if isinstance(step.action, Deal)), None)


def open_table(game: Game, ledger: Ledger, *, bots: Sequence[str | None]) -> Ledger:
    """Seat the bots and deal the first round, within the transaction that makes the game."""
    draft = _Draft(ledger)
    for seat, level in enumerate(bots):
        if level is not None:
            _seat_bot(draft, seat, level)
    draft.deal()
    return write.extend(game, ledger, draft.entries, actor=None)


def _seat_bot(draft: _Draft, seat: int, level: str | None) -> None:
    draft.add(lambda seq: SeatEntry(seq, seat, level))


# --- playing ---


def record(*, game_id: str, actor: Key, action: Action, request: Request) -> Outcome:
    """Write down what the bearer of a seat's key does.  The wish to finish early is put to the others.

    Errors: `SeatOnly`, `BotPlays`, `StaleVersion`, `RequestIdReused`, `GameLocked`, and the refusals of the rules.
    """
    if isinstance(action, Finish):
        return propose(game_id=game_id, actor=actor, kind="finish", request=request)
    seat = _seat_of(actor)

    def decide(ledger: Ledger) -> list[Entry]:
        _demand_own_play(ledger, seat)
        return _played(ledger, seat, action)

    return write.write("record", game_id=game_id, actor=actor, request=request, decide=decide, same_to=_still_choosing)


def act_for_bot(*, game_id: str, seat: int, version: int, action: Action) -> Outcome:
    """Write down what a bot does that looked at this version: it acts once, however many look at once.

    Errors: `StaleVersion`; `BotPlays` if there is no bot any more; the refusals of the rules.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        if ledger.bots[seat] is None:
            raise BotPlays()
        return _played(ledger, seat, action)

    return write.write("bot", game_id=game_id, actor=None, request=Request(version=version), decide=decide)


def bots_due(ledger: Ledger) -> list[tuple[int, str]]:
    """The bots that have something to do, with their levels."""
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
    draft = _Draft(ledger)
    # Asked in full first: a log may hide cards, whoever plays may not.
    draft.full.apply(action, seat=seat)
    several = isinstance(action, Discard | Pass)
    draft.add(lambda seq: ActionEntry(seq, action, seat if several else None))
    return draft.entries


def _still_choosing(ledger: Ledger, version: int) -> bool:
    """Whether nothing has happened since a version but others' choices: who chooses face down need not look again."""
    if ledger.state.phase not in (Phase.DISCARDING, Phase.PASSING):
        return False
    return all(
        isinstance(entry, SeatEntry | ProposalEntry | AnswerEntry) or _is_choice(ledger, entry)
        for entry in ledger.entries[version:]
    )


def _is_choice(ledger: Ledger, entry: Entry) -> bool:
    """Whether an entry is a choice of cards, or takes one back."""
    if isinstance(entry, UndoEntry):
        entry = ledger.entry(entry.undoes)
    return isinstance(entry, ActionEntry) and isinstance(entry.action, Discard | Pass)


# --- asking the others ---


def propose(*, game_id: str, actor: Key, kind: str, request: Request, to_seq: int | None = None) -> Outcome:
    """Ask the others to take back the latest entry (or all after `to_seq`), for the remaining tricks, or to finish.

    Bots answer at once.  What needs nobody's consent any more is done at once.
    Errors: `SeatOnly`, `BotPlays`, `UndoNotAllowed`, `WrongPhase`, `NothingToFinish`, `StaleVersion`.
    """
    seat = _seat_of(actor)

    def decide(ledger: Ledger) -> list[Entry]:
        _demand_own_play(ledger, seat, over=FinishedForGood if kind == "takeback" else GameOver)
        draft = _Draft(ledger)
        proposal = _proposal(draft, seat, kind, to_seq)
        draft.add(lambda seq: ProposalEntry(seq, seat, proposal))
        _let_bots_answer(draft)
        return draft.entries

    return write.write(f"propose {kind}", game_id=game_id, actor=actor, request=request, decide=decide)


def answer(*, game_id: str, actor: Key, about: int, agrees: bool, request: Request) -> Outcome:
    """Agree to a proposal or refuse it; whoever made it withdraws it by refusing.

    Errors: `SeatOnly`, `BotPlays`, `UnknownProposal`, `NotAsked`, `StaleVersion`.
    """
    seat = _seat_of(actor)

    def decide(ledger: Ledger) -> list[Entry]:
        _demand_own_play(ledger, seat)
        asked = next((each for each in ledger.counting.proposals if each.seq == about), None)
        # Whoever has agreed may think better of it, as long as another has not answered.
        if asked is None or (agrees and seat in asked.agreed):
            raise UnknownProposal()
        if asked.seat == seat and agrees:
            raise NotAsked()
        draft = _Draft(ledger)
        draft.add(lambda seq: AnswerEntry(seq, seat, about, agrees))
        _carry_out(draft)
        return draft.entries

    return write.write("answer", game_id=game_id, actor=actor, request=request, decide=decide)


def _proposal(draft: _Draft, seat: int, kind: str, to_seq: int | None) -> Proposal:
    ledger = draft.ledger
    if kind == "takeback":
        undoable = ledger.counting.undoable
        taken = undoable[-1:] if to_seq is None else tuple(seq for seq in undoable if seq > to_seq)
        if not taken:
            raise UndoNotAllowed()
        return Takeback(tuple(reversed(taken)))
    if kind == "claim":
        if ledger.state.phase is not Phase.TRICKS:
            raise WrongPhase(action=kind, phase=ledger.state.phase.value)
        return ClaimRest(draft.full.hands[seat])
    if not ledger.state.finished:
        raise NothingToFinish()
    return FinishEarly()


def _let_bots_answer(draft: _Draft) -> None:
    """Every bot that is asked answers; then what all agree to is done."""
    while True:
        ledger = draft.ledger
        asked = ((each, seat) for each in ledger.counting.proposals for seat in each.waiting(ledger.state.players))
        found = next(((each, seat) for each, seat in asked if _bot_answers(ledger, each, seat)), None)
        if found is None:
            break
        _answer_for_bot(draft, *found)
    _carry_out(draft)


def _bot_answers(ledger: Ledger, asked: OpenProposal, seat: int) -> bool:
    """Whether a seat's bot may answer: it does not give its player's game up who could have come back in this round."""
    if ledger.bots[seat] is None:
        return False
    if ledger.first_bots[seat] is not None or not isinstance(asked.proposal, FinishEarly):
        return True
    sat_down = max(entry.seq for entry in ledger.entries if isinstance(entry, SeatEntry) and entry.seat == seat)
    dealt = max(step.key.seq for step in ledger.replay.applied if isinstance(step.action, Deal))
    return sat_down < dealt


def _answer_for_bot(draft: _Draft, asked: OpenProposal, seat: int) -> None:
    seen = draft.ledger.seen_by(seat)
    assert seen.view is not None, "a digital game is seen by its seats"
    taken = [entry.action for entry in _taken(seen, asked.proposal)]
    agrees = consent.agrees(seen.view, asked, taken)
    draft.add(lambda seq: AnswerEntry(seq, seat, asked.seq, agrees))


def _taken(ledger: Ledger, proposal: Proposal) -> list[ActionEntry]:
    """The entries that a takeback is about."""
    seqs = proposal.seqs if isinstance(proposal, Takeback) else ()
    return [entry for entry in map(ledger.entry, seqs) if isinstance(entry, ActionEntry)]


def _carry_out(draft: _Draft) -> None:
    """Do what all the others have agreed to: nothing that is granted stays undone."""
    players = draft.ledger.state.players
    while granted := [each for each in draft.ledger.counting.proposals if not each.waiting(players)]:
        _do(draft, granted[0])


def _do(draft: _Draft, granted: OpenProposal) -> None:
    match granted.proposal:
        case Takeback(seqs):
            for undone in seqs:
                draft.add(lambda seq, undone=undone: UndoEntry(seq, undone))
        case ClaimRest():
            claim = Claim(granted.seat, draft.full.rest_captured(granted.seat))
            draft.add(lambda seq: ActionEntry(seq, claim))
        case FinishEarly():
            draft.add(lambda seq: ActionEntry(seq, Finish()))
        case _:
            assert_never(granted.proposal)


# --- seats ---


def put_bot(*, game_id: str, actor: Key, seat: int, level: str | None, request: Request) -> Outcome:
    """Let a bot play for a seat, or give the seat back (None).  Who may is asked before, of `access`.

    Errors: `UnknownSeat`, `GameOver`, `StaleVersion`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        if not 0 <= seat < ledger.state.players:
            raise UnknownSeat(seat=seat)
        if ledger.state.current is None:
            raise GameOver()
        draft = _Draft(ledger)
        if ledger.bots[seat] == level:
            return []
        _seat_bot(draft, seat, level)
        if level is not None:
            _let_bots_answer(draft)
        return draft.entries

    return write.write(f"bot {seat} {level}", game_id=game_id, actor=actor, request=request, decide=decide)


def sit_down(*, session: SessionBase, invite: Invite, label: str) -> Key:
    """Let a browser sit down where an invitation leads to.  The phone that bore the seat before is told.

    Errors: `NotFound` if the game is gone.
    """
    with _freed(invite.game_id, _seat_of(invite)) as game:
        return access.sit_down(session=session, invite=invite, game=game, label=label)


def sit_down_program(*, invite: Invite, label: str) -> tuple[str, Key]:
    """Let a program sit down: the secret of its key, shown this once, and the key.

    Errors: `NotFound` if the game is gone.
    """
    with _freed(invite.game_id, _seat_of(invite)) as game:
        return access.sit_down_program(invite=invite, game=game, label=label)


def sit_again(*, session: SessionBase, lost: Key) -> Key:
    """Let a browser take back the seat that was claimed on another phone.

    Errors: `NotFound` if the game is gone.
    """
    with _freed(lost.game_id, _seat_of(lost)) as game:
        key = access.issue_browser_seat_key(game=game, seat=_seat_of(lost), label=lost.label, through=lost.through)
        access.remember_seat(session, key)
        return key


def follow(*, session: SessionBase, game_id: str, key: Key) -> Key | None:
    """Let whoever bears a seat sit down in the same seat of the rematch; None if somebody sits there already.

    Errors: `NotFound` if the game is gone.
    """
    seat = _seat_of(key)
    with write_queue.in_turn():
        game = access.locked_game(game_id)
        if game.rematch_of_id != key.game_id or access.is_taken(game, seat) or store.read(game).bots[seat] is not None:
            return None
        new = access.issue_browser_seat_key(game=game, seat=seat, label=key.label, through=key.through)
        access.remember_seat(session, new)
        return new


def sit_free(*, session: SessionBase, game_id: str, seat: int, through: GroupKey) -> Key | None:
    """Let a member of the table's group sit down where nobody sits; None if somebody does, or a bot.

    Errors: `NotFound` if the game is gone, or the member's key.
    """
    with write_queue.in_turn():
        game = access.locked_game(game_id)
        access.demand_valid(through)
        bots = store.read(game).bots
        if game.group_id != through.group_id or not 0 <= seat < len(bots):
            raise NotFound()
        if access.is_taken(game, seat) or bots[seat] is not None or access.sits_through(game, through):
            return None
        key = access.issue_browser_seat_key(game=game, seat=seat, label="", through=through)
        access.remember_seat(session, key)
        return key


def free_seat(*, game_id: str, seat: int) -> None:
    """Take a seat from whoever bears it, for good: the next one has to be invited.

    Errors: `NotFound` if the game is gone.
    """
    with write_queue.in_turn():
        game = access.locked_game(game_id)
        old = access.free_seat(game, seat)
        transaction.on_commit(lambda: hub.revoked(game_id, old))


@contextmanager
def _freed(game_id: str, seat: int) -> Iterator[Game]:
    """A game one of whose seats is claimed anew inside: its old keys are worth nothing, and their bearers are told."""
    with write_queue.in_turn():
        game = access.locked_game(game_id)
        old = access.supersede(game, seat)
        yield game
        ledger = store.read(game)
        if old and ledger.state.current is not None:
            # Whoever plays at the table is to know that another phone shows this hand now.
            moved = SeatEntry(ledger.version + 1, seat, ledger.bots[seat])
            write.extend(game, ledger, [moved], actor=None)
        transaction.on_commit(lambda: hub.revoked(game_id, old))


def _seat_of(bearer: Key | Invite) -> int:
    if bearer.seat is None:
        raise SeatOnly()
    return bearer.seat


def _demand_own_play(ledger: Ledger, seat: int, over: type[GameOver | FinishedForGood] = GameOver) -> None:
    if ledger.state.current is None:
        raise over()
    if ledger.bots[seat] is not None:
        raise BotPlays()
