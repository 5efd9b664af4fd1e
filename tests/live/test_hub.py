"""The memory of one process: versions, listeners, the clock."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Collection, Coroutine
from dataclasses import dataclass
from typing import Any

import pytest

from games.live.fragment import Fragment
from games.live.hub import BEAT_EVERY, DEAF_AFTER, GONE, Hub, Listener
from games.live.presence import SAYS_EVERY, SAYS_FOR, Phone
from games.live.stream import Message, Streams, Ticket, take_news

TABLE = "table0000001"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def run(test: Callable[[Hub, Clock], Coroutine[Any, Any, None]]) -> None:
    async def started() -> None:
        clock = Clock()
        hub = Hub(clock)
        hub.start()
        await test(hub, clock)
        hub.close()

    asyncio.run(started())


@dataclass(frozen=True)
class Reads:
    """A reader with these keys."""

    keys: frozenset[int]


def joined(hub: Hub, key: int = 1, version: int = 0, reader: Reads | None = None) -> Listener:
    listener = hub.join(TABLE, Phone(key, f"phone {key}", may_record=True, heard=hub.clock()), version, reader)
    take_news(listener)
    listener.wake.clear()
    return listener


async def settle() -> None:
    """Let what was said from threads arrive."""
    for _ in range(3):
        await asyncio.sleep(0)


class Renderer:
    """Renders in another thread, when it is let; `asked`: the keys of the readers, each time."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.asked: list[set[int]] = []
        self.valid = {1, 2, 3}
        self.version = 0
        self.may_go = threading.Event()
        self.may_go.set()
        hub.fragments_of = self

    def __call__(self, game_id: str, readers: Collection[Reads]) -> dict[Reads, Fragment | None]:
        version, valid = self.version, set(self.valid)
        self.asked.append({key for reader in readers for key in reader.keys})
        self.may_go.wait(5)
        if version < 0:
            raise RuntimeError("the database is away")
        return {each: Fragment(version, b"<div>") for each in readers if each.keys & valid}

    def watcher(self, *keys: int) -> Listener:
        return joined(self.hub, keys[0], reader=Reads(frozenset(keys)))

    async def announce(self, version: int, *, key: int | None = None) -> None:
        """A version is written, and everything that follows has been done."""
        self.version = version
        self.hub.announce(TABLE, version, key=key)
        await settle()
        if self.may_go.is_set():
            await self.done()

    async def done(self) -> None:
        self.may_go.set()
        while self.hub._rendering:
            await asyncio.sleep(0.001)


def test_after_a_version_each_listener_gets_its_fragment_and_nothing_to_fetch() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        renderer = Renderer(hub)
        watchers = [renderer.watcher(1), renderer.watcher(2)]
        fetches = joined(hub, key=3)

        await renderer.announce(1)

        assert [each.fragment and each.fragment.version for each in watchers] == [1, 1]
        assert [each.news.get("version") for each in watchers] == [None, None]
        assert (fetches.fragment, fetches.news["version"]) == (None, "1")
        assert renderer.asked == [{1, 2}]

    run(test)


def test_the_phone_that_wrote_gets_the_version_only() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        renderer = Renderer(hub)
        writer, other = renderer.watcher(1), renderer.watcher(2)

        await renderer.announce(1, key=1)

        assert (writer.fragment, writer.news["version"]) == (None, "1")
        assert other.fragment is not None

    run(test)


def test_versions_that_follow_while_one_is_rendered_are_rendered_as_one() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        renderer = Renderer(hub)
        watcher = renderer.watcher(1)
        renderer.may_go.clear()

        for version in range(1, 9):
            await renderer.announce(version)
        await renderer.done()

        assert len(renderer.asked) == 2
        assert watcher.fragment == Fragment(8, b"<div>")

    run(test)


def test_a_fragment_that_has_been_sent_already_is_not_sent_again() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        renderer = Renderer(hub)
        watcher = renderer.watcher(1)
        renderer.version = 2
        hub.announce(TABLE, 1)
        await settle()
        await renderer.done()
        watcher.fragment = None

        await renderer.announce(2)

        assert watcher.fragment is None
        assert len(renderer.asked) == 1

    run(test)


def test_a_listener_without_a_valid_key_gets_nothing_and_is_ended() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        renderer = Renderer(hub)
        watcher, other = renderer.watcher(1), renderer.watcher(2)
        renderer.valid = {2}

        await renderer.announce(1)

        # Its phone fetches what explains that the key is lost.
        assert (watcher.fragment, watcher.ended, watcher.news["version"]) == (None, True, "1")
        assert (other.fragment is not None, other.ended) == (True, False)

    run(test)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_key_that_is_revoked_while_its_fragment_is_on_its_way_gets_nothing(when: str) -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        renderer = Renderer(hub)
        watcher = renderer.watcher(1, 7)
        renderer.may_go.clear()
        await renderer.announce(1)

        if when == "after":
            await renderer.done()
        hub.end_revoked(TABLE, [7])
        await settle()
        await renderer.done()

        assert (watcher.fragment, watcher.ended, watcher.news["version"]) == (None, True, "1")

    run(test)


def test_a_slow_reader_is_sent_the_version_instead_of_a_fragment() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        renderer = Renderer(hub)
        watcher = renderer.watcher(1)
        watcher.is_sending = True

        for version in (1, 2, 3):
            await renderer.announce(version)

        assert (watcher.fragment, watcher.news["version"]) == (None, "3")

    run(test)


