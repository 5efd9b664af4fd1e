"""What changes the players of a group: add, change, merge, erase.  Each function is one transaction."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from games.database import write_queue
from games.errors import (
    DatabaseUnavailable,
    NotFound,
    PlayerErased,
    PlayerNameMissing,
    PlayerNameTaken,
    RequestIdReused,
    SameTable,
)
from games.groups import totals
from games.keys import registry
from games.keys.hashes import id_of_request
from games.live.hub import hub
from games.log import store
from games.models import Game, Group, GroupKey, Key, Player, Seat, Stint
from games.rules import SetupEntry
from games.rules.editions import EDITIONS
from games.rules.errors import NameTooLong, UnknownToken
from games.rules.setup import LONGEST_NAME
from games.rules.text import typed_line
from games.services.idempotent_creation import ProgramRequest
from games.services.write import extended, locked_group

TOKENS = tuple(token for edition in EDITIONS.values() for token in edition.tokens)


def add_player(*, group_id: str, name: str, token: str = "", asked: ProgramRequest | None = None) -> Player:
    """Add a player to a group.  `asked`: the request of a program that may send it again.

    Errors: `NameMissing`, `NameTooLong`, `PlayerNameTaken`, `UnknownToken`, `NotFound`; `RequestIdReused`.
    """
    values = {} if asked is None else {"id": id_of_request(asked.sender, asked.request_id)}
    with write_queue.in_turn():
        group = locked_group(group_id)
        added = Player.objects.filter(pk=values["id"], group=group).first() if values else None
        if added is not None:
            if (added.name_key, added.token) != (totals.key_of_name(typed_line(name)), token):
                raise RequestIdReused()
            added.repeated = True
            return added
        name = _player_name(group, name)
        key = totals.key_of_name(name)
        return Player.objects.create(group=group, name=name, name_key=key, token=_token(token), **values)


def change_player(*, group_id: str, player_id: str, name: str | None = None, token: str | None = None) -> Player:
    """Change a player's name or favourite token.  Sheets keep the name that was used that evening.

    Errors: those of `add_player`; `PlayerErased`.
    """
    with write_queue.in_turn():
        player = _player(locked_group(group_id), player_id)
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
    """Merge a player into another: one person under two names.

    Errors: `SameTable` if both sat at one table, `NotFound`.
    """
    return _retried(lambda: _merge_players(group_id, player_id, into_id))


def _merge_players(group_id: str, player_id: str, into_id: str) -> Player:
    with write_queue.in_turn():
        games = _games_locked(player_id)
        group = locked_group(group_id)
        _require_same(games, _games_of(player_id))
        player, into = _player(group, player_id), _player(group, into_id)
        if player.pk == into.pk:
            raise NotFound()
        shared = Seat.objects.filter(player=into, game__in=games)
        together = Stint.objects.filter(player=into, game__in=games, game__deleted_at=None)
        if shared.filter(game__deleted_at=None).exists() or together.exists():
            raise SameTable(name=player.name, other=into.name)
        # A game in the bin is not there; should it come back, one of the two seats has no player.
        Seat.objects.filter(player=player, game__in=shared.values("game")).update(player=None)
        # No seat has changed since the games were locked: that needs the lock of the group.
        totals.unite(group, player, into, [game for game in games if game.change is not None])
        return into


def erase_player(*, group_id: str, player_id: str) -> Player:
    """Erase a person's name from everything that is stored; the figures stay.

    This is the one change to written log entries: names in set-ups are replaced.  Each of these games gets a new entry,
    whose version invalidates every cached page and notifies the phones.

    Errors: `NotFound`.
    """
    return _retried(lambda: _erase_player(group_id, player_id))


def _erase_player(group_id: str, player_id: str) -> Player:
    with write_queue.in_turn():
        games = _games_locked(player_id, corrected_in=group_id)
        group = locked_group(group_id)
        _require_same(games, _games_of(player_id, corrected_in=group_id))
        player = _player(group, player_id)
        merged = list(Player.objects.filter(merged_into=player))
        written = [
            *Seat.objects.filter(player=player).values_list("name", flat=True).distinct(),
            *Stint.objects.filter(player=player).values_list("name", flat=True).distinct(),
        ]
        names = {name.casefold() for name in (player.name, *(each.name for each in merged), *written)}
        player.name = gettext("Player {sign}").format(sign=player.pk[:6])
        player.name_key = totals.key_of_name(player.name)
        player.token, player.erased_at = "", timezone.now()
        player.save(update_fields=["name", "name_key", "token", "erased_at"])
        for number, each in enumerate(merged, start=1):
            each.name, each.name_key = f"{player.name} ({number})", None
            each.save(update_fields=["name", "name_key"])
        changed = [game for game in games if _erase_in(game, player, names)]
        _erase_labels(group, changed, names)
        totals.note_change(group, [game for game in changed if game.change is not None])
        return player


def _erase_in(game: Game, player: Player, names: set[str]) -> bool:
    """Whether a game named the player.  `names`: all their names, case-folded."""
    seats = {seat.number: seat for seat in Seat.objects.filter(game=game)}
    own = next((seat for seat in seats.values() if seat.player_id == player.pk), None)
    number = None if own is None else own.number
    others = {seat.name.casefold() for seat in seats.values() if seat is not own}
    Stint.objects.filter(game=game, player=player).update(name=player.name)
    others |= {stint.name.casefold() for stint in Stint.objects.filter(game=game) if stint.player_id != player.pk}
    others -= names
    if not store.erase_names(game, names, player.name, seat=number, others=others):
        return False
    if own is not None:
        own.name = player.name
        own.save(update_fields=["name"])
    _append_erased_setup(game)
    return True


def _append_erased_setup(game: Game) -> None:
    ledger = store.refold(game)
    entry = SetupEntry(ledger.version + 1, ledger.current_setup)
    grown = store.append(game, ledger, [entry], actor=None, at=store.now())
    game.version = grown.version
    game.save(update_fields=["version"])
    extended.send(Game, ledger=grown)
    transaction.on_commit(lambda: hub.announce(game.pk, grown.version))


def _erase_labels(group: Group, games: list[Game], names: set[str]) -> None:
    """Replace labels with the person's name in them: “Ana”, “Ana's phone”."""
    named = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)))
    keys: list[Key | GroupKey] = [*Key.objects.filter(game__in=games), *GroupKey.objects.filter(group=group)]
    for key in keys:
        if named.search(key.label.casefold()):
            registry.rename(key, gettext("A phone"))


def _games_locked(player_id: str, *, corrected_in: str | None = None) -> list[Game]:
    """The games of a player, locked before the group, as every writer does.

    `corrected_in`: also the games of this group whose set-up was corrected: it may name them.
    """
    return list(_games_of(player_id, corrected_in=corrected_in).select_for_update())


def _games_of(player_id: str, *, corrected_in: str | None = None) -> QuerySet[Game]:
    wanted = Q(pk__in=Seat.objects.filter(player=player_id).values("game"))
    wanted |= Q(pk__in=Stint.objects.filter(player=player_id).values("game"))
    if corrected_in is not None:
        wanted |= Q(pk__in=store.corrected_setups(corrected_in))
    return Game.objects.filter(wanted).order_by("pk")


class _GamesChanged(Exception):
    """The player's games changed before the group was locked."""


