"""New games: create one, open the rematch of one, play on from a step of one, import one from a document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q

from games.database import write_queue
from games.errors import (
    AlreadyImported,
    BotsAreDigital,
    DealsNotOurs,
    NotFinished,
    NothingLeftToPlay,
    RoundBrokenOff,
    UnknownStep,
)
from games.formats.document import Imported
from games.groups import totals
from games.groups.statistics.facts import GameFacts
from games.groups.totals import Cast
from games.keys import registry
from games.keys.invitations import LINK_LENGTH, invite
from games.keys.permissions import require_valid
from games.live.hub import hub
from games.log import store
from games.log.ledger import Ledger, ledger_of
from games.log.store import NewEntry
from games.models import TABLE_ROLES, Game, Group, GroupKey, Key, Mode, Role, Seat, Status, Stint
from games.rules import RULES_VERSION, Setup
from games.rules.entries import setup_to_json
from games.rules.errors import UnknownSeat
from games.rules.occasion import Occasion
from games.rules.replay import OccasionEntry
from games.services import digital, seating
from games.services.bot_names import bots_again
from games.services.idempotent_creation import ProgramRequest, create_once, create_or_find
from games.services.occasions import require_past
from games.services.write import locked_group, results_of, seat_results


@dataclass(frozen=True)
class Created:
    """A new game.  `secrets`: a program's secrets by role, shown this once; `creator`: a browser's key.

    In a digital game also `seat_secrets`, a program's secrets by seat, or `seats`, the keys of the seats that are
    played in the creator's browser.  `links`: of a program's game the tokens of its invitations, by role or seat.
    `ledger` shows what everybody may see.  `repeated`: an earlier request created the game; `creator` is then None if
    its key was revoked.
    """

    game: Game
    ledger: Ledger
    secrets: Mapping[str, str]
    creator: Key | None
    repeated: bool = False
    seat_secrets: Mapping[int, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    seats: Sequence[Key] = ()


def create_game(
    *,
    setup: Setup,
    bots: Sequence[str | None] = (),
    own_seats: Sequence[int] = (0,),
    deals_of: Game | None = None,
    from_step: int | None = None,
    creator_label: str | None = "",
    rematch_of: Game | None = None,
    after: Key | None = None,
    once: str | None = None,
    asked: ProgramRequest | None = None,
    group_id: str | None = None,
    through: GroupKey | None = None,
) -> Created:
    """Create a game, in a group if one is given; `through` is the creator's key of the group.

    A digital game is dealt at once.  `bots`: the level of each seat's bot; `own_seats`: the seats played in the
    creator's browser; `deals_of`: the game whose deals are repeated; `from_step`: and its actions up to this step.

    The phones of the game that it is a rematch of, or of that of the key `after`, go on to it, unless they go on to
    another one already.  `after`: the creator's key there, which the new one follows; if the same players play on at a
    physical table already, that game is the answer.

    `creator_label` is the label of the browser that becomes the scorekeeper; None: a program, which gets a key for each
    role.  `once` identifies the browser and its form: the same set-up sent by it again, even in parallel, is the same
    game.  `asked`: the request of a program that may send it again.

    Errors: `BotsAreDigital`; `NotFound` if the group is gone; `RequestIdReused`.
    """
    if any(bots) and not setup.digital:
        raise BotsAreDigital()
    levels = [*bots, *[None] * (setup.ruleset.players - len(bots))]
    people = [seat for seat, level in enumerate(levels) if level is None]

    def seat_key(game: Game, seat: int) -> Key:
        return registry.issue(game=game, role=Role.SEAT, seat=seat, through=through, at_opening=True)

    def create(stored_id: str | None) -> Created:
        with write_queue.in_turn():
            # Lock order: game before group.  Inserting the row would otherwise lock the game second.
            before = _locked_before(rematch_of, after)
            if after and not deals_of and before and before.next and (rematch_of or _is_same(before.next, setup)):
                return Created(before.next, store.seen(before.next, None), {}, None, repeated=True)
            game, ledger = _new_game(
                setup,
                levels,
                rematch_of=rematch_of,
                asks_confirmation=rematch_of is not None and rematch_of.asks_confirmation,
                hides_markers=rematch_of is not None and rematch_of.hides_markers,
                deals_of=deals_of,
                from_step=from_step,
                creation_id=stored_id,
                group_id=group_id,
                through=through,
            )
            if before is not None:
                _lead_to(game, before)
            made = _with_keys(game, ledger, creator_label, through, asked, after)
            if not setup.digital:
                return made
            ledger = digital.open_table(game, ledger, bots=levels)
            if creator_label is None:
                return _with_seat_keys(replace(made, ledger=ledger.seen_by(None)), people, through, asked)
            here = [seat for seat in people if seat in own_seats]
            seats = [seat_key(game, seat) for seat in here]
            ledger = seating.note_shared(game, ledger, here, [key for key in (made.creator, *seats) if key is not None])
            return replace(made, ledger=ledger.seen_by(None), seats=seats)

    content = [setup_to_json(setup), group_id, levels, list(own_seats), from_step]
    return _created_once(once, asked, content, create)


def _locked_before(rematch_of: Game | None, after: Key | None) -> Game | None:
    """The game whose phones may go on to a new one, locked."""
    before = after.game_id if after is not None else None if rematch_of is None else rematch_of.pk
    return None if before is None else Game.objects.select_for_update().filter(pk=before, deleted_at=None).first()


def _is_same(game: Game, setup: Setup) -> bool:
    """Whether these players play at this physical table: two phones may open the next game."""
    are_physical = {game.mode, setup.mode} == {Mode.TABLE}
    names = set(game.seats.values_list("name", flat=True))
    return are_physical and game.status != Status.FINISHED and names == set(setup.names)


def _lead_to(game: Game, before: Game) -> None:
    """Lead the phones of a finished game to the next one, unless there is one already."""
    if before.status == Status.FINISHED and before.next_id is None:
        Game.objects.filter(pk=before.pk).update(next=game)
        transaction.on_commit(lambda: hub.announce_next(before.pk))


def _created_once(
    once: str | None, asked: ProgramRequest | None, content: object, create: Callable[[str | None], Created]
) -> Created:
    """A game that `create` makes, once for each form or request."""
    if asked is None:
        return create_once(once, content, create=create, find=_created_before)
    return create_or_find(asked.stored_id, create=create, find=lambda _: _created_by_program(asked))


def _created_by_program(asked: ProgramRequest) -> Created | None:
    """The answer to a request that has created a game before, None if it has not.

    Errors: `RequestIdReused`.
    """
    game = Game.objects.filter(creation_id=asked.stored_id).first()
    if game is None:
        return None
    asked.require_repeated(Key.objects.filter(game=game), Role.SCOREKEEPER)
    of_seats = Key.objects.filter(game=game, role=Role.SEAT, at_opening=True).exclude(secret_hash=None)
    people = sorted(seat for seat in of_seats.values_list("seat", flat=True) if seat is not None)
    places = [*(role.value for role in TABLE_ROLES), *map(str, people)]
    return Created(
        game,
        store.seen(game, None),
        {role.value: asked.secret(role) for role in TABLE_ROLES},
        None,
        repeated=True,
        seat_secrets={seat: asked.secret(str(seat)) for seat in people},
        links={place: _link(asked, place) or "" for place in places},
    )


def _created_before(stored_id: str) -> Created | None:
    game = Game.objects.filter(creation_id=stored_id).first()
    if game is None:
        return None
    creator = registry.creator_of(game)
    seats = [] if creator is None else registry.first_seat_keys(game, creator)
    return Created(game, store.seen(game, None), {}, creator, repeated=True, seats=seats)


def _new_game(
    setup: Setup, bots: Sequence[str | None], *, group_id: str | None, through: GroupKey | None, **values: Any
) -> tuple[Game, Ledger]:
    group = _group(group_id, through)
    game = _game(setup, setup_to_json(setup), group=group, **values)
    game.save(force_insert=True)
    ledger = store.read(game)
    # The entries that seat the bots come with the first deal.
    results = zip(seat_results(ledger), bots, strict=True)
    seats = _seats(game, [{**result, "bot": bot or ""} for result, bot in results])
    if group is not None:
        totals.find_players(group, [Cast(seats)])
    Seat.objects.bulk_create(seats)
    return game, ledger


def _game(setup: Setup, written: Mapping[str, Any], **values: Any) -> Game:
    return Game(
        mode=setup.mode,
        preset=setup.ruleset.preset,
        players=setup.ruleset.players,
        setup=dict(written),
        rules_version=RULES_VERSION,
        **values,
    )


def _seats(game: Game, results: Sequence[Mapping[str, Any]]) -> list[Seat]:
    return [Seat(game=game, number=number, **result) for number, result in enumerate(results)]


def _group(group_id: str | None, through: GroupKey | None = None) -> Group | None:
    if group_id is None:
        return None
    group = locked_group(group_id)
    if through is not None:
        require_valid(through)
    return group


def _with_keys(
    game: Game,
    ledger: Ledger,
    creator_label: str | None,
    through: GroupKey | None = None,
    asked: ProgramRequest | None = None,
    after: Key | None = None,
) -> Created:
    if creator_label is None:
        issue = partial(registry.issue, game=game, through=through, program=True, at_opening=True)
        secrets = {role.value: issue(role=role, secret=_secret(asked, role)).secret for role in TABLE_ROLES}
        links = {role.value: invite(game=game, role=role, token=_link(asked, role)).token for role in TABLE_ROLES}
        return Created(game, ledger, secrets, None, links=links)
    creator = registry.issue(
        game=game, role=Role.SCOREKEEPER, label=creator_label, through=through, at_opening=True, follows=after
    )
    return Created(game, ledger, {}, creator)


def _with_seat_keys(
    made: Created, people: Sequence[int], through: GroupKey | None, asked: ProgramRequest | None
) -> Created:
    """A program's digital game, with a key and an invitation for each seat without a bot."""
    issue = partial(registry.issue, game=made.game, role=Role.SEAT, through=through, program=True, at_opening=True)
    invited = partial(invite, game=made.game, role=Role.SEAT)
    return replace(
        made,
        seat_secrets={seat: issue(seat=seat, secret=_secret(asked, str(seat))).secret for seat in people},
        links={**made.links, **{str(seat): invited(seat=seat, token=_link(asked, str(seat))).token for seat in people}},
    )


