"""The memory of one process: versions, listeners, the clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from games.live.hub import BEAT_EVERY, DEAF_AFTER, GONE, Hub, Listener
from games.live.presence import Phone
from games.live.stream import take_news

TABLE = "table0000001"


class Wire:
    """A bus between hubs of one test, without a database."""

    def __init__(self) -> None:
        self.sent: list[Mapping[str, object]] = []
        self.others: list[Hub] = []

    def start(self) -> None: ...
    def stop(self) -> None: ...

    def has_others(self) -> bool:
        return True

    def send(self, message: Mapping[str, object]) -> None:
        self.sent.append(message)
        for hub in self.others:
            hub.receive(message)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def run(test: Callable[[Hub, Clock], Coroutine[Any, Any, None]]) -> None:
    async def started() -> None:
        clock = Clock()
        hub = Hub(clock)
        hub.start(Wire())
        await test(hub, clock)
        hub.close()

    asyncio.run(started())


def joined(hub: Hub, key: int = 1, version: int = 0) -> Listener:
    listener = hub.join(TABLE, Phone(key, f"phone {key}", may_record=True, heard=hub.clock()), version)
    take_news(listener)
    listener.wake.clear()
    return listener


async def settle() -> None:
    """Let what was said from threads arrive."""
    for _ in range(3):
        await asyncio.sleep(0)


def test_an_announced_version_wakes_every_listener_of_its_game_and_no_other() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        mine = joined(hub)
        other = hub.join("table0000002", Phone(9, "other", may_record=False, heard=clock.now), 0)
        take_news(other)
        other.wake.clear()

        hub.announce(TABLE, 1)
        await settle()

        assert mine.wake.is_set()
        assert take_news(mine) == "event: version\ndata: 1\n\n"
        assert not other.wake.is_set()

    run(test)


def test_a_slow_listener_hears_the_latest_version_once() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        listener = joined(hub)

        for version in range(1, 50):
            hub.announce(TABLE, version)
        await settle()

        assert take_news(listener) == "event: version\ndata: 49\n\n"
        assert take_news(listener) == ""

    run(test)


def test_an_older_version_that_arrives_late_is_no_news() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        listener = joined(hub, version=5)

        hub.announce(TABLE, 4)
        await settle()

        assert take_news(listener) == ""

    run(test)


def test_a_listener_that_read_an_old_version_hears_the_one_that_was_announced_meanwhile() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        joined(hub, key=1, version=3)
        hub.announce(TABLE, 4)
        await settle()

        late = hub.join(TABLE, Phone(2, "late", may_record=True, heard=clock.now), 3)

        assert "event: version\ndata: 4\n" in take_news(late)

    run(test)


def test_a_deleted_game_ends_its_listeners() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        listener = joined(hub, version=7)

        hub.announce(TABLE, GONE, over=True)
        await settle()

        assert listener.ended

    run(test)


def test_every_stream_beats_and_a_dead_line_is_let_go() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        listener = joined(hub)
        clock.now += BEAT_EVERY
        hub.sign_of_life(listener)
        await settle()
        take_news(listener)

        hub.tick(clock.now, beat=True)
        assert take_news(listener) == "event: beat\ndata: \n\n"
        assert not listener.ended

        clock.now += DEAF_AFTER + 1
        hub.tick(clock.now, beat=True)
        assert listener.ended

    run(test)


def test_news_of_who_is_there_is_shown_once() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        listener = joined(hub, key=1)
        joined(hub, key=2)

        assert take_news(listener).count("event: here") == 1
        hub.tick(clock.now, beat=False)
        assert take_news(listener) == ""

        clock.now += 11
        hub.tick(clock.now, beat=False)
        assert '"away":true' in take_news(listener)

    run(test)


def test_nothing_is_kept_of_a_game_that_no_one_listens_to() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        listener = joined(hub)

        hub.leave(listener)

        assert (hub.listeners, hub.versions, hub.watched()) == ({}, {}, {})

    run(test)


def test_a_closing_server_ends_open_streams_and_those_that_come_later() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        listener = joined(hub)

        hub.close()

        assert listener.ended
        assert joined(hub, key=2).ended

    run(test)


def test_streams_begin_again_after_messages_were_missed() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        listener = joined(hub)

        hub.missed_messages()
        await asyncio.sleep(0)

        assert listener.ended
        assert not joined(hub, key=2).ended

    run(test)


def test_another_process_hears_of_versions_presence_and_keys_taken_back() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        elsewhere = Hub(clock)
        elsewhere.start(Wire())
        assert isinstance(hub.bus, Wire)
        hub.bus.others.append(elsewhere)
        listener = joined(elsewhere, key=2)

        hub.announce(TABLE, 1, key=1)
        hub.heard(TABLE, 1, "Ana", may_record=True)
        await settle()
        news = take_news(listener)
        assert "event: version\ndata: 1\n" in news
        assert '"name":"Ana"' in news

        hub.revoked(TABLE, [2])
        await settle()
        assert listener.ended
        elsewhere.close()

    run(test)


def test_an_unknown_message_of_another_process_is_ignored(caplog: Any) -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        listener = joined(hub)

        hub.receive({"version": "soon"})
        await settle()

        assert take_news(listener) == ""

    run(test)
    assert "is unknown here" in caplog.text


def test_without_an_event_loop_presence_is_still_kept() -> None:
    hub = Hub()

    hub.heard(TABLE, 1, "Ana", may_record=True)
    hub.announce(TABLE, 1, key=1)

    assert '"name":"Ana"' in hub.here(TABLE)
    assert '"recording":true' in hub.here(TABLE)
