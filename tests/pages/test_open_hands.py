"""All hands after each round: on the form of a new table, before one sits down, and on the result."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.keys import invitations, registry
from games.log import store
from games.models import Game, Role
from games.rules import Card, Phase
from games.texts import words
from tests.builders import dutch
from tests.cast.digital import DigitalTable, in_phase, leaving, over, rounds_finished
from tests.cast.groups import new_group
from tests.cast.pages import Page, Phone, come_in
from tests.cast.seats import at_seats, hosting, watching
from tests.pages.digital import send

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

OPEN = replace(dutch(3, rounds=2), digital=True, open_hands=True)
CLOSED = replace(OPEN, open_hands=False)
WITH_BEN = {"mode": "digital", "name-0": "Ana", "name-1": "Ben"}
AGAINST_BOTS = {"mode": "digital", "name-0": "Ana", "plays-1": "easy", "plays-2": "medium"}


def shown_as(page: Page) -> tuple[bool, bool]:
    """Whether the box is checked, and whether it is until it is tapped."""
    box, usual = (page.root.one("input", name=name) for name in ("open_hands", "usual_hands"))
    return "checked" in box.attrs, usual.attrs["value"] == "1"


def the_game() -> Game:
    return Game.objects.latest("created_at")


# --- a new table ---


def test_against_bots_all_hands_are_shown_unless_it_is_unchecked() -> None:
    page = Phone().open("home").press("Play against bots")
    assert shown_as(page) == (True, True)

    page.press("Start")
    assert the_game().setup["open_hands"] is True

    Phone().open("home").press("Play against bots").fill_in({"open_hands": None}, press="Start")
    assert "open_hands" not in the_game().setup


def test_with_friends_hands_stay_hidden_unless_it_is_checked() -> None:
    page = Phone().open("new")
    assert shown_as(page) == (False, False)

    page.fill_in(WITH_BEN, press="Start")
    assert "open_hands" not in the_game().setup

    Phone().open("new").fill_in({**WITH_BEN, "open_hands": "on"}, press="Start")
    assert the_game().setup["open_hands"] is True


def test_the_box_follows_who_plays_until_it_is_tapped() -> None:
    page = Phone().open("new")

    filled = page.fill_in(AGAINST_BOTS, press="Draw tokens")
    assert shown_as(filled) == (True, True)
    assert shown_as(filled.fill_in({"plays-1": "person"}, press="Draw tokens")) == (False, False)

    tapped = filled.fill_in({"open_hands": None}, press="Draw tokens")
    assert shown_as(tapped) == (False, True)
    assert shown_as(tapped.press("Draw tokens")) == (False, True)
    assert shown_as(page.fill_in({**WITH_BEN, "open_hands": "on"}, press="Draw tokens")) == (True, False)


def test_what_is_seen_without_script_is_what_counts() -> None:
    """Bots that are chosen on the page check no box before the server has answered."""
    Phone().open("new").fill_in(AGAINST_BOTS, press="Start")

    assert "open_hands" not in the_game().setup


def test_with_cards_on_the_table_the_box_counts_for_nothing() -> None:
    Phone().open("new").fill_in({"name-0": "Ana", "name-1": "Ben", "open_hands": "on"}, press="Start")

    assert "open_hands" not in the_game().setup


def test_after_a_refusal_the_box_is_as_it_was_tapped() -> None:
    page = Phone().open("new").fill_in({**WITH_BEN, "name-1": "Ana", "open_hands": "on"}, press="Start")

    assert (page.status, shown_as(page)) == (422, (True, False))


@pytest.mark.parametrize("box", ["on", None])
def test_the_same_players_again_agree_on_the_same(box: str | None) -> None:
    phone = Phone()
    phone.open("new").fill_in({**WITH_BEN, "open_hands": box}, press="Start")

    page = phone.open("new").press("Ana and Ben again")

    assert shown_as(page) == (box is not None, False)


# --- read before one sits down, and where the rules of a table are looked for ---


def says_so(page: Page) -> bool:
    return len(page.root.all(id="open-hands")) == 1


@pytest.mark.parametrize("setup", [OPEN, CLOSED])
def test_who_takes_a_seat_reads_it_first(setup) -> None:
    game = DigitalTable(setup)
    registry.free_seat(game.game, 1)
    to_seat = invitations.invite(game=game.game, role=Role.SEAT, seat=1)
    to_table = invitations.invite(game=game.game, role=Role.SEAT, maker=game.host)
    to_watch = invitations.invite(game=game.game, role=Role.VIEWER)

    for invitation in (to_seat, to_table, to_watch):
        assert says_so(Phone().get(f"/join/{invitation.token}/")) is setup.open_hands
        assert says_so(Phone().post_to("/join/", {"code": invitation.code})) is setup.open_hands


def test_who_takes_over_from_a_bot_that_filled_in_reads_it_first() -> None:
    game = DigitalTable(OPEN)
    registry.free_seat(game.game, 1)
    to_table = invitations.invite(game=game.game, role=Role.SEAT, maker=game.host)
    game.put_bot(1, "easy")

    page = Phone().get(f"/join/{to_table.token}/")

    assert page.offers("Sit down as Ben")
    assert says_so(page)


def test_a_member_of_the_group_reads_it_before_sitting_down() -> None:
    group = new_group()
    games = [DigitalTable(setup, group=group) for setup in (OPEN, CLOSED)]
    member = come_in(group)

    for game in games:
        registry.free_seat(game.game, 1)

    pages = [member.get(f"/g/{game.id}/enter/") for game in games]
    assert [page.offers("Play Ben") for page in pages] == [True, True]
    assert [says_so(page) for page in pages] == [True, False]


def before_sitting_down(game: DigitalTable) -> dict[str, bool]:
    """Whether each page says so on which the host invites, or on which somebody joins."""
    host = hosting(game, 0)
    pages = {name: host.open(name) for name in ("menu", "phones")}
    for name, role, seat in (("table", Role.SEAT, None), ("seat", Role.SEAT, 1), ("viewer", Role.VIEWER, None)):
        invitation = invitations.invite(game=game.game, role=role, seat=seat, maker=game.host)
        pages[name] = Phone().get(f"/join/{invitation.token}/")
    return {name: says_so(page) for name, page in pages.items()}


@pytest.mark.parametrize("setup", [OPEN, CLOSED])
def test_it_is_said_wherever_somebody_may_agree_until_all_sit_or_a_round_was_shown(setup) -> None:
    game = DigitalTable(setup)
    assert not any(before_sitting_down(game).values())

    registry.free_seat(game.game, 1)
    assert set(before_sitting_down(game).values()) == {setup.open_hands}
    game.play_on(in_phase(Phase.TRICKS))
    assert set(before_sitting_down(game).values()) == {setup.open_hands}

    game.play_on(rounds_finished(1))
    assert not any(before_sitting_down(game).values())
    game.play_on(over)
    assert not any(before_sitting_down(game).values())


def test_the_rules_of_the_table_name_it() -> None:
    def agreed(setup) -> str:
        return at_seats(DigitalTable(setup), 1).open("rules").root.one("section", id="agreed").text

    assert "shown to everybody after each round" in agreed(OPEN)
    assert "shown to everybody" not in agreed(CLOSED)


# --- the result of a round ---


def finished_round(setup=OPEN, *, space: str = "discard_1") -> DigitalTable:
    return DigitalTable(setup).play_on(rounds_finished(1), leaving(f"discard:{space}"))


def fold(page: Page) -> list[str]:
    """What the fold says of each hand."""
    return [hand.name for hands in page.root.all("details", id="hands") for hand in hands.all("li") if hand.all("ul")]


def test_the_result_shows_every_hand_as_it_was_dealt_with_its_discard_apart() -> None:
    game = finished_round()
    first = game.ledger.entry(1).action
    discards = {
        entry.seat: entry.action.cards
        for entry in game.ledger.entries
        if hasattr(entry, "seat") and entry.seat is not None
    }

    for phone in (at_seats(game, 1), watching(game)):
        lines = fold(phone.open("table"))
        assert len(lines) == 3
        for seat, line in enumerate(lines):
            kept, away = line.split(" discarded ")
            assert kept.startswith(game.ledger.current_setup.names[seat])
            named = [words.card_name(card) for card in discards[seat]]
            assert away == " ".join(named)
            dealt = sorted(words.card_name(card) for card in first.hands[seat])
            shown = kept.removeprefix(game.ledger.current_setup.names[seat])
            for name in set(dealt):
                assert (shown + away).count(name) == dealt.count(name)


def test_the_cards_of_a_hand_stand_in_a_line_for_each_suit() -> None:
    game = finished_round()
    suits = game.state.ruleset.edition.suits

    hands = [
        each for each in at_seats(game, 1).open("table").root.one("details", id="hands").all("li") if each.all("ul")
    ]

    for hand in hands:
        lines = [[card.attrs["data-card"] for card in line.all(has="data-card")] for line in hand.one("ul").all("li")]
        assert len(lines) == len(suits)
        for suit, cards in zip(suits, lines, strict=True):
            ranks = [Card.parse(card).rank for card in cards if Card.parse(card).suit is suit]
            assert ranks == sorted(ranks)
            assert len(ranks) == len(cards)


def test_no_card_of_the_running_round_is_on_the_page_of_a_spectator() -> None:
    page = watching(game := finished_round()).open("table")

    assert game.state.phase is Phase.PLACING
    assert [card for card in page.root.all(has="data-card") if card.around("details") is None] == []
    assert not page.root.all(id="hand")


def test_without_the_agreement_there_is_no_fold() -> None:
    for space in ("discard_1", "njet"):
        assert fold(at_seats(finished_round(CLOSED, space=space), 1).open("table")) == []


def test_the_fold_goes_with_the_result() -> None:
    game = finished_round()

    page = at_seats(game, 1).get(f"/g/{game.id}/?round=2")

    assert page.root.one(id="table").attrs["data-scene"].startswith("board")
    assert fold(page) == []
    assert len(fold(at_seats(game, 1).get(f"/g/{game.id}/?round=1"))) == 3


def test_the_last_round_shows_its_hands_too() -> None:
    game = DigitalTable(OPEN).play_on(over, leaving("discard:njet"))

    lines = fold(at_seats(game, 1).get(f"/g/{game.id}/?round=2"))

    assert len(lines) == 3
    assert not any("discarded" in line for line in lines)


def test_nothing_is_taken_back_over_the_end_of_a_shown_round() -> None:
    game = finished_round()
    phone = at_seats(game, 1)
    phone.open("table")
    before = game.game.version

    for name, fields in (("undo", {}), ("ask", {"kind": "takeback"}), ("ask", {"kind": "takeback", "to_seq": "1"})):
        page = send(phone, name, **fields)
        assert (page.status, page.code) == (409, "hands_shown")
    assert game.game.version == before


def why_not(page: Page) -> str | None:
    """Why nothing is taken back, by the tool in its place; None where it is no question or something can be."""
    buttons = [form.one("button") for form in page.root.all("form", class_="undo")]
    return next((button.attrs["title"] for button in buttons if "aria-disabled" in button.attrs), None)


def test_where_undo_was_it_is_said_why_nothing_of_the_shown_round_is_taken_back() -> None:
    game = finished_round()
    phone = at_seats(game, 1)
    said = "All hands of round 1 are shown: nothing before its end can be taken back."

    for query in ({}, {"round": "2"}):
        assert why_not(phone.open("table", **query)) == said
    refused = phone.open("table", round="2").press(said)
    assert (refused.status, refused.code, said in refused.text) == (409, "hands_shown", True)

    assert why_not(watching(game).open("table", round="2")) is None
    assert why_not(at_seats(finished_round(CLOSED), 1).open("table", round="2")) is None
    assert why_not(at_seats(DigitalTable(OPEN), 1).open("table")) is None


def test_undo_is_back_with_the_first_move_of_the_round() -> None:
    game = finished_round()
    seat = game.state.acting_seats[0]
    game.step()

    page = at_seats(game, seat).open("table", round="2")

    assert why_not(page) is None
    assert "Ask to take back my marker" in page.text


def test_the_replay_of_a_running_game_has_the_hands_of_finished_rounds() -> None:
    game = DigitalTable(OPEN).play_on(rounds_finished(1)).play_on(in_phase(Phase.TRICKS))
    last = len(game.ledger.replay.applied)
    phone = watching(game)

    shown = phone.get(f"/g/{game.id}/replay/5/")
    running = phone.get(f"/g/{game.id}/replay/{last}/")

    assert len(shown.root.all("section", class_="hand")) == 3
    assert running.root.all("section", class_="hand") == []
    assert store.refold(game.game).state == game.state
