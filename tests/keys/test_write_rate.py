"""How often a key writes: at most 20 times within any second, on pages and over REST alike."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from games.errors import TooManyWrites
from games.keys import registry
from games.keys.write_rate import FEW, WriteRate, write_rate
from games.models import GroupKey, GroupRole, Key, Role
from njetassist.settings import NJET_WRITES
from tests.api.client import Api
from tests.cast.digital import DigitalTable
from tests.cast.groups import new_group
from tests.cast.pages import Phone, sit_down
from tests.cast.seats import at_seats
from tests.cast.tables import Table

pytestmark = pytest.mark.django_db


class Clock:
    """A clock that stands still unless it is moved."""

    starts = count(1_000.0, 1_000.0)

    def __init__(self) -> None:
        # No key of an earlier test has just written.
        self.now = next(self.starts)

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which this process counts writes; the limit is the usual one."""
    settings.NJET_WRITES = NJET_WRITES
    clock = Clock()
    monkeypatch.setattr(write_rate, "clock", clock)
    return clock


def key(number: int) -> Key:
    return Key(pk=number, role=Role.SCOREKEEPER)


def written(rate: WriteRate, key: Key | GroupKey, times: int) -> int:
    """How many of a number of writes are let through."""
    done = 0
    for _ in range(times):
        try:
            rate.count(key)
        except TooManyWrites:
            continue
        done += 1
    return done


# --- counting ---


def test_a_key_writes_20_times_in_any_second(clock: Clock) -> None:
    rate = WriteRate(clock)
    assert written(rate, key(1), 15) == 15
    clock.now += 0.5
    assert written(rate, key(1), 30) == 5

    clock.now += 0.25
    assert written(rate, key(1), 1) == 0
    clock.now += 0.25
    assert written(rate, key(1), 30) == 15
    clock.now += 0.5
    assert written(rate, key(1), 30) == 5


def test_a_refused_write_does_not_count(clock: Clock) -> None:
    rate = WriteRate(clock)
    written(rate, key(1), 100)
    clock.now += 0.75
    written(rate, key(1), 100)

    clock.now += 0.25

    assert written(rate, key(1), 100) == 20


def test_each_key_is_counted_by_itself(clock: Clock) -> None:
    rate = WriteRate(clock)

    of_game, of_group = written(rate, key(1), 30), written(rate, GroupKey(pk=1, role=GroupRole.MEMBER), 30)

    assert (of_game, of_group, written(rate, key(2), 30)) == (20, 20, 20)


def test_a_member_who_looks_on_is_counted_as_a_member(clock: Clock) -> None:
    rate, member = WriteRate(clock), GroupKey(pk=1, role=GroupRole.MEMBER)

    assert written(rate, Key(role=Role.VIEWER, through=member), 15) + written(rate, member, 15) == 20


def test_keys_that_are_silent_are_forgotten(clock: Clock) -> None:
    rate = WriteRate(clock)
    for number in range(FEW):
        rate.count(key(number))
    clock.now += 1

    rate.count(key(FEW))

    assert len(rate) == 1


def test_a_limit_of_0_is_none(settings: Any) -> None:
    settings.NJET_WRITES = 0

    assert written(WriteRate(Clock()), key(1), 1000) == 1000


# --- pages and REST ---


def test_a_program_that_writes_too_often_gets_the_time_to_go_on(clock: Clock) -> None:
    table = Api().open_table()
    answers = [table.post("/undo/") for _ in range(NJET_WRITES)]
    assert {answer.status for answer in answers} == {409}

    refused = table.post("/undo/")

    assert refused.refusal == (429, "too_many_requests")
    assert (refused.params, refused.response.headers["Retry-After"]) == ({"most": 20}, "1")
    assert table.get().status == 200
    assert table.post("/undo/", key=table.viewer).status == 403
    clock.now += 1
    assert table.post("/undo/").status == 409


def test_a_phone_that_writes_too_often_gets_a_sentence(clock: Clock) -> None:
    table = Table()
    phone = sit_down(table)
    phone.open()
    for _ in range(NJET_WRITES):
        assert phone.post("act", do="place", space="").status == 400

    page = phone.post("act", do="place", space="")

    assert (page.status, page.response.headers["Retry-After"]) == (429, "1")
    assert page.notice.startswith("Too many changes at once")
    assert phone.open().status == 200
    clock.now += 1
    assert phone.post("act", do="place", space="").status == 400


def test_a_tap_at_a_table_is_refused_there(clock: Clock) -> None:
    game = DigitalTable()
    for phone in (sit_down(Table(), htmx=True), at_seats(game, 0, htmx=True)):
        for _ in range(NJET_WRITES):
            phone.post("act", do="place", space="")

        page = phone.post("act", do="place", space="")

        assert (page.status, page.response.headers["Retry-After"], page.is_fragment) == (429, "1", True)
        assert "Too many changes at once" in page.text


@pytest.mark.slow
def test_a_phone_and_a_program_with_the_keys_of_a_group_have_the_same_limit(clock: Clock) -> None:
    group = new_group()
    owner = registry.issue(group=group, role=GroupRole.OWNER, label="", program=True)
    phone = Phone()
    phone.joins(registry.issue(group=group, role=GroupRole.OWNER, label="Max"))
    api = Api()

    codes = [api.post(f"/groups/{group.pk}/players/", {"name": f"P{n}"}, owner.secret).status for n in range(21)]
    pages = [phone.post_to(f"/groups/{group.pk}/players/", {"name": f"Q{n}"}).status for n in range(21)]

    assert (codes[-2:], pages[-1]) == ([201, 429], 429)
    assert 429 not in pages[:-1]


@pytest.mark.slow
def test_a_thumb_that_taps_eight_times_a_second_is_never_refused(clock: Clock) -> None:
    phone, statuses = sit_down(Table()), []

    for _ in range(60):
        statuses.append(phone.post("act", do="place", space="").status)
        clock.now += 0.125

    assert set(statuses) == {400}


def test_reading_is_not_limited(clock: Clock) -> None:
    table = Api().open_table()

    assert {table.get().status for _ in range(3 * NJET_WRITES)} == {200}
