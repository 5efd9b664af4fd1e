"""What a key of a group opens, and that it all ends with the key."""

from __future__ import annotations

import pytest

from games.errors import InviteNotValid, MembersOnly, NotAuthenticated, NotFound, OwnersOnly, PlayerErased
from games.groups import history
from games.keys import invitations, permissions, registry
from games.models import Game, Group, GroupKey, GroupRole, Key, Role
from games.rules.errors import WrongType
from games.services import creation, deletion, group_players, groups
from tests.cast.groups import fresh, new_group, played, player, three
from tests.cast.tables import Table

pytestmark = pytest.mark.django_db

ADDRESS = "192.0.2.7"


@pytest.fixture
def group(db: None) -> Group:
    """A group without games."""
    return new_group()


def token(group: Group, role: GroupRole = GroupRole.MEMBER) -> GroupKey:
    return registry.issue(group=group, role=role, label="a program", program=True)


def key_of(secret: str) -> Key:
    return registry.key_of_secret(secret)


def test_a_key_of_a_table_ends_with_the_key_of_the_group_that_opened_it(group: Group) -> None:
    member = token(group)
    table = Table(three(), group=group)
    secret = invitations.enter(key=member, game_id=table.id, role=Role.SCOREKEEPER).secret

    groups.revoke_key(group_id=group.pk, key_id=member.pk)

    with pytest.raises(NotAuthenticated):
        key_of(secret)


def test_so_do_the_keys_of_the_rematch(group: Group) -> None:
    member = token(group)
    table = played(group)
    key = invitations.enter(key=member, game_id=table.id, role=Role.SCOREKEEPER)
    made = creation.rematch(game=table.game, ledger=table.ledger, creator_label=None, through=key.through)

    groups.revoke_key(group_id=group.pk, key_id=member.pk)

    for opened in (key.secret, *made.secrets.values()):
        with pytest.raises(NotAuthenticated):
            key_of(opened)


def test_so_do_the_keys_of_those_whom_it_let_in(group: Group) -> None:
    member = token(group)
    table = Table(three(), group=group)
    key = invitations.enter(key=member, game_id=table.id, role=Role.SCOREKEEPER)
    invitation = invitations.invite(game=table.game, role=Role.SCOREKEEPER, maker=key)
    found = invitations.find_invite(address=ADDRESS, token=invitation.token)
    secret = invitations.join(invite=found, label="a friend").secret

    groups.revoke_key(group_id=group.pk, key_id=member.pk)

    with pytest.raises(NotAuthenticated):
        key_of(secret)


def test_an_invitation_ends_with_the_key_that_made_it(group: Group) -> None:
    member = token(group)
    table = Table(three(), group=group)
    key = invitations.enter(key=member, game_id=table.id, role=Role.SCOREKEEPER)
    to_group = invitations.invite_to_group(group=group, role=GroupRole.MEMBER, maker=member)
    to_table = invitations.invite(game=table.game, role=Role.SCOREKEEPER, maker=key)

    groups.revoke_key(group_id=group.pk, key_id=member.pk)

    for invitation in (to_group, to_table):
        with pytest.raises(InviteNotValid):
            invitations.find_invite(address=ADDRESS, token=invitation.token)


def test_a_key_that_was_just_revoked_opens_no_table(group: Group) -> None:
    member = token(group)
    table = Table(three(), group=group)
    groups.revoke_key(group_id=group.pk, key_id=member.pk)

    with pytest.raises(NotFound):
        invitations.enter(key=member, game_id=table.id, role=Role.SCOREKEEPER)
    with pytest.raises(NotFound):
        creation.create_game(setup=three(), creator_label=None, group_id=group.pk, through=member)


