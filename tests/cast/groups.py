"""A group with its games, and what its totals say, in few words.

`books_of` lists everything that is counted for a group; `counted_anew` the same after counting every log again: the two
agree after any events.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import transaction

from games.formats import document, notation
from games.formats.notation import Record
from games.groups import periods, totals
from games.log import store
from games.models import Game, Group, GroupKey, Pair, Player, Seat
from games.rules import Action, NameTeam, Phase, Place, PublicState, RecordTally, Setup, Template
from games.services import creation, groups
from tests.builders import CAST
from tests.cast.tables import ROUND_1, ROUND_2, Table

WON_BY_THE_FIRST = (*ROUND_1, *ROUND_2)
"""Two rounds by the Dutch text: 54 to 48 to 48."""


FRIENDS = (*CAST, "Finn")


class CastGroup:
    """A group and its owner's key, of a browser or, without a label, of a program."""

    def __init__(self, name: str = "Tuesdays", *, label: str | None = "Ana’s phone") -> None:
        self.key: GroupKey = groups.create_group(name=name, creator_label=label)
        self.id: str = self.key.group_id

    @property
    def row(self) -> Group:
        """The group as the database has it now."""
        return Group.objects.get(pk=self.id)

    def player(self, name: str) -> Player:
        """Who is called so."""
        return Player.objects.get(group=self.id, name=name)

    def play(self, setup: Setup, *lines: str | Action) -> Game:
        """A game of the group with these entries."""
        return Table(setup, *lines, group=self.row).game

    def bring(self, setup: Setup, actions: Sequence[Action], at: str) -> Game:
        """A finished game from elsewhere, ended at this time (“2026-03-01T20:00:00Z”): quicker than recording it."""
        record = Record(setup=setup, actions=tuple(actions), began=at, ended=at)
        imported = document.read_text(notation.write(record))
        return creation.import_game(imported=imported, creator_label=None, group_id=self.id).game


def new_group(name: str = "Thursday club") -> Group:
    """A group without games."""
    return CastGroup(name, label="Ana").row


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
        "periods": periods.kept_of(group),
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


def happened(game_id: str, ended: datetime, *, began: datetime | None = None) -> None:
    """Let a finished game have ended, and perhaps begun, at another time."""
    with transaction.atomic():
        game = Game.objects.get(pk=game_id)
        totals.take_out(game)
        game.finished_at, game.created_at = ended, began or game.created_at
        game.save(update_fields=["finished_at", "created_at"])
        totals.update(game, store.refold(game).replay)


def rated_to_the_end(group: Group) -> None:
    """Let the ratings see every game."""
    with transaction.atomic():
        locked = totals.locked(group.pk)
        assert locked is not None
        while totals.catch_up(locked):
            pass


# --- games of chance ---


def of_chance(chance: random.Random, names: Sequence[str] = FRIENDS, *, rounds: int = 3) -> tuple[Setup, list[Action]]:
    """A legal game of three to five of them, every marker on its own, everybody as likely to win."""
    players = chance.sample(list(names), min(chance.randint(3, 5), len(names)))
    setup = Setup.of(preset="njet-english", names=players, tokens=None, options={"rounds": rounds}, dealer=0)
    return setup, list(_actions(chance, setup))


def _actions(chance: random.Random, setup: Setup) -> Iterator[Action]:
    state = PublicState.start(setup)
    while state.phase is not Phase.FINISHED:
        legal = state.legal_actions()
        one_by_one = [each for each in legal if isinstance(each, Place | NameTeam)]
        tally = next((each for each in legal if isinstance(each, Template) and each.kind == "tally"), None)
        action: Action = _tally(chance, setup.ruleset.players, tally) if tally else chance.choice(one_by_one)
        yield action
        state = state.apply(action)


def _tally(chance: random.Random, players: int, template: Template) -> RecordTally:
    """A third of the captures that there could be, or so."""
    bounds = template.bounds
    tricks = [0] * players
    for _ in range(bounds["tricks"]):
        tricks[chance.randrange(players)] += 1
    captured, left = [], bounds["captured"]["most"]
    for won, each in zip(tricks, bounds["captured_per_trick"], strict=True):
        captured.append(min(left, chance.randint(0, won * each // 3)))
        left -= captured[-1]
    return RecordTally(tuple(tricks), tuple(captured))
