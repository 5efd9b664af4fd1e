"""A digital game in the database and those who play it, in few words.

`DigitalTable(dutch(3), bots={1: "easy"})`: three seats, the second a bot's.  `play_on` lets every seat take the first
of its legal actions, or those that a chooser picks, until something results in pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ContextDecorator
from copy import copy
from dataclasses import replace
from functools import cache, partial
from typing import Any, TypeVar, cast

from django.contrib.sessions.backends.db import SessionStore
from django.db.models import QuerySet

from games.database import write_queue
from games.keys import invitations, registry
from games.log import store
from games.log.ledger import Ledger
from games.models import Game, Group, Key, LogEntry, Role
from games.rules import Action, ActionEntry, Discard, Pass, Phase, Place, PublicState, Setup
from games.rules.full import FullState
from games.rules.redaction import PlayerView, view_for
from games.services import creation, digital, seating, tables, write
from games.services.creation import Created
from games.services.pending_entries import PendingEntries
from games.services.write import Outcome, WriteRequest
from tests.builders import dutch
from tests.cast.copies import advanced, committed, copied, game_now, is_first
from tests.cast.deals import known_deals
from tests.cast.service import ANY, Way, committing

Chooser = Callable[[PlayerView], Action]


def first(view: PlayerView) -> Action:
    """The first legal action."""
    return view.legal[0]


class DigitalTable:
    """A digital game: `host` has the host's key, `keys[seat]` that of each seat.

    `deals` chooses other deals for the first game of a test.
    """

    def __init__(
        self,
        setup: Setup | None = None,
        *,
        bots: Mapping[int, str] | None = None,
        group: Group | None = None,
        way: Way = committing,
        deals: int = 0,
    ) -> None:
        self.way = way
        self._deals = deals
        setup = replace(setup or dutch(3, rounds=2), digital=True)
        levels = [(bots or {}).get(seat) for seat in range(setup.ruleset.players)]
        people = [seat for seat, level in enumerate(levels) if level is None]
        recipe = (setup, levels, deals) if group is None and is_first() else None

        def opened() -> tuple[str, tuple[int, dict[int, int], int]]:
            return self._open(setup, levels, people, group)

        self.id, (host, seats, viewer) = copied(recipe, opened if recipe is None else self._known_deals(0)(opened))
        keys = {key.pk: key for key in Key.objects.filter(game=self.id).select_related("game")}
        self.host, self.viewer = keys[host], keys[viewer]
        self.keys: dict[int, Key] = {seat: keys[pk] for seat, pk in seats.items()}
        self._recipe = recipe
        self._given = (self.game.version, len(keys))

    @staticmethod
    def _open(
        setup: Setup, levels: list[str | None], people: list[int], group: Group | None
    ) -> tuple[str, tuple[int, dict[int, int], int]]:
        group_id = None if group is None else group.pk
        with committed(execute=True):
            # Each seat has a phone of its own.
            created = creation.create_game(setup=setup, bots=levels, own_seats=(), group_id=group_id)
        game = Game.objects.get(pk=created.game.pk)
        seats = [registry.issue(game=game, role=Role.SEAT, seat=seat, at_opening=True) for seat in people]
        viewer = registry.issue(game=game, role=Role.VIEWER, label="Zoe")
        return created.game.pk, (created.creator.pk, {key.seat: key.pk for key in seats}, viewer.pk)

    @property
    def game(self) -> Game:
        """The game as the database has it now."""
        return game_now(self.id)

    @property
    def ledger(self) -> Ledger:
        """The whole log, hands included."""
        return store.read(self.game)

    @property
    def full(self) -> FullState:
        """The present state with every hand."""
        return self.ledger.replay.full

    @property
    def state(self) -> PublicState:
        """The present state as everybody sees it."""
        return self.ledger.state

    def seen(self, seat: int | None) -> Ledger:
        """The log as a seat may read it."""
        return store.seen(self.game, seat)

    def view(self, seat: int) -> PlayerView:
        """What the player of a seat sees, a person or a bot."""
        return self.ledger.played_by(seat).view

    def _do(self, verb: str, actor: Key, request: WriteRequest, **arguments: object) -> Outcome:
        return self.way(verb, game_id=self.id, actor=actor, request=request, **arguments)

    def act(self, seat: int, action: Action, request: WriteRequest = ANY) -> Outcome:
        """A player's action."""
        return self._do("record", self.keys[seat], request, action=action)

    def propose(self, seat: int, kind: str, *, to_seq: int | None = None, request: WriteRequest = ANY) -> Outcome:
        """A player asks the others."""
        return self._do("propose", self.keys[seat], request, kind=kind, to_seq=to_seq)

    def answer(
        self, seat: int, *, agrees: bool = True, about: int | None = None, request: WriteRequest = ANY
    ) -> Outcome:
        """A player answers, the latest proposal if nothing else is said."""
        about = self.ledger.counting.proposals[-1].seq if about is None else about
        return self._do("answer", self.keys[seat], request, about=about, agrees=agrees)

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that have not answered the latest proposal."""
        proposals = self.ledger.counting.proposals
        return proposals[-1].waiting(self.state.players) if proposals else ()

    def put_bot(self, seat: int, level: str | None, request: WriteRequest = ANY) -> Outcome:
        """The host puts a bot on a seat, or gives it back."""
        return self._do("put_bot", self.host, request, seat=seat, level=level)

    def move(self, seat: int) -> None:
        """Another phone takes a seat over, by an invitation of the host."""
        invitation = invitations.invite(game=self.game, role=Role.SEAT, seat=seat, maker=self.host).invite
        with committed(execute=True):
            self.keys[seat] = seating.claim(game_id=self.id, seat=seat, by=invitation, session=SessionStore())

    def return_to(self, seat: int, lost: Key) -> None:
        """The phone that has lost a seat takes it back."""
        with committed(execute=True):
            self.keys[seat] = seating.claim(game_id=self.id, seat=seat, by=lost, session=SessionStore())

    def free(self, seat: int) -> None:
        """The host takes a seat from its phone."""
        with committed(execute=True):
            seating.free_seat(game_id=self.id, seat=seat, actor=self.host)

    def revoke(self, seat: int) -> None:
        """The host revokes the key of a seat."""
        with committed(execute=True):
            tables.revoke_key(game_id=self.id, key_id=self.keys[seat].pk, actor=self.host)

    def _known_deals(self, version: int) -> ContextDecorator:
        """The deals from a version on, other ones than those of the games that are no copies."""
        return known_deals(f"copy {self._deals} from {version}")

    def step(self, choose: Chooser = first) -> Outcome:
        """The first seat that is due acts."""
        return self._step(self.ledger, choose)

    def _step(self, ledger: Ledger, choose: Chooser) -> Outcome:
        seat = ledger.state.acting_seats[0]
        action = choose(ledger.played_by(seat).view)
        if ledger.bots[seat] is None:
            return self.act(seat, action)
        with committed(execute=True):
            return digital.act_for_bot(game_id=self.id, seat=seat, version=ledger.version, action=action)

    def same_deals(self) -> DigitalTable:
        """The next game, with the deals of this one, which is over."""
        with committed(execute=True):
            made = creation.rematch(
                game=self.game,
                ledger=self.seen(None),
                creator_label="Ana",
                same_deals=True,
                own_seats=range(self.state.players),
            )
        return self._at(made)

    def from_step(self, step: int, *, seat: int = 0, level: str = "easy") -> DigitalTable:
        """A game of one seat against bots that goes on after a step of this one, which is over."""
        with committed(execute=True):
            made = creation.play_on(game=self.game, step=step, seat=seat, level=level, creator_label="Ana")
        return self._at(made)

    def _at(self, made: Created) -> DigitalTable:
        """The table of a game that was made out of this one."""
        assert made.creator is not None
        again = copy(self)
        again.id, again.host, again.keys = made.game.pk, made.creator, {key.seat: key for key in made.seats}
        again.viewer = registry.issue(game=made.game, role=Role.VIEWER, label="Zoe")
        again._recipe = None
        return again

    def play_on(self, until: Callable[[PublicState], bool], choose: Chooser = first) -> DigitalTable:
        """Everybody acts in turn until a state is reached; by services all that they do is written at once."""

        def play() -> None:
            if self.way is committing:
                return self._play_at_once(until, choose)
            while not until((ledger := self.ledger).state):
                self._step(ledger, choose)

        given = (self.game.version, Key.objects.filter(game=self.id).count())
        # A copy goes on as a copy as long as nothing else has happened to it.
        if self._recipe is not None and given == self._given and _lasts(until) and _lasts(choose):
            self._recipe = (*self._recipe, until, choose)
            advanced(self._recipe, self.id, given[0], self._known_deals(given[0])(play))
            self._given = (self.game.version, given[1])
        else:
            self._recipe = None
            play()
        return self

    def _play_at_once(self, until: Callable[[PublicState], bool], choose: Chooser) -> None:
        with committed(execute=True), write_queue.in_turn():
            game = self.game
            pending, written_by = PendingEntries(store.read(game)), dict[int, list[int]]()
            while not until(pending.ledger.state):
                version, seat = pending.ledger.version, pending.ledger.state.acting_seats[0]
                action = choose(view_for(pending.full, seat))
                several = isinstance(action, Discard | Pass)
                pending.add(partial(ActionEntry, action=action, seat=seat if several else None))
                if pending.ledger.bots[seat] is None:
                    # A deal that follows is of the same write.
                    written_by.setdefault(seat, []).extend(range(version + 1, pending.ledger.version + 1))
            write.extend(game, store.read(game), pending.entries, actor=None)
            for seat, entries in written_by.items():
                # The manager of entries refuses every change.
                QuerySet(LogEntry).filter(game=game, seq__in=entries).update(actor=self.keys[seat])


F = TypeVar("F", bound=Callable[..., Any])
_LASTING: set[object] = set()


def lasting(make: F) -> F:
    """Make each of these functions once, so that games that were played with them are known again."""

    @cache
    def made(*args: object) -> object:
        function = make(*args)
        _LASTING.add(function)
        return function

    return cast(F, made)


def _lasts(function: Callable[..., object]) -> bool:
    """Whether it is one of these, or stands in a module under its own name."""
    return function in _LASTING or "<" not in function.__qualname__


@lasting
def leaving(*spaces: str) -> Chooser:
    """The first legal action, but no marker on these spaces: “discard:discard_2”."""

    def choose(view: PlayerView) -> Action:
        kept = [each for each in view.legal if isinstance(each, Place) and f"{each.row.value}:{each.space}" in spaces]
        return next((each for each in view.legal if each not in kept), view.legal[0])

    return choose


@lasting
def in_phase(*phases: Phase) -> Callable[[PublicState], bool]:
    """Until the round is in one of these phases."""
    return lambda state: state.phase in phases


@lasting
def cards_on_table(count: int) -> Callable[[PublicState], bool]:
    """Play until this number of cards is on the table."""
    return lambda state: state.current is not None and len(state.current.table) == count


@lasting
def rounds_finished(count: int) -> Callable[[PublicState], bool]:
    """Play until this number of rounds is on the sheet."""
    return lambda state: len(state.finished) == count


def over(state: PublicState) -> bool:
    """Until the game is finished."""
    return state.current is None
