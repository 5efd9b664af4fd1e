"""Somebody else plays on: rounds, points and rating stay with who played them, the result is that of who plays on."""

from __future__ import annotations

from typing import Any

import pytest

from games.errors import SameTable
from games.formats import document
from games.formats.play import remarks
from games.formats.sheet import rows
from games.groups.history import play_of
from games.log import store
from games.models import Group, LogEntry, Pair, Stint
from games.rules.errors import NameTwice, StintImpossible
from games.rules.setup import Stint as RulesStint
from games.services import deletion, group_players, groups, tables
from tests.cast.groups import fresh, new_group, played, player, rated_to_the_end, recounted, three, totals_of
from tests.cast.service import ANY
from tests.cast.tables import ROUND_1, ROUND_2, Table
from tests.services.test_restoring import read_file, restored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

EVE = ["Ana", "Eve", "Cleo"]


def take_over(table: Table, names: list[str] = EVE, since: int = 2) -> None:
    tables.correct_setup(game_id=table.id, actor=table.key, request=ANY, names=names, since=since)


def rounds(group: Group, name: str) -> tuple[int, int, int]:
    """Of a player: games, rounds, points of rounds."""
    figures = player(group, name).figures
    return figures.get("games", 0), figures.get("rounds", 0), figures.get("points", 0)


@pytest.fixture
def club() -> tuple[Group, Table]:
    """Ben plays round 1 of two; in round 2 Eve has that seat, and finishes with 48."""
    group = new_group()
    table = Table(three(), *ROUND_1, group=group)
    take_over(table)
    table.record(*ROUND_2)
    return group, table


def test_rounds_stay_with_who_played_them(club: tuple[Group, Table]) -> None:
    group, table = club

    assert rounds(group, "Ben") == (0, 1, 18)
    assert rounds(group, "Eve") == (1, 1, 30)
    assert rounds(group, "Ana") == (1, 2, 54)
    assert [seat.name for seat in table.game.seats.all()] == EVE
    assert totals_of(group) == recounted(group)


def test_who_played_a_round_is_rated_for_it(club: tuple[Group, Table]) -> None:
    group, _table = club
    rated_to_the_end(fresh(group))

    mus = {each.name: each.form["mu"] for each in group.players.all()}
    # Ben lost round 1 against Ana.
    assert mus["Ben"] < 25
    assert mus["Eve"] != mus["Ben"]
    assert len({each.form["games"] for each in group.players.all()}) == 1


def test_a_pair_counts_the_rounds_in_which_both_sat_there(club: tuple[Group, Table]) -> None:
    group, _table = club
    found = {(pair.one.name, pair.other.name): pair.figures for pair in _pairs(group)}
    both = {frozenset(names): figures for names, figures in found.items()}

    assert both[frozenset(("Ana", "Ben"))] == {"against.rounds": 1, "preset.goldsieber-dutch": 1, "players.3": 1}
    assert both[frozenset(("Ana", "Eve"))].get("games") == 1
    assert not both.get(frozenset(("Ben", "Eve")))


def _pairs(group: Group) -> Any:
    return Pair.objects.filter(one__group=group).select_related("one", "other")


def test_the_sheet_names_both_and_the_files_say_it(club: tuple[Group, Table]) -> None:
    _group, table = club
    ledger = store.read(table.game)

    names = [row.name for row in rows(ledger.state, ledger.counting.confirms) if row.seat == 1]
    assert names == ["Ben", "Eve"]
    assert "Ben played round 1 for Eve, whose result it is." in remarks(play_of(table.game))


def test_a_right_name_is_no_other_person(round_2: Table) -> None:
    round_2.correct(names=EVE)

    assert round_2.ledger.current_setup.earlier == ()
    assert not Stint.objects.exists()


@pytest.mark.parametrize("since", [1, 3, 99])
def test_no_player_takes_over_in_a_round_that_was_not_begun(round_2: Table, since: int) -> None:
    with pytest.raises(StintImpossible):
        take_over(round_2, since=since)


def test_a_seat_changes_twice_and_the_first_player_comes_back() -> None:
    group = new_group()
    table = Table(three(), *ROUND_1, group=group)
    take_over(table)
    with pytest.raises(StintImpossible):
        take_over(table, ["Ana", "Finn", "Cleo"])
    table.record(*ROUND_2)
    assert store.read(table.game).state.is_over
    take_over(table, ["Ana", "Eve", "Ben"])

    assert table.ledger.current_setup.earlier == (RulesStint(1, "Ben", 1), RulesStint(2, "Cleo", 1))
    # Ben, whose seat Eve has, has taken that of Cleo: one person, one rating.
    assert rounds(group, "Ben") == (1, 2, 18 + 30)
    assert totals_of(group) == recounted(group)
    rated_to_the_end(fresh(group))
    assert totals_of(group) == recounted(group)


def test_two_at_one_table_have_two_names(round_2: Table) -> None:
    with pytest.raises(NameTwice):
        take_over(round_2, ["Ana", "Cleo", "Cleo"])


def test_undo_gives_the_seat_back(club: tuple[Group, Table]) -> None:
    group, table = club
    before = table.version
    take_over(table, ["Ana", "Eve", "Dan"])
    table.undo(to_seq=before)

    assert table.ledger.current_setup.earlier == (RulesStint(1, "Ben", 1),)
    assert totals_of(group) == recounted(group)


def test_later_games_are_rated_again_from_what_somebody_was_before_a_stint(club: tuple[Group, Table]) -> None:
    group, _table = club
    later = played(group, "Ben", "Ana", "Eve")
    rated_to_the_end(fresh(group))

    tables.state_occasion(game_id=later.id, actor=later.key, request=ANY, stated={"began": "2026-01-15T19:30:00Z"})
    rated_to_the_end(fresh(group))

    assert totals_of(group) == recounted(group)


def test_the_bin_the_way_out_and_back_change_nothing(club: tuple[Group, Table]) -> None:
    group, table = club
    before = totals_of(group)
    key = table.key

    deletion.delete_game(game_id=table.id, actor=key)
    assert rounds(group, "Ben") == (0, 0, 0)
    deletion.restore_game(game_id=table.id, actor=key)
    assert totals_of(group)["players"] == before["players"]

    groups.release(group_id=group.pk, game_id=table.id)
    assert rounds(group, "Ben") == (0, 0, 0)
    groups.adopt(group_id=group.pk, game_id=table.id)
    assert totals_of(group)["players"] == before["players"]


def test_those_who_sat_at_one_table_are_not_one_person(club: tuple[Group, Table]) -> None:
    group, _table = club

    with pytest.raises(SameTable):
        group_players.merge_players(
            group_id=group.pk, player_id=player(group, "Ana").pk, into_id=player(group, "Ben").pk
        )


def test_a_name_is_erased_from_a_stint_too(club: tuple[Group, Table]) -> None:
    group, table = club
    group_players.erase_player(group_id=group.pk, player_id=player(group, "Ben").pk)

    assert "Ben" not in str(list(LogEntry.objects.filter(game=table.id).values_list("payload")))
    assert not Stint.objects.filter(name="Ben").exists()
    assert rounds(group, Stint.objects.get().player.name) == (0, 1, 18)
    assert totals_of(group) == recounted(group)


def test_documents_and_files_of_groups_have_it(club: tuple[Group, Table]) -> None:
    group, table = club

    read_again = document.read_document(document.document(table.game))
    assert read_again.ledger.current_setup == table.ledger.current_setup
    copy = new_group("Elsewhere")
    assert restored(copy, read_file(group)).added == 1
    assert rounds(copy, "Ben") == (0, 1, 18)
