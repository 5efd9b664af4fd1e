"""Everything that changes a group: its name, its players, its games, one function and one transaction each.

Knows: what belongs together when a player is merged or erased, when a game comes or goes.  Must not know: HTTP, forms;
who may do it (`games.keys.access`); how games are counted (`games.club.totals`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from games.club import totals
from games.database import write_queue
from games.errors import (
    AlreadyInGroup,
    DatabaseUnavailable,
    GroupNameMissing,
    LastOwnerKey,
    NotFound,
    PlayerErased,
    PlayerNameMissing,
    PlayerNameTaken,
    SameTable,
)
from games.keys import access
from games.live.hub import hub
from games.log import store
from games.models import Game, Group, GroupKey, GroupRole, Key, LostResult, Player, Seat
from games.rules import Setup, SetupEntry
from games.rules.editions import EDITIONS
from games.rules.errors import NameTooLong, UnknownToken
from games.rules.setup import LONGEST_NAME
from games.rules.text import clean_line

LONGEST_GROUP_NAME = 60
TOKENS = tuple(token for edition in EDITIONS.values() for token in edition.tokens)


@dataclass(frozen=True)
class CreatedGroup:
    """A new group: its owner's key, for a program with the secret that is shown this once."""

    group: Group
    key: GroupKey
    secret: str | None


def create_group(*, name: str, creator_label: str | None) -> CreatedGroup:
    """Found a group.  `creator_label` names the browser that becomes its owner; None: a program.

    Errors: `GroupNameMissing`, `NameTooLong`.
    """
    with write_queue.in_turn():
        group = Group.objects.create(name=_group_name(name))
        if creator_label is None:
            secret, key = access.issue_group_key(group=group, role=GroupRole.OWNER, label="API owner")
            return CreatedGroup(group, key, secret)
        return CreatedGroup(
            group, access.issue_group_browser_key(group=group, role=GroupRole.OWNER, label=creator_label), None
        )


def rename_group(*, group_id: str, name: str) -> Group:
    """Call a group something else.

    Errors: `GroupNameMissing`, `NameTooLong`, `NotFound`.
    """
    with write_queue.in_turn():
        group = _locked(group_id)
        group.name = _group_name(name)
        group.save(update_fields=["name"])
        return group


def delete_group(*, group_id: str) -> None:
    """Dissolve a group with its players, figures and keys.

    Its games stay with whoever has a key of their own; what nobody has a key of is deleted.

    Errors: `NotFound`.
    """
    with write_queue.in_turn():
        # Games first, the group afterwards: the order of every writer.
        list(Game.objects.filter(group=group_id).order_by("pk").select_for_update().values_list("pk"))
        group = _locked(group_id)
        Seat.objects.filter(game__group=group).update(counted_at=None, form=None)
        games = Game.objects.filter(group=group)
        opened = Key.objects.filter(revoked_at=None).values("game")
        # What nobody could ever open again goes with the group.
        games.exclude(pk__in=opened).delete()
        games.update(group=None, facts=None, change=None)
        group.delete()


def _group_name(name: str) -> str:
    cleaned = clean_line(name)
    if not cleaned:
        raise GroupNameMissing()
    if len(cleaned) > LONGEST_GROUP_NAME:
        raise NameTooLong(name=cleaned, most=LONGEST_GROUP_NAME)
    store.demand_storable("name", cleaned)
    return cleaned


def _locked(group_id: str) -> Group:
    group = totals.locked(group_id)
    if group is None:
        raise NotFound()
    return group


# --- players ---


def add_player(*, group_id: str, name: str, token: str = "") -> Player:
    """Add a regular to a group.

    Errors: `NameMissing`, `NameTooLong`, `PlayerNameTaken`, `UnknownToken`, `NotFound`.
    """
    with write_queue.in_turn():
        group = _locked(group_id)
        name = _player_name(group, name)
        return Player.objects.create(group=group, name=name, name_key=totals.key_of_name(name), token=_token(token))


def change_player(*, group_id: str, player_id: str, name: str | None = None, token: str | None = None) -> Player:
    """Give a player another name or favourite token.  Sheets keep the name that was written that evening.

    Errors: those of `add_player`; `PlayerErased`.
    """
    with write_queue.in_turn():
        player = _player(_locked(group_id), player_id)
        if player.erased_at is not None:
            raise PlayerErased()
        if name is not None:
            player.name = _player_name(player.group, name, of=player)
            player.name_key = totals.key_of_name(player.name)
        if token is not None:
            player.token = _token(token)
        player.save(update_fields=["name", "name_key", "token"])
        return player


