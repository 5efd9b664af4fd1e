"""`manage.py recount`: the totals of a group, written again from the logs."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from games.groups.statistics import VERSION
from games.models import Game, Group, Player
from tests.cast.groups import new_group, played, recounted, totals_of

pytestmark = pytest.mark.django_db


def recount(*words: str) -> str:
    said = io.StringIO()
    call_command("recount", *words, stdout=said)
    return said.getvalue()


def spoilt() -> Group:
    """A group whose totals say what its logs do not."""
    group = new_group()
    played(group)
    Player.objects.filter(group=group, name="Ana").update(figures={"games": 7})
    return group


def test_right_totals_stay_as_they_are() -> None:
    group = new_group()
    played(group, "Ana", "Ben", "Cleo")
    played(group, "Ben", "Dan", "Cleo")
    before = totals_of(group)

    assert recount("--check") == f"{group.pk}: is right.\n"
    recount()

    assert totals_of(group) == before


def test_wrong_totals_are_found_and_changed_only_when_asked() -> None:
    group = spoilt()
    before = totals_of(group)

    with pytest.raises(SystemExit):
        recount("--check")
    assert totals_of(group) == before

    recount(group.pk)
    assert Player.objects.get(group=group, name="Ana").figures["games"] == 1
    assert recount("--check") == f"{group.pk}: is right.\n"


def test_only_groups_of_an_earlier_release_are_outdated() -> None:
    group = spoilt()
    assert recount("--outdated") == ""

    Group.objects.filter(pk=group.pk).update(counted_by=0)

    assert recount("--outdated") == f"{group.pk}: counted.\n"
    assert recount("--outdated") == ""


def test_an_unknown_group_is_named() -> None:
    with pytest.raises(CommandError, match="nowhere"):
        recount("nowhere")


def test_a_group_of_an_earlier_release_is_counted_though_its_facts_cannot_be_read() -> None:
    group = spoilt()
    right = recounted(group)
    for game in Game.objects.filter(group=group):
        Game.objects.filter(pk=game.pk).update(facts={**game.facts, "v": VERSION - 1})
    # Nothing is rated yet, as after a correction of an old game of many.
    Group.objects.filter(pk=group.pk).update(counted_by=VERSION - 1, rated_at=None, rated_game="")

    with pytest.raises(SystemExit):
        recount("--check")
    recount("--outdated")

    assert totals_of(group) == right


def test_a_new_group_is_counted_by_this_release() -> None:
    assert new_group().counted_by == VERSION
