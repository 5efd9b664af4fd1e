"""The replay of a game with the cards on the phones, as one of its seats knew it."""

from __future__ import annotations

import pytest

from games.pages.replay.page import replay_page
from games.rules import NameTeam, Pass
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable, leaving, over
from tests.cast.seats import watching

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def finished(db: None) -> DigitalTable:
    """A game after its only round."""
    return DigitalTable(dutch(3, rounds=1)).play_on(over)


def test_the_replay_opens_at_the_first_deal(finished: DigitalTable) -> None:
    page = watching(finished).open("replay")

    assert "Dealt: 12 cards each" in page.text
    assert len(page.root.all(class_="hand")) == 3
    assert "First step" not in page.html, "before the deal there is nothing to see"
    assert page.press("Last step").press("First step").address == page.address + "1/"


def test_a_finished_game_is_looked_at_as_one_seat_knew_it(finished: DigitalTable) -> None:
    zoe = watching(finished)
    first = zoe.open("replay_step", 1).press("Ben")

    assert [hand.one(class_="name").text for hand in first.root.all("section", class_="hand")] == ["Ben", "Cleo", "Ana"]
    shown = [node.attrs["data-card"] for node in first.root.all() if "data-card" in node.attrs]
    assert sorted(shown) == sorted(map(str, finished.ledger.entries[0].action.hands[1]))
    assert first.root.one("a", rel="next").attrs["href"] == zoe.address_of("replay_step", 2) + "?seat=1"
    assert next(link.name for link in first.press("Next").root.all("a", aria_current="true")) == "Ben"
    beyond = zoe.client.get(f"/g/{finished.id}/replay/9999/?seat=1")
    assert beyond.headers["Location"].endswith("/?seat=1")


@pytest.mark.parametrize("seat", ["3", "-1", "x", "", "٢", "9" * 5000])
def test_a_seat_that_is_not_there_shows_all_hands(finished: DigitalTable, seat: str) -> None:
    zoe = watching(finished)

    response = zoe.client.get(f"/g/{finished.id}/replay/1/", {"seat": seat})

    assert response.content.decode().count('class="hand') == 4


def test_the_first_team_is_that_of_the_seat_that_looks_else_the_start_players(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=1)).play_on(over)
    done = table.state.finished[0]
    ours, theirs = done.teams.own[0], done.teams.other[0]

    def first_team(looks: int | None, chosen: int | None = None) -> list[set[int]]:
        """In the last trick: around the felt, of the hands, and at the end of the round."""
        ledger = table.seen(looks)
        last = len(ledger.replay.applied)
        before, end = (replay_page(ledger, step, seat=chosen) for step in (last - 1, last))
        return [
            {place.player.seat for place in before.cards.places if place.team == "a"},
            {hand.player.seat for hand in before.cards.hands if hand.team == "a"},
            {line.player.seat for line in before.round.count.lines if line.team == "a"},
            {player.seat for player, _line, _words in end.result.round.teams[0].members},
        ]

    assert first_team(None) == first_team(ours) == first_team(theirs, ours) == [set(done.teams.own)] * 4
    assert first_team(theirs) == first_team(None, theirs) == first_team(ours, theirs) == [set(done.teams.other)] * 4


def test_a_player_sits_at_the_bottom_of_the_felt_and_their_hand_is_the_next_below_it(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=1)).play_on(over)

    def around(looks: int | None, chosen: int | None = None) -> tuple[list[int], list[int]]:
        ledger = table.seen(looks)
        cards = replay_page(ledger, len(ledger.replay.applied) - 1, seat=chosen).cards
        return [place.player.seat for place in cards.places], [hand.player.seat for hand in cards.hands]

    assert [around(seat) for seat in range(3)] == [
        ([1, 2, 0], [0, 1, 2]),
        ([2, 0, 1], [1, 2, 0]),
        ([0, 1, 2], [2, 0, 1]),
    ]
    assert around(1, chosen=0) == around(None, chosen=0) == around(0)
    assert around(None) == ([0, 1, 2], [0, 1, 2])


def test_before_the_first_trick_the_seats_are_around_the_felt_with_what_they_give(db: None) -> None:
    ledger = DigitalTable(english(4, rounds=1)).play_on(over, leaving("discard:pass_2_right")).ledger
    steps = list(enumerate(ledger.replay.applied, start=1))
    (named,) = (number for number, step in steps if isinstance(step.action, NameTeam))
    passed = [(number, step) for number, step in steps if isinstance(step.action, Pass)]
    first = passed[0]

    def given(number: int, seat: int | None = None) -> dict[str, list[str]]:
        return {
            place.player.name: [card.code for card in place.given]
            for place in replay_page(ledger, number, seat=seat).cards.places
        }

    assert given(named - 1) == {}, "the board lies there"
    assert given(named) == {"Ana": [], "Ben": [], "Cleo": [], "Dan": []}
    name = ledger.current_setup.names[first[1].seat]
    assert {who for who, cards in given(first[0]).items() if cards} == {name}
    assert sorted(given(first[0])[name]) == sorted(map(str, first[1].action.cards))
    assert [len(cards) for cards in given(passed[-1][0]).values()] == [2, 2, 2, 2], (
        "they lie there until the first trick"
    )
    assert given(passed[-1][0] + 1) == {"Ana": [], "Ben": [], "Cleo": [], "Dan": []}
    assert {who for who, cards in given(passed[-1][0], seat=1).items() if cards} == {"Ben"}, "as Ben knew it"