def merge_players(*, group_id: str, player_id: str, into_id: str) -> Player:
    """Let one player's games be another's: they are the same person under two names.

    Errors: `SameTable` if they played against or with each other, `NotFound`.
    """
    return _undisturbed(lambda: _merge_players(group_id, player_id, into_id))


def _merge_players(group_id: str, player_id: str, into_id: str) -> Player:
    with write_queue.in_turn():
        games = _games_locked(player_id)
        group = _locked(group_id)
        _demand_same(games, _games_of(player_id))
        player, into = _player(group, player_id), _player(group, into_id)
        if player.pk == into.pk:
            raise NotFound()
        shared = Seat.objects.filter(player=into, game__in=games).first()
        if shared is not None:
            raise SameTable(name=player.name, other=into.name)
        # The seats are as they were locked: who else would sit down needs the lock of the group.
        totals.unite(group, player, into, [game for game in games if game.change is not None])
        return into


def erase_player(*, group_id: str, player_id: str) -> Player:
    """Take a person's name out of everything that is stored: he stays as a number among the figures.

    The one thing that changes what is written in a log: names in set-ups become another one.  Each game gets an entry
    that says so, and so every phone and every page kept hears of it.

    Errors: `NotFound`.
    """
    return _undisturbed(lambda: _erase_player(group_id, player_id))


def _erase_player(group_id: str, player_id: str) -> Player:
    with write_queue.in_turn():
        games = _games_locked(player_id, corrected_in=group_id)
        group = _locked(group_id)
        _demand_same(games, _games_of(player_id, corrected_in=group_id))
        player = _player(group, player_id)
        merged = list(Player.objects.filter(merged_into=player))
        written = Seat.objects.filter(player=player).values_list("name", flat=True).distinct()
        names = {name.casefold() for name in (player.name, *(each.name for each in merged), *written)}
        player.name = gettext("Player {sign}").format(sign=player.pk[:6])
        player.name_key = totals.key_of_name(player.name)
        player.token, player.erased_at = "", timezone.now()
        player.save(update_fields=["name", "name_key", "token", "erased_at"])
        for number, each in enumerate(merged, start=1):
            each.name, each.name_key = f"{player.name} ({number})", None
            each.save(update_fields=["name", "name_key"])
        told = [game for game in games if _erase_in(game, player, names)]
        _erase_labels(group, told, names)
        totals.note_change(group, [game for game in told if game.change is not None])
        return player


def _erase_in(game: Game, player: Player, names: set[str]) -> bool:
    """Whether the player was told of in this game.  `names`: whatever he is called anywhere, in small letters."""
    seats = {seat.number: seat for seat in Seat.objects.filter(game=game)}
    own = next((seat for seat in seats.values() if seat.player_id == player.pk), None)
    number = None if own is None else own.number
    others = {seat.name.casefold() for seat in seats.values() if seat is not own}
    if not store.erase_names(game, names, player.name, seat=number, others=others):
        return False
    if own is not None:
        own.name = player.name
        own.save(update_fields=["name"])
    _tell_of_names(game)
    return True


def _tell_of_names(game: Game) -> None:
    ledger = store.refold(game)
    setup: Setup = ledger.current_setup
    grown = store.append(game, ledger, [SetupEntry(ledger.version + 1, setup)], actor=None, at=timezone.now())
    game.version = grown.version
    game.save(update_fields=["version"])
    over = grown.state.current is None
    transaction.on_commit(lambda: hub.announce(game.pk, grown.version, over=over))


def _erase_labels(group: Group, games: list[Game], names: set[str]) -> None:
    """Phones are called by their owners' names: “Ana”, “Ana's phone”."""
    told = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)))
    keys = [*Key.objects.filter(game__in=games), *GroupKey.objects.filter(group=group)]
    for key in keys:
        if told.search(key.label.casefold()):
            access.rename(key, gettext("A phone"))


def _games_locked(player_id: str, *, corrected_in: str | None = None) -> list[Game]:
    """The games of a player, locked in the order in which every writer does: games first, the group afterwards.

    `corrected_in`: also the games of this group whose set-up was corrected, where he may have sat before.
    """
    return list(_games_of(player_id, corrected_in=corrected_in).select_for_update())


def _games_of(player_id: str, *, corrected_in: str | None = None) -> QuerySet[Game]:
    wanted = Q(pk__in=Seat.objects.filter(player=player_id).values("game"))
    if corrected_in is not None:
        wanted |= Q(pk__in=store.corrected_setups(corrected_in))
    return Game.objects.filter(wanted).order_by("pk")


class _Disturbed(Exception):
    """A table was opened between the lock of the games and that of the group."""


