"""Digital games in a group: counted like every other, marked as what they are, and bots are no players of the group."""

from __future__ import annotations

import pytest

from games.formats.document import document, read_document
from games.groups.statistics import figures
from games.models import Group, Player, Seat
from games.services import creation, groups
from tests.builders import dutch
from tests.cast.digital import DigitalTable, over
from tests.cast.groups import fresh, new_group, recounted, totals_of

pytestmark = pytest.mark.django_db


def played(group: Group) -> DigitalTable:
    """A game of two people and a bot, to its end."""
    return DigitalTable(dutch(3, rounds=1), bots={1: "easy"}, group=group).play_on(over)


def names(group: Group) -> set[str]:
    return set(Player.objects.filter(group=group).values_list("name", flat=True))


def test_a_digital_game_counts_for_its_people_and_is_marked() -> None:
    group = new_group()

    phones = played(group)

    assert fresh(group).figures["digital"] == fresh(group).figures["games"] == 1
    assert names(group) == {"Ana", "Cleo"}
    assert list(Seat.objects.filter(game=phones.id).order_by("number").values_list("bot", flat=True)) == [
        "",
        "easy",
        "",
    ]
    assert totals_of(group) == recounted(group)


def test_a_player_whom_a_bot_replaced_is_counted() -> None:
    group = new_group()
    phones = DigitalTable(dutch(3, rounds=1), group=group)
    phones.put_bot(0, "strong")

    phones.play_on(over)

    assert names(group) == {"Ana", "Ben", "Cleo"}
    assert all(figures.added(player.figures, {}) for player in Player.objects.filter(group=group))
    assert totals_of(group) == recounted(group)


def test_a_table_that_is_adopted_later_brings_no_bots() -> None:
    group = new_group()
    phones = DigitalTable(dutch(3, rounds=1), bots={1: "easy"}).play_on(over)

    groups.adopt(group_id=group.pk, game_id=phones.id)

    assert names(group) == {"Ana", "Cleo"}
    assert fresh(group).figures["digital"] == 1


def test_a_document_taken_into_a_group_brings_no_bots() -> None:
    phones = DigitalTable(dutch(3, rounds=1), bots={1: "easy"}).play_on(over)
    group = new_group()

    imported = read_document(document(phones.game))
    creation.import_game(imported=imported, creator_label="Ana", group_id=group.pk)

    assert names(group) == {"Ana", "Cleo"}
    assert totals_of(group) == recounted(group)
