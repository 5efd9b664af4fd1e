"""The totals of a group: they always equal the fold of its logs, in any order of events."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from games.errors import NjetError, NotFound, SameTable
from games.groups import history, totals
from games.models import Game, Group, Key, LostResult, Player, Seat
from games.services import deletion, group_players, groups
from games.services import tables as services
from tests.builders import read
from tests.cast.groups import fresh, new_group, played, player, rated_to_the_end, recounted, three, totals_of
from tests.cast.tables import ANY, ROUND_1, ROUND_2, Table, instead

pytestmark = pytest.mark.django_db


@pytest.fixture
def group(db: None) -> Group:
    """A group without games."""
    return new_group()


# --- who sits there ---


def test_anyone_who_plays_is_a_player_of_the_group_from_then_on(group: Group) -> None:
    Table(three("Ana", "Ben", "Cleo"), group=group)

    assert {each.name for each in Player.objects.filter(group=group)} == {"Ana", "Ben", "Cleo"}


def test_a_name_is_the_same_player_every_evening_however_it_is_written(group: Group) -> None:
    first = Table(three("Ana", "Ben", "Cleo"), group=group)
    second = Table(three("  ana", "BEN ", "Dan"), group=group)

    ids = [list(Seat.objects.filter(game=table.id).values_list("player", flat=True)) for table in (first, second)]
    assert ids[0][:2] == ids[1][:2]
    assert ids[0][2] != ids[1][2]


def test_another_group_has_players_of_its_own(group: Group) -> None:
    other = new_group("Sunday club")
    Table(three(), group=group)
    Table(three(), group=other)

    assert player(group, "Ana") != player(other, "Ana")


def test_a_table_without_a_group_has_no_players() -> None:
    table = Table(three())

    assert set(Seat.objects.filter(game=table.id).values_list("player", flat=True)) == {None}


def test_a_corrected_name_moves_the_result_to_whom_it_belongs(group: Group) -> None:
    table = played(group, "Ana", "Ben", "Cleo")

    table.correct(names=["Anna", "Ben", "Cleo"])

    assert player(group, "Anna").figures["wins"] == 1
    assert not player(group, "Ana").figures
    assert totals_of(group) == recounted(group)


def test_a_player_who_was_renamed_stays_who_they_are_when_another_name_is_corrected(group: Group) -> None:
    table = played(group, "Ana", "Ben", "Cleo")
    ben = player(group, "Ben")
    group_players.change_player(group_id=group.pk, player_id=ben.pk, name="Benjamin")

    table.correct(names=["Ana", "Ben", "Clea"])

    assert Seat.objects.get(game=table.id, number=1).player == ben
    assert totals_of(group) == recounted(group)


# --- counting ---


def test_a_game_that_is_being_played_counts_nothing(group: Group) -> None:
    Table(three(), *ROUND_1, group=group)

    assert fresh(group).figures == {}
    assert fresh(group).changes == 0


def test_a_finished_game_is_counted_with_its_last_entry(group: Group) -> None:
    played(group)

    assert fresh(group).figures["games"] == 1
    assert player(group, "Ana").figures["wins"] == 1
    assert player(group, "Ben").figures.get("wins", 0) == 0
    assert totals_of(group) == recounted(group)


def test_a_reopened_game_is_no_longer_counted(group: Group) -> None:
    played(group).reopen()

    assert fresh(group).figures == {}
    assert not player(group, "Ana").figures
    assert not player(group, "Ana").form
    assert totals_of(group) == recounted(group)


def test_a_corrected_result_counts_as_it_is_now(group: Group) -> None:
    table = played(group)

    table.amend(instead(3, "tally 4+1 5+1 3+1"))

    assert totals_of(group) == recounted(group)


def test_a_deleted_game_is_no_longer_counted(group: Group) -> None:
    kept, gone = played(group), played(group, "Dan", "Eve", "Ana")

    deletion.delete_game(game_id=gone.id)

    assert fresh(group).figures["games"] == 1
    assert not player(group, "Eve").figures
    assert totals_of(group) == recounted(group)
    assert Game.objects.filter(pk=kept.id).exists()


def test_a_table_that_is_adopted_later_counts_from_then_on(group: Group) -> None:
    table = Table(three(), *ROUND_1, *ROUND_2)

    groups.adopt(group_id=group.pk, game_id=table.id)

    assert fresh(group).figures["games"] == 1
    assert totals_of(group) == recounted(group)


def test_a_game_counts_for_the_group_that_it_has_joined_since_the_key_was_read(group: Group) -> None:
    table = Table(three(), *ROUND_1, *ROUND_2[:2])
    early = Key.objects.select_related("game").get(pk=table.key.pk)
    groups.adopt(group_id=group.pk, game_id=table.id)

    services.record_action(game_id=table.id, actor=early, action=read(ROUND_2[2]), request=ANY)

    assert table.game.facts is not None
    assert totals_of(group) == recounted(group)


def test_a_table_that_leaves_the_group_is_no_longer_counted(group: Group) -> None:
    table = played(group)

    groups.release(group_id=group.pk, game_id=table.id)

    assert fresh(group).figures == {}
    assert Seat.objects.filter(game=table.id, player=None).count() == 3
    assert Game.objects.get(pk=table.id).facts is None


# --- merging and erasing ---


def test_merged_players_have_the_games_of_both(group: Group) -> None:
    played(group, "Ana", "Ben", "Cleo")
    played(group, "Anna", "Ben", "Dan")
    group_players.merge_players(group_id=group.pk, player_id=player(group, "Anna").pk, into_id=player(group, "Ana").pk)

    assert player(group, "Ana").figures["wins"] == 2
    rated_to_the_end(group)
    assert totals_of(group) == recounted(group)


def test_the_name_of_a_merged_player_stands_for_the_other_from_then_on(group: Group) -> None:
    played(group, "Ana", "Ben", "Cleo")
    played(group, "Anna", "Ben", "Dan")
    group_players.merge_players(group_id=group.pk, player_id=player(group, "Anna").pk, into_id=player(group, "Ana").pk)

    table = Table(three("Anna", "Ben", "Cleo"), group=group)

    assert Seat.objects.get(game=table.id, number=0).player == player(group, "Ana")


def test_who_sat_at_one_table_cannot_be_merged(group: Group) -> None:
    played(group, "Ana", "Ben", "Cleo")
    before = totals_of(group)

    with pytest.raises(SameTable):
        group_players.merge_players(
            group_id=group.pk, player_id=player(group, "Ben").pk, into_id=player(group, "Ana").pk
        )

    assert totals_of(group) == before


def test_a_player_of_another_group_cannot_be_merged(group: Group) -> None:
    played(group)
    other = new_group()
    played(other)

    with pytest.raises(NotFound):
        group_players.merge_players(
            group_id=group.pk, player_id=player(group, "Ben").pk, into_id=player(other, "Ana").pk
        )


# --- ratings ---


def test_ratings_follow_the_order_of_play_and_not_of_entry(group: Group) -> None:
    early, late = played(group, "Ana", "Ben", "Cleo"), played(group, "Ben", "Ana", "Cleo")
    Game.objects.filter(pk__in=[early.id, late.id]).update(facts=None)
    Game.objects.filter(pk=early.id).update(finished_at=timezone.now() + timedelta(days=1))

    early.amend(instead(3, "tally 4+1 5+1 3+1"))

    assert fresh(group).rated_game == early.id


def test_an_old_game_that_is_corrected_rates_everything_after_it_again(group: Group) -> None:
    tables = [
        played(group, *names) for names in (("Ana", "Ben", "Cleo"), ("Ben", "Cleo", "Dan"), ("Dan", "Ana", "Eve"))
    ]

    tables[0].amend(instead(3, "tally 3+1 4+1 5+1"))

    assert totals_of(group) == recounted(group)


def test_confirming_a_result_leaves_the_ratings_alone(group: Group) -> None:
    table = played(group)
    played(group, "Ben", "Cleo", "Dan")
    before = totals_of(group)

    table.lock()

    assert totals_of(group) == before


@pytest.mark.slow
def test_more_games_than_are_rated_at_once_are_rated_in_the_end(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(totals, "RATED_AT_ONCE", 2)
    tables = [played(group, "Ana", "Ben", "Cleo") for _ in range(5)]

    tables[0].amend(instead(3, "tally 3+1 4+1 5+1"))

    assert totals.unrated(fresh(group)) == 3
    rated_to_the_end(group)
    assert totals_of(group) == recounted(group)


# --- what a consumer is shown ---


def feed(group: Group, after: int = 0, size: int = 100) -> list[tuple[str, bool]]:
    return [(item.game_id, item.game is not None) for item in history.changes_after(group.pk, after, size=size).items]


def test_every_result_is_shown_once_in_the_order_of_the_changes(group: Group) -> None:
    first, second = played(group), played(group)

    assert feed(group) == [(first.id, True), (second.id, True)]
    first.lock()
    assert feed(group) == [(second.id, True), (first.id, True)]
    assert feed(group, after=2) == [(first.id, True)]


def test_a_game_that_never_ended_is_never_shown(group: Group) -> None:
    Table(three(), *ROUND_1, group=group)

    assert feed(group) == []


def test_reopened_deleted_and_released_games_are_described_as_they_are(group: Group) -> None:
    reopened, deleted, released = played(group), played(group), played(group)

    reopened.reopen()
    deletion.delete_game(game_id=deleted.id)
    groups.release(group_id=group.pk, game_id=released.id)

    assert feed(group, after=3) == [(reopened.id, True), (deleted.id, False), (released.id, False)]
    assert history.changes_after(group.pk, 3).items[0].game.status == "playing"
    assert LostResult.objects.filter(group=group).count() == 2


def test_a_reopened_game_is_shown_once_and_not_with_each_tap(group: Group) -> None:
    table = played(group)
    table.reopen()
    shown = fresh(group).changes

    table.undo()

    assert fresh(group).changes == shown


def test_pages_of_changes_never_miss_and_never_repeat(group: Group) -> None:
    tables = [played(group) for _ in range(5)]
    seen: list[str] = []
    after, more = 0, True
    while more:
        changes = history.changes_after(group.pk, after, size=2)
        seen += [item.game_id for item in changes.items]
        after, more = changes.upto, changes.more

    assert seen == [table.id for table in tables]
    assert history.changes_after(group.pk, after).items == []


# --- the law ---


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_totals_say_what_the_logs_say_after_any_events(group: Group, seed: int) -> None:
    chance = random.Random(seed)
    tables: list[Table] = []
    for _ in range(22):
        _something(chance, group, tables)

    rated_to_the_end(group)
    assert totals_of(group) == recounted(group)


NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Fay")
FINISHES = (
    ("tally 5+1 4+1 3+1", "tally 4 4+2 4+1"),
    ("tally 2 5+1 5+2", "tally 12+2 0 0"),
    ("tally 0 6 6", "tally 3+1 3+1 6"),
)


def _something(chance: random.Random, group: Group, tables: list[Table]) -> None:
    kind = chance.choice(
        ("play", "play", "play", "reopen", "amend", "delete", "restore", "name", "release", "adopt", "merge")
    )
    table = chance.choice(tables) if tables else None
    try:
        match kind:
            case "play":
                first, second = chance.choice(FINISHES)
                lines = (*ROUND_1[:2], first, *ROUND_2[:2], second)
                tables.append(played(group, *chance.sample(NAMES, 3), lines=lines))
            case "reopen" if table:
                table.reopen()
            case "amend" if table:
                table.amend(instead(3, chance.choice(FINISHES)[0]))
            case "delete" if table and chance.random() < 0.4:
                tables.remove(table)
                deletion.delete_game(game_id=table.id)
            case "restore" if gone := list(Game.objects.filter(deleted_at__isnull=False).order_by("pk")):
                restored = chance.choice(gone)
                key = Key.objects.filter(game=restored).earliest("pk")
                deletion.restore_game(game_id=restored.pk, actor=key)
            case "name" if table:
                table.correct(names=chance.sample(NAMES, 3))
            case "release" if table:
                groups.release(group_id=group.pk, game_id=table.id)
            case "adopt" if table:
                groups.adopt(group_id=group.pk, game_id=table.id)
            case "merge":
                one, other = chance.sample(list(Player.objects.filter(group=group, merged_into=None)), 2)
                group_players.merge_players(group_id=group.pk, player_id=one.pk, into_id=other.pk)
    except (NjetError, ValueError):
        pass
