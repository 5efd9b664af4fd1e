"""The sweep: what it deletes, what it keeps, and that no single clock decides."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from games.errors import InviteNotValid
from games.keys import invitations, limits, registry, sessions
from games.keys.session_store import SessionStore
from games.models import Attempt, Game, Group, GroupKey, GroupRole, Installation, Invite, Key, Role
from games.services import sweep
from tests.cast.digital import DigitalTable
from tests.cast.groups import new_group, played
from tests.cast.tables import Table

pytestmark = pytest.mark.django_db

NOW = datetime.now(UTC)
DAY = timedelta(days=1)


def now_is(monkeypatch: pytest.MonkeyPatch, later: timedelta) -> None:
    """Set the clock of the server."""
    monkeypatch.setattr(timezone, "now", lambda: NOW + later)


def swept(monkeypatch: pytest.MonkeyPatch, *, days: int, since: int = 0) -> sweep.Swept:
    """What is deleted in a number of days with one sweep each."""
    deleted: Counter[str] = Counter()
    for day in range(since, days + 1):
        now_is(monkeypatch, day * DAY)
        deleted.update(asdict(sweep.sweep()))
    return sweep.Swept(**deleted)


def session_of(*keys: Key | GroupKey) -> str:
    """The id of a session with these keys."""
    session = SessionStore()
    for key in keys:
        if isinstance(key, GroupKey):
            sessions.remember_group(session, key)
        elif key.seat is not None:
            sessions.remember_seat(session, key)
        else:
            sessions.remember(session, key)
    return session.session_key


def everything() -> dict[str, list[Any]]:
    """Every row of every table but the trusted clock."""
    models = [model for model in apps.get_models() if model is not Installation]
    return {model.__name__: list(model._default_manager.order_by("pk").values_list()) for model in models}


# --- games ---


def test_a_game_without_an_action_goes_after_a_month(monkeypatch: pytest.MonkeyPatch) -> None:
    abandoned, played_on = Table(), Table(None, "trump red")

    assert swept(monkeypatch, days=36).games == 0
    assert swept(monkeypatch, days=38, since=37).games == 1

    assert not Game.objects.filter(pk=abandoned.id).exists()
    assert Game.objects.filter(pk=played_on.id).exists()


def test_a_game_of_a_group_goes_too_and_a_finished_one_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    group = new_group()
    finished = played(group)
    Table(group=group)

    swept(monkeypatch, days=38)

    assert Game.objects.get(group=group).pk == finished.id


def test_a_digital_game_in_which_no_player_has_acted_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    untouched, acted = DigitalTable(), DigitalTable()
    untouched.put_bot(untouched.state.acting_seats[0], "easy")
    untouched.step()
    acted.step()

    assert swept(monkeypatch, days=38).games == 1

    assert Game.objects.get().pk == acted.id


def test_a_game_that_a_phone_has_joined_recently_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    key = registry.issue(game=table.game, role=Role.VIEWER)
    Key.objects.filter(pk=key.pk).update(created_at=NOW + 30 * DAY)

    assert swept(monkeypatch, days=38).games == 0


# --- sessions ---


def test_sessions_without_a_key_go_and_those_with_one_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    group = registry.issue(group=new_group(), role=GroupRole.MEMBER)
    phones = DigitalTable()
    kept = {session_of(Table(None, "trump red").key), session_of(group), session_of(phones.keys[1])}
    left = SessionStore()
    left["browser"] = "of an earlier release"
    left.save()
    forgotten = SessionStore(session_of(Table().key))
    sessions.forget(forgotten, next(iter(forgotten["keys"])))
    forgotten.save()

    assert swept(monkeypatch, days=7).sessions == 0
    assert swept(monkeypatch, days=9, since=8).sessions == 2

    assert set(Session.objects.values_list("pk", flat=True)) == kept


def test_an_old_session_that_has_ended_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    session = SessionStore(session_of(Table(None, "trump red").key))
    old = session.session_key
    sessions.remember(session, Table(None, "trump red").key)
    used = SessionStore(session.session_key)
    used.load()
    used.save()

    swept(monkeypatch, days=8)

    assert list(Session.objects.values_list("pk", flat=True)) == [used.session_key] != [old]


@pytest.mark.slow
def test_a_session_goes_when_its_cookie_has_expired(monkeypatch: pytest.MonkeyPatch) -> None:
    session_of(Table(None, "trump red").key)

    assert swept(monkeypatch, days=405).sessions == 0
    assert swept(monkeypatch, days=408, since=406).sessions == 1


def test_a_session_that_cannot_be_read_stays(monkeypatch: pytest.MonkeyPatch, settings: object) -> None:
    session_of(Table(None, "trump red").key)
    settings.SECRET_KEY = "another" * 10

    assert swept(monkeypatch, days=30).sessions == 0


# --- invitations and limits ---


def test_invitations_and_attempts_that_are_long_over_go(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(None, "trump red")
    invitations.invite(game=table.game, role=Role.VIEWER)
    limits.count("10.0.0.1", limits.CREATIONS)

    assert swept(monkeypatch, days=7).attempts == 0
    assert swept(monkeypatch, days=9, since=8).attempts == 1
    assert swept(monkeypatch, days=36, since=10).invitations == 0
    assert swept(monkeypatch, days=38, since=37).invitations == 1
    assert not Invite.objects.exists()
    assert not Attempt.objects.exists()


def test_the_command_lists_what_it_has_deleted(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("sweep")

    assert capsys.readouterr().out == "Deleted: 0 games, 0 groups, 0 sessions, 0 invitations, 0 attempts.\n"


def test_many_rows_go_in_several_transactions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "BATCH", 2)
    for number in range(5):
        limits.count(f"10.0.0.{number}", limits.CREATIONS)
        session = SessionStore()
        session["browser"] = "of an earlier release"
        session.save()
    kept = session_of(Table(None, "trump red").key)

    deleted = swept(monkeypatch, days=9)

    assert (deleted.attempts, deleted.sessions) == (5, 5)
    assert not Attempt.objects.exists()
    assert Session.objects.get().pk == kept


# --- clocks ---


@pytest.fixture
def group() -> Group:
    """A group with tables, keys, sessions, an invitation and a limit that was reached."""
    group = new_group()
    played(group)
    abandoned, digital_game = Table(group=group), DigitalTable()
    session_of(abandoned.key, registry.issue(group=group, role=GroupRole.OWNER), digital_game.keys[1])
    session_of(Table().key)
    invitations.invite(game=abandoned.game, role=Role.VIEWER)
    invitations.invite_to_group(group=group, role=GroupRole.MEMBER)
    for _ in range(10):
        with pytest.raises(InviteNotValid):
            invitations.find_invite(address="10.0.0.1", code="0000-0000")
    return group


@pytest.mark.parametrize("years", [-10, 10])
@pytest.mark.parametrize("swept_before", [False, True])
def test_a_sweep_with_a_clock_ten_years_off_deletes_nothing(
    group: Group, years: int, swept_before: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if swept_before:
        sweep.sweep()
    before = everything()

    for later in (years * 365 * DAY, timedelta(hours=1)):
        now_is(monkeypatch, later)
        sweep.sweep()

    assert everything() == before


def test_what_was_opened_while_the_clock_was_ten_years_back_stays(
    group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep.sweep()
    past = NOW - 3650 * DAY
    table = Table()
    session = session_of(table.key)
    Game.objects.filter(pk=table.id).update(created_at=past)
    Key.objects.filter(game=table.id).update(created_at=past)
    Session.objects.filter(pk=session).update(expire_date=past + 400 * DAY)
    now_is(monkeypatch, past - NOW)
    sweep.sweep()
    before = everything()

    # Now the right clock again.
    swept(monkeypatch, days=25)

    assert everything() == before | {"Attempt": everything()["Attempt"]}
    assert Game.objects.filter(pk=table.id).exists()
    assert Session.objects.filter(pk=session).exists()


def test_the_sweep_after_one_with_a_clock_ahead_goes_on_from_the_right_time(
    group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_is(monkeypatch, timedelta())
    sweep.sweep()
    now_is(monkeypatch, 3650 * DAY)
    sweep.sweep()
    assert Installation.objects.get().clock == NOW + 7 * DAY

    now_is(monkeypatch, DAY)
    sweep.sweep()

    assert Installation.objects.get().clock == NOW + DAY


@pytest.mark.parametrize(("later", "is_due"), [(timedelta(hours=1), False), (DAY, True), (-DAY, True)])
def test_the_daily_sweep_is_done_once_a_day(later: timedelta, is_due: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    now_is(monkeypatch, timedelta())
    sweep.sweep_daily()
    assert Installation.objects.get().clock == NOW

    now_is(monkeypatch, later)
    sweep.sweep_daily()

    assert Installation.objects.get().clock == (NOW + later if is_due else NOW)
