"""What each one may tap at a digital table, and what they are shown where they may not."""

from __future__ import annotations

import pytest

from games.pages.digital import page as page_module
from games.rules import Phase, Play, PublicState
from games.rules.redaction import PlayerView
from tests.builders import dutch, english, italian
from tests.cast.digital import DigitalTable, cards_on_table, in_phase, over, rounds_finished
from tests.cast.pages import Page, Phone
from tests.cast.seats import at_seats, watching
from tests.pages.digital import choosing, hand_on, in_tricks, send

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def due(table: DigitalTable, *, htmx: bool = False) -> Phone:
    """The phone of the seat that is due."""
    return at_seats(table, table.state.acting_seats[0], htmx=htmx)


def offered(page: Page) -> list[str]:
    """The codes of the cards that are lifted."""
    return [node.attrs["value"] for node in page.root.all("button", name="card", class_="is-playable")]


def must_follow(state: PublicState, view: PlayerView) -> bool:
    """Whether a card lies there that this hand could follow, but not with every card."""
    playable = {action.card for action in view.legal if isinstance(action, Play)}
    return bool(state.current.table) and playable != set(view.hand)


def somebody_must_follow() -> tuple[DigitalTable, int]:
    """A game in which the seat that is due may not play every card."""
    table = in_tricks()
    while not must_follow(table.state, table.view(table.state.acting_seats[0])):
        table.step()
    return table, table.state.acting_seats[0]


# --- playing ---