def _require_same(locked: list[Game], now: QuerySet[Game]) -> None:
    if [game.pk for game in locked] != list(now.values_list("pk", flat=True)):
        raise _GamesChanged


def _retried(change: Callable[[], Player]) -> Player:
    """Repeat a change until no game was added between the lock of the games and that of the group."""
    for _ in range(5):
        with suppress(_GamesChanged):
            return change()
    raise DatabaseUnavailable()


def _player(group: Group, player_id: str) -> Player:
    player = Player.objects.filter(group=group, pk=player_id, merged_into=None).select_related("group").first()
    if player is None:
        raise NotFound()
    return player


def _player_name(group: Group, name: str, *, of: Player | None = None) -> str:
    cleaned = typed_line(name)
    if not cleaned:
        raise PlayerNameMissing()
    if len(cleaned) > LONGEST_NAME:
        raise NameTooLong(name=cleaned, most=LONGEST_NAME)
    store.demand_storable("name", cleaned)
    holder = Player.objects.filter(group=group, name_key=totals.key_of_name(cleaned)).first()
    if holder is not None and of is not None and holder.merged_into_id == of.pk:
        # The name belongs to a player who was merged into this one.
        holder.name_key = None
        holder.save(update_fields=["name_key"])
    elif holder is not None and holder != of:
        raise PlayerNameTaken(name=cleaned)
    return cleaned


def _token(token: str) -> str:
    if token and token not in TOKENS:
        raise UnknownToken(token=token)
    return token