def _secret(asked: ProgramRequest | None, name: str) -> str | None:
    """The secret of the key of a role or seat; None: a random one."""
    return None if asked is None else asked.secret(name)


def _link(asked: ProgramRequest | None, name: str) -> str | None:
    """The token of the link to a role or seat, as long as a random one; None: a random one."""
    return None if asked is None else asked.secret(f"link {name}")[:LINK_LENGTH]


def rematch(
    *,
    game: Game,
    ledger: Ledger,
    creator_label: str | None,
    after: Key | None = None,
    once: str | None = None,
    asked: ProgramRequest | None = None,
    through: GroupKey | None = None,
    same_deals: bool = False,
    own_seats: Sequence[int] = (),
) -> Created:
    """Create the next game of the same table, in the same group, with the next dealer.

    For a phone, which shows its key `after`, it is the one that another phone has opened before; it may get a key
    there (`games.keys.following`).  In digital play bots keep their seats, unless a player took them; `same_deals`: the
    deals are repeated, with the same dealer, in a game of its own.
    `once`, `asked`, `through`, `own_seats`: as for `create_game`.

    Errors: `NotFinished`; `DealsNotOurs` for the deals of an imported game; `RequestIdReused`.
    """
    if not ledger.state.is_over:
        raise NotFinished()
    again = same_deals and ledger.digital
    if again and game.source is not None:
        raise DealsNotOurs()
    next_setup = ledger.current_setup.rematch(rounds_played=ledger.state.rounds_on_sheet)
    return create_game(
        setup=ledger.current_setup if again else next_setup,
        # A player whom a bot has replaced plays the next game again.
        bots=bots_again(ledger),
        own_seats=own_seats,
        deals_of=game if again else None,
        creator_label=creator_label,
        rematch_of=game,
        after=after,
        once=once,
        asked=asked,
        group_id=None if game.present_group is None else game.group_id,
        through=through,
    )