def test_a_playable_card_is_a_button_and_lies_on_the_table_afterwards(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    phone = at_seats(table, seat)
    page = phone.open()
    code = offered(page)[0]

    after = send(phone, "act", do="play", card=code)

    assert after.status == 302
    assert [str(card) for card in table.state.current.table] == [code]
    assert f"{table.state.setup.names[seat]}: " in phone.open().root.one(id="trick").text


def test_with_script_a_card_is_answered_with_the_fragment(db: None) -> None:
    table = in_tricks()
    phone = due(table, htmx=True)

    page = send(phone, "act", do="play", card=offered(phone.open())[0])

    assert page.status == 200
    assert page.is_fragment
    assert page.response["HX-Replace-Url"] == phone.address_of("table")
    assert not offered(page)


def test_only_what_may_be_played_is_lifted(db: None) -> None:
    table, seat = somebody_must_follow()

    page = at_seats(table, seat).open()

    playable = {str(action.card) for action in table.view(seat).legal}
    assert set(offered(page)) == playable
    assert set(hand_on(page)) - playable


def test_an_illegal_tap_is_explained_with_the_rule_and_the_cards_that_are_allowed(db: None) -> None:
    table, seat = somebody_must_follow()
    playable = {str(action.card) for action in table.view(seat).legal}
    illegal = next(card for card in table.full.hands[seat] if str(card) not in playable)

    page = send(at_seats(table, seat, htmx=True), "act", do="play", card=str(illegal))

    assert page.status == 422
    assert page.is_fragment
    assert page.code == "must_follow_suit"
    shown = {node.attrs["value"] for node in page.root.all("button", name="card", class_="is-allowed")}
    assert shown == playable


def test_who_is_not_due_is_shown_who_is(db: None) -> None:
    table = in_tricks()
    acting = table.state.acting_seats[0]
    seat = (acting + 1) % 4

    page = send(at_seats(table, seat), "act", do="play", card=str(table.full.hands[seat][0]))

    assert page.status == 422
    assert page.code == "not_your_turn"
    assert table.state.setup.names[acting] in page.notice


def test_a_card_that_no_one_knows_cannot_be_read(db: None) -> None:
    table = in_tricks()

    assert send(due(table), "act", do="play", card="red-99").status == 400
    assert send(due(table), "act", do="dance").status == 400


# --- others were faster ---


def test_a_stale_tap_that_is_still_legal_can_be_repeated_with_one_tap(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    phone = at_seats(table, seat, htmx=True)
    code, version = offered(phone.open())[0], table.game.version
    table.propose((seat + 1) % 4, "claim")

    page = phone.post_to(phone.address_of("act"), {"do": "play", "card": code, "version": version})

    assert page.status == 409
    assert not table.state.current.table
    after = page.press("Do it now:")
    assert after.status == 200
    assert [str(card) for card in table.state.current.table] == [code]


def test_a_stale_tap_that_is_no_longer_legal_is_not_offered(db: None) -> None:
    table = in_tricks()
    seat, version = table.state.acting_seats[0], table.game.version
    phone = at_seats(table, seat, htmx=True)
    code = offered(phone.open())[0]
    table.step()

    page = phone.post_to(phone.address_of("act"), {"do": "play", "card": code, "version": version})

    assert page.status == 409
    assert page.code == "stale_version"
    assert not page.offers("Do it now:")


# --- choosing ---


def test_cards_are_chosen_by_tapping_and_wait_face_down(db: None) -> None:
    table = choosing("discard_2")
    phone = at_seats(table, 1)
    codes = hand_on(phone.open())[:2]

    assert send(phone, "act", do="discard", cards=codes).status == 302

    page = phone.open()
    assert "lie face down until all have chosen." in page.text
    assert "Waiting for" in page.text
    assert not page.root.all("input", name="cards")
    assert page.html.count("in-hand") == 13
    other = at_seats(table, 2).open()
    assert "Discard 2 cards" in other.text
    assert not {*codes} & ({*hand_on(other)} - {str(card) for card in table.full.hands[2]})


def test_others_who_choose_at_the_same_time_do_not_interfere(db: None) -> None:
    table = choosing("discard_2")
    phone, version = at_seats(table, 1, htmx=True), table.game.version
    codes = hand_on(phone.open())[:2]
    table.act(2, table.view(2).legal[0])

    page = phone.post_to(phone.address_of("act"), {"do": "discard", "cards": codes, "version": version})

    assert page.status == 200
    assert set(table.state.current.chosen) == {1, 2}


def test_after_a_pass_each_sees_what_went_and_what_came(db: None) -> None:
    table = choosing("pass_2_right")
    assert table.state.phase is Phase.PASSING
    table.play_on(in_phase(Phase.TRICKS))

    page = at_seats(table, 1).open()

    (exchanged,) = page.texts("div", class_="exchanged")
    assert "You passed Ana " in exchanged
    assert "Cleo passed you " in exchanged
    assert page.html.count("is-new") == 2
    assert not at_seats(table, key=table.viewer).open().root.all("div", class_="exchanged")


# --- board and teams ---


def test_the_markers_of_each_player_are_read_out(db: None) -> None:
    table = DigitalTable(english(4))
    page = at_seats(table, 0).open()

    left = page.root.one("ol", class_="left")

    assert left.attrs["aria-label"] == "Markers left"
    seats = [(table.state.acting_seats[0] + each) % 4 for each in range(4)]
    assert [li.text for li in left.all("li")] == [
        f"{table.state.setup.names[seat]}: {table.state.markers_left[seat]}" for seat in seats
    ]


def test_who_is_not_due_cannot_press_a_space(db: None) -> None:
    table = DigitalTable(italian(rounds=2))
    other = at_seats(table, (table.state.acting_seats[0] + 1) % 4)

    spaces = other.open().root.all("button", name="space")

    assert spaces
    assert all("disabled" in space.attrs for space in spaces)
    assert send(other, "act", do="place", space="points:4").status == 422


def test_the_start_player_names_the_teams_on_their_own_phone(db: None) -> None:
    table = DigitalTable(english(5)).play_on(in_phase(Phase.TEAMS))
    start = table.state.acting_seats[0]

    waiting = at_seats(table, (start + 1) % 5).open()
    page = at_seats(table, start).open()

    assert f"{table.state.setup.names[start]} picks partners" in waiting.text
    assert not waiting.root.all("form", class_="candidates")
    page = page.phone.follow(page.root.one("form", id="partners").all("a", class_="button")[0], page)
    team = page.root.all("input", name="team")[0].attrs["value"]
    assert send(page.phone, "act", do="team", team=team, start="").status == 302
    assert table.state.current.teams is not None


# --- asking the others ---


def test_a_takeback_asks_all_the_others_and_names_the_cards(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    table.step()
    card = table.full.public.current.table[0]
    name = table.state.setup.names[seat]

    at_seats(table, seat).open().press("Ask to take back my")

    for other in range(4):
        page = at_seats(table, other).open()
        asked = f"{name} asks to take back: {name} played {card.suit.value} {card.rank}"
        assert ("You ask to take back the last move." if other == seat else asked) in page.text
        assert page.offers("Withdraw") == (other == seat)
        assert page.offers("Agree") == page.offers("Refuse") == (other != seat)
    for other in range(4):
        if other != seat:
            at_seats(table, other).open().press("Agree")
    assert not table.state.current.table


def test_where_bots_would_refuse_undo_says_why_and_takes_nothing_back(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=2), bots={1: "easy", 2: "easy"}).play_on(in_phase(Phase.TRICKS))
    table.play_on(lambda state: state.acting_seats == (0,))
    table.step()
    version = table.game.version

    refused = at_seats(table, 0).open().press("Bots do not let a card be taken back")

    assert (refused.status, refused.code) == (409, "card_seen")
    assert table.game.version == version


def test_a_takeback_reaches_back_to_ones_own_card(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    table.play_on(cards_on_table(3))

    assert not at_seats(table, seat).open().offers("Ask to take back my")
    at_seats(table, seat).open("menu").press("Ask to take back my")

    (asked,) = table.ledger.counting.proposals
    assert len(asked.proposal.seqs) == 3
    assert not at_seats(table, seat).open("menu").offers("Ask to take back my")


def test_what_a_bot_did_in_a_seat_is_not_offered_to_its_player_to_be_taken_back(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=2))
    seat = table.state.acting_seats[0]
    table.put_bot(seat, "easy")
    table.step()
    table.put_bot(seat, None)
    phone = at_seats(table, seat)

    assert not phone.open().offers("Ask to take back my")

    table.play_on(lambda state: state.acting_seats == (seat,))
    table.step()
    assert phone.open().offers("Ask to take back my")


def test_a_request_can_be_refused_and_withdrawn(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    table.step()

    at_seats(table, seat).open().press("Ask to take back my")
    at_seats(table, (seat + 1) % 4).open().press("Refuse")
    assert not table.ledger.counting.proposals
    at_seats(table, seat).open().press("Ask to take back my")
    at_seats(table, seat).open().press("Withdraw")
    assert not table.ledger.counting.proposals
    assert len(table.state.current.table) == 1


def test_who_refused_a_request_is_said_to_the_others_until_they_act(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    table.step()
    other = (seat + 1) % 4
    table.propose(seat, "takeback")
    table.answer(other, agrees=False)

    def said(to: int) -> list[str]:
        return [each.text for each in at_seats(table, to).open().root.all("div", class_="refused")]

    assert said(seat) == said((seat + 2) % 4) == [f"{table.state.setup.names[other]} does not agree."]
    assert said(other) == []
    assert not watching(table).open().root.all("div", class_="refused")
    table.propose(seat, "takeback")
    assert said(seat) == []
    first = table.ledger.version
    table.answer(other, agrees=False)
    page = at_seats(table, seat).open()
    assert page.root.one(class_="refused").attrs["id"] == f"refused-{first + 1}", "a second refusal is a new notice"


def test_the_end_says_nothing_of_a_request_that_was_refused(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=2)).play_on(rounds_finished(1))
    table.propose(0, "finish")
    table.answer(1, agrees=False)
    assert at_seats(table, 0).open().root.all("div", class_="refused")

    table.propose(2, "finish")
    table.answer(0)
    table.answer(1)

    assert table.state.is_over
    assert not at_seats(table, 0).open().root.all("div", class_="refused")


def test_the_end_asks_nothing_any_more(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=2)).play_on(rounds_finished(1))
    table.propose(0, "finish")
    assert at_seats(table, 1).open().offers("Agree")

    table.play_on(over)

    assert table.ledger.counting.proposals
    assert not at_seats(table, 1).open().offers("Agree")
    assert not at_seats(table, 0).open().offers("Withdraw")


def test_a_bot_that_stands_in_answers_nothing_about_the_end_and_it_is_said(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=2)).play_on(rounds_finished(1))
    table.put_bot(1, "easy")
    table.propose(0, "finish")

    away = at_seats(table, 1).open()

    assert not away.offers("Agree")
    for page in (away, at_seats(table, 0).open()):
        assert "A bot that came in this round does not answer" in page.text


def test_two_requests_at_once_are_both_visible(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    table.step()
    table.propose(seat, "takeback")
    table.propose((seat + 1) % 4, "claim")

    page = at_seats(table, (seat + 2) % 4).open()

    assert len(page.root.all("section", class_="ask")) == 2
    assert len(page.root.all("button", name="agrees", value="1")) == 2


def test_a_claim_shows_the_hand_of_anyone_who_claims(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "can_claim", lambda view: True)
    table = in_tricks()
    seat = table.state.acting_seats[0]
    mine, other = at_seats(table, seat), at_seats(table, (seat + 1) % 4)

    question = mine.open()
    assert question.root.one(id="claim").text == "Show these 10 cards to all and claim the rest?"
    question.press("Claim the remaining tricks")

    page = other.open()
    banner = page.root.one("section", class_="ask")
    assert f"{table.state.setup.names[seat]} claims the rest with these cards" in banner.text
    for card in table.full.hands[seat]:
        assert f"{card.suit.value} {card.rank}" in banner.text
    assert "You claim the rest of the round." in mine.open().root.one("section", class_="ask").text
    assert not mine.open().offers("Claim the remaining tricks")
    for step in (1, 2, 3):
        at_seats(table, (seat + step) % 4).open().press("Agree")
    result = other.open()
    assert f"The remaining tricks were granted to {table.state.setup.names[seat]}." in result.text


def test_a_claim_that_cannot_be_true_is_not_offered(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    table = in_tricks()
    monkeypatch.setattr(page_module, "can_claim", lambda view: False)
    seat = table.state.acting_seats[0]

    assert not at_seats(table, seat).open().offers("Claim the remaining tricks")
    # A program, and a page that was loaded before, may claim at any time.
    assert send(at_seats(table, seat), "ask", kind="claim").status == 302


def test_with_one_card_a_claim_would_save_no_tap(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "can_claim", lambda view: True)
    table = in_tricks()

    def offered(cards: int) -> bool:
        table.play_on(lambda state: len(state.current.tricks) == 10 - cards and not state.current.table)
        return at_seats(table, table.state.acting_seats[0]).open().offers("Claim the remaining tricks")

    assert (offered(2), offered(1)) == (True, False)


def test_who_is_to_answer_hears_so(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    table.propose(seat, "claim")

    said = [at_seats(table, each).open().root.all("p", class_="sr")[0].text for each in range(4)]

    assert ["Your answer is awaited." in text for text in said] == [each != seat for each in range(4)]


def test_before_the_first_round_is_complete_no_one_can_ask_to_finish(db: None) -> None:
    table = in_tricks()

    assert not at_seats(table, 0).open("menu").offers("Finish early")
    assert send(at_seats(table, 0), "ask", kind="finish").status == 422


def test_two_who_agree_at_the_same_time_are_both_heard(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=3)).play_on(rounds_finished(1))
    table.propose(0, "finish")
    phones = [at_seats(table, seat) for seat in (1, 2)]
    pages = [phone.open() for phone in phones]

    answers = [page.press("Agree") for page in pages]

    assert [answer.status for answer in answers] == [200, 200]
    assert table.state.is_over
    assert send(at_seats(table, 0), "answer", about="x").status == 400


def test_only_what_the_next_card_would_let_lapse_holds_up_cards_that_play_themselves(db: None) -> None:
    table = in_tricks(dutch(3, rounds=3)).play_on(rounds_finished(1)).play_on(in_phase(Phase.TRICKS))
    table.step()
    seat = table.state.acting_seats[0]

    def waits() -> bool:
        return "data-asked" in at_seats(table, seat).open().html

    table.propose((seat + 1) % 3, "finish")
    assert not waits()
    table.propose((seat + 1) % 3, "claim")
    assert waits()
    table.answer(seat, agrees=False)
    assert not waits()
    table.propose((seat + 2) % 3, "takeback")
    assert waits()