def _demand_same(locked: list[Game], now: QuerySet[Game]) -> None:
    if [game.pk for game in locked] != list(now.values_list("pk", flat=True)):
        raise _Disturbed


def _undisturbed(change: Callable[[], Player]) -> Player:
    """What a change answers once nobody opened a table meanwhile: with the group locked nobody can."""
    for _ in range(5):
        with suppress(_Disturbed):
            return change()
    raise DatabaseUnavailable()


def _player(group: Group, player_id: str) -> Player:
    player = Player.objects.filter(group=group, pk=player_id, merged_into=None).select_related("group").first()
    if player is None:
        raise NotFound()
    return player


def _player_name(group: Group, name: str, *, of: Player | None = None) -> str:
    cleaned = clean_line(name)
    if not cleaned:
        raise PlayerNameMissing()
    if len(cleaned) > LONGEST_NAME:
        raise NameTooLong(name=cleaned, most=LONGEST_NAME)
    store.demand_storable("name", cleaned)
    holder = Player.objects.filter(group=group, name_key=totals.key_of_name(cleaned)).first()
    if holder is not None and of is not None and holder.merged_into_id == of.pk:
        # A name that he went by before he was recognised is his to take.
        holder.name_key = None
        holder.save(update_fields=["name_key"])
    elif holder is not None and holder != of:
        raise PlayerNameTaken(name=cleaned)
    return cleaned


def _token(token: str) -> str:
    if token and token not in TOKENS:
        raise UnknownToken(token=token)
    return token


# --- games ---


def adopt(*, group_id: str, game_id: str) -> None:
    """Take a table into a group, with what it has come to so far.

    Errors: `AlreadyInGroup`, `NotFound`.
    """
    with write_queue.in_turn():
        game = _game(game_id)
        if game.group_id is not None:
            raise AlreadyInGroup()
        group = _locked(group_id)
        game.group = group
        game.save(update_fields=["group"])
        # Consumers are told of a game once, as it is now.
        LostResult.objects.filter(group=group, game_id=game.pk).delete()
        seats = list(Seat.objects.filter(game=game).order_by("number"))
        totals.seat_players(group, seats)
        totals.update(game, store.read(game).replay)


def release(*, group_id: str, game_id: str) -> None:
    """Take a table out of a group: its figures go, the game stays with whoever has a key of its own.

    Errors: `NotFound`.
    """
    with write_queue.in_turn():
        game = _game(game_id)
        if game.group_id != group_id:
            raise NotFound()
        totals.withdraw(game)
        Seat.objects.filter(game=game).update(player=None)
        # From now on the keys of the table are the only ones: none of them ends with a key of the group.
        Key.objects.filter(game=game).update(through=None)
        game.group = None
        game.save(update_fields=["group"])


def _game(game_id: str) -> Game:
    game = Game.objects.select_for_update().filter(pk=game_id).first()
    if game is None:
        raise NotFound()
    return game


# --- keys ---


def revoke_key(*, group_id: str, key_id: int) -> None:
    """Take a key of a group back, with every key of a table that it opened.

    Errors: `NotFound`, `LastOwnerKey`: nobody could ever give a key again.
    """
    with write_queue.in_turn():
        group = _locked(group_id)
        valid = {key.pk: key for key in GroupKey.objects.filter(group=group, revoked_at=None)}
        key = valid.pop(key_id, None)
        if key is None:
            raise NotFound()
        if key.owns and not any(other.owns for other in valid.values()):
            raise LastOwnerKey()
        access.revoke(key)
        opened = list(Key.objects.filter(through=key, revoked_at=None))
        for each in opened:
            access.revoke(each)
        # A seat that he lost to another phone he does not take back either.
        Key.objects.filter(through=key).update(superseded=False)
        for each in opened:
            transaction.on_commit(lambda each=each: hub.revoked(each.game_id, [each.pk]))


def renew_key(*, group_id: str, key_id: int) -> tuple[str, GroupKey]:
    """A new secret for a program's key, shown this once; the old one opens nothing any more.

    Errors: `NotFound`.
    """
    with write_queue.in_turn():
        group = _locked(group_id)
        key = GroupKey.objects.filter(group=group, pk=key_id, revoked_at=None, secret_hash__isnull=False).first()
        if key is None:
            raise NotFound()
        return access.renew(key), key


# --- ratings ---


def brought_forward(group: Group) -> int:
    """Bring the ratings of a group forward if they lag, for whoever looks at them; answers how many games they lack.

    `group` is as it was read; its columns are read again if anything was rated.
    """
    waiting = totals.unrated(group)
    if not waiting:
        return 0
    with write_queue.in_turn():
        totals.catch_up(_locked(group.pk))
    group.refresh_from_db()
    return totals.unrated(group)
