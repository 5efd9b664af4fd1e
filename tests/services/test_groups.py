"""What pages cannot show of a group: many at once, names erased under games in every state, games left behind."""

from __future__ import annotations

import json

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction

from games.errors import LastOwnerKey, NjetError, NotFound
from games.formats import document
from games.keys import invitations, registry
from games.log import store
from games.management.commands.check_logs import differences_of
from games.models import Game, Group, GroupKey, GroupRole, Key, LogEntry, Pair, Player, Seat
from games.services import deletion, group_players, groups
from tests.cast.groups import fresh, new_group, played, player, recounted, three, totals_of
from tests.cast.tables import ROUND_1, ROUND_2, Table, another_process, at_once, refused

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def group() -> Group:
    """The Thursday club, without games."""
    return new_group()


def assert_in_order(group: Group) -> None:
    """The totals say what the logs say, and every log what is copied of it."""
    assert totals_of(group) == recounted(group)
    assert not any(differences_of(game.pk) for game in Game.objects.filter(group=group))


# --- many at once ---


def test_two_merges_at_once_into_one_player_are_both_done(group: Group) -> None:
    for name in ("Ana", "Anna", "Anni"):
        played(group, name, "Ben", "Cleo")
    ana, anna, anni = (player(group, name) for name in ("Ana", "Anna", "Anni"))

    at_once(
        lambda: group_players.merge_players(group_id=group.pk, player_id=anna.pk, into_id=ana.pk),
        lambda: group_players.merge_players(group_id=group.pk, player_id=anni.pk, into_id=ana.pk),
    )

    assert player(group, "Ana").figures["games"] == 3
    assert_in_order(group)


def test_of_two_merges_into_each_other_one_is_done(group: Group) -> None:
    for name in ("Ana", "Anna"):
        played(group, name, "Ben", "Cleo")
    ana, anna = (player(group, name) for name in ("Ana", "Anna"))

    answers = at_once(
        lambda: group_players.merge_players(group_id=group.pk, player_id=anna.pk, into_id=ana.pk),
        lambda: group_players.merge_players(group_id=group.pk, player_id=ana.pk, into_id=anna.pk),
    )

    assert sum(isinstance(answer, NotFound) for answer in answers) == 1
    assert Player.objects.filter(pk__in=[ana.pk, anna.pk], merged_into=None).count() == 1
    assert Player.objects.filter(group=group, merged_into=None, figures__games=2).count() == 3
    assert_in_order(group)


def test_a_merge_and_the_end_of_a_game_at_once_lose_nothing(group: Group) -> None:
    played(group, "Anna", "Ben", "Cleo")
    table = Table(three("Ana", "Ben", "Cleo"), *ROUND_1, *ROUND_2[:2], group=group)
    ana, anna = (player(group, name) for name in ("Ana", "Anna"))

    at_once(
        lambda: group_players.merge_players(group_id=group.pk, player_id=ana.pk, into_id=anna.pk),
        lambda: table.record(ROUND_2[2]),
    )

    assert player(group, "Anna").figures["games"] == 2
    assert_in_order(group)


def test_a_guest_who_is_typed_at_two_tables_at_once_is_one_player(group: Group) -> None:
    at_once(*[lambda: played(group, "Ana", "Ben", "Dora").id] * 3)

    assert Player.objects.filter(group=group).count() == 3
    assert player(group, "Dora").figures["games"] == 3
    assert_in_order(group)


def test_many_join_with_one_code_at_once_and_each_has_a_key(group: Group) -> None:
    invitation = invitations.invite_to_group(group=group, role=GroupRole.MEMBER)

    def joining() -> GroupKey:
        invite = invitations.find_invite(address="127.0.0.1", code=invitation.code)
        return invitations.join(session=SessionStore(), invite=invite, label="")

    keys = at_once(*[joining] * 4)

    assert not any(isinstance(key, NjetError) for key in keys)
    assert len({key.pk for key in keys}) == len({key.label for key in keys}) == 4


def test_two_owners_who_take_each_others_key_back_leave_one(group: Group) -> None:
    other = registry.issue(group=group, role=GroupRole.OWNER, label="Ben")
    founder = GroupKey.objects.get(group=group, label="Ana")

    answers = at_once(
        lambda: groups.revoke_key(group_id=group.pk, key_id=other.pk),
        lambda: groups.revoke_key(group_id=group.pk, key_id=founder.pk),
    )

    assert sum(isinstance(answer, LastOwnerKey) for answer in answers) == 1
    assert GroupKey.objects.filter(group=group, revoked_at=None).count() == 1


# --- erasing ---


def test_every_game_of_an_erased_player_tells_its_phones_and_counts_as_before(group: Group) -> None:
    finished, locked = played(group, "Zelda", "Ben", "Cleo"), played(group, "Zelda", "Ben", "Cleo")
    locked.lock()
    running = Table(three("Zelda", "Ben", "Cleo"), *ROUND_1, group=group)
    elsewhere = Table(three("Ana", "Ben", "Cleo"), group=group)
    tables = (finished, locked, running)
    before = [(table.version, table.state.totals, table.ledger.locked) for table in tables]
    group_totals = totals_of(group)

    group_players.erase_player(group_id=group.pk, player_id=player(group, "Zelda").pk)

    after = [(table.version, table.state.totals, table.ledger.locked) for table in tables]
    assert after == [(version + 1, totals, locked) for version, totals, locked in before]
    assert elsewhere.version == 0
    assert totals_of(group) == group_totals
    assert_in_order(group)
    running.record(*ROUND_2)
    assert running.state.totals == (54, 48, 48)


