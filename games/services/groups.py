"""What changes a group: its name, its games, its keys, its ratings.  Each function is one transaction."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from games.database import write_queue
from games.errors import AlreadyInGroup, GroupNameMissing, LastOwnerKey, NotFound, PlayedOn
from games.groups import totals
from games.groups.statistics import VERSION
from games.keys import registry
from games.live.hub import hub
from games.log import store
from games.models import IN_BIN, Game, Group, GroupKey, GroupRole, Key, Lost, LostResult, Seat, Stint
from games.rules.errors import NameTooLong
from games.rules.replay import HolderChange
from games.rules.text import clean_line
from games.services import seating
from games.services.idempotent_creation import ProgramRequest, create_once, create_or_find
from games.services.write import locked_game, locked_group

LONGEST_GROUP_NAME = 60


def create_group(
    *, name: str, creator_label: str | None, once: str | None = None, asked: ProgramRequest | None = None
) -> GroupKey:
    """Create a group and its owner's key.  `creator_label` is the label of the owner's browser; None: a program.

    `once` identifies the browser and its form: the same name sent by it again, even in parallel, is the same group.
    `asked`: the request of a program that may send it again.
    Errors: `GroupNameMissing`, `NameTooLong`, `RequestIdReused`.
    """

    def create(stored_id: str | None) -> GroupKey:
        with write_queue.in_turn():
            group = Group.objects.create(name=_group_name(name), counted_by=VERSION, creation_id=stored_id)
            program, secret = creator_label is None, None if asked is None else asked.secret(GroupRole.OWNER)
            label = creator_label or ""
            return registry.issue(group=group, role=GroupRole.OWNER, label=label, program=program, secret=secret)

    def find(stored_id: str) -> GroupKey | None:
        keys = GroupKey.objects.filter(group__creation_id=stored_id).select_related("group").order_by("pk")
        if asked is not None and Group.objects.filter(creation_id=stored_id).exists():
            return asked.require_repeated(keys, GroupRole.OWNER)
        return keys.first()

    if asked is not None:
        return create_or_find(asked.stored_id, create=create, find=find)
    return create_once(once, name, create=create, find=find)


def rename_group(*, group_id: str, name: str) -> Group:
    """Rename a group.

    Errors: `GroupNameMissing`, `NameTooLong`, `NotFound`.
    """
    with write_queue.in_turn():
        group = locked_group(group_id)
        group.name = _group_name(name)
        group.save(update_fields=["name"])
        return group


def _group_name(name: str) -> str:
    cleaned = clean_line(name)
    if not cleaned:
        raise GroupNameMissing()
    if len(cleaned) > LONGEST_GROUP_NAME:
        raise NameTooLong(name=cleaned, most=LONGEST_GROUP_NAME)
    store.demand_storable("name", cleaned)
    return cleaned


# --- games ---


def adopt(*, group_id: str, game_id: str) -> None:
    """Add a game to a group, with its result if it is finished.

    Errors: `AlreadyInGroup`, `NotFound`; `PlayedOn`, because others have played a part of it.
    """
    with write_queue.in_turn():
        game = locked_game(game_id)
        if game.from_step is not None:
            raise PlayedOn()
        if game.present_group is not None:
            raise AlreadyInGroup()
        group = locked_group(group_id)
        _take_out(game)
        game.group = group
        game.save(update_fields=["group"])
        # Consumers of the changes see the game once, as it is now.
        LostResult.objects.filter(group=group, game_id=game.pk).delete()
        seats = list(Seat.objects.filter(game=game).order_by("number"))
        totals.seat_players(group, seats)
        totals.place_stints(game, group, store.read(game).current_setup.earlier)
        totals.update(game, store.read(game).replay)


def release(*, group_id: str, game_id: str) -> None:
    """Remove a game from a group, with its figures; its own keys stay valid.

    Errors: `NotFound`.
    """
    with write_queue.in_turn():
        game = locked_game(game_id)
        if game.group_id != group_id:
            raise NotFound()
        _take_out(game)


def _take_out(game: Game) -> None:
    """Take a game out of its group, if it has one, with its figures."""
    if game.group_id is None:
        return
    totals.withdraw(game)
    Seat.objects.filter(game=game).update(player=None)
    Stint.objects.filter(game=game).update(player=None)
    # From now on the game's keys do not depend on keys of the group.
    Key.objects.filter(game=game).update(through=None)
    game.group = None
    game.save(update_fields=["group"])


# --- keys ---


def revoke_key(*, group_id: str, key_id: int) -> int:
    """Revoke a key of a group, with every key of a game that was issued through it.

    Returns how many open invitations, to the group and to these games, are withdrawn with them.

    Errors: `NotFound`; `LastOwnerKey`, because no key could ever be issued again.
    """
    with write_queue.in_turn():
        # Lock order: games before group.  Compared here, because an address may name a number that no database stores.
        through = [key.pk for key in GroupKey.objects.filter(group=group_id) if key.pk == key_id]
        opened_games = Key.objects.filter(through__in=through).values("game")
        list(Game.objects.filter(pk__in=opened_games).order_by("pk").select_for_update().values_list("pk"))
        group = locked_group(group_id)
        valid = {key.pk: key for key in GroupKey.objects.filter(group=group, revoked_at=None)}
        key = valid.pop(key_id, None)
        if key is None:
            raise NotFound()
        if key.owns and not any(other.owns for other in valid.values()):
            raise LastOwnerKey()
        # First the key: this waits for its holder who enters a table at present, and whose new key is then seen.
        withdrawn = registry.revoke(key)
        opened = list(Key.objects.filter(through=key, revoked_at=None).select_related("game"))
        withdrawn += sum(map(registry.revoke, opened))
        for each in opened:
            if each.seat is not None:
                seating.note_loss(locked_game(each.game_id), each.seat, HolderChange.REVOKED, actor=None)
        # Nor may its holder take back a seat that they lost to another phone.
        Key.objects.filter(through=key, lost=Lost.CLAIMED).update(lost=Lost.REVOKED)
        # Nor does a game come back from the bin with the keys that they had of it.
        Key.objects.filter(IN_BIN, through=key).update(revoked_at=key.revoked_at)
        for each in opened:
            transaction.on_commit(partial(hub.end_revoked, each.game_id, [each.pk]))
        return withdrawn


def renew_key(*, group_id: str, key_id: int) -> GroupKey:
    """Replace the secret of a program's key; the new `secret` is shown this once.

    Errors: `NotFound`.
    """
    with write_queue.in_turn():
        group = locked_group(group_id)
        key = GroupKey.objects.filter(group=group, pk=key_id, revoked_at=None, secret_hash__isnull=False).first()
        if key is None:
            raise NotFound()
        registry.renew(key)
        return key


# --- ratings ---


def rate_waiting_games(group: Group) -> int:
    """Rate the finished games of a group that are not rated yet; returns how many remain.

    `group` is refreshed if any game was rated.
    """
    waiting = totals.unrated(group)
    if not waiting:
        return 0
    with write_queue.in_turn():
        totals.catch_up(locked_group(group.pk))
    group.refresh_from_db()
    return totals.unrated(group)