def play_on(
    *,
    game: Game,
    step: int,
    seat: int,
    level: str,
    creator_label: str | None,
    once: str | None = None,
    asked: ProgramRequest | None = None,
) -> Created:
    """Create a game of one person against bots that goes on after a step of the replay of a finished one.

    It is in no group, and its first entries are those of that game.  `seat`: the person's; bots of the `level` have all
    others.  `creator_label`, `once`, `asked`: as for `create_game`.

    Errors: those of `require_playable`; `UnknownSeat`, `BotsAreDigital`, `StepNotRepeatable`, `RequestIdReused`.
    """
    ledger = store.read(game)
    require_playable(game, ledger, step)
    seats = range(ledger.state.players)
    if seat not in seats:
        raise UnknownSeat(seat=seat)
    return create_game(
        setup=ledger.current_setup,
        bots=[None if each == seat else level for each in seats],
        own_seats=[seat],
        deals_of=game,
        from_step=step,
        creator_label=creator_label,
        once=once,
        asked=asked,
    )


def require_playable(game: Game, ledger: Ledger, step: int) -> None:
    """Refuse to play on from a step, numbered from 1 on.  `ledger`: the log of the digital game, for any reader.

    Errors: `NotFinished`, `UnknownStep`, `NothingLeftToPlay`, `RoundBrokenOff`; `DealsNotOurs` of an imported game.
    """
    steps = ledger.replay.applied
    if not ledger.state.is_over:
        raise NotFinished()
    if game.source is not None:
        raise DealsNotOurs()
    if not 1 <= step <= len(steps):
        raise UnknownStep(step=step, last=len(steps))
    number = steps[step - 1].round_number
    if number > len(ledger.state.finished):
        raise RoundBrokenOff(round=number)
    if step == len(steps):
        raise NothingLeftToPlay()


