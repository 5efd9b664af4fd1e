"""What a stream sends to its readers: the same bytes as a poll, each reader theirs, and nothing without a valid key."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.utils import translation

from games.keys import registry
from games.live.stream import TICKET, Ticket
from games.models import Role
from games.pages import page_cache
from games.pages.base_table import MARKS_HEADER
from games.pages.live.readers import MOST_ASKED, Reader, fragments_of
from games.rules import Phase
from games.services import digital
from games.services.write import WriteRequest
from tests.builders import dutch, english, italian
from tests.cast.digital import DigitalTable, in_phase, over
from tests.cast.pages import Phone, sit_down
from tests.cast.seats import at_seats, hosting, watching
from tests.cast.tables import Table

pytestmark = pytest.mark.any_database


@pytest.fixture(autouse=True)
def nothing_kept(db: None) -> Iterator[None]:
    page_cache._kept.clear()
    yield
    page_cache._kept.clear()


def ticket_of(phone: Phone, asks: str = "", **headers: str) -> Ticket:
    """The ticket to a stream, as a phone gets it."""
    ticket = Ticket()
    address = f"/live/{phone.table.id}/?{asks}"
    answer = phone.client.get(address, headers=headers, **{"asgi.scope": {TICKET: ticket}})
    assert answer.headers["Cache-Control"] == "no-store, no-transform" or answer.status_code == 204
    return ticket


def reader_of(phone: Phone, asks: str = "", **headers: str) -> Reader:
    reader = ticket_of(phone, f"{asks}&fragment", **headers).reader
    assert isinstance(reader, Reader)
    return reader


def polled(phone: Phone, asks: str = "") -> bytes:
    """What the same phone gets when it asks for news."""
    headers = {"HX-Request": "true", MARKS_HEADER: "1"}
    return bytes(phone.client.get(f"/g/{phone.table.id}/?{asks}", headers=headers).content)


def hand_in(fragment: bytes) -> list[str]:
    return re.findall(r'id="(?:hand|held|choose)-([^"]+)"', fragment.decode())


# --- readers ---


def test_only_a_phone_that_says_so_reads_fragments(table: Table, ana: Phone) -> None:
    assert ticket_of(ana).reader is None
    assert ticket_of(ana, "board").reader is None
    assert reader_of(ana).keys == {ana.key.pk}


@pytest.mark.parametrize(("accepted", "compresses"), [("gzip, br", True), ("br", False), ("", False)])
def test_a_stream_is_compressed_for_who_reads_fragments_and_takes_it(
    ana: Phone, accepted: str, compresses: bool
) -> None:
    assert ticket_of(ana, "fragment", **{"Accept-Encoding": accepted}).compresses is compresses
    assert not ticket_of(ana, "", **{"Accept-Encoding": accepted}).compresses


# --- what they get ---


@pytest.mark.parametrize("asks", ["", "board=", "count=tally", "partners=1&start=0"])
def test_a_reader_gets_the_bytes_of_a_poll(table: Table, ana: Phone, cleo: Phone, asks: str) -> None:
    table.record("trump red")

    for phone in (ana, cleo):
        reader = reader_of(phone, asks)
        fragment = fragments_of(table.id, {reader})[reader]
        assert fragment is not None
        assert fragment.content == polled(phone, asks)


def test_each_kind_of_reader_is_rendered_once_and_gets_its_own(table: Table, ana: Phone, cleo: Phone) -> None:
    ben = sit_down(table)
    with translation.override("de"):
        german = Reader(frozenset({ben.key.pk}), "de", ())
    readers = [reader_of(ana), reader_of(ben), reader_of(cleo), reader_of(ana, "count=tally"), german]
    table.record("trump red")

    fragments = fragments_of(table.id, readers)

    ana_s, ben_s, cleo_s, tally, in_german = (fragments[reader] for reader in readers)
    assert ana_s is ben_s
    assert len({id(each) for each in (ana_s, cleo_s, tally, in_german)}) == 4 == len(page_cache._kept)
    assert cleo_s is not None
    assert b"You are watching." in cleo_s.content
    assert {kept[1] for kept in page_cache._kept} == {"en", "de"}


@pytest.mark.parametrize("phase", [Phase.PLACING, Phase.TRICKS])
def test_each_seat_gets_its_own_hand_and_no_other(phase: Phase) -> None:
    game = DigitalTable(english(4)).play_on(in_phase(phase))
    phones = [*(at_seats(game, seat) for seat in range(4)), watching(game), hosting(game, 2)]
    readers = [reader_of(phone) for phone in phones]

    fragments = fragments_of(game.id, readers)

    hands = [hand_in(fragment.content) for fragment in map(fragments.get, readers) if fragment is not None]
    assert [len(hand) for hand in hands] == [len(hands[0])] * 4 + [0, len(hands[0])]
    assert all(hands[:4])
    assert hands[5] == hands[2]
    page_cache._kept.clear()
    for phone, reader in zip(reversed(phones), reversed(readers), strict=True):
        assert fragments[reader].content == polled(phone)


def test_on_a_shared_phone_the_seat_that_is_asked_for_is_shown_and_else_the_cover() -> None:
    game = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))
    due = game.state.acting_seats[0]
    other = (due + 1) % 4
    phone = at_seats(game, due, other)
    shown, covered, not_due = (reader_of(phone, asks) for asks in (f"seat={due}", "", f"seat={other}"))

    fragments = fragments_of(game.id, {shown, covered, not_due})

    assert [bool(hand_in(fragments[each].content)) for each in (shown, covered, not_due)] == [True, False, False]
    assert fragments[covered].content == polled(phone)


def test_on_a_shared_phone_each_seat_that_is_not_due_is_shown_its_own_hand() -> None:
    game = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))
    one, other = ((game.state.acting_seats[0] + step) % 4 for step in (1, 2))
    phone = at_seats(game, one, other)
    readers = [reader_of(phone, f"seat={seat}") for seat in (one, other)]

    fragments = fragments_of(game.id, readers)

    first, second = (hand_in(fragments[reader].content) for reader in readers)
    assert first != second
    assert len(first) == len(second) > 0


def test_the_end_of_a_digital_game_is_fetched() -> None:
    game = DigitalTable(dutch(3, rounds=1))
    reader = reader_of(at_seats(game, 0))

    game.play_on(over)

    assert fragments_of(game.id, {reader}) == {reader: None}


def test_a_phone_that_asks_for_what_is_refused_is_alone_with_that(table: Table, ana: Phone, cleo: Phone) -> None:
    usual, wrong = reader_of(ana), reader_of(cleo, "start=first")

    fragments = fragments_of(table.id, [wrong, usual])

    assert fragments[wrong] is None
    assert fragments[usual] is not None


def test_one_phone_cannot_have_a_page_rendered_for_each_of_its_streams(table: Table, ana: Phone, cleo: Phone) -> None:
    ben = sit_down(table)
    strange = [Reader(frozenset({cleo.key.pk}), "en", (("partners", str(number)),)) for number in range(100)]
    usual = [reader_of(phone) for phone in (ana, ben)]

    fragments = fragments_of(table.id, [*strange, *usual])

    assert len(page_cache._kept) == MOST_ASKED
    assert [fragments[reader] is None for reader in usual] == [False, False]
    assert sum(fragments[reader] is None for reader in strange) == 101 - MOST_ASKED


# --- whose key is valid ---


def test_a_reader_whose_key_was_revoked_is_left_out(table: Table, ana: Phone, cleo: Phone) -> None:
    readers = {reader_of(ana), gone := reader_of(cleo)}
    cleo.key.revoked_at = table.game.created_at
    cleo.key.save()

    assert set(fragments_of(table.id, readers)) == readers - {gone}


def test_a_deleted_game_has_no_readers(table: Table, ana: Phone) -> None:
    reader = reader_of(ana)

    assert fragments_of("nosuchgame00", {reader}) == {}


def test_a_phone_that_lost_a_seat_and_keeps_another_key_reads_what_is_left_to_it() -> None:
    game = DigitalTable(dutch(3, rounds=2))
    host, lost = reader_of(hosting(game, 1)), reader_of(at_seats(game, 1))
    assert hand_in(fragments_of(game.id, {host})[host].content)

    game.free(1)

    fragments = fragments_of(game.id, {host, lost})
    assert lost not in fragments
    assert hand_in(fragments[host].content) == []


def test_while_a_bot_plays_for_a_seat_its_key_reads_no_hand() -> None:
    game = DigitalTable(dutch(3, rounds=2))
    reader = reader_of(at_seats(game, 1))
    before = fragments_of(game.id, {reader})[reader]

    digital.put_bot(game_id=game.id, actor=game.host, seat=1, level="easy", request=WriteRequest())

    after = fragments_of(game.id, {reader})[reader]
    assert before is not None
    assert after is not None
    assert hand_in(before.content)
    assert hand_in(after.content) == []


def test_a_viewer_with_a_key_of_another_game_reads_nothing(table: Table, ana: Phone) -> None:
    other = Table(dutch(3))
    key = registry.issue(game=other.game, role=Role.VIEWER, label="Zoe")

    assert fragments_of(table.id, {Reader(frozenset({key.pk}), "en", ())}) == {}
