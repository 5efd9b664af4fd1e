"""A whole group as one file: written, restored into an empty group, merged into one that has some of it."""

from __future__ import annotations

import gzip
import json
import random
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.errors import NotFound
from games.formats import document
from games.groups import archive
from games.keys import registry
from games.log import store
from games.models import Game, Group, GroupKey, GroupRole
from games.rules.errors import WrongType
from games.services import creation, group_players, restoring
from games.services.restoring import Restored
from games.services.seasons import create_season
from tests.builders import dutch
from tests.cast.digital import DigitalTable, over, rounds_finished
from tests.cast.groups import (
    FRIENDS,
    CastGroup,
    new_group,
    of_chance,
    player,
    rated_to_the_end,
    recounted,
    totals_of,
)
from tests.services.test_paper import BY_ROUND, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Group:
    """Two played games, one from paper, a renamed player and one without a game."""
    friends, chance = CastGroup("Tuesdays"), random.Random(5)
    for day in (1, 2):
        friends.bring(*of_chance(chance, FRIENDS[:3], rounds=3), at=f"2026-03-0{day}T20:00:00Z")
    enter(BY_ROUND, friends.row)
    group_players.change_player(group_id=friends.id, player_id=friends.player("Ben").pk, name="Benjamin", token="pink")
    group_players.add_player(group_id=friends.id, name="Gil", token="lilac")
    return friends.row


def read_file(group: Group) -> list[dict[str, Any]]:
    text = gzip.decompress(b"".join(archive.packed(group))).decode()
    return [json.loads(line) for line in text.splitlines()]


def restored(group: Group, lines: list[Any], key: GroupKey | None = None) -> Restored:
    head, *games = lines
    key = key or registry.issue(group=group, role=GroupRole.OWNER, label="Ana’s phone")
    players, seasons = restoring.read_head(head), restoring.read_seasons(head)
    return restoring.restore(group_id=group.pk, through=key, players=players, games=games, seasons=seasons)


def figures_by_name(group: Group) -> dict[str, object]:
    return {each.name: (each.figures, each.form, each.token) for each in group.players.all()}


def test_an_empty_group_is_the_same_afterwards(club: Group) -> None:
    totals_before, names = totals_of(club), figures_by_name(club)
    lines = read_file(club)
    assert (lines[0]["games"], len(lines)) == (3, 4)
    copy = new_group("Elsewhere")

    done = restored(copy, lines)

    assert (done.added, done.known, done.refused) == (3, 0, {})
    assert figures_by_name(copy) == names
    assert totals_of(copy)["group"] == totals_before["group"]
    assert totals_of(copy) == recounted(copy)
    for game in copy.games.all():
        assert document.document(game)["log"] == document.document(Game.objects.get(pk=game.source["id"]))["log"]


def test_what_is_there_stays_and_the_rest_comes(club: Group) -> None:
    lines = read_file(club)
    copy = new_group("Elsewhere")
    restored(copy, lines[:2])

    again, same = restored(copy, lines), restored(club, lines)

    assert (again.added, again.known) == (2, 1)
    assert (same.added, same.known) == (0, 3)
    assert totals_of(copy) == recounted(copy)


def test_older_games_are_counted_and_rated_in_their_place(club: Group) -> None:
    head, *games = read_file(club)
    copy = new_group("Elsewhere")

    for game in reversed(games):
        restored(copy, [head, game])
    rated_to_the_end(copy)

    assert totals_of(copy) == recounted(copy)
    assert figures_by_name(copy) == figures_by_name(club)


def test_games_that_wait_for_their_rating_are_rated_first(club: Group) -> None:
    head, *games = read_file(club)
    copy = new_group("Elsewhere")
    restored(copy, [head, *games[:2]])
    Group.objects.filter(pk=copy.pk).update(rated_at=None, rated_game="")
    copy.players.update(form={})

    restored(copy, [head, *games[2:]])

    assert totals_of(copy) == recounted(copy)


def test_a_game_that_a_part_has_twice_comes_once(club: Group) -> None:
    lines, copy = read_file(club), new_group("Elsewhere")

    done = restored(copy, [*lines, lines[1]])

    assert (done.added, done.known, copy.games.count()) == (3, 1, 3)


def test_more_games_take_no_more_queries() -> None:
    friends, chance = CastGroup("Tuesdays"), random.Random(5)
    for day in range(1, 9):
        friends.bring(*of_chance(chance, FRIENDS[:3], rounds=1), at=f"2026-03-0{day}T20:00:00Z")
    head, *games = read_file(friends.row)
    copies = [new_group(), new_group()]
    keys = [registry.issue(group=copy, role=GroupRole.OWNER, label="Ana’s phone") for copy in copies]

    with CaptureQueriesContext(connection) as of_two:
        restored(copies[0], [head, *games[:2]], keys[0])
    with CaptureQueriesContext(connection) as of_eight:
        restored(copies[1], [head, *games], keys[1])

    # Each player is added on their own, as on the page.
    assert len(of_two) == len(of_eight)