def import_game(
    *,
    imported: Imported,
    creator_label: str | None,
    once: str | None = None,
    asked: ProgramRequest | None = None,
    group_id: str | None = None,
    through: GroupKey | None = None,
) -> Created:
    """Store a finished game that was read from a document: the same log, and so the same results.

    `creator_label`, `once`, `asked`, `through`: as for `create_game`.
    Errors: `NotFound` if the group is gone, `AlreadyImported` if it has the game, `RequestIdReused`.
    """

    def create(stored_id: str | None) -> Created:
        with write_queue.in_turn():
            group = _group(group_id, through)
            _require_new(group, imported)
            restored = Restored.of(imported)
            restored.game.creation_id = stored_id
            store_restored([restored], group)
            # What was read is what was stored.
            ledger = replace(imported.ledger, game_id=restored.game.pk, _redacted={}, _renamed={}).seen_by(None)
            return _with_keys(restored.game, ledger, creator_label, through, asked)

    entries = [new.payload for new in imported.entries]
    content = [imported.ledger.written, entries, imported.source, group_id]
    return _created_once(once, asked, content, create)


def enter_finished(
    *,
    setup: Setup,
    occasion: Occasion,
    creator_label: str | None,
    once: str | None = None,
    asked: ProgramRequest | None = None,
    group_id: str | None = None,
    through: GroupKey | None = None,
) -> Created:
    """Store a game that is known from paper: `setup` has its sheet, `occasion` when it was played (None: now).

    `creator_label`, `once`, `asked`, `through`: as for `create_game`.
    Errors: `PlayedLater`, `ImpossibleTime`; `NotFound` if the group is gone; `RequestIdReused`.
    """
    return import_game(
        imported=_from_paper(setup, occasion),
        creator_label=creator_label,
        once=once,
        asked=asked,
        group_id=group_id,
        through=through,
    )


def _from_paper(setup: Setup, occasion: Occasion) -> Imported:
    """A game from paper as one that was read.

    Errors: `PlayedLater`, `ImpossibleTime`.
    """
    require_past(occasion)
    now = store.now()
    entry = OccasionEntry(1, occasion)
    ledger = ledger_of("", setup_to_json(setup), [entry])
    began = ledger.began or now
    return Imported(
        ledger,
        [NewEntry(entry.seq, entry.kind, store.payload_text(entry), None, now)],
        began=began,
        ended=began + timedelta(minutes=occasion.minutes or 0),
        locked_at=None,
        source={},
    )


def enter_all(*, games: Sequence[tuple[Setup, Occasion]], group_id: str, through: GroupKey | None = None) -> list[Game]:
    """Store games of a group that are known from paper, all of them or none.  Its members have the keys.

    Errors: as for `enter_finished`.
    """
    with write_queue.in_turn():
        group = _group(group_id, through)
        restored = [Restored.of(_from_paper(setup, occasion)) for setup, occasion in games]
        store_restored(restored, group)
        return [each.game for each in restored]


def _require_new(group: Group | None, imported: Imported) -> None:
    """Refuse a game that the group has: the game itself, or one that was imported from a document of it."""
    original = imported.source.get("id")
    if group is None or original is None:
        return
    known = Game.objects.filter(Q(pk=original) | Q(source__id=original), group=group).first()
    if known is not None:
        raise AlreadyImported(game=known.pk)


@dataclass(frozen=True)
class Restored:
    """A game that was read, as it is stored in a group or without one; it needs no ledger any more."""

    game: Game
    cast: Cast
    facts: GameFacts
    entries: Sequence[NewEntry]

    @classmethod
    def of(cls, imported: Imported, called: Sequence[str | None] = ()) -> Restored:
        """A game that is not stored yet.  `called`: what its players are called in the group, by seat."""
        ledger, minutes = imported.ledger, imported.minutes
        game = _game(
            ledger.setup,
            ledger.written,
            version=ledger.version,
            created_at=imported.began,
            finished_at=imported.ended,
            minutes=minutes,
            locked_at=imported.locked_at,
            source=imported.source,
            **results_of(ledger),
        )
        cast = Cast(_seats(game, seat_results(ledger)), totals.stints_of(game, ledger.current_setup.earlier), called)
        return cls(game, cast, GameFacts.of(ledger.replay, minutes=minutes), imported.entries)


def store_restored(games: Sequence[Restored], group: Group | None) -> None:
    """Store games that are new in a group, which is locked, or in none: the log of each, and what is counted of it."""
    counted = [(each.game, each.facts, each.cast.participants) for each in games]
    if group is not None:
        totals.find_players(group, [each.cast for each in games])
        totals.count_new(group, counted)
    Game.objects.bulk_create(each.game for each in games)
    Seat.objects.bulk_create(seat for each in games for seat in each.cast.seats)
    Stint.objects.bulk_create(stint for each in games for stint in each.cast.stints)
    store.restore((each.game.pk, each.entries) for each in games)
    if group is not None:
        totals.catch_up(group, most=max(len(games), totals.RATED_AT_ONCE))
