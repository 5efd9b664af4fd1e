"""New games: create one, open the rematch of one, import one from a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from django.db.models import Q

from games.club import totals
from games.database import write_queue
from games.errors import AlreadyImported, BotsAreDigital, DealsNotOurs, NotFinished
from games.formats.document import Imported
from games.keys import registry
from games.keys.permissions import require_valid
from games.log import store
from games.log.ledger import Ledger
from games.models import TABLE_ROLES, Game, Group, GroupKey, Key, Role, Seat
from games.rules import RULES_VERSION, Setup
from games.rules.entries import payload_of, setup_to_json
from games.services import digital, seating
from games.services.idempotent_creation import create_once
from games.services.write import locked_group, results_of, seat_results


@dataclass(frozen=True)
class Created:
    """A new game.  `secrets`: a program's secrets by role, shown this once; `creator`: a browser's key.

    In a digital game also `seat_secrets`, a program's secrets by seat, or `seats`, the keys of the seats that are
    played in the creator's browser.  `ledger` shows what everybody may see.  `repeated`: an earlier request created the
    game; `creator` is then None if its key was revoked.
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
    """Create a game, in a group if one is given; `through` is the creator's key of the group.

    A digital game is dealt at once.  `bots`: the level of each seat's bot; `own_seats`: the seats played in the
    creator's browser; `deals_of`: the game whose deals are repeated.

    `creator_label` is the label of the browser that becomes the scorekeeper; None: a program, which gets a key for each
    role.  `once` identifies the browser and its form: the same set-up sent by it again, even in parallel, is the same
    game.

    Errors: `BotsAreDigital`; `NotFound` if the group is gone.
    """
    if any(bots) and not setup.digital:
        raise BotsAreDigital()
    levels = [*bots, *[None] * (setup.ruleset.players - len(bots))]
    people = [seat for seat, level in enumerate(levels) if level is None]

    def seat_key(game: Game, seat: int) -> Key:
        program = creator_label is None
        return registry.issue(game=game, role=Role.SEAT, seat=seat, through=through, program=program, at_opening=True)

    def create(stored_id: str | None) -> Created:
        with write_queue.in_turn():
            if rematch_of is not None:
                # Lock order: game before group.  Inserting the row would otherwise lock the game second.
                Game.objects.select_for_update().filter(pk=rematch_of.pk).first()
            game, ledger = _new_game(
                setup,
                levels,
                rematch_of=rematch_of,
                asks_confirmation=rematch_of is not None and rematch_of.asks_confirmation,
                deals_of=deals_of,
                creation_id=stored_id,
                group_id=group_id,
                through=through,
            )
            made = _with_keys(game, ledger, creator_label, through)
            if not setup.digital:
                return made
            ledger = digital.open_table(game, ledger, bots=levels)
            if creator_label is None:
                secrets = {seat: seat_key(game, seat).secret for seat in people}
                return replace(made, ledger=ledger.seen_by(None), seat_secrets=secrets)
            here = [seat for seat in people if seat in own_seats]
            seats = [seat_key(game, seat) for seat in here]
            ledger = seating.note_shared(game, ledger, here, [key for key in (made.creator, *seats) if key is not None])
            return replace(made, ledger=ledger.seen_by(None), seats=seats)

    content = [setup_to_json(setup), group_id, levels, list(own_seats)]
    return create_once(once, content, create=create, find=_created_before)


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
    game = _insert_game(setup, setup_to_json(setup), group=group, **values)
    ledger = store.read(game)
    # The entries that seat the bots come with the first deal.
    results = zip(seat_results(ledger), bots, strict=True)
    _insert_seats(game, group, [{**result, "bot": bot or ""} for result, bot in results])
    return game, ledger


def _insert_game(setup: Setup, written: Mapping[str, Any], **values: Any) -> Game:
    return Game.objects.create(
        mode=setup.mode,
        preset=setup.ruleset.preset,
        players=setup.ruleset.players,
        setup=dict(written),
        rules_version=RULES_VERSION,
        **values,
    )


def _insert_seats(game: Game, group: Group | None, results: Sequence[Mapping[str, Any]]) -> None:
    Seat.objects.bulk_create(Seat(game=game, number=number, **result) for number, result in enumerate(results))
    if group is not None:
        totals.seat_players(group, list(Seat.objects.filter(game=game).order_by("number")))


def _group(group_id: str | None, through: GroupKey | None = None) -> Group | None:
    if group_id is None:
        return None
    group = locked_group(group_id)
    if through is not None:
        require_valid(through)
    return group


def _with_keys(game: Game, ledger: Ledger, creator_label: str | None, through: GroupKey | None = None) -> Created:
    if creator_label is None:
        issue = partial(registry.issue, game=game, through=through, program=True, at_opening=True)
        return Created(game, ledger, {role: issue(role=role).secret for role in TABLE_ROLES}, None)
    creator = registry.issue(game=game, role=Role.SCOREKEEPER, label=creator_label, through=through, at_opening=True)
    return Created(game, ledger, {}, creator)


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
    """Create the next game of the same table, in the same group, with the next dealer.

    In digital play bots keep their seats; `same_deals`: the deals are repeated, with the same dealer.
    `once`, `through`, `own_seats`: as for `create_game`.

    Errors: `NotFinished`; `DealsNotOurs` for the deals of an imported game.
    """
    if not ledger.state.is_over:
        raise NotFinished()
    again = same_deals and ledger.digital
    if again and game.source is not None:
        raise DealsNotOurs()
    next_setup = ledger.current_setup.rematch(rounds_played=len(ledger.state.finished))
    return create_game(
        setup=ledger.current_setup if again else next_setup,
        # A player whom a bot has replaced plays the next game again.
        bots=ledger.first_bots,
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

    def create(stored_id: str | None) -> Created:
        with write_queue.in_turn():
            group = _group(group_id, through)
            _require_new(group, imported)
            return _restored(imported, group, stored_id, creator_label, through)

    entries = [payload_of(new.entry) for new in imported.entries]
    content = [imported.ledger.written, entries, imported.source, group_id]
    return create_once(once, content, create=create, find=_created_before)


def _require_new(group: Group | None, imported: Imported) -> None:
    """Refuse a game that the group has: the game itself, or one that was imported from a document of it."""
    original = imported.source.get("id")
    if group is None or original is None:
        return
    if Game.objects.filter(Q(pk=original) | Q(source__id=original), group=group).exists():
        raise AlreadyImported()


def _restored(
    imported: Imported, group: Group | None, stored_id: str | None, label: str | None, through: GroupKey | None
) -> Created:
    ledger = imported.ledger
    game = _insert_game(
        ledger.setup,
        ledger.written,
        version=ledger.version,
        created_at=imported.began,
        finished_at=imported.ended,
        locked_at=imported.locked_at,
        group=group,
        source=imported.source,
        creation_id=stored_id,
        **results_of(ledger),
    )
    store.restore(game, imported.entries)
    _insert_seats(game, group, seat_results(ledger))
    ledger = store.read(game)
    totals.update(game, ledger.replay)
    return _with_keys(game, ledger.seen_by(None), label, through)
