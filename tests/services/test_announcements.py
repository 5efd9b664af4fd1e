"""Commit, then announce: what the other phones and processes are sent, another connection can read by then.

A phone that hears of a version before its commit asks for the old one, and shows it until something else happens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import connections, transaction

from games.keys import registry
from games.live.hub import GONE, hub
from games.models import Game, GroupRole, Key
from games.services import creation, deletion, digital, group_players, groups, seating, tables
from games.services.write import WriteRequest
from tests.builders import dutch
from tests.cast.digital import DigitalTable
from tests.cast.groups import new_group, played, player
from tests.cast.tables import ROUND_1, TOTALS_1, Table, instead

pytestmark = pytest.mark.django_db(transaction=True)

TO_LOOK = ThreadPoolExecutor(1)
"""A thread has a connection of its own."""


class OtherProcesses:
    """For each message that they are sent: whether another connection reads what the message is about."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.too_early: list[Mapping[str, object]] = []

    def send(self, message: Mapping[str, object]) -> None:
        """Look before this returns: the writer waits."""
        self.heard += message
        if not TO_LOOK.submit(_is_stored, message).result(timeout=120):
            self.too_early.append(message)


def _is_stored(message: Mapping[str, object]) -> bool:
    try:
        match message:
            case {"version": [str(game_id), int(version), *_]}:
                game = Game.objects.filter(pk=game_id).first()
                if version == GONE:
                    return game is None or game.deleted_at is not None
                return game is not None and game.version >= version
            case {"next": str(game_id)}:
                return Game.objects.get(pk=game_id).next_id is not None
            case {"revoked": [_, list(keys)]}:
                return not Key.objects.filter(pk__in=keys, revoked_at=None).exists()
        return True
    finally:
        connections.close_all()


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> OtherProcesses:
    others = OtherProcesses()
    monkeypatch.setattr(hub, "send", others.send)
    return others


# --- what is done, each with the kinds of messages that follow ---


def record(table: Table) -> None:
    table.record("trump red")


def record_after_others(table: Table) -> None:
    """The game has moved on since it was read with the key: the write is decided under the lock."""
    key = Key.objects.select_related("game").get(pk=table.key.pk)
    table.record("trump red")
    tables.undo(game_id=table.id, actor=key, request=WriteRequest())


def undo(table: Table) -> None:
    table.record("trump red")
    table.undo()


def correct(table: Table) -> None:
    table.record(*ROUND_1)
    table.amend(instead(3, "tally 6+1 3+1 3+1"))
    table.correct(dealer=1)


def confirm(table: Table) -> None:
    table.record(*ROUND_1)
    table.confirm(0)
    table.confirm(1)


def finish(table: Table) -> None:
    table.record(*ROUND_1, "finish")
    table.lock()


def play_again(table: Table) -> None:
    table.record(*ROUND_1, "finish")
    creation.rematch(game=table.game, ledger=table.ledger, creator_label="Ana", after=table.key)


def delete(table: Table) -> None:
    deletion.delete_game(game_id=table.id)


def revoke(table: Table) -> None:
    tables.revoke_key(game_id=table.id, key_id=table.other_key().pk)


@pytest.mark.parametrize(
    ("act", "kinds"),
    [
        (record, {"version"}),
        (record_after_others, {"version"}),
        (undo, {"version"}),
        (correct, {"version"}),
        (confirm, {"version"}),
        (finish, {"version"}),
        (play_again, {"version", "next"}),
        (delete, {"version"}),
        (revoke, {"revoked"}),
    ],
)
def test_what_happens_at_a_table_is_announced_when_others_can_read_it(
    others: OtherProcesses, act: Callable[[Table], None], kinds: set[str]
) -> None:
    table = Table()

    act(table)

    assert set(others.heard) == kinds
    assert others.too_early == []


def play(game: DigitalTable) -> None:
    game.step()


def play_for_a_bot(game: DigitalTable) -> None:
    seat = game.state.acting_seats[0]
    game.put_bot(seat, "easy")
    view = game.ledger.played_by(seat).view
    assert view is not None
    digital.act_for_bot(game_id=game.id, seat=seat, version=game.game.version, action=view.legal[0])


def claim(game: DigitalTable) -> None:
    game.move(1)


def take_back(game: DigitalTable) -> None:
    lost = game.keys[1]
    game.move(1)
    seating.claim(game_id=game.id, seat=1, by=Key.objects.get(pk=lost.pk), session=SessionStore())


def free(game: DigitalTable) -> None:
    seating.free_seat(game_id=game.id, seat=1, actor=game.host)


def revoke_seat(game: DigitalTable) -> None:
    tables.revoke_key(game_id=game.id, key_id=game.keys[1].pk, actor=game.host)


def propose(game: DigitalTable) -> None:
    seat = game.state.acting_seats[0]
    game.step()
    game.propose(seat, "takeback")


@pytest.mark.parametrize(
    ("act", "kinds"),
    [
        (play, {"version"}),
        (play_for_a_bot, {"version"}),
        (propose, {"version"}),
        (claim, {"version", "revoked"}),
        (take_back, {"version", "revoked"}),
        (free, {"version", "revoked"}),
        (revoke_seat, {"version", "revoked"}),
    ],
)
def test_what_happens_in_a_digital_game_is_announced_when_others_can_read_it(
    others: OtherProcesses, act: Callable[[DigitalTable], None], kinds: set[str]
) -> None:
    game = DigitalTable(dutch(3))

    act(game)

    assert set(others.heard) == kinds
    assert others.too_early == []


def test_what_happens_in_a_group_is_announced_when_others_can_read_it(others: OtherProcesses) -> None:
    group = new_group()
    played(group, "Ana", "Ben", "Cleo")
    game = DigitalTable(dutch(3), group=group)
    game.free(1)
    member = registry.issue(group=group, role=GroupRole.MEMBER, label="Max")
    seating.claim(game_id=game.id, seat=1, by=member, session=SessionStore())
    others.heard.clear()

    group_players.erase_player(group_id=group.pk, player_id=player(group, "Ana").pk)
    groups.revoke_key(group_id=group.pk, key_id=member.pk)

    assert set(others.heard) == {"version", "revoked"}
    assert others.too_early == []


def test_a_write_is_silent_until_its_transaction_ends_and_always_if_it_is_rolled_back(others: OtherProcesses) -> None:
    table = Table()

    with transaction.atomic():
        table.record("trump red")
        assert others.heard == []
        transaction.set_rollback(True)

    assert others.heard == []
    assert (table.game.version, table.state.totals) == (0, (0,) * len(TOTALS_1))