def test_a_revoked_key_restores_nothing(club: Group) -> None:
    lines, copy = read_file(club), new_group("Elsewhere")
    key = registry.issue(group=copy, role=GroupRole.OWNER, label="Ana’s phone")
    GroupKey.objects.filter(pk=key.pk).update(revoked_at=timezone.now())

    with pytest.raises(NotFound):
        restored(copy, lines, key)
    assert not copy.games.exists()


def test_a_bad_game_is_named_and_the_others_come(club: Group) -> None:
    lines = read_file(club)
    del lines[2]["log"][3]
    copy = new_group("Elsewhere")

    done = restored(copy, [*lines, "no game"])

    assert (done.added, list(done.refused)) == (2, [lines[2]["id"], "4"])
    assert copy.games.count() == 2


def test_a_digital_game_comes_with_its_cards_and_bots_are_no_players() -> None:
    group = new_group()
    game = DigitalTable(dutch(3, rounds=1), bots={1: "easy"}, group=group).play_on(over).game
    copy = new_group("Elsewhere")

    assert restored(copy, read_file(group)).added == 1
    assert store.read(copy.games.get()).replay.full is not None
    assert set(copy.players.values_list("name")) == set(group.players.values_list("name"))
    assert game.pk == copy.games.get().source["id"]


@pytest.mark.parametrize("early", [False, True])
def test_the_file_has_what_the_document_of_a_digital_game_shows(early: bool) -> None:
    group = new_group()
    table = DigitalTable(dutch(3, rounds=2), group=group).play_on(rounds_finished(1) if early else over)
    if early:
        table.propose(0, "finish")
        for seat in (1, 2):
            table.answer(seat)

    (line,) = read_file(group)[1:]

    assert {name: value for name, value in line.items() if name != "players"} == document.document(table.game)
    hidden = [row for row in line["log"] if row["kind"] == "deal" and None in row["payload"]["hands"]]
    assert len(hidden) == early


@pytest.mark.parametrize(
    "head",
    [
        None,
        {},
        {"format": "njet-game"},
        {"format": "njet-group", "schema": 2, "players": []},
        {"format": "njet-group", "schema": 1},
        {"format": "njet-group", "schema": 1, "players": [{"id": 1, "name": "Ana", "token": ""}]},
    ],
)
def test_what_is_no_file_of_a_group_is_refused(head: object) -> None:
    with pytest.raises(WrongType):
        restoring.read_head(head)


def test_more_games_than_one_request_may_have_are_refused(club: Group) -> None:
    with pytest.raises(WrongType):
        restored(club, [read_file(club)[0], *[{}] * (restoring.AT_ONCE + 1)])


def test_running_games_stay_out(club: Group) -> None:
    creation.create_game(setup=store.read(club.games.earliest("pk")).setup.rematch(rounds_played=0), group_id=club.pk)

    assert len(read_file(club)) == 4


def test_a_player_keeps_the_token_that_they_have(club: Group) -> None:
    copy = new_group("Elsewhere")
    group_players.add_player(group_id=copy.pk, name="gil", token="green")

    restored(copy, read_file(club))

    assert player(copy, "gil").token == "green"


def test_seasons_come_along_and_one_of_that_name_stays(club: Group) -> None:
    create_season(group_id=club.pk, name="Spring", since=date(2026, 3, 1), until=date(2026, 5, 31))
    create_season(group_id=club.pk, name="Ever", since=date(2020, 1, 1))
    lines, copy = read_file(club), new_group("Elsewhere")
    create_season(group_id=copy.pk, name="EVER", since=date(2026, 1, 1))

    for _ in range(2):
        restored(copy, lines)

    assert set(copy.seasons.values_list("name", "since", "until")) == {
        ("Spring", date(2026, 3, 1), date(2026, 5, 31)),
        ("EVER", date(2026, 1, 1), None),
    }


@pytest.mark.parametrize(
    "seasons", [None, 3, ["Spring"], [{"name": "Spring"}], [{"name": "S", "since": 3, "until": None}]]
)
def test_seasons_that_cannot_be_read_refuse_the_file(club: Group, seasons: object) -> None:
    with pytest.raises(WrongType):
        restoring.read_seasons({**read_file(club)[0], "seasons": seasons})


def test_a_file_from_before_there_were_seasons_has_none(club: Group) -> None:
    head = {name: value for name, value in read_file(club)[0].items() if name != "seasons"}

    assert restoring.read_seasons(head) == []
