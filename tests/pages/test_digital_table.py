"""What each one sees of a digital table: the page in each phase, hands, the trick, titles, results."""

from __future__ import annotations

import re
from itertools import groupby

import pytest

from games.pages.pwa import KEEP
from games.rules import Phase
from games.texts import words
from tests.builders import dutch, english, french, italian
from tests.cast.digital import DigitalTable, cards_on_table, in_phase, leaving, over, rounds_finished
from tests.cast.seats import at_seats
from tests.pages.digital import choosing, hand_on, in_tricks, send

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def suit_of(code: str) -> str:
    return code.partition("-")[0]


# --- page and fragment ---

PHASES = {
    "board": lambda: DigitalTable(italian(rounds=2)),
    "teams": lambda: DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TEAMS)),
    "choose": lambda: choosing("discard_2"),
    "tricks": lambda: in_tricks().play_on(cards_on_table(2)),
    "result": lambda: DigitalTable(italian(rounds=2)).play_on(rounds_finished(1)),
    "finished": lambda: DigitalTable(dutch(3, rounds=1)).play_on(over),
}


@pytest.mark.parametrize("phase", PHASES)
def test_with_script_only_the_fragment_is_sent_and_it_is_the_same(db: None, phase: str) -> None:
    table = PHASES[phase]()

    page, fragment = at_seats(table, 0).open(), at_seats(table, 0, htmx=True).open()

    assert (page.status, fragment.status) == (200, 200)
    assert page.is_page
    assert fragment.is_fragment
    assert f"is-{phase}" in page.root.one(id="table").attrs["class"]
    assert without_secrets(fragment.html) in without_secrets(page.html)


def test_without_script_the_page_of_a_player_who_waits_loads_itself_again(db: None) -> None:
    table = in_tricks()
    due = table.state.acting_seats[0]

    def refreshes(seat: int) -> bool:
        return bool(at_seats(table, seat).open().root.all("meta", http_equiv="refresh"))

    assert (refreshes(due), refreshes((due + 1) % 4)) == (False, True)


def without_secrets(html: str) -> str:
    """The page without what is new each time."""
    return re.sub('name="(csrfmiddlewaretoken|request_id)" value="[^"]*"|data-(csrf|key)="[^"]*"', "", html).strip()


@pytest.mark.slow
def test_the_styles_of_the_end_come_with_the_last_round_and_with_an_early_end(db: None) -> None:
    def styles(table: DigitalTable) -> set[str]:
        fragment = at_seats(table, 0, htmx=True).open()
        return {re.sub(r".*/|[.].*", "", link.attrs["href"] or "") for link in fragment.root.all("link")}

    table = DigitalTable(dutch(3, rounds=2)).play_on(in_phase(Phase.TRICKS))
    assert styles(table) == set()
    early = DigitalTable(dutch(3, rounds=3)).play_on(rounds_finished(1))
    early.propose(0, "finish")
    for seat in (1, 2):
        early.answer(seat, agrees=True)
    table.play_on(rounds_finished(1)).play_on(in_phase(Phase.TRICKS))

    assert styles(table) == styles(early) == styles(table.play_on(over)) == {"rounds", "cards-end", "victory"}


@pytest.mark.parametrize("phase", PHASES)
def test_a_page_with_a_hand_is_kept_by_no_one(db: None, phase: str, settings: object) -> None:
    settings.HTTPS = True

    page = at_seats(PHASES[phase](), 0).open()

    assert page.response["Cache-Control"] == "no-store"
    assert KEEP not in page.response


def test_nothing_is_sent_to_a_phone_that_has_the_latest(db: None) -> None:
    table = in_tricks()
    phone = at_seats(table, 0, htmx=True)

    assert phone.open(since=str(table.game.version)).status == 204
    assert phone.open(since=str(table.game.version - 1)).status == 200


# --- whose cards ---


@pytest.mark.parametrize("phase", ["board", "teams", "choose", "tricks"])
def test_each_one_sees_their_own_hand_and_no_other_hand(db: None, phase: str) -> None:
    table = PHASES[phase]()

    for seat in range(table.state.players):
        page = at_seats(table, seat).open()
        hand = page.root.one(id="hand")
        held = [node.text for node in hand.all("span", class_="sr")] or [
            node.attrs["aria-label"] for node in hand if node.attrs.get("name") in ("card", "cards")
        ]
        assert len(held) == len(table.full.hands[seat])
        assert page.html.count("in-hand") == len(table.full.hands[seat])


def test_a_hand_is_sorted_and_tells_trumps_and_super_trumps(db: None) -> None:
    wanted = leaving("discard:njet", "trump:red", "supertrump:blue")
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS), wanted)

    for seat in range(4):
        page = at_seats(table, seat).open()
        labels = [node.attrs["aria-label"] for node in page.root.all("button", name="card")]
        suits = [list(same) for _suit, same in groupby(hand_on(page), key=suit_of)]
        held = [list(same) for _suit, same in groupby(map(str, table.full.hands[seat]), key=suit_of)]
        assert sorted(suits) == sorted(held)
        for label in labels:
            super_trump, trump = label.startswith("blue 1"), label.startswith("red")
            assert label.endswith(", super trump") == super_trump
            assert label.endswith(", trump") == trump


