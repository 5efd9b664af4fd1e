"""The card that opens a round: what to do with cards and markers, and before the last round what everybody needs."""

from __future__ import annotations

import pytest

from games.pages.parts.conditions import needs, setup_card
from games.pages.table.page import rounds_hint
from games.rules import PublicState, Setup
from tests.builders import CAST, dutch, english, italian, play, setup_of, wikipedia

SEVENS = "Take three 7s of each colour out: they stay out for the whole game."
OTHERS = "Put the other 30 aside, face down."

NJET60 = {
    2: [
        "Cover green, orange and lilac in the top row: nobody plays them. The others: Ana (turquoise) and Ben (pink).",
        f"Ana shuffles and deals 15 cards to each player. {OTHERS}",
        "Ana places first. Markers: 9 for Ana, 8 for Ben.",
    ],
    3: [
        SEVENS,
        "Cover orange and lilac in the top row: nobody plays them. "
        "The others: Ana (turquoise), Ben (pink) and Cleo (green).",
        "Ana shuffles and deals 16 cards to each player.",
        "Ana places first. Everybody has 6 markers.",
    ],
    4: [
        "Cover lilac in the top row: nobody plays it. "
        "The others: Ana (turquoise), Ben (pink), Cleo (green) and Dan (orange).",
        "Ana shuffles and deals 15 cards to each player.",
        "Ana places first. Markers: 5 for Ana, Ben and Cleo, 4 for Dan.",
    ],
    5: ["Ana shuffles and deals 12 cards to each player.", "Ana places first. Everybody has 4 markers."],
}
GOLDSIEBER40 = {
    3: [
        "Ana shuffles and deals 12 cards to each player.",
        "Ben, left of the dealer, places first. Markers: 5 for Ben and Cleo, 4 for Ana.",
    ],
    4: [
        "Ana shuffles and deals 10 cards to each player.",
        "Ben, left of the dealer, places first. Markers: 4 for Ben, Cleo and Dan, 3 for Ana.",
    ],
}
STEPS = {
    **{(preset, players): steps for preset in ("njet-english", "njet-wikipedia") for players, steps in NJET60.items()},
    ("nyet-iello", 3): [
        "Take all 2s, 3s and 4s out: they stay out for the whole game.",
        "Cover fourth animal and fifth animal in the top row: nobody plays them. "
        "The others: Ana (bear), Ben (wolf) and Cleo (third animal).",
        *NJET60[3][2:],
    ],
    **{
        (f"goldsieber-{text}", 3): [
            f"Take all {rank}s out: they stay out for the whole game.",
            f"Cover {fourth} in the top row: nobody plays it. The others: Ana (bear), Ben (wolf) and Cleo (falcon).",
            *GOLDSIEBER40[3],
        ]
        for text, rank, fourth in (("french", 2, "dove"), ("german", 2, "dove"), ("dutch", 4, "raven"))
    },
    **{(f"goldsieber-{text}", 4): GOLDSIEBER40[4] for text in ("french", "dutch", "german", "italian")},
}


def after_rounds(setup: Setup, rounds: int) -> PublicState:
    """A game after this number of rounds, in which only Ana and their team won points."""
    state = PublicState.start(setup)
    for _ in range(rounds):
        tricks = setup.ruleset.dealt
        zeros = " 0" * (state.players - 1)
        start = "0 " if setup.ruleset.options.start_row else ""
        lines = [f"open {start}njet red blue 1"]
        if state.players > 2:
            lines.append(
                "team 1" if state.players == 4 else "team 1 monster 2" if state.players == 3 else "team 1 monster 0"
            )
        state = play(state, *lines, f"tally {tricks}{zeros}")
    return state


@pytest.mark.parametrize(("preset", "players"), STEPS)
def test_the_card_says_what_to_take_out_cover_deal_and_who_places_first(preset: str, players: int) -> None:
    card = setup_card(PublicState.start(setup_of(preset, players)))

    assert card.steps == STEPS[preset, players]


@pytest.mark.parametrize(
    ("players", "markers"),
    [
        (2, "Everybody has 8 markers."),
        (3, "Markers: 6 for Ana, 5 for Ben and Cleo."),
        (4, "Everybody has 4 markers."),
        (5, "Markers: 4 for Ana, 3 for Ben, Cleo, Dan and Eve."),
    ],
)
def test_without_the_start_row_sixteen_markers_are_played(players: int, markers: str) -> None:
    card = setup_card(PublicState.start(english(players, start_row=False)))

    assert "The start player row is not used: play with 16 markers." in card.steps
    assert not any("top row" in step for step in card.steps)
    assert card.steps[-1] == f"Ana places first. {markers}"


@pytest.mark.parametrize("removal", ["all_2s", "all_4s"])
def test_what_is_taken_out_follows_the_option(removal: str) -> None:
    card = setup_card(PublicState.start(dutch(3, three_player_removal=removal)))

    assert card.steps[0] == f"Take all {removal[4:]} out: they stay out for the whole game."