def test_viewers_look_and_do_not_record(group: Group) -> None:
    viewer = token(group, GroupRole.VIEWER)
    table = Table(three(), group=group)

    with pytest.raises(MembersOnly):
        invitations.enter(key=viewer, game_id=table.id, role=Role.SCOREKEEPER)
    assert not invitations.enter(key=viewer, game_id=table.id, role=Role.VIEWER).may_record


@pytest.mark.parametrize(("role", "least"), [(GroupRole.MEMBER, MembersOnly), (GroupRole.OWNER, OwnersOnly)])
def test_an_invitation_gives_no_more_than_its_maker_may_do(
    group: Group, role: GroupRole, least: type[Exception]
) -> None:
    with pytest.raises(least):
        permissions.require(permissions.NEEDED_TO_INVITE[role], token(group, GroupRole.VIEWER))
    permissions.require(permissions.NEEDED_TO_INVITE[role], token(group, GroupRole.OWNER))


def test_what_a_group_counts_only_its_owners_delete(group: Group) -> None:
    running, counted = Table(three(), group=group), played(group)

    permissions.require(permissions.deletes, running.key, owner=False)
    permissions.require(permissions.deletes, counted.key, owner=True)
    with pytest.raises(OwnersOnly):
        permissions.require(permissions.deletes, counted.key, owner=False)


def test_the_keys_of_a_table_that_left_the_group_do_not_end_with_keys_of_the_group(group: Group) -> None:
    member = token(group)
    made = creation.create_game(setup=three(), creator_label="Ben", group_id=group.pk, through=member)
    groups.release(group_id=group.pk, game_id=made.game.pk)

    groups.revoke_key(group_id=group.pk, key_id=member.pk)

    assert Key.objects.filter(game=made.game, revoked_at=None).exists()


def test_what_no_one_could_open_again_goes_with_the_group(group: Group) -> None:
    kept, lost = Table(three(), group=group), Table(three(), group=group)
    for key in Key.objects.filter(game=lost.id):
        registry.revoke(key)

    deletion.delete_group_permanently(group_id=group.pk)

    assert list(Game.objects.values_list("pk", flat=True)) == [kept.id]


def test_a_game_that_left_and_came_back_is_one_change(group: Group) -> None:
    table = played(group)
    groups.release(group_id=group.pk, game_id=table.id)
    groups.adopt(group_id=group.pk, game_id=table.id)

    changes = history.changes_after(group.pk, 0)

    assert [(item.game_id, item.game is not None) for item in changes.items] == [(table.id, True)]


def test_a_number_that_was_never_given_out_is_refused(group: Group) -> None:
    played(group)

    with pytest.raises(WrongType):
        history.changes_after(group.pk, fresh(group).changes + 1)


def test_anyone_who_was_forgotten_is_not_called_anything_again(group: Group) -> None:
    played(group, "Ana", "Ben", "Cleo")
    erased = group_players.erase_player(group_id=group.pk, player_id=player(group, "Ana").pk)

    with pytest.raises(PlayerErased):
        group_players.change_player(group_id=group.pk, player_id=erased.pk, name="Ana")


def test_an_erased_player_is_gone_from_every_game_under_every_name(group: Group) -> None:
    tables = [played(group, "Ana", "Ben", "Cleo"), played(group, "Ana", "Ben", "Cleo")]
    first = min(tables, key=lambda table: table.id)
    first.correct(names=["Zoe", "Ben", "Cleo"])
    group_players.merge_players(group_id=group.pk, player_id=player(group, "Zoe").pk, into_id=player(group, "Ana").pk)
    key = registry.issue(game=first.game, role=Role.VIEWER, label="Ana’s telephone")

    group_players.change_player(group_id=group.pk, player_id=player(group, "Ana").pk, name="Maria")
    group_players.erase_player(group_id=group.pk, player_id=player(group, "Maria").pk)

    for table in tables:
        assert not {"Ana", "Zoe", "Maria"} & {seat["name"] for seat in table.game.setup["seats"]}
    key.refresh_from_db()
    assert "Ana" not in key.label
