"""`check_logs`: every log is folded again, every difference is one line, nothing is changed."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.management.commands import check_logs
from games.models import Game, LogEntry, Seat
from games.services import deletion
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable, cards_on_table
from tests.cast.tables import ROUND_1, ROUND_2, Table, after, instead, stored

pytestmark = pytest.mark.django_db


def check(*games: str) -> tuple[int, list[str]]:
    """The exit status and the lines of a run."""
    out = io.StringIO()
    status = 0
    try:
        call_command("check_logs", *games, stdout=out)
    except SystemExit as end:
        status = end.code
    return status, out.getvalue().splitlines()


def raw(model: type[models.Model]) -> models.QuerySet:
    """The rows as somebody with a database shell reaches them."""
    return models.QuerySet(model)


@pytest.fixture
def eventful(db: None) -> Table:
    """A game in which everything has happened."""
    table = Table(None, "trump red")
    table.undo()
    table.record(*ROUND_1, *ROUND_2)
    table.amend(instead(5, "tally 0 6 6"), after(5, "penalty 1 -5 revoke"))
    table.undo()
    table.correct(names=["Anna", "Ben", "Cleo"], dealer=1)
    table.reopen()
    table.record("tally 12 0 0")
    table.lock()
    return table


def test_nothing_is_said_against_sound_games(eventful: Table, round_2: Table) -> None:
    Table(english(5), "trump red")

    assert check() == (0, ["3 games checked, no differences."])


@pytest.mark.parametrize("cards", [1, 2])
def test_a_digital_game_with_a_granted_takeback_is_sound(cards: int) -> None:
    phones = DigitalTable(dutch(3)).play_on(cards_on_table(cards))
    seat = phones.state.current.leader

    phones.propose(seat, "takeback", to_seq=phones.ledger.counting.undoable[-cards - 1])
    for other in {0, 1, 2} - {seat}:
        phones.answer(other)

    assert phones.state.current.table == ()
    assert check(phones.id) == (0, ["1 games checked, no differences."])


def test_an_undo_of_another_entry_than_the_latest_is_named_in_a_digital_game() -> None:
    phones = DigitalTable(dutch(3)).play_on(cards_on_table(2))
    phones.propose(0, "takeback")
    for other in (1, 2):
        phones.answer(other)
    undo = phones.ledger.entries[-1]
    raw(LogEntry).filter(game=phones.id, seq=undo.seq).update(payload={"undoes": undo.undoes - 1})

    _, lines = check(phones.id)

    expected = f"entry {undo.seq} takes back entry {undo.undoes - 1}, which was not the latest to be taken back"
    assert f"{phones.id}: {expected}" in lines


def test_an_empty_database_is_sound(db: None) -> None:
    assert check() == (0, ["0 games checked, no differences."])


def test_only_the_games_that_were_asked_for_are_checked(eventful: Table, round_2: Table) -> None:
    Game.objects.filter(pk=round_2.id).update(rounds_played=9)

    assert check(eventful.id) == (0, ["1 games checked, no differences."])
    assert check(eventful.id, round_2.id)[0] == 1


def test_a_game_that_does_not_exist_is_named(round_2: Table) -> None:
    with pytest.raises(CommandError, match=r"^There is no game nosuchgame, neither\.$"):
        check("nosuchgame", round_2.id, "neither")


NOT_FINISHED = (
    "status is finished, the log says playing",
    "rounds_played is 2, the log says 0",
    "finished_at is A TIME, the log says None",
)
NOTHING_COUNTED = (
    "seat 0: total is 54, the log says 0",
    "seat 0: is_winner is True, the log says False",
    "seat 1: total is 48, the log says 0",
    "seat 1: rank is 2, the log says 1",
    "seat 2: total is 48, the log says 0",
    "seat 2: rank is 2, the log says 1",
)

DAMAGES: dict[str, tuple[Callable[[str], object], list[str]]] = {
    "a wrong number of rounds": (
        lambda game: Game.objects.filter(pk=game).update(rounds_played=1),
        ["rounds_played is 1, the log says 2"],
    ),
    "another preset": (
        lambda game: Game.objects.filter(pk=game).update(preset="njet-english"),
        ["preset is njet-english, the log says goldsieber-dutch"],
    ),
    "a forgotten end": (
        lambda game: Game.objects.filter(pk=game).update(finished_at=None),
        ["finished_at is None, the log says there is one"],
    ),
    "a game that goes on": (
        lambda game: Game.objects.filter(pk=game).update(status="playing"),
        ["status is playing, the log says finished"],
    ),
    "a lock that nobody made": (
        lambda game: Game.objects.filter(pk=game).update(locked_at="2026-01-02T03:04:05Z"),
        ["locked_at is 2026-01-02 03:04:05+00:00, the log says None"],
    ),
    "a wrong total": (
        lambda game: Seat.objects.filter(game=game, number=1).update(total=49),
        ["seat 1: total is 49, the log says 48"],
    ),
    "a wrong rank": (
        lambda game: Seat.objects.filter(game=game, number=1).update(rank=3),
        ["seat 1: rank is 3, the log says 2"],
    ),
    "two winners": (
        lambda game: Seat.objects.filter(game=game, number=2).update(is_winner=True),
        ["seat 2: is_winner is True, the log says False"],
    ),
    "another name": (
        lambda game: Seat.objects.filter(game=game, number=0).update(name="Eve"),
        ["seat 0: name is Eve, the log says Ana"],
    ),
    "another token": (
        lambda game: Seat.objects.filter(game=game, number=0).update(token="raven"),
        ["seat 0: token is raven, the log says bear"],
    ),
    "a missing seat": (
        lambda game: Seat.objects.filter(game=game, number=1).delete(),
        ["the seats are [0, 2], the log has 3 of them"],
    ),
    "rules of the future": (
        lambda game: Game.objects.filter(pk=game).update(rules_version=2),
        ["rules_version is 2, known are 1 to 1"],
    ),
    "rules of no time": (
        lambda game: Game.objects.filter(pk=game).update(rules_version=0),
        ["rules_version is 0, known are 1 to 1"],
    ),
    "an entry too many": (
        lambda game: LogEntry.objects.create(game_id=game, seq=7, kind="lock", payload={}),
        ["version is 6, the last entry is 7"],
    ),
    "a penalty that was painted over": (
        lambda game: (
            raw(LogEntry)
            .filter(game=game, seq=1)
            .update(kind="penalty", payload={"type": "penalty", "seat": 0, "points": 1, "reason": "x"})
        ),
        [
            "entry 2 is refused by the rules: “team” is not possible now: it is time for “placing”.",
            *NOT_FINISHED,
            "seat 0: total is 54, the log says 1",
            "seat 0: is_winner is True, the log says False",
            "seat 1: total is 48, the log says 0",
            "seat 2: total is 48, the log says 0",
        ],
    ),
    "another tally": (
        lambda game: (
            raw(LogEntry)
            .filter(game=game, seq=3)
            .update(payload={"type": "tally", "tricks": [5, 4, 3], "captured": [0, 0, 0]})
        ),
        [
            "seat 0: total is 54, the log says 50",
            "seat 1: total is 48, the log says 44",
            "seat 2: total is 48, the log says 44",
        ],
    ),
    "an entry of another kind": (
        lambda game: raw(LogEntry).filter(game=game, seq=3).update(kind="trick"),
        ["entry 3 cannot be read: “kind” has to be “tally”."],
    ),
    "a document without its parts": (
        lambda game: raw(LogEntry).filter(game=game, seq=3).update(payload={"type": "tally"}),
        ["entry 3 cannot be read: “tally” needs the field “tricks”."],
    ),
    "an undo of nothing": (
        lambda game: raw(LogEntry).filter(game=game, seq=6).update(kind="undo", payload={}),
        ["entry 6 cannot be read: “undoes” has to be a whole number."],
    ),
    "an undo out of turn": (
        lambda game: raw(LogEntry).filter(game=game, seq=6).update(kind="undo", payload={"undoes": 2}),
        [
            "entry 3 is refused by the rules: “tally” is not possible now: it is time for “teams”.",
            "entry 6 takes back entry 2, which was not the latest to be taken back",
            *NOT_FINISHED,
            *NOTHING_COUNTED,
        ],
    ),
    "a setup that is none": (
        lambda game: Game.objects.filter(pk=game).update(setup={}),
        ["the log cannot be read: “setup” has to be a set-up."],
    ),
    "a log that is gone": (
        lambda game: raw(LogEntry).filter(game=game).delete(),
        ["version is 6, the last entry is 0", *NOT_FINISHED, *NOTHING_COUNTED],
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_what_does_not_agree_is_named(finished: Table, round_2: Table, name: str) -> None:
    damage, expected = DAMAGES[name]
    finished_at = str(finished.game.finished_at)
    damage(finished.id)

    status, lines = check()

    assert status == 1
    assert [line.replace(finished_at, "A TIME") for line in lines[:-1]] == [
        f"{finished.id}: {each}" for each in expected
    ]
    assert lines[-1] == f"2 games checked, {len(expected)} differences in 1 of them."


def test_a_gap_is_named(round_2: Table) -> None:
    raw(LogEntry).filter(game=round_2.id, seq=2).delete()

    _, lines = check()

    assert lines[0] == f"{round_2.id}: entry 3 stands where entry 2 should be"


def test_entries_after_the_lock_are_named(finished: Table) -> None:
    finished.lock()
    row = {"game_id": finished.id, "at": timezone.now()}
    LogEntry.objects.create(seq=8, kind="finish", payload={"type": "finish"}, **row)
    Game.objects.filter(pk=finished.id).update(version=8)

    _, lines = check()

    assert f"{finished.id}: entries follow the lock in entry 7" in lines


def test_a_forgotten_lock_is_named(finished: Table) -> None:
    finished.lock()
    Game.objects.filter(pk=finished.id).update(locked_at=None)

    _, lines = check()

    assert lines[0] == f"{finished.id}: locked_at is None, the log says there is one"


def test_every_damaged_game_is_named_and_the_rest_is_checked_too(db: None) -> None:
    tables = [Table(None, *ROUND_1) for _ in range(4)]
    for table in tables[1:3]:
        Seat.objects.filter(game=table.id).update(total=1)

    status, lines = check()

    assert status == 1
    assert len(lines) == 7
    assert {line.split(":")[0] for line in lines[:-1]} == {table.id for table in tables[1:3]}
    assert lines[-1] == "4 games checked, 6 differences in 2 of them."


def test_nothing_is_written(eventful: Table) -> None:
    Seat.objects.filter(game=eventful.id).update(total=1)
    before = stored(eventful.id)

    with CaptureQueriesContext(connection) as queries:
        check()

    assert stored(eventful.id) == before
    assert {query["sql"].split()[0] for query in queries} == {"SELECT"}


def test_games_are_read_page_by_page_and_each_once(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_logs, "PAGE", 3)
    tables = {Table().id for _ in range(8)}

    assert list(check_logs.all_games()) == sorted(tables)


def test_a_kept_ledger_is_not_asked(round_2: Table, django_capture_on_commit_callbacks: object) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        round_2.record("trump red")
    raw(LogEntry).filter(game=round_2.id, seq=4).update(payload={"type": "place", "row": "trump", "space": "blue"})
    raw(LogEntry).filter(game=round_2.id, seq=3).update(
        payload={"type": "tally", "tricks": [12, 0, 0], "captured": [0, 0, 0]}
    )

    assert check()[0] == 1


def test_a_game_that_was_just_deleted_is_no_difference(round_2: Table) -> None:
    deletion.delete_game(game_id=round_2.id)

    assert check_logs.differences_of(round_2.id) == []
