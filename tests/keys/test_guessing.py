"""Guessing codes: what is refused, for how long, and whom it never keeps out."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from games.database import write_queue
from games.errors import InviteNotValid, TooManyRequests, headers_of
from games.keys import invitations
from games.models import Attempt, Role
from tests.cast.tables import Table

pytestmark = pytest.mark.django_db

HOME = "192.168.0.7"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still: sixty codes a minute are sixty on the slowest machine."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


def fail(times: int, *, address: str = HOME) -> None:
    """Type a number of wrong codes."""
    for _ in range(times):
        with pytest.raises(InviteNotValid):
            invitations.find_invite(address=address, code="0000-0000")


def later(**duration: int) -> None:
    """Let time pass for wrong codes."""
    Attempt.objects.update(at=F("at") - timedelta(**duration))


def addresses() -> Iterator[str]:
    return (f"10.0.0.{number}" for number in itertools.count(1))


def test_the_eleventh_wrong_code_of_an_address_in_ten_minutes_is_refused(table: Table) -> None:
    fail(10)

    with pytest.raises(TooManyRequests) as caught:
        invitations.find_invite(address=HOME, code="0000-0000")

    assert caught.value.params == {"minutes": 10}
    assert Attempt.objects.count() == 10, "a refused try is no try"


def test_a_dead_link_is_refused_and_costs_nothing(table: Table) -> None:
    for _ in range(11):
        with pytest.raises(InviteNotValid):
            invitations.find_invite(address=HOME, token="an old QR code on the wall")

    assert not Attempt.objects.exists()
    fail(10)


def test_what_is_valid_never_waits(table: Table) -> None:
    invitation = invitations.invite(game=table.game, role=Role.VIEWER)
    for address in itertools.islice(addresses(), 6):
        fail(10, address=address)

    for address in ("10.0.0.1", HOME):
        with pytest.raises(TooManyRequests):
            invitations.find_invite(address=address, code="0000-0000")
        for secret in ({"token": invitation.token}, {"code": invitation.code}):
            assert invitations.find_invite(address=address, **secret) == invitation.invite


@pytest.mark.parametrize("network", ["2001:db8:1:2:{:x}::1", "::ffff:192.168.0.7"])
def test_the_addresses_of_one_home_are_one(table: Table, network: str) -> None:
    for number in range(10):
        fail(1, address=network.format(number))

    with pytest.raises(TooManyRequests):
        invitations.find_invite(address=network.format(99), code="0000-0000")
    fail(1, address="2001:db8:1:3::1")


@pytest.mark.parametrize("ahead", [timedelta(seconds=5), timedelta(days=3650)])
def test_wrong_codes_that_a_wrong_clock_dated_in_the_future_keep_no_one_out(table: Table, ahead: timedelta) -> None:
    for address in itertools.islice(addresses(), 6):
        fail(10, address=address)
    Attempt.objects.update(at=timezone.now() + ahead)

    fail(1, address="10.0.0.1")


def test_another_address_may_go_on(table: Table) -> None:
    fail(10)

    fail(1, address="192.168.0.8")


def test_after_ten_minutes_an_address_may_try_again(table: Table) -> None:
    fail(10)

    later(minutes=9, seconds=50)
    with pytest.raises(TooManyRequests):
        invitations.find_invite(address=HOME, code="0000-0000")

    later(seconds=20)
    fail(1)


def test_sixty_wrong_codes_a_minute_are_the_most_for_all_together(table: Table) -> None:
    for address in itertools.islice(addresses(), 6):
        fail(10, address=address)

    with pytest.raises(TooManyRequests) as caught:
        invitations.find_invite(address="10.1.1.1", code="0000-0000")
    assert caught.value.params == {"minutes": 1}
    assert headers_of(caught.value)["Retry-After"] == "60"

    later(seconds=61)
    fail(1, address="10.1.1.1")


def test_success_costs_nothing(table: Table) -> None:
    invitation = invitations.invite(game=table.game, role=Role.VIEWER)

    for _ in range(11):
        invitations.find_invite(address=HOME, code=invitation.code)

    assert Attempt.objects.count() == 0
    fail(10)


def test_a_wrong_clock_forgets_no_wrong_code(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    fail(10)
    now = timezone.now()

    with monkeypatch.context() as patch:
        patch.setattr(timezone, "now", lambda: now + timedelta(days=3650))
        fail(1)

    with pytest.raises(TooManyRequests):
        invitations.find_invite(address=HOME, code="0000-0000")


def test_a_flood_of_wrong_codes_makes_no_writer_wait(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    fail(10)
    turns: list[object] = []
    monkeypatch.setattr(write_queue, "in_turn", lambda: turns.append(None))

    for _ in range(5):
        with pytest.raises(TooManyRequests):
            invitations.find_invite(address=HOME, code="0000-0000")

    assert turns == []


def simulate(table: Table, *, guesses: int) -> Counter[str]:
    """A club that joins by links and codes while a stranger guesses from a thousand addresses of a few networks."""
    friends = [invitations.invite(game=table.game, role=Role.VIEWER) for _ in range(10)]
    stranger = [f"2001:db8:{network:x}::{host:x}" for host in range(50) for network in range(20)]
    outcomes: Counter[str] = Counter()
    for number in range(guesses):
        try:
            invitations.find_invite(address=stranger[number % 1000], code=f"{number:08}")
        except (InviteNotValid, TooManyRequests) as error:
            outcomes[error.code] += 1
        friend = friends[number % len(friends)]
        # At home, and behind the stranger's own address.
        for address in (HOME, stranger[0]):
            joined = invitations.find_invite(address=address, code=friend.code)
            assert joined == invitations.find_invite(address=address, token=friend.token) == friend.invite
            outcomes["joined"] += 1
    return outcomes


@pytest.mark.any_database
@pytest.mark.slow
def test_a_stranger_with_a_thousand_addresses_keeps_no_one_of_a_club_out(table: Table) -> None:
    outcomes = simulate(table, guesses=100)

    assert outcomes["joined"] == 200
    assert outcomes["invite_not_valid"] == 60, "of all together"
    assert outcomes["too_many_requests"] == 40
    assert Attempt.objects.count() == 60


def test_codes_get_longer_while_many_wrong_ones_are_typed(table: Table) -> None:
    fail(9)
    assert len(invitations.invite(game=table.game, role=Role.VIEWER).code) == 9
    fail(1)

    code = invitations.invite(game=table.game, role=Role.VIEWER).code

    assert [len(part) for part in code.split("-")] == [4, 4, 4]
    assert invitations.find_invite(address=HOME, code=code.lower().replace("-", " "))
    later(minutes=61)
    assert len(invitations.invite(game=table.game, role=Role.VIEWER).code) == 9