def test_the_tokens_that_no_one_took_are_named_in_the_order_of_the_board() -> None:
    card = setup_card(PublicState.start(english(3, tokens=["orange", "pink", "turquoise"])))

    step = "Cover green and lilac in the top row: nobody plays them. "
    assert f"{step}The others: Ana (orange), Ben (pink) and Cleo (turquoise)." in card.steps


def test_what_is_taken_out_is_said_once_and_what_is_covered_every_round() -> None:
    card = setup_card(after_rounds(english(3), 1))

    assert card.steps == [
        "Cover orange and lilac in the top row: nobody plays them.",
        "Ben shuffles and deals 16 cards to each player.",
        "Ben places first. Everybody has 6 markers.",
    ]


def test_with_two_players_the_cards_that_lay_aside_are_shuffled_back_in() -> None:
    first, second = setup_card(PublicState.start(english(2))), setup_card(after_rounds(english(2), 1))

    assert "Shuffle all cards together again." not in first.steps
    assert second.steps[0] == "Shuffle all cards together again."


def test_dealer_and_first_placer_move_on_clockwise() -> None:
    for setup, step in [(english(5, dealer=3), 0), (dutch(4, dealer=3), 1)]:
        for number in range(3):
            card = setup_card(after_rounds(setup, number))

            assert card.dealer.name == CAST[(3 + number) % setup.ruleset.players]
            assert card.steps[-1].startswith(CAST[(3 + number + step) % setup.ruleset.players])


def test_the_option_says_who_places_first() -> None:
    left = setup_card(PublicState.start(english(5, first_placer="left_of_dealer")))
    right = setup_card(PublicState.start(dutch(4, first_placer="dealer")))

    assert left.steps[-1] == "Ben, left of the dealer, places first. Everybody has 4 markers."
    assert right.steps[-1] == "Ana places first. Markers: 4 for Ana, Ben and Cleo, 3 for Dan."


def test_the_first_dealer_is_picked_in_round_1_only() -> None:
    assert setup_card(PublicState.start(dutch(4))).may_pick_dealer
    assert not setup_card(after_rounds(dutch(4), 1)).may_pick_dealer


@pytest.mark.parametrize(
    ("setup", "hinted"), [(dutch(4), True), (italian(), True), (english(4), False), (wikipedia(4), False)]
)
def test_where_the_oldest_player_deals_first_it_is_hinted(setup: Setup, hinted: bool) -> None:
    assert bool(setup_card(PublicState.start(setup)).dealer_hint) is hinted
    assert not setup_card(after_rounds(setup, 1)).dealer_hint


# --- before the last round ---


def standing(*totals: int, rounds: int = 2) -> PublicState:
    """Four players before the last round, with these totals."""
    state = after_rounds(dutch(4, rounds=rounds), rounds - 1)
    base = state.totals
    return play(
        state,
        *(f"penalty {seat} {wanted - base[seat]} x" for seat, wanted in enumerate(totals) if wanted != base[seat]),
    )


@pytest.mark.parametrize(
    ("totals", "lines"),
    [
        (
            (30, 24, 29, 10),
            [
                "Ana leads with 30: 1 point ahead.",
                "Cleo is 1 point behind.",
                "Ben is 6 points behind.",
                "Dan is 20 points behind.",
            ],
        ),
        (
            (30, 30, 24, 10),
            ["Ana and Ben share the lead with 30.", "Cleo is 6 points behind.", "Dan is 20 points behind."],
        ),
        ((7, 7, 7, 7), ["Ana, Ben, Cleo and Dan share the lead with 7."]),
        ((9, 8, 9, 8), ["Ana and Cleo share the lead with 9.", "Ben and Dan are 1 point behind."]),
        (
            (9, 3, 4, 3),
            ["Ana leads with 9: 5 points ahead.", "Cleo is 5 points behind.", "Ben and Dan are 6 points behind."],
        ),
        (
            (-20, -10, -30, -40),
            [
                "Ben leads with −10: 10 points ahead.",
                "Ana is 10 points behind.",
                "Cleo is 20 points behind.",
                "Dan is 30 points behind.",
            ],
        ),
    ],
)
def test_before_the_last_round_everybody_is_shown_what_they_need(totals: tuple[int, ...], lines: list[str]) -> None:
    state = standing(*totals)
    assert state.totals == totals

    assert [line for _seats, line in needs(state)] == lines
    assert setup_card(state).needs == lines


def test_before_an_earlier_round_and_in_a_game_of_one_round_nothing_is_said() -> None:
    assert needs(after_rounds(dutch(4, rounds=3), 1)) == []
    assert needs(PublicState.start(dutch(4, rounds=1))) == []
    assert needs(after_rounds(dutch(4, rounds=2), 2)) == []


@pytest.mark.parametrize(
    ("rounds", "players", "hinted"), [(8, 4, False), (9, 4, True), (1, 2, True), (10, 5, False), (99, 3, False)]
)
def test_a_number_of_rounds_that_does_not_come_round_evenly_is_hinted_at(
    rounds: int, players: int, hinted: bool
) -> None:
    hint = rounds_hint(english(players, rounds=rounds).ruleset)

    assert bool(hint) is hinted
    assert not hinted or hint == "Not everybody deals equally often."
