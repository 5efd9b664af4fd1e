"""The table on the phone: what each one sees, what they may tap, and what they are shown where they may not."""

from __future__ import annotations

import re
from itertools import groupby

import pytest
from django.conf import settings

from games.keys import invitations, sessions
from games.live.hub import hub
from games.models import Key, Role
from games.pages.digital import page as page_module
from games.pages.pwa import KEEP
from games.rules import Action, Phase, Place, Play, PublicState
from games.rules.redaction import PlayerView
from games.texts.words import listing
from tests.builders import dutch, english, french, italian
from tests.services.phones import Phones, cards_on_table, in_phase, lasting, over, rounds_finished
from tests.views.pages import Page, Phone

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def sits(table: Phones, *seats: int, main: Key | None = None, htmx: bool = False) -> Phone:
    """A phone with the keys of these seats, and perhaps one of the game."""
    phone = Phone(htmx=htmx)
    session = phone.client.session
    if main is not None:
        sessions.remember(session, main)
    sessions.remember_seats(session, [table.keys[seat] for seat in seats])
    session.save()
    phone.client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    phone.table = table
    return phone


def due(table: Phones, *, htmx: bool = False) -> Phone:
    """The phone of the seat that is due."""
    return sits(table, table.state.acting_seats[0], htmx=htmx)


@lasting
def leaving(*spaces: str):
    """Markers anywhere but on these spaces: “discard:discard_2”."""

    def choose(view: PlayerView) -> Action:
        kept = [each for each in view.legal if isinstance(each, Place) and f"{each.row.value}:{each.space}" in spaces]
        return next((each for each in view.legal if each not in kept), view.legal[0])

    return choose


def in_tricks(setup=None) -> Phones:
    """A game whose first trick is to be led, nothing discarded."""
    return Phones(setup or italian(rounds=2)).play_on(in_phase(Phase.TRICKS), leaving("discard:njet"))


def choosing(space: str, setup=None) -> Phones:
    """A game in which everybody chooses cards."""
    until = in_phase(Phase.DISCARDING, Phase.PASSING)
    return Phones(setup or english(4)).play_on(until, leaving(f"discard:{space}"))


def hand_on(page: Page) -> list[str]:
    """The codes of the cards in the hand, as they can be tapped."""
    hand = page.root.one(id="hand")
    return [node.attrs["value"] for node in hand if node.attrs.get("name") in ("card", "cards")]


def suit_of(code: str) -> str:
    return code.partition("-")[0]


def offered(page: Page) -> list[str]:
    """The codes of the cards that are lifted."""
    return [node.attrs["value"] for node in page.root.all("button", name="card", class_="is-playable")]


def send(phone: Phone, name: str, **fields: object) -> Page:
    """A form of the newest page, with these fields."""
    return phone.post_to(phone.address_of(name), {"version": phone.table.game.version, **fields})


def must_follow(state: PublicState, view: PlayerView) -> bool:
    """Whether a card lies there that this hand could follow, but not with every card."""
    playable = {action.card for action in view.legal if isinstance(action, Play)}
    return bool(state.current.table) and playable != set(view.hand)


def somebody_must_follow() -> tuple[Phones, int]:
    """A game in which the seat that is due may not play every card."""
    table = in_tricks()
    while not must_follow(table.state, table.view(table.state.acting_seats[0])):
        table.step()
    return table, table.state.acting_seats[0]


# --- page and fragment ---

PHASES = {
    "board": lambda: Phones(italian(rounds=2)),
    "teams": lambda: Phones(italian(rounds=2)).play_on(in_phase(Phase.TEAMS)),
    "choose": lambda: choosing("discard_2"),
    "tricks": lambda: in_tricks().play_on(cards_on_table(2)),
    "result": lambda: Phones(italian(rounds=2)).play_on(rounds_finished(1)),
    "finished": lambda: Phones(dutch(3, rounds=1)).play_on(over),
}


@pytest.mark.parametrize("phase", PHASES)
def test_with_script_only_the_fragment_is_sent_and_it_is_the_same(db: None, phase: str) -> None:
    table = PHASES[phase]()

    page, fragment = sits(table, 0).open(), sits(table, 0, htmx=True).open()

    assert (page.status, fragment.status) == (200, 200)
    assert page.is_page
    assert fragment.is_fragment
    assert f"is-{phase}" in page.root.one(id="table").attrs["class"]
    assert without_secrets(fragment.html) in without_secrets(page.html)