def test_another_process_reads_the_new_name(group: Group) -> None:
    running = Table(three("Zelda", "Ben", "Cleo"), *ROUND_1, group=group)
    zelda = player(group, "Zelda")

    with another_process():
        group_players.erase_player(group_id=group.pk, player_id=zelda.pk)

    assert running.ledger.current_setup.names[0] == f"Player {zelda.pk[:6]}"
    assert "Zelda" not in json.dumps(document.document(running.game))


def test_an_erased_game_can_be_exported_and_taken_in_again(group: Group) -> None:
    table = played(group, "Zelda", "Ben", "Cleo")
    table.lock()
    group_players.erase_player(group_id=group.pk, player_id=player(group, "Zelda").pk)

    again = document.read_document(json.loads(json.dumps(document.document(table.game))))

    assert again.ledger.state.totals == table.state.totals
    assert "Zelda" not in document.text(table.game)


def test_the_names_of_merged_players_are_erased_too(group: Group) -> None:
    played(group, "Zelda", "Ben", "Cleo")
    played(group, "Selda", "Ben", "Cleo")
    zelda, selda = player(group, "Zelda"), player(group, "Selda")
    group_players.merge_players(group_id=group.pk, player_id=selda.pk, into_id=zelda.pk)

    group_players.erase_player(group_id=group.pk, player_id=zelda.pk)

    rows = [list(each.objects.values_list()) for each in (Player, Seat, Game, LogEntry, GroupKey)]
    assert "elda" not in repr(rows)
    assert_in_order(group)


def test_two_names_of_one_table_stay_two_when_both_were_their(group: Group) -> None:
    """A set-up in which no one could tell two players apart could not be read any more."""
    played(group, "Selda", "Ben", "Cleo")
    table = Table(three("Zelda", "Selda", "Cleo"), *ROUND_1, group=group)
    table.correct(names=["Zelda", "Ben", "Cleo"])
    zelda, selda = player(group, "Zelda"), player(group, "Selda")
    group_players.merge_players(group_id=group.pk, player_id=selda.pk, into_id=zelda.pk)

    group_players.erase_player(group_id=group.pk, player_id=zelda.pk)

    gone = f"Player {zelda.pk[:6]}"
    assert [seat["name"] for seat in table.game.setup["seats"]] == [gone, f"{gone} (2)", "Cleo"]
    assert store.refold(table.game).current_setup.names == (gone, "Ben", "Cleo")


def test_a_game_where_somebody_else_is_called_so_keeps_that_name(group: Group) -> None:
    played(group, "Zelda", "Ben", "Cleo")
    zelda = player(group, "Zelda")
    elsewhere = Table(three("Zelda", "Ben", "Cleo"), *ROUND_1)
    other = played(new_group("Fridays"), "Zelda", "Ben", "Cleo")

    group_players.erase_player(group_id=group.pk, player_id=zelda.pk)

    assert elsewhere.ledger.current_setup.names[0] == other.ledger.current_setup.names[0] == "Zelda"


# --- dissolving ---


def test_a_group_that_is_deleted_permanently_leaves_its_games_with_their_logs_and_keys(group: Group) -> None:
    table, running = played(group), Table(three(), *ROUND_1, group=group)
    rows = list(LogEntry.objects.order_by("pk").values_list())
    member = registry.issue(group=group, role=GroupRole.MEMBER, label="Max")
    entered = registry.issue(game=running.game, role="scorekeeper", label="Max", through=member)

    deletion.delete_group_permanently(group_id=group.pk)

    assert not any(each.objects.exists() for each in (Player, Pair, GroupKey))
    assert list(LogEntry.objects.order_by("pk").values_list()) == rows
    assert list(Game.objects.values_list("group", "facts", "change").distinct()) == [(None, None, None)]
    assert set(Seat.objects.values_list("player", "counted_at")) == {(None, None)}
    assert Key.objects.get(pk=entered.pk).revoked_at is None
    assert (table.state.totals, running.version) == ((54, 48, 48), 3)
    running.record(*ROUND_2)


def test_games_of_a_dissolved_group_are_counted_in_the_next_one(group: Group) -> None:
    table = played(group)
    deletion.delete_group(group_id=group.pk)
    fridays = new_group("Fridays")

    groups.adopt(group_id=fridays.pk, game_id=table.id)

    assert player(fridays, "Ana").figures["games"] == 1
    assert fresh(fridays).changes == 1
    assert_in_order(fridays)


def test_a_game_is_not_adopted_by_a_group_that_is_gone(group: Group) -> None:
    table = Table(three(), *ROUND_1)
    deletion.delete_group(group_id=group.pk)

    with refused(table, NotFound), transaction.atomic():
        groups.adopt(group_id=group.pk, game_id=table.id)
