"""The keys of a browser's session: however the session is read, it finds the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.keys import registry, sessions
from games.keys.session_store import SessionStore
from games.keys.sessions import GameKeys
from games.models import Key, Role
from tests.builders import dutch
from tests.cast.digital import DigitalTable
from tests.cast.tables import Table

pytestmark = pytest.mark.django_db


def revoke_host(phones: DigitalTable) -> None:
    registry.revoke(phones.host)


def revoke_everything(phones: DigitalTable) -> None:
    Key.objects.filter(game=phones.id).update(revoked_at=phones.host.created_at)


def claim_elsewhere(phones: DigitalTable) -> None:
    phones.move(1)


def crowd(phones: DigitalTable) -> None:
    for number in range(sessions.MOST_KEYS):
        registry.issue(game=phones.game, role=Role.VIEWER, label=f"Viewer {number}")


def nothing(phones: DigitalTable) -> None:
    pass


@pytest.mark.parametrize("change", [nothing, revoke_host, revoke_everything, claim_elsewhere, crowd])
@pytest.mark.parametrize("holds", ["host", "seats", "both", "another table"])
def test_a_session_that_is_read_with_its_keys_finds_what_a_loaded_one_finds(
    holds: str, change: Callable[[DigitalTable], None]
) -> None:
    phones, stored = DigitalTable(), SessionStore()
    stored.create()
    sessions.remember(stored, Table(dutch(3)).key)
    if holds in ("host", "both"):
        sessions.remember(stored, phones.host)
    if holds in ("seats", "both"):
        sessions.remember_seats(stored, [phones.keys[2], phones.keys[1]])
    stored.save()
    change(phones)

    loaded, unread = SessionStore(stored.session_key), SessionStore(stored.session_key)
    assert list(loaded.keys())
    keys = sessions.keys_of_game(unread, phones.id)

    assert keys == sessions.keys_of_game(loaded, phones.id)
    assert list(keys.seats) == sorted(keys.seats)
    assert sessions.key_ids(unread) == sessions.key_ids(loaded)
    valid = Key.objects.filter(pk__in=sessions.key_ids_of(loaded, phones.id), revoked_at=None)
    assert {keys.own, *keys.seats.values()} - {None} == set(valid)


@pytest.mark.parametrize("game_id", ["", "a\0b", "\0", "nosuchgame"])
def test_a_table_that_does_not_exist_has_no_key_in_any_session(game_id: str) -> None:
    session = SessionStore()
    sessions.remember(session, Table(dutch(3)).key)
    session.save()

    assert sessions.keys_of_game(SessionStore(session.session_key), game_id) == GameKeys()


def test_a_session_id_with_a_null_character_is_no_session() -> None:
    table = Table(dutch(3))

    assert sessions.keys_of_game(SessionStore("\0" * 32), table.id) == GameKeys()
    assert SessionStore("\0" * 32).load() == {}


def test_what_a_request_changes_in_a_session_and_does_not_save_is_unknown_to_the_next() -> None:
    stored = SessionStore()
    stored["keys"] = {"game": 1}
    stored.save()

    SessionStore(stored.session_key)["keys"]["other"] = 2
    assert SessionStore(stored.session_key)["keys"] == {"game": 1}

    stored["keys"]["other"] = 2
    stored.save()
    assert SessionStore(stored.session_key)["keys"] == {"game": 1, "other": 2}
