"""Keys, sessions and invitations: who may see or do what, and what is stored of a secret."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from django.apps import apps
from django.db.models import F
from django.utils import timezone

from games.errors import Forbidden, InviteNotValid, LastScorekeeperKey, NotAuthenticated, NotFound
from games.keys import hashes, invitations, permissions, registry, sessions
from games.keys.session_store import SessionStore
from games.models import CROCKFORD, Invite, Key, Role
from games.services import creation, deletion, tables
from tests.builders import english
from tests.cast.tables import Table

pytestmark = pytest.mark.django_db

HOME = "192.168.0.7"


@pytest.fixture
def session(db: None) -> SessionStore:
    """A browser that has been here before."""
    session = SessionStore()
    session.create()
    return session


def later(**duration: int) -> None:
    """Let time pass for invitations."""
    gone = timedelta(**duration)
    Invite.objects.update(created_at=F("created_at") - gone, expires_at=F("expires_at") - gone)


# --- keys ---


def test_a_browser_that_opens_a_table_becomes_its_scorekeeper_and_needs_no_secret(db: None) -> None:
    created = creation.create_game(setup=english(2), creator_label=" Ana’s\tphone ")

    assert (created.creator.label, created.creator.may_record) == ("Ana’s phone", True)
    assert created.secrets == {}
    assert Key.objects.get() == created.creator


def test_a_program_that_opens_a_table_gets_a_secret_for_each_role(db: None) -> None:
    created = creation.create_game(setup=english(2), creator_label=None)

    assert created.creator is None
    assert set(created.secrets) == {Role.SCOREKEEPER, Role.VIEWER}
    assert Key.objects.filter(secret_hash=None).count() == 0


def test_a_key_opens_its_game_with_its_role(table: Table) -> None:
    scorekeeper = registry.key_of_secret(table.secrets["scorekeeper"])
    viewer = registry.key_of_secret(table.secrets["viewer"])

    assert (scorekeeper.game_id, scorekeeper.role, scorekeeper.may_record) == (table.id, Role.SCOREKEEPER, True)
    assert (viewer.game_id, viewer.role, viewer.may_record) == (table.id, Role.VIEWER, False)


def test_a_secret_has_256_bits_and_is_never_the_same(table: Table) -> None:
    secrets = {registry.issue(game=table.game, role=Role.VIEWER, label="x", program=True).secret for _ in range(50)}

    assert len(secrets) == 50
    assert {len(secret) for secret in secrets} == {43}


@pytest.mark.parametrize("secret", ["", "x", "None", "\x00", "\ud800", "x" * 10_000, "ü"])
def test_what_is_no_secret_opens_nothing(table: Table, secret: str) -> None:
    with pytest.raises(NotAuthenticated):
        registry.key_of_secret(secret)


def test_the_stored_hash_is_no_secret(table: Table) -> None:
    for stored in Key.objects.exclude(secret_hash=None).values_list("secret_hash", flat=True):
        with pytest.raises(NotAuthenticated):
            registry.key_of_secret(stored)


def test_a_secret_is_compared_to_the_letter(table: Table) -> None:
    with pytest.raises(NotAuthenticated):
        registry.key_of_secret(table.secrets["viewer"].swapcase())
    with pytest.raises(NotAuthenticated):
        registry.key_of_secret(table.secrets["viewer"] + " ")


def test_a_revoked_key_opens_nothing(table: Table) -> None:
    registry.revoke(registry.key_of_secret(table.secrets["viewer"]))

    with pytest.raises(NotAuthenticated):
        registry.key_of_secret(table.secrets["viewer"])
    assert registry.key_of_secret(table.secrets["scorekeeper"])


def test_the_key_of_another_game_finds_nothing_here(table: Table) -> None:
    key = registry.key_of_secret(Table().secrets["scorekeeper"])

    with pytest.raises(NotFound):
        permissions.game_of(key, table.id)
    assert permissions.game_of(key, key.game_id).pk == key.game_id


def test_a_viewer_may_only_look(table: Table) -> None:
    with pytest.raises(Forbidden):
        permissions.require(permissions.records, registry.key_of_secret(table.secrets["viewer"]))

    permissions.require(permissions.records, registry.key_of_secret(table.secrets["scorekeeper"]))


def test_a_scorekeeper_takes_a_key_back(table: Table) -> None:
    viewer = registry.key_of_secret(table.secrets["viewer"])

    tables.revoke_key(game_id=table.id, key_id=viewer.pk)

    with pytest.raises(NotAuthenticated):
        registry.key_of_secret(table.secrets["viewer"])


def test_the_last_key_that_may_record_stays(table: Table) -> None:
    tables.revoke_key(game_id=table.id, key_id=table.key.pk)
    last = registry.key_of_secret(table.secrets["scorekeeper"])

    with pytest.raises(LastScorekeeperKey):
        tables.revoke_key(game_id=table.id, key_id=last.pk)

    assert registry.key_of_secret(table.secrets["scorekeeper"]) == last


def test_a_key_of_another_game_cannot_be_taken_back_here(table: Table) -> None:
    other = Table()

    with pytest.raises(NotFound):
        tables.revoke_key(game_id=table.id, key_id=other.key.pk)

    other.key.refresh_from_db()
    assert other.key.revoked_at is None


def test_a_key_is_given_another_name(table: Table) -> None:
    registry.rename(table.key, "  Ben’s \n phone ")
    table.key.refresh_from_db()
    assert table.key.label == "Ben’s phone"

    registry.rename(table.key, " ")
    table.key.refresh_from_db()
    assert table.key.label == "Ben’s phone"


# --- only hashes ---


def everything_stored() -> str:
    """Every value of every row of every table."""
    return repr([list(model.objects.values_list()) for model in apps.get_models()])


def test_no_secret_is_stored(table: Table, session: SessionStore) -> None:
    invitation = invitations.invite(game=table.game, role=Role.SCOREKEEPER)
    invitations.join(session=session, invite=invitation.invite, label="Ben")
    secret = invitations.join(invite=invitation.invite, label="a program").secret
    with pytest.raises(InviteNotValid):
        invitations.find_invite(address=HOME, code="0000-0000")

    database = everything_stored()

    assert table.id in database
    plain_code = invitation.code.replace("-", "")
    unkeyed = hashlib.sha256(plain_code.encode()).hexdigest()
    for hidden in (*table.secrets.values(), secret, invitation.token, invitation.code, plain_code, unkeyed, HOME):
        assert hidden not in database


def test_a_code_is_not_valid_under_another_server_key(table: Table, settings: object) -> None:
    invitation = invitations.invite(game=table.game, role=Role.VIEWER)

    settings.SECRET_KEY = "another" * 10

    with pytest.raises(InviteNotValid):
        invitations.find_invite(address=HOME, code=invitation.code)
    assert invitations.find_invite(address=HOME, token=invitation.token) == invitation.invite


# --- sessions ---


def test_a_session_holds_the_keys_of_its_tables(table: Table, session: SessionStore) -> None:
    other = Table(english(2))
    sessions.remember(session, table.key)
    sessions.remember(session, other.key)

    assert sessions.key_of_session(session, table.id) == table.key
    assert sessions.key_of_session(session, other.id) == other.key
    assert sessions.key_ids(session) == [table.key.pk, other.key.pk]


def test_a_new_session_holds_no_key(table: Table) -> None:
    with pytest.raises(NotFound):
        sessions.key_of_session(SessionStore(), table.id)
    assert sessions.key_ids(SessionStore()) == []


def test_adding_a_key_rotates_the_session_id(table: Table, session: SessionStore) -> None:
    old = session.session_key

    sessions.remember(session, table.key)
    session.save()

    assert session.session_key != old
    assert sessions.key_ids(SessionStore(old)) == []
    assert sessions.key_of_session(SessionStore(session.session_key), table.id) == table.key


def now_is(monkeypatch: pytest.MonkeyPatch, **later: int) -> None:
    """Set the clock of the server."""
    now = datetime.now(UTC) + timedelta(**later)
    monkeypatch.setattr(timezone, "now", lambda: now)


def test_an_old_session_keeps_what_it_had_until_the_new_id_is_used(
    table: Table, session: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions.remember(session, table.key)
    old = session.session_key
    sessions.remember(session, Table(english(2)).key)

    now_is(monkeypatch, days=300)

    # The answer with the new id was lost: the phone still has its tables.
    assert sessions.key_ids(SessionStore(old)) == [table.key.pk]


def test_an_old_session_ends_a_minute_after_the_new_id_is_used(
    table: Table, session: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = Table(english(2))
    sessions.remember(session, table.key)
    old = session.session_key
    sessions.remember(session, mine.key)

    used = SessionStore(session.session_key)

    assert sessions.key_ids(used) == [table.key.pk, mine.key.pk]
    used.save()
    now_is(monkeypatch, seconds=50)
    assert sessions.key_ids(SessionStore(old)) == [table.key.pk]
    now_is(monkeypatch, seconds=61)
    assert sessions.key_ids(SessionStore(old)) == []
    # The second use neither looks for the old session nor writes anything.
    again = SessionStore(session.session_key)
    assert sessions.key_ids(again) == [table.key.pk, mine.key.pk]
    assert not again.modified


@pytest.mark.parametrize("years", [-10, 10])
def test_a_wrong_clock_ends_no_session_but_an_old_one(
    table: Table, session: SessionStore, years: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = session.session_key
    session["browser"] = "of an earlier release"
    session.save()
    sessions.remember(session, table.key)
    SessionStore(session.session_key).load()

    now_is(monkeypatch, days=365 * years)

    assert sessions.key_of_session(SessionStore(session.session_key), table.id) == table.key
    assert SessionStore(old).load() == {}


def test_what_goes_on_from_a_session_that_was_left_lasts_as_long_as_any(table: Table, session: SessionStore) -> None:
    sessions.remember(session, table.key)
    old = session.session_key
    sessions.remember(session, Table().key)
    SessionStore(session.session_key).load()

    again = SessionStore(old)
    sessions.remember(again, Table().key)

    assert SessionStore(again.session_key).get_expiry_date() - timezone.now() > timedelta(days=399)


def test_a_session_that_holds_the_key_already_keeps_its_id(table: Table, session: SessionStore) -> None:
    sessions.remember(session, table.key)
    name = session.session_key

    sessions.remember(session, table.key)

    assert session.session_key == name


def test_an_old_session_that_was_deleted_in_between_does_not_come_back(table: Table, session: SessionStore) -> None:
    sessions.remember(session, table.key)
    old = SessionStore(session.session_key)
    sessions.remember(session, Table().key)
    old.delete()

    assert sessions.own_key(SessionStore(session.session_key), table.id) == table.key

    assert not SessionStore().exists(old.session_key)


def test_the_creator_of_a_game_is_the_first_browser_and_no_other_player(table: Table) -> None:
    table.other_key()
    assert registry.creator_of(table.game) == table.key

    registry.revoke(table.key)

    assert registry.creator_of(table.game) is None
    assert registry.creator_of(creation.create_game(setup=english(2), creator_label=None).game) is None


def test_a_revoked_key_is_not_found_in_the_session(table: Table, session: SessionStore) -> None:
    sessions.remember(session, table.key)

    registry.revoke(table.key)

    with pytest.raises(NotFound):
        sessions.key_of_session(session, table.id)


def test_a_key_named_for_another_game_opens_nothing(table: Table, session: SessionStore) -> None:
    session[sessions.SESSION_KEYS] = {table.id: Table().key.pk}

    with pytest.raises(NotFound):
        sessions.key_of_session(session, table.id)


def test_a_table_is_taken_off_the_list(table: Table, session: SessionStore) -> None:
    sessions.remember(session, table.key)

    sessions.forget(session, table.id)
    sessions.forget(session, "nosuchgame")

    assert sessions.key_ids(session) == []
    with pytest.raises(NotFound):
        sessions.key_of_session(session, table.id)


def test_a_browsers_key_has_no_secret_and_a_name(table: Table) -> None:
    labels = [
        registry.issue(game=table.game, role=Role.VIEWER, label=label).label
        for label in ("", " Ben’s\tphone ", "\u200b", "x" * 99)
    ]

    assert labels == ["Phone 2", "Ben’s phone", "Phone 4", "x" * 60]
    assert table.key.secret_hash is None


# --- invitations ---


def test_a_link_and_a_code_open_the_table(table: Table) -> None:
    invitation = invitations.invite(game=table.game, role=Role.VIEWER)

    assert invitations.find_invite(address=HOME, token=invitation.token) == invitation.invite
    assert invitations.find_invite(address=HOME, code=invitation.code) == invitation.invite
    assert (invitation.invite.game_id, invitation.invite.role) == (table.id, Role.VIEWER)


def test_a_link_has_128_bits_and_a_code_8_characters(table: Table) -> None:
    made = [invitations.invite(game=table.game, role=Role.VIEWER) for _ in range(50)]

    assert {len(each.token) for each in made} == {22}
    assert len({each.token for each in made}) == len({each.code for each in made}) == 50
    for each in made:
        first, second = each.code.split("-")
        assert (len(first), len(second)) == (4, 4)
        assert set(first + second) <= set(CROCKFORD)


def test_a_code_has_no_look_alike_characters() -> None:
    assert len(CROCKFORD) == 32
    assert not set("ILOU") & set(CROCKFORD)


def invite_with_code(table: Table, code: str) -> Invite:
    invite = invitations.invite(game=table.game, role=Role.VIEWER).invite
    invite.code_hash = hashes.hash_of_code(code)
    invite.save(update_fields=["code_hash"])
    return invite


@pytest.mark.parametrize(
    "typed",
    [
        "01AB-10CD",
        "01AB10CD",
        "01ab-10cd",
        " 01ab 10cd ",
        "0 1 A B 1 0 C D",
        "OIAB-LOCD",
        "oiab-locd",
        "olab-iocd",
        "O1AB–1OCD",
        "01ab.10cd!",
    ],
)
def test_a_code_is_read_as_people_write_it(table: Table, typed: str) -> None:
    invite = invite_with_code(table, "01AB10CD")

    assert invitations.find_invite(address=HOME, code=typed) == invite


@pytest.mark.parametrize("typed", ["", "01AB", "01AB-10CE", "01AB-10CDE", "10CD-01AB", "\x00", "\ud800", "0" * 10_000])
def test_another_code_opens_nothing(table: Table, typed: str) -> None:
    invite_with_code(table, "01AB10CD")

    with pytest.raises(InviteNotValid):
        invitations.find_invite(address=HOME, code=typed)


def test_a_link_is_compared_to_the_letter(table: Table) -> None:
    invitation = invitations.invite(game=table.game, role=Role.VIEWER)

    for token in (invitation.token.swapcase(), invitation.token + "x", invitation.code, "\ud800"):
        with pytest.raises(InviteNotValid):
            invitations.find_invite(address=HOME, token=token)


def test_an_invitation_works_for_twelve_hours(table: Table) -> None:
    invitation = invitations.invite(game=table.game, role=Role.VIEWER)
    assert invitation.invite.expires_at - invitation.invite.created_at >= timedelta(hours=12) - timedelta(seconds=1)

    later(hours=11, minutes=59)
    assert invitations.find_invite(address=HOME, token=invitation.token) == invitation.invite

    later(minutes=2)
    for secret in ({"token": invitation.token}, {"code": invitation.code}):
        with pytest.raises(InviteNotValid):
            invitations.find_invite(address=HOME, **secret)


def test_several_invitations_work_side_by_side(table: Table) -> None:
    first = invitations.invite(game=table.game, role=Role.VIEWER)
    second = invitations.invite(game=table.game, role=Role.SCOREKEEPER)

    assert invitations.find_invite(address=HOME, code=first.code) == first.invite
    assert invitations.find_invite(address=HOME, code=second.code) == second.invite


def test_an_invitation_can_be_used_by_everybody_at_the_table(table: Table) -> None:
    invite = invitations.invite(game=table.game, role=Role.SCOREKEEPER).invite

    keys = [invitations.join(session=SessionStore(), invite=invite, label=name) for name in ("Ben", "Cleo")]

    assert [(key.label, key.role) for key in keys] == [("Ben", Role.SCOREKEEPER), ("Cleo", Role.SCOREKEEPER)]


def test_no_invitation_is_deleted_by_the_clock(table: Table) -> None:
    """A clock that is ahead for an hour costs nothing."""
    invitation = invitations.invite(game=table.game, role=Role.VIEWER)
    later(hours=13)
    invitations.invite(game=table.game, role=Role.VIEWER)

    later(hours=-13)

    assert invitations.find_invite(address=HOME, token=invitation.token) == invitation.invite


def test_an_invitation_from_the_future_is_not_valid(table: Table) -> None:
    invitation = invitations.invite(game=table.game, role=Role.VIEWER)

    later(minutes=-59)
    assert invitations.find_invite(address=HOME, token=invitation.token) == invitation.invite

    later(minutes=-2)
    with pytest.raises(InviteNotValid):
        invitations.find_invite(address=HOME, token=invitation.token)
    with pytest.raises(InviteNotValid):
        invitations.join(invite=invitation.invite, label="a program")


# --- joining ---


def test_joining_gives_the_browser_a_key_of_the_role(table: Table, session: SessionStore) -> None:
    invite = invitations.invite(game=table.game, role=Role.VIEWER).invite
    old = session.session_key

    key = invitations.join(session=session, invite=invite, label="Ben")

    assert sessions.key_of_session(session, table.id) == key
    assert not key.may_record
    assert session.session_key != old


def test_a_browser_that_joins_again_keeps_its_key(table: Table, session: SessionStore) -> None:
    invite = invitations.invite(game=table.game, role=Role.VIEWER).invite

    first = invitations.join(session=session, invite=invite, label="Ben")
    again = invitations.join(session=session, invite=invite, label="Ben")

    assert again == first


def test_a_viewer_who_is_invited_to_record_gets_more(table: Table, session: SessionStore) -> None:
    invitations.join(session=session, invite=invitations.invite(game=table.game, role=Role.VIEWER).invite, label="Ben")

    key = invitations.join(
        session=session, invite=invitations.invite(game=table.game, role=Role.SCOREKEEPER).invite, label="Ben"
    )

    assert key.may_record
    assert sessions.key_of_session(session, table.id) == key


def test_a_scorekeeper_who_is_invited_as_viewer_keeps_the_key(table: Table, session: SessionStore) -> None:
    sessions.remember(session, table.key)

    key = invitations.join(
        session=session, invite=invitations.invite(game=table.game, role=Role.VIEWER).invite, label="Ana"
    )

    assert key == table.key


def test_after_a_revocation_an_invitation_gives_its_own_role_only(table: Table, session: SessionStore) -> None:
    sessions.remember(session, table.key)
    registry.revoke(table.key)

    key = invitations.join(
        session=session, invite=invitations.invite(game=table.game, role=Role.VIEWER).invite, label="Ana"
    )

    assert key != table.key
    assert not key.may_record


def test_a_program_joins_with_a_key_of_its_own(table: Table) -> None:
    invite = invitations.invite(game=table.game, role=Role.SCOREKEEPER).invite

    key = invitations.join(invite=invite, label="\tthe sheet ")

    assert registry.key_of_secret(key.secret) == key
    assert (key.label, key.role, key.game_id) == ("the sheet", Role.SCOREKEEPER, table.id)


def test_no_one_joins_a_game_that_was_just_deleted(table: Table, session: SessionStore) -> None:
    invite = invitations.invite(game=table.game, role=Role.VIEWER).invite
    deletion.delete_game(game_id=table.id)

    with pytest.raises(InviteNotValid):
        invitations.join(session=session, invite=invite, label="Ben")
    with pytest.raises(InviteNotValid):
        invitations.join(invite=invite, label="a program")

    assert not Key.objects.filter(revoked_at=None).exists()