def test_a_phone_that_does_not_read_is_sent_one_fragment_and_then_the_last_version() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        renderer, reads, sent = Renderer(hub), asyncio.Event(), []

        async def send(message: Message) -> None:
            sent.append(message.get("body", b""))
            if b"event: table" in sent[-1]:
                await reads.wait()

        ticket = Ticket(TABLE, Phone(1, "phone 1", may_record=True, heard=clock.now), reader=Reads(frozenset({1})))
        serving = asyncio.create_task(Streams(hub).serve(ticket, [], asyncio.Event().wait, send))
        await asyncio.sleep(0.01)
        for version in range(1, 51):
            await renderer.announce(version)
        before = len(sent)
        reads.set()
        await asyncio.sleep(0.01)
        await renderer.announce(51)
        await asyncio.sleep(0.01)
        hub.close()
        await serving

        events = [re.findall(rb"event: (table|version)\ndata: ([^\n]*)", each) for each in sent]
        assert sum(map(bool, events[:before])) == 2, "the version at the start, and one fragment"
        assert [each for each in events[before:] if each] == [[(b"version", b"50")], [(b"table", b"<div>")]]

    run(test)


def test_what_cannot_be_rendered_is_fetched(caplog: pytest.LogCaptureFixture) -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        renderer = Renderer(hub)
        watcher = renderer.watcher(1)

        renderer.version = -1
        hub.announce(TABLE, 1)
        await settle()
        await renderer.done()
        assert (watcher.fragment, watcher.news["version"]) == (None, "1")

        await renderer.announce(2)
        assert watcher.fragment == Fragment(2, b"<div>")

    run(test)
    assert "were not rendered" in caplog.text


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_the_next_game_of_a_table_is_announced_to_its_listeners_and_ends_their_streams(is_elsewhere: bool) -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        listener, other = joined(hub), hub.join("table0000002", Phone(9, "other", may_record=False, heard=0), 0)

        if is_elsewhere:
            hub.receive({"next": TABLE})
        else:
            hub.announce_next(TABLE)
        await settle()

        assert take_news(listener) == "event: next\ndata: \n\n"
        assert (listener.ended, other.ended) == (True, False)

    run(test)


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


def test_a_listener_that_read_an_old_version_receives_the_one_that_was_announced_since() -> None:
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

        hub.announce(TABLE, GONE)
        await settle()

        assert listener.ended

    run(test)


def test_every_stream_beats_and_a_dead_line_is_let_go() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        listener = joined(hub)
        clock.now += BEAT_EVERY
        hub.note_alive(listener)
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
        assert '"away":true' in (news := take_news(listener))
        assert "missed" not in news

        clock.now += 20
        hub.tick(clock.now, beat=False)
        assert '"missed":true' in take_news(listener)

    run(test)


def test_nothing_is_kept_of_a_game_that_no_one_listens_to() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        listener = joined(hub)

        hub.leave(listener)

        assert (hub.listeners, hub.versions, hub.watched_versions()) == ({}, {}, {})

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
        elsewhere.start()
        hub.send = elsewhere.receive
        listener = joined(elsewhere, key=2)

        hub.announce(TABLE, 1, key=1)
        hub.note_request(TABLE, 1, "Ana", may_record=True)
        await settle()
        news = take_news(listener)
        assert "event: version\ndata: 1\n" in news
        assert '"name":"Ana"' in news

        hub.end_revoked(TABLE, [2])
        await settle()
        assert listener.ended
        elsewhere.close()

    run(test)


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_a_phrase_is_sent_once_with_who_is_there_also_by_other_processes(is_elsewhere: bool) -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        elsewhere = Hub(clock)
        elsewhere.start()
        hub.send = elsewhere.receive
        listens = elsewhere if is_elsewhere else hub
        listener = joined(listens, key=2)
        hub.note_request(TABLE, 1, "Ana", may_record=False)
        await settle()
        assert '"said"' not in take_news(listener)
        assert hub.presence.may_say(TABLE, 1, clock.now)

        hub.say(TABLE, 1, 0, "sorry")
        await settle()

        assert '"said":[0,"sorry",' in take_news(listener)
        assert not hub.presence.may_say(TABLE, 1, clock.now)
        clock.now += SAYS_EVERY
        assert hub.presence.may_say(TABLE, 1, clock.now)
        hub.tick(clock.now, beat=False)
        await settle()
        assert take_news(listener) == "", "what is known is not sent again"
        clock.now += SAYS_FOR - SAYS_EVERY
        listens.tick(clock.now, beat=False)
        assert '"said"' not in take_news(listener)
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


def test_what_a_phone_asked_before_its_key_was_revoked_is_not_noted_after() -> None:
    async def test(hub: Hub, clock: Clock) -> None:
        for _ in range(2):
            hub.note_request(TABLE, 1, "Ana", may_record=True)
            await settle()
        hub.end_revoked(TABLE, [1])
        await settle()
        hub.tick(clock.now, beat=False)

        assert hub.present(TABLE) == set()

    run(test)


def test_without_an_event_loop_presence_is_still_kept() -> None:
    hub = Hub()

    hub.note_request(TABLE, 1, "Ana", may_record=True)
    hub.announce(TABLE, 1, key=1)

    assert '"name":"Ana"' in hub.presence_json(TABLE)
    assert '"recording":true' in hub.presence_json(TABLE)