def test_who_plays_with_whom_is_said_in_words_while_cards_are_chosen(db: None) -> None:
    table = PHASES["choose"]()
    teams = table.state.current.teams if table.state.current else None
    assert teams is not None

    for seat in range(table.state.players):
        said = at_seats(table, seat).open().root.one("p", class_="matchup").text
        own = teams.own if seat in teams.own else teams.other
        assert said.split(" against ")[0] == words.listing([table.state.setup.names[each] for each in own])


@pytest.mark.parametrize("phase", PHASES)
def test_a_spectator_and_a_host_without_a_seat_see_no_hand(db: None, phase: str) -> None:
    table = PHASES[phase]()

    for key in (table.viewer, table.host):
        page = at_seats(table, key=key).open()

        assert page.status == 200
        assert not page.root.all(id="hand")
        assert "in-hand" not in page.html


def test_everybody_sees_of_each_seat_what_is_public(db: None) -> None:
    table = in_tricks(french(4)).play_on(lambda state: state.current is not None and len(state.current.tricks) == 3)
    won = table.state.current.won(4)

    page = at_seats(table, 0).open()

    seats = page.root.one("ol", class_="seats").all("li")
    assert [seat.attrs["data-seat"] for seat in seats] == ["1", "2", "3", "0"]
    for seat, node in zip((1, 2, 3, 0), seats, strict=True):
        assert (table.state.setup.names[seat] if seat else "You") in node.text
        assert f"{len(table.full.hands[seat])} cards" in node.text
        assert (f"{won[seat].tricks} trick" if won[seat].tricks != 1 else "1 trick") in node.text


# --- the trick ---


def test_the_rules_here_say_what_the_figures_of_a_seat_are_as_soon_as_it_has_any(db: None) -> None:
    placing, tricks = DigitalTable(dutch(3)), in_tricks(dutch(3))

    assert "Tricks won" not in at_seats(placing, 0).open().root.one(id="help").text
    assert "Tricks won 1 Captured" in at_seats(tricks, 0).open().root.one(id="help").text


def test_the_trick_lies_in_playing_order_with_its_winner(db: None) -> None:
    table = in_tricks()
    leader = table.state.acting_seats[0]
    table.play_on(cards_on_table(3))
    names, cards = table.state.setup.names, table.state.current.table

    page = at_seats(table, 0).open()

    seats = {int(seat.attrs["data-seat"]): seat for seat in page.root.one("ol", class_="seats").all("li")}
    places = [seats[(leader + step) % 4] for step in range(4)]
    assert [[number.text for number in place.all("i", class_="nth")] for place in places] == [["1"], ["2"], ["3"], []]
    said = [place.all("span", class_="sr")[0].text for place in places]
    for text, card, name in zip(said[:3], cards, (names[(leader + step) % 4] for step in range(3)), strict=True):
        assert f"{name}: {card.suit.value} {card.rank}" in text
    assert sum(", the highest" in text for text in said) == 1
    assert f"{names[(leader + 3) % 4]}: to play now" in said[3]
    assert f"{cards[0].suit.value} was led" in page.text
    assert "trick 1 of 10" in page.text


def test_a_complete_trick_is_shown_with_its_winner_and_stays_to_be_looked_at(db: None) -> None:
    table = in_tricks()
    table.play_on(lambda state: state.current is not None and len(state.current.tricks) == 1)
    trick = table.state.current.tricks[0]
    winner = table.state.setup.names[trick.winner]

    page = at_seats(table, 0).open()

    assert page.root.one(id="trick").attrs["data-last"] == "1-1"
    assert f"{winner} wins" in page.root.one(id="last").text
    said = words.trick_taken(winner, trick.captured, table.state.ruleset)
    assert said in page.root.one("p", aria_live="polite").text
    table.step()
    assert len(at_seats(table, 0).open().root.one(id="last").one(class_="lay").all("li")) == 4


