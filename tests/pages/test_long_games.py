"""A very long game: its history is read in parts, and its pages stay short."""

from __future__ import annotations

import pytest

from games.pages.parts.sheet import PENALTIES_SHOWN
from games.pages.sheet.views import ENTRIES_OF_A_PART, parts_of
from games.rules import ActionEntry, AddPenalty
from games.rules.actions import Action
from games.services.write import WriteRequest, write
from tests.cast.digital import DigitalTable
from tests.cast.pages import Page, Phone, sit_down
from tests.cast.seats import at_seats
from tests.cast.tables import Table

pytestmark = pytest.mark.django_db


def grown(table: Table, actions: list[Action]) -> Table:
    """The table after these actions, which are written at once."""
    write(
        "record",
        game_id=table.id,
        actor=table.key,
        request=WriteRequest(),
        decide=lambda ledger: [ActionEntry(seq, each) for seq, each in enumerate(actions, ledger.version + 1)],
    )
    return table


def penalties(count: int) -> list[Action]:
    return [AddPenalty(number % 3, -1, "late") for number in range(count)]


@pytest.fixture
def long(db: None) -> Phone:
    """A phone at a table with entries for two parts and a half."""
    return sit_down(grown(Table(), penalties(ENTRIES_OF_A_PART * 5 // 2)))


def numbers(page: Page) -> list[int]:
    """The entries that a page of the history shows, in its order."""
    return [int(entry.one("b").text.rstrip(".")) for entry in page.root.all("article")]


def links(page: Page) -> dict[str, str]:
    """The links to the parts, by what they say."""
    navigations = page.root.all("nav", class_="chips")
    return {link.text: link.attrs["href"] for nav in navigations for link in nav.all("a")}


@pytest.mark.parametrize(
    ("version", "parts"),
    [
        (0, [(1, 0)]),
        (1, [(1, 1)]),
        (399, [(1, 399)]),
        (400, [(1, 200), (201, 400)]),
        (650, [(1, 200), (201, 400), (401, 650)]),
    ],
)
def test_the_parts_of_a_log_hold_each_entry_once(version: int, parts: list[tuple[int, int]]) -> None:
    assert [(part.first, part.last) for part in parts_of(version)] == parts


def test_the_history_begins_with_the_latest_part(long: Phone) -> None:
    page = long.open("history")

    assert numbers(page) == list(range(500, 200, -1))
    assert list(links(page)) == ["Entries 201 to 500", "Entries 1 to 200"]


@pytest.mark.slow
def test_without_script_each_part_is_one_link_away(long: Phone) -> None:
    page = long.open("history")

    earlier = long.get(page.address + links(page)["Entries 1 to 200"])

    assert numbers(earlier) == list(range(200, 0, -1))
    assert earlier.root.one("a", aria_current="true").text == "Entries 1 to 200"
    assert links(earlier) == links(page)
    assert numbers(long.get(links(earlier)["Entries 201 to 500"])) == numbers(page)


@pytest.mark.slow
def test_an_earlier_part_keeps_its_address_while_the_game_goes_on(long: Phone) -> None:
    before = numbers(long.open("history", part="1"))
    long.post("act", do="penalty", seat="0", points="-5", reason="late")

    assert numbers(long.open("history", part="1")) == before
    assert numbers(long.open("history"))[0] == 501


@pytest.mark.parametrize(
    ("part", "status"), [("0", 404), ("3", 404), ("99999", 404), ("x", 400), ("-1", 404), ("", 200)]
)
def test_a_part_that_there_is_not(long: Phone, part: str, status: int) -> None:
    assert long.open("history", part=part).status == status


def test_a_game_of_an_evening_has_one_part(db: None) -> None:
    page = sit_down(grown(Table(), penalties(2 * ENTRIES_OF_A_PART - 1))).open("history")

    assert (len(numbers(page)), links(page)) == (2 * ENTRIES_OF_A_PART - 1, {})


def test_a_part_of_a_digital_game_hides_what_its_reader_may_not_see(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.pages.sheet.views.ENTRIES_OF_A_PART", 5)
    game = DigitalTable()
    for _ in range(14):
        game.step()

    pages = [at_seats(game, 0).open("history", part=part) for part in ("1", "2", "3")]

    assert sorted(number for page in pages for number in numbers(page)) == list(range(1, game.game.version + 1))
    hidden = [str(card) for hand in game.full.hands[1:] for card in hand]
    assert not any(card in page.html for page in pages for card in hidden)


def test_many_penalties_of_a_round_are_one_line_and_the_latest_ones(db: None) -> None:
    count = PENALTIES_SHOWN + 6
    phone = sit_down(grown(Table(), penalties(count)))

    for name in ("sheet", "table"):
        page = phone.open(name)
        rows = page.root.one("table", class_="sheet").all("th", class_="is-penalty")
        assert len(rows) == PENALTIES_SHOWN + 1
        assert "6 earlier penalties" in page.text
        totals = [total.text for total in page.root.one("table", class_="sheet").all("b", class_="total")]
        assert totals == ["−6", "−5", "−5"]


def test_a_few_penalties_are_a_line_each(db: None) -> None:
    page = sit_down(grown(Table(), penalties(PENALTIES_SHOWN))).open("sheet")

    assert len(page.root.all("th", class_="is-penalty")) == PENALTIES_SHOWN
    assert "earlier penalt" not in page.text


def test_the_pages_of_a_game_do_not_grow_with_its_penalties(db: None) -> None:
    lengths = {}
    for count in (100, 1_000):
        phone = sit_down(grown(Table(), penalties(count)))
        lengths[count] = [len(phone.open(name).html) for name in ("table", "sheet", "screen", "menu")]

    assert all(abs(long - short) < 500 for long, short in zip(lengths[1_000], lengths[100], strict=True))