def without_secrets(html: str) -> str:
    """The page without what is new each time."""
    return re.sub('name="(csrfmiddlewaretoken|request_id)" value="[^"]*"|data-(csrf|key)="[^"]*"', "", html).strip()


@pytest.mark.parametrize("phase", PHASES)
def test_a_page_with_a_hand_is_kept_by_no_one(db: None, phase: str, settings: object) -> None:
    settings.HTTPS = True

    page = sits(PHASES[phase](), 0).open()

    assert page.response["Cache-Control"] == "no-store"
    assert KEEP not in page.response


def test_nothing_is_sent_to_a_phone_that_has_the_latest(db: None) -> None:
    table = in_tricks()
    phone = sits(table, 0, htmx=True)

    assert phone.open(since=str(table.game.version)).status == 204
    assert phone.open(since=str(table.game.version - 1)).status == 200


# --- whose cards ---


@pytest.mark.parametrize("phase", ["board", "teams", "choose", "tricks"])
def test_each_one_sees_their_own_hand_and_no_other_hand(db: None, phase: str) -> None:
    table = PHASES[phase]()

    for seat in range(table.state.players):
        page = sits(table, seat).open()
        hand = page.root.one(id="hand")
        held = [node.text for node in hand.all("span", class_="sr")] or [
            node.attrs["aria-label"] for node in hand if node.attrs.get("name") in ("card", "cards")
        ]
        assert len(held) == len(table.full.hands[seat])
        assert page.html.count("in-hand") == len(table.full.hands[seat])


def test_a_hand_is_sorted_and_tells_trumps_and_super_trumps(db: None) -> None:
    wanted = leaving("discard:njet", "trump:red", "supertrump:blue")
    table = Phones(italian(rounds=2)).play_on(in_phase(Phase.TRICKS), wanted)

    for seat in range(4):
        page = sits(table, seat).open()
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
        said = sits(table, seat).open().root.one("p", class_="matchup").text
        own = teams.own if seat in teams.own else teams.other
        assert said.split(" against ")[0] == listing([table.state.setup.names[each] for each in own])


@pytest.mark.parametrize("phase", PHASES)
def test_a_spectator_and_a_host_without_a_seat_see_no_hand(db: None, phase: str) -> None:
    table = PHASES[phase]()

    for key in (table.viewer, table.host):
        page = sits(table, main=key).open()

        assert page.status == 200
        assert not page.root.all(id="hand")
        assert "in-hand" not in page.html


def test_everybody_sees_of_each_seat_what_is_public(db: None) -> None:
    table = in_tricks(french(4)).play_on(lambda state: state.current is not None and len(state.current.tricks) == 3)
    won = table.state.current.won(4)

    page = sits(table, 0).open()

    seats = page.root.one(id="seats").all("li")
    assert [seat.attrs["data-seat"] for seat in seats] == ["1", "2", "3", "0"]
    for seat, node in zip((1, 2, 3, 0), seats, strict=True):
        assert (table.state.setup.names[seat] if seat else "You") in node.text
        assert f"{len(table.full.hands[seat])} cards" in node.text
        assert (f"{won[seat].tricks} trick" if won[seat].tricks != 1 else "1 trick") in node.text


# --- playing ---


