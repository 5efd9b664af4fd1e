"""Many at once, each with a connection of its own: one winner, one application, a log without gaps, no lock errors.

`RACES=20` runs every race twenty times.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection

from games.errors import InviteNotValid, LastScorekeeperKey, NotFound, RequestIdReused, StaleVersion, TooManyRequests
from games.keys import invitations, registry, sessions
from games.log import store
from games.management.commands.check_logs import differences_of
from games.models import Attempt, Game, GroupRole, Invite, Key, LogEntry, Role
from games.rules import Action, errors
from games.services import creation, deletion, groups
from games.services import tables as services
from games.services.write import Outcome, WriteRequest
from tests.builders import dutch, read
from tests.cast.groups import new_group
from tests.cast.tables import ANY, ROUND_1, ROUND_2, Table, at_once, instead

pytestmark = pytest.mark.django_db(transaction=True)

again_and_again = pytest.mark.parametrize("race", range(int(os.environ.get("RACES", "1"))))

SPACES = ("trump red", "trump blue", "points 4", "points 3", "discard njet")


@pytest.fixture
def table() -> Table:
    return Table()


def recording(
    table: Table, line: str, request: WriteRequest = ANY, *, actor: Key | None = None
) -> Callable[[], Outcome]:
    action: Action = read(line)
    return lambda: services.record_action(game_id=table.id, actor=actor or table.key, action=action, request=request)


def assert_whole(table: Table) -> None:
    """The log has no gaps and agrees with everything that is kept or copied of it."""
    seqs = list(LogEntry.objects.filter(game=table.id).order_by("seq").values_list("seq", flat=True))
    assert seqs == list(range(1, table.version + 1))
    assert differences_of(table.id) == []
    assert table.ledger == store.refold(table.game)


def test_the_connections_of_these_races_wait_for_each_other_as_a_servers_do() -> None:
    """A database in memory would prove nothing: its connections share one lock."""
    if connection.vendor == "sqlite":
        assert "memory" not in str(connection.settings_dict["NAME"])
        assert connection.transaction_mode == "IMMEDIATE"
        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA foreign_keys").fetchone() == (1,)


@again_and_again
def test_twenty_writers_race_for_a_version_and_one_wins(table: Table, race: int) -> None:
    table.record("supertrump red")
    version = WriteRequest(version=1)

    answers = at_once(*[recording(table, SPACES[number % 5], version) for number in range(20)])

    kinds = Counter(type(answer) for answer in answers)
    assert kinds == {Outcome: 1, StaleVersion: 19}
    (winner,) = [answer for answer in answers if isinstance(answer, Outcome)]
    assert winner.version == table.version == 2
    assert all(answer.params == {"version": 2} for answer in answers if isinstance(answer, StaleVersion))
    assert all(answer.ledger == winner.ledger for answer in answers)
    assert_whole(table)


@again_and_again
def test_twenty_writers_race_for_a_space_and_one_covers_it(table: Table, race: int) -> None:
    answers = at_once(*[recording(table, "trump red")] * 20)

    assert Counter(type(answer) for answer in answers) == {Outcome: 1, errors.SpaceCovered: 19}
    assert table.version == 1
    assert_whole(table)


@again_and_again
def test_the_losers_of_a_race_win_with_the_version_they_were_answered(table: Table, race: int) -> None:
    def persist(number: int) -> Callable[[], Outcome]:
        def call() -> Outcome:
            version = 0
            while True:
                try:
                    return recording(table, f"penalty 0 {number + 1} late", WriteRequest(version, f"r{number}", {}))()
                except StaleVersion as stale:
                    version = stale.ledger.version

        return call

    answers = at_once(*[persist(number) for number in range(8)])

    assert sorted(answer.version for answer in answers) == list(range(1, 9))
    assert table.state.totals == (36, 0, 0)
    assert_whole(table)


@again_and_again
def test_a_request_that_ten_send_at_once_is_applied_once(table: Table, race: int) -> None:
    table.record("supertrump red")
    request = WriteRequest(version=1, request_id="a", body={"action": "penalty"})

    answers = at_once(*[recording(table, "penalty 1 -5 late", request)] * 10)

    assert {(type(answer), answer.version) for answer in answers} == {(Outcome, 2)}
    assert sorted(answer.repeated for answer in answers) == [False] + [True] * 9
    assert table.state.totals == (0, -5, 0)
    assert_whole(table)


@again_and_again
def test_a_request_without_a_version_that_ten_send_at_once_is_applied_once(table: Table, race: int) -> None:
    request = WriteRequest(request_id="a", body={"action": "penalty"})

    answers = at_once(*[recording(table, "penalty 1 -5 late", request)] * 10, *[recording(table, "points 4")] * 3)

    assert len({answer.version for answer in answers[:10]}) == 1
    assert sorted(answer.repeated for answer in answers[:10]) == [False] + [True] * 9
    assert table.version == 2
    assert_whole(table)


@again_and_again
def test_one_id_with_ten_bodies_is_one_request(table: Table, race: int) -> None:
    answers = at_once(
        *[
            recording(table, f"penalty 1 -{number} late", WriteRequest(request_id="a", body={"points": number}))
            for number in range(1, 11)
        ]
    )

    assert Counter(type(answer) for answer in answers) == {Outcome: 1, RequestIdReused: 9}
    assert table.version == 1
    assert_whole(table)


@again_and_again
def test_ten_keys_with_one_id_are_ten_requests(table: Table, race: int) -> None:
    keys = [table.other_key() for _ in range(10)]
    request = WriteRequest(request_id="a", body={"action": "penalty"})

    answers = at_once(*[recording(table, "penalty 1 -5 late", request, actor=key) for key in keys])

    assert sorted(answer.version for answer in answers) == list(range(1, 11))
    assert not any(answer.repeated for answer in answers)
    assert_whole(table)


@again_and_again
def test_everything_at_once_leaves_a_whole_log(race: int) -> None:
    table = Table(None, *ROUND_1, *ROUND_2[:2])
    penalties = [recording(table, f"penalty {number % 3} -1 late") for number in range(6)]

    answers = at_once(
        *penalties,
        recording(table, ROUND_2[2]),
        *[table.undo] * 3,
        lambda: table.undo(to_seq=2),
        lambda: table.amend(instead(3, "tally 0 6 6")),
        lambda: table.amend(instead(1, "open 1 njet blue black 2")),
        lambda: table.correct(names=["Anna", "Ben", "Cleo"]),
        table.reopen,
        table.lock,
    )

    written = {answer.version for answer in answers if isinstance(answer, Outcome)}
    assert max(written) == table.version
    assert len(written) == sum(isinstance(answer, Outcome) for answer in answers)
    assert_whole(table)


@again_and_again
def test_a_game_is_confirmed_once(race: int) -> None:
    table = Table(dutch(3, rounds=1), *ROUND_1)

    answers = at_once(*[table.lock] * 5, *[table.undo] * 5)

    kinds = [row.kind for row in store.rows(table.id)]
    assert kinds.count("lock") <= 1
    assert "lock" not in kinds[:-1]
    assert sum(isinstance(answer, Outcome) for answer in answers) == len(kinds) - 3
    assert_whole(table)


@again_and_again
def test_a_game_that_is_checked_while_it_is_played_shows_no_difference(race: int) -> None:
    table = Table(None, *ROUND_1[:2])

    def check() -> list[str]:
        return [difference for _ in range(15) for difference in differences_of(table.id)]

    def play() -> list[str]:
        for _ in range(8):
            recording(table, ROUND_1[2])()
            table.undo()
        return []

    assert at_once(play, check, check, check) == [[]] * 4
    assert table.version == 2 + 16


@again_and_again
def test_several_tables_do_not_block_each_other(race: int) -> None:
    tables = [Table() for _ in range(4)]

    answers = at_once(*[recording(table, space) for table in tables for space in SPACES])

    assert Counter(type(answer) for answer in answers) == {Outcome: 20}
    for table in tables:
        assert table.version == 5
        assert_whole(table)


@again_and_again
def test_a_game_is_deleted_while_others_write_to_it(table: Table, race: int) -> None:
    invite = invitations.invite(game=table.game, role=Role.VIEWER).invite
    writers = [recording(table, space) for space in SPACES]

    answers = at_once(
        *writers,
        lambda: deletion.delete_game(game_id=table.id),
        lambda: deletion.delete_game(game_id=table.id),
        lambda: invitations.join(session=SessionStore(), invite=invite, label="late"),
        lambda: invitations.join(invite=invite, label="late"),
    )

    assert {type(answer) for answer in answers[:5]} <= {Outcome, NotFound}
    assert {type(answer) for answer in answers[-2:]} <= {Key, tuple, InviteNotValid}
    assert not Key.objects.filter(revoked_at=None).exists()
    assert not Invite.objects.exists()
    entries = LogEntry.objects.filter(game=table.id).count()
    assert Game.objects.get(pk=table.id).version == entries == sum(type(each) is Outcome for each in answers)


@again_and_again
def test_two_scorekeepers_who_take_each_others_key_back_leave_one(race: int) -> None:
    table = Table()
    keys = (table.key, registry.key_of_secret(table.secrets["scorekeeper"]))

    answers = at_once(*[lambda key=key: services.revoke_key(game_id=table.id, key_id=key.pk) for key in keys])

    assert Counter(type(answer) for answer in answers) == {int: 1, LastScorekeeperKey: 1}


@again_and_again
def test_twenty_who_guess_at_once_have_ten_tries(table: Table, race: int) -> None:
    answers = at_once(*[lambda: invitations.find_invite(address="10.0.0.1", code="0000-0000")] * 20)

    assert Counter(type(answer) for answer in answers) == {InviteNotValid: 10, TooManyRequests: 10}
    assert Attempt.objects.count() == 10


@pytest.mark.slow
@again_and_again
def test_all_who_guess_at_once_have_sixty_tries_together(table: Table, race: int) -> None:
    for number in range(55):
        with pytest.raises(InviteNotValid):
            invitations.find_invite(address=f"10.0.1.{number}", code="0000-0000")

    answers = at_once(
        *[lambda to=number: invitations.find_invite(address=f"10.0.0.{to}", code="0000-0000") for number in range(20)]
    )

    assert Counter(type(answer) for answer in answers) == {InviteNotValid: 5, TooManyRequests: 15}


@again_and_again
def test_right_codes_at_once_cost_nothing(table: Table, race: int) -> None:
    code = invitations.invite(game=table.game, role=Role.VIEWER).code

    answers = at_once(*[lambda: invitations.find_invite(address="10.0.0.1", code=code)] * 20)

    assert {type(answer) for answer in answers} == {Invite}
    assert not Attempt.objects.exists()


@again_and_again
def test_a_table_that_ten_open_at_once_with_one_request_is_opened_once(race: int) -> None:
    def create() -> creation.Created:
        return creation.create_game(setup=dutch(3), once="Ana’s phone, form 1")

    answers = at_once(*[create] * 10)

    game = Game.objects.get()
    assert {answer.game for answer in answers} == {game}
    assert {answer.creator for answer in answers} == {Key.objects.get()}
    assert sorted(answer.repeated for answer in answers) == [False] + [True] * 9
    assert {answer.ledger for answer in answers} == {store.read(game)}


@again_and_again
def test_an_invitation_for_one_use_that_twenty_use_at_once_gives_one_key(table: Table, race: int) -> None:
    invite = invitations.invite(game=table.game, role=Role.VIEWER, single_use=True).invite
    before = Key.objects.count()

    answers = at_once(*[lambda: invitations.join(invite=invite, label="late")] * 20)

    assert Counter(type(answer) for answer in answers) == {Key: 1, InviteNotValid: 19}
    assert Key.objects.count() == before + 1


@again_and_again
def test_a_double_tap_at_once_with_an_invitation_for_one_use_gives_one_key_to_both(table: Table, race: int) -> None:
    made = invitations.invite(game=table.game, role=Role.VIEWER, single_use=True)

    def tap() -> Key:
        session = SessionStore()
        try:
            return invitations.join(session=session, invite=made.invite, label="", once="Ana’s phone, form 1")
        except InviteNotValid:
            key = invitations.key_of_spent(session=session, token=made.token, once="Ana’s phone, form 1")
            assert sessions.key_of_session(session, table.id) == key
            return key

    answers = at_once(tap, tap)

    assert answers[0] == answers[1]


def test_a_member_who_is_removed_while_they_enter_a_table_has_no_access(monkeypatch: pytest.MonkeyPatch) -> None:
    group = new_group()
    table = Table(dutch(3), group=group)
    member = registry.issue(group=group, role=GroupRole.MEMBER, program=True)
    issue = registry.issue

    def issue_slowly(**values: Any) -> Key:
        key: Key = issue(**values)
        # The other transaction begins, and waits for this one.
        time.sleep(0.5)
        return key

    def remove() -> int:
        time.sleep(0.2)
        return groups.revoke_key(group_id=group.pk, key_id=member.pk)

    monkeypatch.setattr(invitations, "issue", issue_slowly)
    entered, withdrawn = at_once(lambda: invitations.enter(key=member, game_id=table.id, role=Role.VIEWER), remove)

    assert (type(entered), withdrawn) == (Key, 0)
    assert not Key.objects.filter(through=member, revoked_at=None).exists()
