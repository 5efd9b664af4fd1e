"""The bin: a deleted game or group lies there for 30 days, is restored from there, or deleted permanently.

What lies there has no valid key and no invitation, a game no group either, so that no address and no list leads to it:
it is as if it did not exist.  The keys that were valid are revoked at the very time of the deletion, which tells them
from those that were revoked before (`IN_BIN`).
"""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from games.database import write_queue
from games.errors import NotFound
from games.groups import totals
from games.live.hub import GONE, hub
from games.log import store
from games.models import GROUP_IN_BIN, IN_BIN, Game, GroupInvite, GroupKey, Invite, Key, LostResult, Seat
from games.services.write import extended, locked_group

KEPT_FOR = timedelta(days=30)


# --- games ---


def delete_game(*, game_id: str, actor: Key | None = None) -> None:
    """Put a game into the bin, with its figures withdrawn.  `actor`: the stored key of who deletes it."""
    with write_queue.in_turn():
        # Wait for a write in progress: its entry would otherwise be written to a game in the bin.
        game = Game.objects.select_for_update().filter(pk=game_id, deleted_at=None).first()
        if game is not None:
            _unlink(game)
            totals.withdraw(game)
            game.deleted_at, game.deleted_by, game.deleted_from = timezone.now(), actor, game.group
            game.group = game.creation_id = None
            game.save()
            Key.objects.filter(game=game, revoked_at=None).update(revoked_at=game.deleted_at)
            Invite.objects.filter(game=game).delete()
        _announce_end(game_id)


def restore_game(*, game_id: str, actor: Key) -> Game:
    """Take a game out of the bin, with its keys, its group and its figures.  `actor`: a key of it that may record.

    Errors: `NotFound`.
    """
    with write_queue.in_turn():
        game = Game.objects.select_for_update().filter(pk=game_id, deleted_at__isnull=False).first()
        if game is None or not Key.objects.filter(IN_BIN, pk=actor.pk, game=game).exists():
            raise NotFound()
        Key.objects.filter(game=game, revoked_at=game.deleted_at).update(revoked_at=None)
        _link(game)
        group = totals.locked(game.deleted_from_id)
        game.group, game.deleted_from = group, None
        game.deleted_at = game.deleted_by = game.swept_at = None
        game.save()
        ledger = store.read(game)
        if group is not None:
            # Consumers of the changes see the game once, as it is now.
            LostResult.objects.filter(group=group, game_id=game.pk).delete()
        totals.update(game, ledger.replay)
        if ledger.entries:
            # What its bots have to do.
            extended.send(Game, ledger=ledger)
        transaction.on_commit(lambda: hub.announce(game.pk, ledger.version))
        return game


def delete_game_permanently(*, game_id: str) -> None:
    """Delete a game permanently, with its log, keys and invitations, from the bin or not."""
    with write_queue.in_turn():
        game = Game.objects.select_for_update().filter(pk=game_id).first()
        if game is not None:
            totals.withdraw(game)
            game.delete()
        _announce_end(game_id)


def _announce_end(game_id: str) -> None:
    transaction.on_commit(lambda: store.forget(game_id))
    transaction.on_commit(lambda: hub.announce(game_id, GONE))


def _unlink(game: Game) -> None:
    """Note the games that this one is linked with, and unlink it."""
    rematches, repeats = Game.objects.filter(rematch_of=game), Game.objects.filter(deals_of=game)
    previous = Game.objects.filter(next=game)
    game.links = {
        "rematch_of": game.rematch_of_id,
        "deals_of": game.deals_of_id,
        "next": game.next_id,
        "previous": list(previous.values_list("pk", flat=True)),
        "rematches": list(rematches.values_list("pk", flat=True)),
        "repeats": list(repeats.values_list("pk", flat=True)),
    }
    rematches.update(rematch_of=None)
    repeats.update(deals_of=None)
    previous.update(next=None)
    game.rematch_of = game.deals_of = game.next = None


def _link(game: Game) -> None:
    """Link a game again with those that are there."""
    links, there = game.links or {}, Game.objects.filter(deleted_at=None)
    game.rematch_of = there.filter(pk=links.get("rematch_of")).first()
    game.deals_of = there.filter(pk=links.get("deals_of")).first()
    game.next = there.filter(pk=links.get("next"), previous=None).first()
    there.filter(pk__in=links.get("rematches", ()), rematch_of=None).update(rematch_of=game)
    there.filter(pk__in=links.get("repeats", ()), deals_of=None).update(deals_of=game)
    there.filter(pk__in=links.get("previous", ()), next=None).update(next=game)
    game.links = None


# --- groups ---


def delete_group(*, group_id: str, actor: GroupKey | None = None) -> None:
    """Put a group into the bin.  Its games stay with those who have keys of their own.

    Errors: `NotFound`.
    """
    with write_queue.in_turn():
        group = locked_group(group_id)
        group.deleted_at, group.deleted_by, group.creation_id = timezone.now(), actor, None
        group.save(update_fields=["deleted_at", "deleted_by", "creation_id"])
        GroupKey.objects.filter(group=group, revoked_at=None).update(revoked_at=group.deleted_at)
        GroupInvite.objects.filter(group=group).delete()


def restore_group(*, group_id: str, actor: GroupKey) -> None:
    """Take a group out of the bin, with its keys, players, games and figures.  `actor`: an owner's key of it.

    Errors: `NotFound`.
    """
    with write_queue.in_turn():
        group = totals.locked(group_id)
        if group is None or not GroupKey.objects.filter(GROUP_IN_BIN, pk=actor.pk, group=group).exists():
            raise NotFound()
        GroupKey.objects.filter(group=group, revoked_at=group.deleted_at).update(revoked_at=None)
        group.deleted_at = group.deleted_by = group.swept_at = None
        group.save(update_fields=["deleted_at", "deleted_by", "swept_at"])


def delete_group_permanently(*, group_id: str) -> None:
    """Delete a group permanently, with its players, figures and keys, from the bin or not.

    Games with keys of their own stay; the others, which could never be opened again, are deleted.
    """
    with write_queue.in_turn():
        # Lock order: games before group.
        list(Game.objects.filter(group=group_id).order_by("pk").select_for_update().values_list("pk"))
        group = totals.locked(group_id)
        if group is None:
            return
        Seat.objects.filter(game__group=group).update(counted_at=None, form=None)
        games = Game.objects.filter(group=group)
        opened = Key.objects.filter(revoked_at=None).values("game")
        games.exclude(pk__in=opened).delete()
        games.update(group=None, facts=None, change=None)
        group.delete()