def test_a_playable_card_is_a_button_and_lies_on_the_table_afterwards(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    phone = sits(table, seat)
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

    page = sits(table, seat).open()

    playable = {str(action.card) for action in table.view(seat).legal}
    assert set(offered(page)) == playable
    assert set(hand_on(page)) - playable


def test_an_illegal_tap_is_explained_with_the_rule_and_the_cards_that_are_allowed(db: None) -> None:
    table, seat = somebody_must_follow()
    playable = {str(action.card) for action in table.view(seat).legal}
    illegal = next(card for card in table.full.hands[seat] if str(card) not in playable)
    suit = table.state.current.table[0].suit.value

    page = send(sits(table, seat, htmx=True), "act", do="play", card=str(illegal))

    assert page.status == 422
    assert page.is_fragment
    assert f"You hold {suit}: follow suit. Allowed: {suit} " in page.notice
    shown = {node.attrs["value"] for node in page.root.all("button", name="card", class_="is-shown")}
    assert shown == playable


def test_who_is_not_due_is_shown_who_is(db: None) -> None:
    table = in_tricks()
    acting = table.state.acting_seats[0]
    seat = (acting + 1) % 4

    page = send(sits(table, seat), "act", do="play", card=str(table.full.hands[seat][0]))

    assert page.status == 422
    assert page.notice.startswith(f"It is not your turn. Wait for {table.state.setup.names[acting]}.")


def test_a_card_that_no_one_knows_cannot_be_read(db: None) -> None:
    table = in_tricks()

    assert send(due(table), "act", do="play", card="red-99").status == 400
    assert send(due(table), "act", do="dance").status == 400


def test_a_card_of_another_hand_is_not_held(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    foreign = next(card for card in table.full.hands[(seat + 1) % 4] if card not in table.full.hands[seat])

    page = send(sits(table, seat), "act", do="play", card=str(foreign))

    assert page.status == 422
    assert page.notice.startswith("You do not hold “")


def test_the_same_tap_sent_twice_is_one_card(db: None) -> None:
    table = in_tricks()
    phone = due(table, htmx=True)
    fields = {"do": "play", "card": offered(phone.open())[0], "version": table.game.version, "request_id": "a" * 32}

    first = phone.post_to(phone.address_of("act"), fields)
    second = phone.post_to(phone.address_of("act"), fields)

    assert (first.status, second.status) == (200, 200)
    assert len(table.state.current.table) == 1


# --- others were faster ---


def test_a_stale_tap_that_is_still_legal_can_be_repeated_with_one_tap(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    phone = sits(table, seat, htmx=True)
    code, version = offered(phone.open())[0], table.game.version
    table.propose((seat + 1) % 4, "claim")

    page = phone.post_to(phone.address_of("act"), {"do": "play", "card": code, "version": version})

    assert page.status == 409
    assert not table.state.current.table
    after = page.press("Do it now:")
    assert after.status == 200
    assert [str(card) for card in table.state.current.table] == [code]


def test_a_stale_tap_that_is_legal_no_more_is_not_offered(db: None) -> None:
    table = in_tricks()
    seat, version = table.state.acting_seats[0], table.game.version
    phone = sits(table, seat, htmx=True)
    code = offered(phone.open())[0]
    table.step()

    page = phone.post_to(phone.address_of("act"), {"do": "play", "card": code, "version": version})

    assert page.status == 409
    assert "nothing was done" in page.notice
    assert not page.offers("Do it now:")


# --- choosing ---


def test_cards_are_chosen_by_tapping_and_wait_face_down(db: None) -> None:
    table = choosing("discard_2")
    phone = sits(table, 1)
    codes = hand_on(phone.open())[:2]

    assert send(phone, "act", do="discard", cards=codes).status == 302

    page = phone.open()
    assert "lie face down until all have chosen." in page.text
    assert "Waiting for" in page.text
    assert not page.root.all("input", name="cards")
    assert page.html.count("in-hand") == 13
    other = sits(table, 2).open()
    assert "Discard 2 cards" in other.text
    assert not {*codes} & ({*hand_on(other)} - {str(card) for card in table.full.hands[2]})


def test_others_who_choose_meanwhile_do_not_get_in_the_way(db: None) -> None:
    table = choosing("discard_2")
    phone, version = sits(table, 1, htmx=True), table.game.version
    codes = hand_on(phone.open())[:2]
    table.act(2, table.view(2).legal[0])

    page = phone.post_to(phone.address_of("act"), {"do": "discard", "cards": codes, "version": version})

    assert page.status == 200
    assert set(table.state.current.chosen) == {1, 2}


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_wrong_number_of_cards_is_refused_in_words(db: None, count: int) -> None:
    table = choosing("discard_2")
    phone = sits(table, 0)

    page = send(phone, "act", do="discard", cards=hand_on(phone.open())[:count])

    assert page.status == 422
    assert page.notice.startswith(f"Choose 2 cards, not {count}.")


def test_a_choice_is_final(db: None) -> None:
    table = choosing("discard_1")
    table.act(0, table.view(0).legal[0])

    page = send(sits(table, 0), "act", do="discard", cards=[str(table.full.hands[0][-1])])

    assert page.status == 422
    assert page.notice.startswith("Your choice lies face down: it is final.")


def test_zeros_stay_in_the_hand_where_the_board_says_so(db: None) -> None:
    table = choosing("discard_2_no_zero")
    seat = next(seat for seat in range(4) if any(card.rank == 0 for card in table.full.hands[seat]))
    hand = table.full.hands[seat]
    zero, other = next(card for card in hand if card.rank == 0), next(card for card in hand if card.rank)

    page = send(sits(table, seat), "act", do="discard", cards=[str(zero), str(other)])

    assert page.status == 422
    assert page.notice.startswith("No 0 may be discarded while you hold other cards.")


def test_after_a_pass_each_sees_what_went_and_what_came(db: None) -> None:
    table = choosing("pass_2_right")
    assert table.state.phase is Phase.PASSING
    table.play_on(in_phase(Phase.TRICKS))

    page = sits(table, 1).open()

    (exchanged,) = page.texts("div", class_="exchanged")
    assert "To Ana: " in exchanged
    assert "From Cleo: " in exchanged
    assert page.html.count("is-new") == 2
    assert not sits(table, main=table.viewer).open().root.all("div", class_="exchanged")


# --- board and teams ---


def test_the_markers_of_each_player_are_read_out(db: None) -> None:
    table = Phones(english(4))
    page = sits(table, 0).open()

    left = page.root.one("ol", class_="left")

    assert left.attrs["aria-label"] == "Markers left"
    seats = [(table.state.acting_seats[0] + each) % 4 for each in range(4)]
    assert [li.text for li in left.all("li")] == [
        f"{table.state.setup.names[seat]}: {table.state.markers_left[seat]}" for seat in seats
    ]


def test_who_is_due_covers_a_space(db: None) -> None:
    table = Phones(italian(rounds=2))

    page = due(table).open().press("Cover 3 points")

    assert page.status == 200
    assert table.state.current.board.markers == 1


def test_who_is_not_due_cannot_press_a_space(db: None) -> None:
    table = Phones(italian(rounds=2))
    other = sits(table, (table.state.acting_seats[0] + 1) % 4)

    spaces = other.open().root.all("button", name="space")

    assert spaces
    assert all("disabled" in space.attrs for space in spaces)
    assert send(other, "act", do="place", space="points:4").status == 422


def test_the_start_player_names_the_teams_on_their_own_phone(db: None) -> None:
    table = Phones(english(5)).play_on(in_phase(Phase.TEAMS))
    start = table.state.acting_seats[0]

    waiting = sits(table, (start + 1) % 5).open()
    page = sits(table, start).open()

    assert f"{table.state.setup.names[start]} picks partners" in waiting.text
    assert not waiting.root.all("form", class_="candidates")
    page = page.phone.follow(page.root.one("form", id="partners").all("a", class_="button")[0], page)
    team = page.root.all("input", name="team")[0].attrs["value"]
    assert send(page.phone, "act", do="team", team=team, start="").status == 302
    assert table.state.current.teams is not None


# --- the trick ---


def test_the_trick_lies_in_playing_order_with_its_winner(db: None) -> None:
    table = in_tricks()
    leader = table.state.acting_seats[0]
    table.play_on(cards_on_table(3))
    names, cards = table.state.setup.names, table.state.current.table

    page = sits(table, 0).open()

    seats = {int(seat.attrs["data-seat"]): seat for seat in page.root.one(id="seats").all("li")}
    places = [seats[(leader + step) % 4] for step in range(4)]
    assert [[number.text for number in place.all("i", class_="nth")] for place in places] == [["1"], ["2"], ["3"], []]
    said = [place.all("span", class_="sr")[0].text for place in places]
    for text, card, name in zip(said[:3], cards, (names[(leader + step) % 4] for step in range(3)), strict=True):
        assert f"{name}: {card.suit.value} {card.rank}" in text
    assert sum(", the highest" in text for text in said) == 1
    assert f"{names[(leader + 3) % 4]} is to play" in said[3]
    assert f"{cards[0].suit.value} was led" in page.text
    assert "trick 1 of 10" in page.text


def test_a_complete_trick_is_shown_with_its_winner_and_stays_to_be_looked_at(db: None) -> None:
    table = in_tricks()
    table.play_on(lambda state: state.current is not None and len(state.current.tricks) == 1)
    winner = table.state.setup.names[table.state.current.tricks[0].winner]

    page = sits(table, 0).open()

    assert page.root.one(id="trick").attrs["data-last"] == "1-1"
    assert f"{winner} wins" in page.root.one(id="last").text
    assert f"{winner} wins the trick." in page.root.one("p", aria_live="polite").text
    table.step()
    assert len(sits(table, 0).open().root.one(id="last").all("li")) == 4


def test_every_event_is_announced_in_words_with_whose_turn_it_is(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    table.step()
    played, name = table.state.current.table[0], table.state.setup.names[seat]
    nxt = (seat + 1) % 4

    def seen(of: int) -> str:
        return sits(table, of).open().root.one("p", aria_live="polite").text

    words = f"{name} played {played.suit.value} {played.rank}."
    assert seen(nxt) == f"{words} Your turn."
    assert seen(seat) == f"{words} {table.state.setup.names[nxt]} plays."


# --- asking the others ---


def test_a_takeback_asks_all_the_others_and_names_the_cards(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    table.step()
    card = table.full.public.current.table[0]
    name = table.state.setup.names[seat]

    sits(table, seat).open().press("Ask to take back my")

    for other in range(4):
        page = sits(table, other).open()
        assert f"{name} asks to take back: {name} played {card.suit.value} {card.rank}" in page.text
        assert page.offers("Withdraw") == (other == seat)
        assert page.offers("Agree") == page.offers("Refuse") == (other != seat)
    for other in range(4):
        if other != seat:
            sits(table, other).open().press("Agree")
    assert not table.state.current.table


def test_a_takeback_reaches_back_to_ones_own_card(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    table.play_on(cards_on_table(3))

    assert not sits(table, seat).open().offers("Ask to take back my")
    sits(table, seat).open("menu").press("Ask to take back my")

    (asked,) = table.ledger.counting.proposals
    assert len(asked.proposal.seqs) == 3
    assert not sits(table, seat).open("menu").offers("Ask to take back my")


def test_a_request_can_be_refused_and_withdrawn(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    table.step()

    sits(table, seat).open().press("Ask to take back my")
    sits(table, (seat + 1) % 4).open().press("Refuse")
    assert not table.ledger.counting.proposals
    sits(table, seat).open().press("Ask to take back my")
    sits(table, seat).open().press("Withdraw")
    assert not table.ledger.counting.proposals
    assert len(table.state.current.table) == 1


def test_who_refused_a_request_is_said_to_the_seat_that_asked_until_it_acts(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    table.step()
    other = (seat + 1) % 4
    table.propose(seat, "takeback")
    table.answer(other, agrees=False)

    def said(to: int) -> list[str]:
        return [each.text for each in sits(table, to).open().root.all("div", class_="refused")]

    assert said(seat) == [f"{table.state.setup.names[other]} does not agree."]
    assert said(other) == said((seat + 2) % 4) == []
    table.propose(seat, "takeback")
    assert said(seat) == []


def test_two_requests_at_once_are_both_visible(db: None) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    table.step()
    table.propose(seat, "takeback")
    table.propose((seat + 1) % 4, "claim")

    page = sits(table, (seat + 2) % 4).open()

    assert len(page.root.all("section", class_="ask")) == 2
    assert len(page.root.all("button", name="agrees", value="1")) == 2


def test_a_claim_shows_the_hand_of_anyone_who_claims(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "can_claim", lambda view: True)
    table = in_tricks()
    seat = table.state.acting_seats[0]
    mine, other = sits(table, seat), sits(table, (seat + 1) % 4)

    question = mine.open()
    assert question.root.one(id="claim").text == "Show these 10 cards to all and claim the rest?"
    question.press("Claim the remaining tricks")

    page = other.open()
    banner = page.root.one("section", class_="ask")
    assert f"{table.state.setup.names[seat]} claims all remaining tricks" in banner.text
    for card in table.full.hands[seat]:
        assert f"{card.suit.value} {card.rank}" in banner.text
    assert not mine.open().offers("Claim the remaining tricks")
    for step in (1, 2, 3):
        sits(table, (seat + step) % 4).open().press("Agree")
    result = other.open()
    assert f"The remaining tricks were granted to {table.state.setup.names[seat]}." in result.text


def test_a_claim_that_cannot_be_true_is_not_offered(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    table = in_tricks()
    monkeypatch.setattr(page_module, "can_claim", lambda view: False)
    seat = table.state.acting_seats[0]

    assert not sits(table, seat).open().offers("Claim the remaining tricks")
    # A program, and a page that was loaded before, may claim at any time.
    assert send(sits(table, seat), "ask", kind="claim").status == 302


def test_finishing_early_needs_everybody(db: None) -> None:
    table = Phones(dutch(3, rounds=3)).play_on(rounds_finished(1))
    phone = sits(table, 0)
    assert not phone.open().press("Go on").offers("Finish early")

    phone.open("menu").press("Finish early").press("Propose it to all")

    assert not phone.open("menu").offers("Finish early")
    assert table.state.current is not None
    for seat in (1, 2):
        sits(table, seat).open().press("Agree")
    assert "Finished early, after 1 of 3 rounds." in phone.open().text


def test_before_the_first_round_is_complete_no_one_can_ask_to_finish(db: None) -> None:
    table = in_tricks()

    assert not sits(table, 0).open("menu").offers("Finish early")
    assert send(sits(table, 0), "ask", kind="finish").status == 422


def test_asking_for_something_unknown_is_refused(db: None) -> None:
    table = in_tricks()

    assert send(sits(table, 0), "ask", kind="beer").status == 400
    assert send(sits(table, 0), "answer", about="999", agrees="1").status == 409
    assert send(sits(table, 0), "answer", about="x").status == 400


# --- who may not ---


@pytest.mark.parametrize("name", ["act", "ask", "answer", "take_back_seat", "hint", "undo"])
def test_anyone_who_has_no_seat_can_do_nothing(db: None, name: str) -> None:
    table = in_tricks()
    fields = {"do": "play", "card": "red-7", "kind": "claim", "about": "1", "agrees": "1"}

    for key in (table.viewer, table.host):
        before = table.game.version
        assert send(sits(table, main=key), name, **fields).status == 403
        assert table.game.version == before


@pytest.mark.parametrize("name", ["act", "ask", "answer", "take_back_seat", "hint"])
def test_for_a_stranger_there_is_no_table(db: None, name: str) -> None:
    table, stranger = in_tricks(), Phone()
    stranger.table = table

    assert stranger.open().status == 404
    assert send(stranger, name, do="play", card="red-7", kind="claim", about="1").status == 404


@pytest.mark.parametrize("name", ["ask", "answer", "take_back_seat", "hint"])
def test_nothing_is_done_by_looking(db: None, name: str) -> None:
    assert sits(in_tricks(), 0).open(name).status == 405


# --- bots ---


def test_a_player_takes_the_seat_back_from_a_bot(db: None) -> None:
    table = in_tricks()
    table.put_bot(0, "easy")
    phone = sits(table, 0)

    page = phone.open()
    assert "A bot plays for you." in page.text
    assert not page.root.all("button", name="card")
    assert send(phone, "act", do="play", card=str(table.full.hands[0][0])).status == 409

    page.press("Take your seat back")

    assert table.ledger.bots[0] is None
    assert "A bot plays for you." not in phone.open().text


def test_a_bot_is_distinguished_from_a_player(db: None) -> None:
    table = in_tricks()
    table.put_bot(1, "strong")

    seat = next(node for node in sits(table, 0).open().root.one(id="seats").all("li") if node.attrs["data-seat"] == "1")

    assert "The strong bot" in seat.text


# --- one phone for several seats ---


def test_between_two_seats_of_one_phone_lies_a_cover(db: None) -> None:
    table = Phones(dutch(3, rounds=2))
    phone = sits(table, 0, 1, 2, main=table.host)
    first = table.state.setup.names[table.state.acting_seats[0]]

    page = phone.open()

    assert f"Pass the phone to {first}" in page.text
    assert "in-hand" not in page.html
    shown = page.press(f"I am {first}: show my hand")
    assert shown.root.all(id="hand")
    assert "in-hand" in shown.html


def test_after_a_tap_the_cover_comes_back(db: None) -> None:
    table = Phones(dutch(3, rounds=2))
    seat = table.state.acting_seats[0]
    phone = sits(table, 0, 1, 2, htmx=True)

    page = phone.open(seat=str(seat)).press("Cover 3 points")

    following = table.state.setup.names[table.state.acting_seats[0]]
    assert f"Pass the phone to {following}" in page.text
    assert "in-hand" not in page.html
    assert table.state.current.board.markers == 1


def test_news_bring_the_cover_when_another_of_the_phones_seats_is_due(db: None) -> None:
    table = Phones(dutch(3, rounds=2))
    acting = table.state.acting_seats[0]
    idle = (acting + 1) % 3
    phone = sits(table, acting, idle, htmx=True)

    looked_at = phone.open().press(f"I am {table.state.setup.names[idle]}: show my hand")
    assert "in-hand" in looked_at.html
    assert "open" not in looked_at.root.one(id="table").attrs["data-query"]
    assert "in-hand" not in phone.open(seat=str(idle), since="0").html


@pytest.mark.parametrize("htmx", [False, True])
def test_under_the_cover_the_address_names_no_one_and_loading_it_again_shows_no_hand(db: None, htmx: bool) -> None:
    table = Phones(dutch(3, rounds=2))
    seat = table.state.acting_seats[0]
    other = (seat + 1) % 3
    phone = sits(table, seat, other, htmx=htmx)
    bare = f"/g/{table.id}/"

    tapped = phone.open(seat=str(seat)).press("Cover 3 points")

    if htmx:
        assert tapped.response["HX-Replace-Url"] == bare
    else:
        assert (tapped.address, tapped.response.request["QUERY_STRING"]) == (bare, "")
    for query in ({}, {"seat": str(seat)}, {"seat": str(seat), "round": "1"}):
        again = sits(table, seat, other).open(**query)
        assert f"Pass the phone to {table.state.setup.names[other]}" in again.text
        assert "in-hand" not in again.html


def test_anyone_who_is_not_due_looks_at_their_hand_and_at_the_result_without_an_address_that_shows_it(db: None) -> None:
    table = Phones(dutch(3, rounds=2)).play_on(rounds_finished(1))
    acting = table.state.acting_seats[0]
    idle = (acting + 1) % 3

    page = sits(table, acting, idle).open().press(f"I am {table.state.setup.names[idle]}: show my hand")

    assert "is-result" in page.root.one(id="table").attrs["class"]
    (go_on,) = [form for form in page.root.all("form", has="hx-push-url") if form.text == "Go on"]
    assert "open" not in go_on.attrs["hx-push-url"]
    assert "in-hand" in page.press("Go on").html


def test_a_finished_game_lies_open_on_a_phone_that_goes_round(db: None) -> None:
    table = Phones(dutch(3, rounds=1)).play_on(over)

    page = sits(table, 0, 1).open()

    assert "data-over" in page.root.one(id="table").attrs
    assert page.root.one("section", class_="victory")
    assert "Nobody on this phone has a turn now" not in page.text
    assert sits(table, 0, 1, htmx=True).open(since="0").root.one("section", class_="victory")


# --- seats that are claimed elsewhere, and who is heard of ---


def news_for(phone: Phone, page: Page) -> Page:
    """What a phone is answered that shows this page and asks whether there is anything new."""
    return phone.get(page.address + page.root.one(id="table").attrs["data-query"] + f"&since={page.version}")


@pytest.mark.parametrize("seats", [(0,), (0, 1)])
def test_a_phone_that_keeps_a_key_is_shown_at_once_that_a_seat_was_claimed_elsewhere(
    db: None, seats: tuple[int, ...]
) -> None:
    table = Phones(dutch(3, rounds=2))
    phone = sits(table, *seats, main=table.host, htmx=True)
    page = phone.open(seat="0", open="1")
    assert "in-hand" in page.html
    assert news_for(phone, page).status == 204

    sits(table, 2).get(f"/join/{invitations.invite(game=table.game, role=Role.SEAT, seat=0).token}/").press("Sit down")
    seen = news_for(phone, page)

    assert seen.status == 200
    assert "I am Ana" not in seen.text
    assert seen.root.one(id="table").attrs["data-query"].endswith("own=" + ".".join(map(str, seats[1:])))
    if len(seats) == 1:
        assert "in-hand" not in seen.html
        assert "was taken on another phone" in seen.text
    # Shown once: no page asks for itself again and again.
    assert news_for(phone, seen).status == 204


@pytest.mark.parametrize("main", ["none", "viewer", "host"])
def test_every_seat_of_a_phone_is_heard_of(db: None, main: str) -> None:
    table = Phones(dutch(3, rounds=2))
    Key.objects.filter(pk=table.keys[1].pk).update(at_opening=False)
    keys = {"none": None, "viewer": table.viewer, "host": table.host}
    phone = sits(table, 0, 1, main=keys[main], htmx=True)

    phone.open(since=str(table.game.version))

    heard = hub.present(table.id)
    assert table.keys[1].pk in heard
    # The seat that the host took with the table is known to be on the host's phone.
    assert (table.keys[0].pk in heard) == (main != "host")
    assert main == "none" or keys[main].pk in heard
    assert "data-several" in phone.open().html


def test_a_phone_with_one_key_asks_no_more_often_than_its_line_says(db: None) -> None:
    assert "data-several" not in sits(Phones(dutch(3, rounds=2)), 0).open().html


def test_a_seat_of_thousands_of_digits_is_none(db: None) -> None:
    table = Phones(dutch(3, rounds=2))

    assert sits(table, 0, 1).open(seat="1" * 5000).status == 200


# --- titles and requests ---


def test_the_title_of_a_page_names_no_card_that_lies_face_down(db: None) -> None:
    table = choosing("discard_2", english(3))
    seat = table.state.acting_seats[0]
    table.act(seat, table.view(seat).legal[0])
    own = table.view(seat).chosen or table.view(seat).discarded
    seen = [f"{card.suit.value} {card.rank}" for card in own]

    def reads() -> tuple[str, str, str]:
        page = sits(table, seat).open()
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

    titles = [sits(table, seat).open().root.one("title").text for seat in range(4)]

    name = table.state.setup.names[acting]
    assert titles == ["Your turn · NJET" if seat == acting else f"{name} plays · NJET" for seat in range(4)]
    assert not any(f"{card.suit.value} {card.rank}" in title for title in titles)


def test_only_what_the_next_card_would_let_lapse_holds_up_cards_that_play_themselves(db: None) -> None:
    table = in_tricks(dutch(3, rounds=3)).play_on(rounds_finished(1)).play_on(in_phase(Phase.TRICKS))
    table.step()
    seat = table.state.acting_seats[0]

    def waits() -> bool:
        return "data-asked" in sits(table, seat).open().html

    table.propose((seat + 1) % 3, "finish")
    assert not waits()
    table.propose((seat + 1) % 3, "claim")
    assert waits()
    table.answer(seat, agrees=False)
    assert not waits()
    table.propose((seat + 2) % 3, "takeback")
    assert waits()


def test_what_was_taken_back_is_announced_with_who_had_done_it(db: None) -> None:
    table = in_tricks()
    seat, name = table.state.acting_seats[0], table.state.setup.names[table.state.acting_seats[0]]
    table.step()
    table.propose(seat, "takeback")
    for other in range(4):
        if other != seat:
            table.answer(other)

    heard = sits(table, 0).open().root.one("p", aria_live="polite").text

    assert heard.startswith(f"Taken back: {name} played ")


def test_a_seat_that_the_phone_does_not_bear_is_not_shown(db: None) -> None:
    table = Phones(dutch(3, rounds=2))

    page = sits(table, 0, 1).open(seat="2")

    assert "in-hand" not in page.html


# --- rounds and the end ---


def test_the_result_stays_until_its_reader_goes_on(db: None) -> None:
    table = in_tricks(dutch(3, rounds=2)).play_on(rounds_finished(1))
    phone = sits(table, 0, htmx=True)
    table.step()

    still = phone.open(since="1", round="1")
    assert "is-result" in still.root.one(id="table").attrs["class"]
    assert still.texts(class_="formula")
    assert still.root.one(id="table").attrs["data-query"] == "?round=1&unseen=0&own=0"

    page = still.press("Go on")
    assert "is-board" in page.root.one(id="table").attrs["class"]
    assert page.root.one(id="table").attrs["data-query"] == "?round=2&unseen=0&own=0"


def test_the_result_of_the_last_round_can_be_looked_at_again(db: None) -> None:
    table = in_tricks(dutch(3, rounds=2)).play_on(rounds_finished(1))
    table.step()
    phone = sits(table, 0)

    page = phone.open()
    assert "is-board" in page.root.one(id="table").attrs["class"]

    assert page.press("The result of round 1").texts(class_="formula")


def test_the_end_names_the_winner_and_leads_to_sheet_and_replay(db: None) -> None:
    table = Phones(dutch(3, rounds=1)).play_on(over)

    page = sits(table, 0).open()

    winner = table.state.setup.names[table.state.winners[0]]
    assert winner in page.root.one("section", class_="victory").text
    assert page.offers("Replay")
    assert page.offers("Sheet")
    assert not page.offers("Rematch")
    assert sits(table, 0, main=table.host).open().offers("Rematch")


def test_a_finished_game_takes_no_card(db: None) -> None:
    table = Phones(dutch(3, rounds=1)).play_on(over)

    assert send(sits(table, 0), "act", do="play", card="red-7").status == 422
