"""A group and what its totals say, in few words.

`books_of` lists everything that is counted for a group; `counted_anew` the same after counting every log again: the two
agree, whatever happened.
"""

from __future__ import annotations

from django.db import transaction

from games.club import totals
from games.log import store
from games.models import Game, Group, Pair, Player, Seat
from games.rules import Setup
from games.services import groups
from tests.cast.tables import ROUND_1, ROUND_2, Table

WON_BY_THE_FIRST = (*ROUND_1, *ROUND_2)
"""Two rounds by the Dutch text: 54 to 48 to 48."""


def new_group(name: str = "Thursday club") -> Group:
    """A group without games."""
    return groups.create_group(name=name, creator_label="Ana").group


def played(group: Group, *names: str, lines: tuple[str, ...] = WON_BY_THE_FIRST) -> Table:
    """A finished game of the group; the first of the three wins it."""
    return Table(three(*names), *lines, group=group)


def three(*names: str) -> Setup:
    """Three by the Dutch text, two rounds."""
    return Setup.of(preset="goldsieber-dutch", names=names or ("Ana", "Ben", "Cleo"), options={"rounds": 2})


def player(group: Group, name: str) -> Player:
    """Who is called so in a group at present."""
    return Player.objects.get(group=group, name=name, merged_into=None)


def fresh(group: Group) -> Group:
    """The group as the database has it now."""
    return Group.objects.get(pk=group.pk)


def totals_of(group: Group) -> dict[str, object]:
    """Every figure, form and count of a group; pairs and players without figures left out."""
    seats = Seat.objects.filter(game__group=group).order_by("game", "number")
    return {
        "group": fresh(group).figures,
        "rated": (fresh(group).rated_at, fresh(group).rated_game),
        "players": {each.pk: each.figures for each in Player.objects.filter(group=group) if each.figures},
        "forms": {each.pk: each.form for each in Player.objects.filter(group=group) if each.form},
        "pairs": {
            (each.one_id, each.other_id): each.figures for each in Pair.objects.filter(one__group=group) if each.figures
        },
        "seats": list(seats.values_list("game", "number", "player", "counted_at", "form")),
        "facts": dict(Game.objects.filter(group=group).values_list("pk", "facts")),
    }


def recounted(group: Group) -> dict[str, object]:
    """The totals as every log of the group says; nothing stays changed."""
    with transaction.atomic():
        games = Game.objects.filter(group=group).order_by("pk")
        totals.recount(fresh(group), ((game, store.refold(game).replay) for game in games))
        counted = totals_of(group)
        transaction.set_rollback(True)
    return counted


def rated_to_the_end(group: Group) -> None:
    """Let the ratings see every game."""
    with transaction.atomic():
        locked = totals.locked(group.pk)
        assert locked is not None
        while totals.catch_up(locked):
            pass