def test_every_event_is_announced_in_words_with_whose_turn_it_is(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    table.step()
    played, name = table.state.current.table[0], table.state.setup.names[seat]
    nxt = (seat + 1) % 4

    def seen(of: int) -> str:
        return at_seats(table, of).open().root.one("p", aria_live="polite").text

    event = f"{name} played {played.suit.value} {played.rank}."
    duty = "any card may be played"
    if played.suit in {card.suit for card in table.view(nxt).hand}:
        duty = at_seats(table, nxt).open().root.one(class_="say").all("small")[0].text
    assert seen(nxt) == f"{event} Your turn: {duty}."
    assert seen(seat) == f"{event} {table.state.setup.names[nxt]} plays."


# --- titles ---


def test_the_title_of_a_page_names_no_card_that_lies_face_down(db: None) -> None:
    table = choosing("discard_2", english(3))
    seat = table.state.acting_seats[0]
    table.act(seat, table.view(seat).legal[0])
    own = table.view(seat).chosen or table.view(seat).discarded
    seen = [f"{card.suit.value} {card.rank}" for card in own]

    def reads() -> tuple[str, str, str]:
        page = at_seats(table, seat).open()
        shown = page.root.one(id="table").attrs["data-title"]
        return page.root.one("title").text, shown, page.root.one("p", aria_live="polite").text

    title, shown, heard = reads()
    assert all(card in heard for card in seen)
    assert not any(card in title + shown for card in seen)
    assert title == f"{shown} · NJET"
    assert "Waiting for" in title

    table.propose(seat, "takeback")
    title, shown, heard = reads()
    assert all(card in heard for card in seen)
    assert not any(card in title + shown for card in seen)


def test_the_title_of_a_page_says_whose_turn_it_is_and_no_card_that_was_played(db: None) -> None:
    table = in_tricks()
    table.step()
    card, acting = table.state.current.table[0], table.state.acting_seats[0]

    titles = [at_seats(table, seat).open().root.one("title").text for seat in range(4)]

    name = table.state.setup.names[acting]
    assert titles == ["Your turn · NJET" if seat == acting else f"{name} plays · NJET" for seat in range(4)]
    assert not any(f"{card.suit.value} {card.rank}" in title for title in titles)


def test_what_was_taken_back_is_announced_with_who_had_done_it(db: None) -> None:
    table = in_tricks()
    seat, name = table.state.acting_seats[0], table.state.setup.names[table.state.acting_seats[0]]
    table.step()
    table.propose(seat, "takeback")
    for other in range(4):
        if other != seat:
            table.answer(other)

    heard = at_seats(table, 0).open().root.one("p", aria_live="polite").text

    assert heard.startswith(f"Taken back: {name} played ")


def test_what_was_taken_back_is_shown_with_the_moves_of_bots_that_went_with_it(db: None) -> None:
    table = DigitalTable(english(4, rounds=2), bots={1: "easy", 2: "easy", 3: "easy"})
    table.play_on(lambda state: state.acting_seats == (0,))
    space = table.view(0).legal[0].space
    for _ in range(4):
        table.step()
    phone = at_seats(table, 0)
    assert not phone.open().root.all(class_="undone")

    phone.open().press("Take back my marker on ")

    (shown,) = phone.open().texts(class_="undone")
    assert shown.startswith("Taken back: Ana covered ")
    assert shown.endswith(", and 3 later moves.")
    assert any(space == legal.space for legal in table.view(0).legal)
    table.step()
    assert not phone.open().root.all(class_="undone")


# --- rounds and the end ---


def test_the_result_stays_until_its_reader_goes_on(db: None) -> None:
    table = in_tricks(dutch(3, rounds=2)).play_on(rounds_finished(1))
    phone = at_seats(table, 0, htmx=True)
    table.step()

    still = phone.open(since="1", round="1")
    assert "is-result" in still.root.one(id="table").attrs["class"]
    assert still.texts(class_="formula")
    assert still.root.one(id="table").attrs["data-query"] == "?round=1&unseen=0&own=0"

    page = still.press("Go on")
    assert "is-board" in page.root.one(id="table").attrs["class"]
    assert page.root.one(id="table").attrs["data-query"] == "?round=2&unseen=0&own=0"


@pytest.mark.parametrize("seat", [0, None])
def test_the_last_round_has_a_result_too_before_the_end(db: None, seat: int | None) -> None:
    table = in_tricks(dutch(3, rounds=1)).play_on(over)
    phone = at_seats(table, 0, htmx=True) if seat == 0 else at_seats(table, htmx=True, key=table.viewer)

    page = phone.open(since="1", round="1")
    assert "is-result" in page.root.one(id="table").attrs["class"]
    assert page.texts(class_="formula")
    assert page.root.all(id="trick"), "the last trick stays before its result"

    end = page.press("Go on")
    assert "is-finished" in end.root.one(id="table").attrs["class"]
    assert "round=2" in end.root.one(id="table").attrs["data-query"]
    assert "is-finished" in phone.open(since="1", round="2").root.one(id="table").attrs["class"]
    assert "is-finished" in phone.open().root.one(id="table").attrs["class"]


def test_the_result_of_the_last_round_can_be_looked_at_again(db: None) -> None:
    table = in_tricks(dutch(3, rounds=2)).play_on(rounds_finished(1))
    table.step()
    phone = at_seats(table, 0)

    page = phone.open()
    assert "is-board" in page.root.one(id="table").attrs["class"]

    assert page.press("The result of round 1").texts(class_="formula")


def test_the_end_names_the_winner_and_leads_to_sheet_and_replay(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=1)).play_on(over)

    page = at_seats(table, 0).open()

    winner = table.state.setup.names[table.state.winners[0]]
    assert winner in page.root.one("section", class_="victory").text
    assert page.offers("Replay")
    assert page.offers("Sheet")
    assert not page.offers("Rematch")
    assert at_seats(table, 0, key=table.host).open().offers("Rematch")


def test_a_finished_game_takes_no_card(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=1)).play_on(over)

    assert send(at_seats(table, 0), "act", do="play", card="red-7").status == 422
