"""The bin: what is deleted is not there, comes back as it was, and goes permanently after 30 days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.errors import AlreadyInGroup, NotFound, OpenerOnly, SameTable
from games.formats import document
from games.groups import history, lists, totals
from games.keys import invitations, permissions, registry
from games.models import Game, Group, GroupKey, GroupRole, Invite, Key, LogEntry, LostResult, Player, Role, Seat
from games.rules import Finish
from games.services import creation, deletion, group_players, groups, sweep, tables
from tests.builders import dutch
from tests.cast.digital import DigitalTable
from tests.cast.groups import fresh, new_group, played, player, rated_to_the_end, recounted, three, totals_of
from tests.cast.tables import ANY, ROUND_1, ROUND_2, Table, stored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NOW = datetime.now(UTC)


@pytest.fixture
def group(db: None) -> Group:
    return new_group()


def put_away(table: Table | DigitalTable) -> None:
    deletion.delete_game(game_id=table.id, actor=table.key)


def bring_back(table: Table | DigitalTable) -> None:
    deletion.restore_game(game_id=table.id, actor=table.key)


def whole(table: Table) -> object:
    """All that is stored of a game, but for the number of its last change."""
    game = Game.objects.filter(pk=table.id).values().get()
    return (
        {**game, "change": None},
        list(Seat.objects.filter(game=table.id).values_list()),
        list(Key.objects.filter(game=table.id).order_by("pk").values_list()),
        list(LogEntry.objects.filter(game=table.id).values_list()),
    )


def feed(group: Group, after: int = 0) -> list[tuple[str, bool]]:
    return [(item.game_id, item.game is not None) for item in history.changes_after(group.pk, after).items]


# --- a game ---


def test_in_the_bin_a_game_has_no_key_no_invitation_and_no_group(group: Group) -> None:
    table = played(group)
    invitations.invite(game=table.game, role=Role.VIEWER)

    put_away(table)

    assert not Key.objects.filter(game=table.id, revoked_at=None).exists()
    assert not Invite.objects.exists()
    assert table.game.group is None
    assert (table.game.deleted_by, table.game.deleted_from) == (table.key, group)
    with pytest.raises(NotFound):
        tables.record_action(game_id=table.id, actor=table.key, action=Finish(), request=ANY)
    assert lists.running_in(group) == []
    assert history.page_of(group.pk).games == []
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=table.id).update(group=group)


def test_a_restored_game_is_as_it_was() -> None:
    table = Table(None, *ROUND_1)
    revoked = table.other_key()
    tables.revoke_key(game_id=table.id, key_id=revoked.pk)
    before = whole(table)

    put_away(table)
    bring_back(table)

    assert whole(table) == before
    table.record(*ROUND_2)


def test_a_restored_game_counts_as_if_nothing_had_been(group: Group) -> None:
    played(group, "Ana", "Ben", "Cleo")
    table = played(group, "Ben", "Cleo", "Ana")
    played(group, "Cleo", "Dan", "Ana")
    before, kept = totals_of(group), whole(table)
    number = fresh(group).changes

    put_away(table)
    assert totals_of(group) != before
    assert totals_of(group) == recounted(group)
    assert feed(group, number) == [(table.id, False)]
    seen = fresh(group).changes

    bring_back(table)
    rated_to_the_end(group)

    assert totals_of(group) == before == recounted(group)
    assert whole(table) == kept
    assert feed(group, seen) == [(table.id, True)]
    assert not LostResult.objects.exists()


def test_a_digital_game_comes_back_with_its_seats() -> None:
    table = DigitalTable()
    before = list(Key.objects.filter(game=table.id).order_by("pk").values_list("pk", "revoked_at"))

    deletion.delete_game(game_id=table.id, actor=table.host)
    deletion.restore_game(game_id=table.id, actor=table.host)

    assert list(Key.objects.filter(game=table.id).order_by("pk").values_list("pk", "revoked_at")) == before


def test_rematches_are_linked_again() -> None:
    first = Table(None, *ROUND_1, *ROUND_2)
    again = creation.rematch(game=first.game, ledger=first.ledger, creator_label="Ana").game
    last = Table(None, *ROUND_1)
    Game.objects.filter(pk=last.id).update(rematch_of=again)
    middle_key = Key.objects.filter(game=again).earliest("pk")

    deletion.delete_game(game_id=again.pk, actor=middle_key)
    assert last.game.rematch_of is None
    assert first.game.next is None
    deletion.restore_game(game_id=again.pk, actor=middle_key)

    assert last.game.rematch_of == again
    assert first.game.next == again


def test_a_game_that_has_another_next_one_by_then_keeps_it() -> None:
    first = Table(None, *ROUND_1, *ROUND_2)
    again, instead = (
        creation.rematch(game=first.game, ledger=first.ledger, creator_label="Ana").game for _ in range(2)
    )
    key = Key.objects.filter(game=again).earliest("pk")
    deletion.delete_game(game_id=again.pk, actor=key)
    Game.objects.filter(pk=first.id).update(next=instead)

    deletion.restore_game(game_id=again.pk, actor=key)

    assert first.game.next == instead
    assert Game.objects.get(pk=again.pk).rematch_of == first.game


def test_a_key_of_another_game_or_one_that_was_revoked_restores_nothing() -> None:
    table, other = Table(), Table(dutch(4))
    revoked = table.other_key()
    tables.revoke_key(game_id=table.id, key_id=revoked.pk)
    put_away(table)
    put_away(other)

    for key in (other.key, revoked):
        with pytest.raises(NotFound):
            deletion.restore_game(game_id=table.id, actor=key)
    bring_back(table)
    with pytest.raises(NotFound):
        bring_back(table)


def test_a_member_who_has_to_go_does_not_come_back_with_a_game(group: Group) -> None:
    member = registry.issue(group=group, role=GroupRole.MEMBER, label="Max")
    table = Table(three(), group=group)
    entered = registry.issue(game=table.game, role=Role.SCOREKEEPER, label="Max", through=member)
    put_away(table)

    groups.revoke_key(group_id=group.pk, key_id=member.pk)
    bring_back(table)

    assert set(Key.objects.filter(game=table.id, revoked_at=None)).isdisjoint({entered})
    with pytest.raises(NotFound):
        deletion.restore_game(game_id=table.id, actor=entered)


def test_a_game_in_the_bin_may_be_imported_again(group: Group) -> None:
    table = played(group)
    record = document.read_text(document.text(table.game))
    put_away(table)

    creation.import_game(imported=record, creator_label="Ana", group_id=group.pk)

    assert len(history.page_of(group.pk).games) == 1


def test_who_is_erased_is_erased_in_the_bin_too(group: Group) -> None:
    table = played(group, "Ana", "Zelda", "Cleo")
    zelda = player(group, "Zelda")
    put_away(table)

    group_players.erase_player(group_id=group.pk, player_id=zelda.pk)
    bring_back(table)

    assert "Zelda" not in str([*Game.objects.values(), *Seat.objects.values(), *LogEntry.objects.values()])
    assert totals_of(group) == recounted(group)


def test_a_name_that_only_a_corrected_set_up_has_is_erased_in_the_bin(group: Group) -> None:
    table = played(group, "Ana", "Zelda", "Cleo")
    table.correct(names=["Ana", "Ben", "Cleo"])
    zelda = player(group, "Zelda")
    put_away(table)

    group_players.erase_player(group_id=group.pk, player_id=zelda.pk)

    assert "Zelda" not in str([*Game.objects.values(), *Seat.objects.values(), *LogEntry.objects.values()])


def test_two_who_met_only_in_the_bin_are_merged(group: Group) -> None:
    table = played(group, "Ana", "Anna", "Cleo")
    live = played(group, "Ben", "Anna", "Cleo")
    anna, ana = player(group, "Anna"), player(group, "Ana")
    with pytest.raises(SameTable):
        group_players.merge_players(group_id=group.pk, player_id=anna.pk, into_id=ana.pk)
    put_away(table)

    group_players.merge_players(group_id=group.pk, player_id=anna.pk, into_id=ana.pk)
    bring_back(table)

    assert set(Seat.objects.filter(game=live.id).values_list("player__name", flat=True)) == {"Ana", "Ben", "Cleo"}
    assert totals_of(group) == recounted(group)


def test_a_locked_game_is_deleted_by_who_opened_it_or_by_an_owner(finished: Table) -> None:
    other = registry.issue(game=finished.game, role=Role.SCOREKEEPER)
    permissions.require(permissions.deletes_locked, other, owner=False)
    finished.lock()
    other.game = finished.game

    with pytest.raises(OpenerOnly):
        permissions.require(permissions.deletes_locked, other, owner=False)
    permissions.require(permissions.deletes_locked, other, owner=True)
    opener = Key.objects.select_related("game").get(pk=finished.key.pk)
    permissions.require(permissions.deletes_locked, opener, owner=False)


# --- a group ---


@pytest.fixture
def owner(group: Group) -> GroupKey:
    return GroupKey.objects.get(group=group)


def test_a_restored_group_is_as_it_was(group: Group, owner: GroupKey) -> None:
    table, running = played(group), Table(three(), *ROUND_1, group=group)
    hidden = Table(three(), group=group)
    for key in Key.objects.filter(game=hidden.id):
        registry.revoke(key)
    invitations.invite_to_group(group=group, role=GroupRole.MEMBER)
    before = totals_of(group), list(Player.objects.values()), list(GroupKey.objects.values())

    deletion.delete_group(group_id=group.pk, actor=owner)
    assert not GroupKey.objects.filter(revoked_at=None).exists()
    with pytest.raises(NotFound):
        groups.rename_group(group_id=group.pk, name="Still there")
    deletion.restore_group(group_id=group.pk, actor=owner)

    assert (totals_of(group), list(Player.objects.values()), list(GroupKey.objects.values())) == before
    assert {game.pk for game in lists.running_in(group)} == {running.id, hidden.id}
    assert [game.pk for game in history.page_of(group.pk).games] == [table.id]


def test_games_of_a_group_in_the_bin_go_on_and_count_when_it_is_back(group: Group, owner: GroupKey) -> None:
    running = Table(three(), *ROUND_1, group=group)

    deletion.delete_group(group_id=group.pk, actor=owner)
    running.record(*ROUND_2)
    assert running.game.present_group is None
    assert history.play_of(running.game).group is None
    assert '"Thursday club"' not in document.text(running.game)
    permissions.require(permissions.deletes, running.key, owner=False)
    again = creation.rematch(game=running.game, ledger=running.ledger, creator_label="Ana").game
    deletion.restore_group(group_id=group.pk, actor=owner)

    assert again.group is None
    assert player(group, "Ana").figures["games"] == 1
    assert totals_of(group) == recounted(group)


def test_a_game_of_a_group_in_the_bin_is_adopted_by_another(group: Group, owner: GroupKey) -> None:
    table, fridays = played(group), new_group("Fridays")
    with pytest.raises(AlreadyInGroup), transaction.atomic():
        groups.adopt(group_id=fridays.pk, game_id=table.id)
    deletion.delete_group(group_id=group.pk, actor=owner)

    groups.adopt(group_id=fridays.pk, game_id=table.id)
    deletion.restore_group(group_id=group.pk, actor=owner)

    for each in (group, fridays):
        assert totals_of(each) == recounted(each)
    assert (fresh(group).figures.get("games", 0), fresh(fridays).figures["games"]) == (0, 1)


def test_a_game_that_was_deleted_while_its_group_lay_in_the_bin_comes_back_to_it(group: Group, owner: GroupKey) -> None:
    table = played(group)
    deletion.delete_group(group_id=group.pk, actor=owner)

    put_away(table)
    deletion.restore_group(group_id=group.pk, actor=owner)
    assert totals_of(group) == recounted(group)
    bring_back(table)

    assert table.game.group == group
    assert totals_of(group) == recounted(group)


# --- permanently ---


def later(monkeypatch: pytest.MonkeyPatch, *, days: range) -> Iterator[sweep.Swept]:
    for day in days:
        monkeypatch.setattr(timezone, "now", lambda day=day: NOW + timedelta(days=day))
        yield sweep.sweep()


def test_what_lies_in_the_bin_goes_after_a_month(
    group: Group, owner: GroupKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, kept, of_group = Table(None, *ROUND_1), Table(None, *ROUND_1), played(group)
    put_away(table)
    deletion.delete_group(group_id=group.pk, actor=owner)

    assert sum(each.games + each.groups for each in later(monkeypatch, days=range(37))) == 0
    swept = list(later(monkeypatch, days=range(37, 40)))

    assert (sum(each.games for each in swept), sum(each.groups for each in swept)) == (1, 1)
    assert {game.pk for game in Game.objects.all()} == {kept.id, of_group.id}
    assert of_group.game.group is None
    assert not Group.objects.exists()


def test_a_clock_that_was_wrong_at_the_deletion_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(None, *ROUND_1)
    sweep.sweep()
    monkeypatch.setattr(timezone, "now", lambda: NOW - timedelta(days=3650))
    put_away(table)

    assert sum(each.games for each in later(monkeypatch, days=range(30))) == 0
    bring_back(table)
    assert stored(table.id)


def test_the_figures_of_a_group_stay_right_when_a_game_goes_permanently(group: Group) -> None:
    table = played(group)
    played(group)
    put_away(table)

    deletion.delete_game_permanently(game_id=table.id)

    assert not LogEntry.objects.filter(game=table.id).exists()
    assert totals_of(group) == recounted(group)
    assert totals.unrated(fresh(group)) == 0
