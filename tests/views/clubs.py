"""A group with finished games, in few words: games shown line by line (`tests.builders`), or dealt by chance.

Knows: how a game comes into a group and to its end.  Must not know: pages.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from games.formats import document, notation
from games.formats.notation import Record
from games.models import Game, Group, GroupKey, Player
from games.rules import Action, NameTeam, Phase, Place, PublicState, RecordTally, Setup, Template
from games.services import creation, groups
from games.services.write import WriteRequest, write
from tests.builders import entries

FRIENDS = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn")


class Friends:
    """A group and anyone who opens its tables."""

    def __init__(self, name: str = "Tuesdays") -> None:
        self.key: GroupKey = groups.create_group(name=name, creator_label="Ana’s phone")
        self.id: str = self.key.group_id

    @property
    def group(self) -> Group:
        """The group as the database has it now."""
        return Group.objects.get(pk=self.id)

    def player(self, name: str) -> Player:
        """Who is called so."""
        return Player.objects.get(group=self.id, name=name)

    def play(self, setup: Setup, *lines: str | Action) -> Game:
        """A game of the group with these entries."""
        created = creation.create_game(setup=setup, group_id=self.id)
        game_id, actor = created.game.pk, created.creator
        write("record", game_id=game_id, actor=actor, request=WriteRequest(), decide=lambda ledger: entries(*lines))
        return Game.objects.get(pk=game_id)

    def bring(self, setup: Setup, actions: Sequence[Action], at: str) -> Game:
        """A finished game from elsewhere, ended at this time (“2026-03-01T20:00:00Z”): quicker than recording it."""
        record = Record(setup=setup, actions=tuple(actions), began=at, ended=at)
        imported = document.read_text(notation.write(record))
        return creation.import_game(imported=imported, creator_label=None, group_id=self.id).game


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
