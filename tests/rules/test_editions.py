"""RULES.md section 1, the first table: the fixed facts of the editions."""

from collections import Counter

import pytest

from games.rules import EDITIONS, PublicState, RowKey
from games.rules.editions import EXCHANGES, THREE_RANKS
from tests.builders import dutch, english, iello

NJET60, GOLDSIEBER40, NYET60 = (EDITIONS[key] for key in ("njet60", "goldsieber40", "nyet60"))


def test_there_are_three_editions() -> None:
    assert list(EDITIONS) == ["njet60", "goldsieber40", "nyet60"]


@pytest.mark.parametrize(
    ("edition", "suits", "ranks", "size"),
    [
        (NJET60, "red black blue yellow", "0 0 0 1 2 3 4 5 6 7 7 7 7 8 9", 60),
        (GOLDSIEBER40, "red black blue green", "1 1 2 3 4 5 6 7 8 9", 40),
        (NYET60, "red yellow blue green", "1 1 1 2 3 4 5 6 7 8 9 10 11 12 13", 60),
    ],
    ids=["njet60", "goldsieber40", "nyet60"],
)
def test_the_deck_has_these_ranks_in_each_suit(edition, suits: str, ranks: str, size: int) -> None:
    wanted = Counter(f"{suit}-{rank}" for suit in suits.split() for rank in ranks.split())

    deck = edition.deck(players=4, removal=None)

    assert Counter(map(str, deck)) == wanted
    assert len(deck) == size


@pytest.mark.parametrize(("edition", "rank", "count"), [(NJET60, 0, 12), (GOLDSIEBER40, 1, 8), (NYET60, 1, 12)])
def test_twelve_zeros_or_eight_or_twelve_ones_can_be_captured(edition, rank: int, count: int) -> None:
    deck = edition.deck(players=4, removal=None)

    capturable = [card for card in deck if card.rank == edition.capturable_rank]

    assert (edition.capturable_rank, edition.capturable_cards, len(capturable)) == (rank, count, count)


def test_the_tokens_stand_in_row_1_left_to_right() -> None:
    tokens = {key: edition.tokens for key, edition in EDITIONS.items()}

    assert tokens == {
        "njet60": ("turquoise", "pink", "green", "orange", "lilac"),
        "goldsieber40": ("bear", "wolf", "falcon", "raven"),
        "nyet60": ("bear", "wolf", "third", "fourth", "fifth"),
    }


@pytest.mark.parametrize(
    ("edition", "row", "spaces"),
    [
        (NJET60, "discard", "discard_1 discard_2 discard_2_no_zero pass_2_right njet"),
        (NJET60, "trump", "red black blue yellow njet"),
        (NJET60, "supertrump", "red black blue yellow njet"),
        (NJET60, "points", "1 2 3 4 -2"),
        (GOLDSIEBER40, "discard", "discard_1 discard_2 njet"),
        (GOLDSIEBER40, "trump", "red black blue green"),
        (GOLDSIEBER40, "supertrump", "red black blue green njet"),
        (GOLDSIEBER40, "points", "1 2 3 4"),
        (NYET60, "discard", "discard_1 discard_2 discard_2_no_one pass_2_left njet"),
        (NYET60, "trump", "red yellow blue green njet"),
        (NYET60, "supertrump", "red yellow blue green njet"),
        (NYET60, "points", "1 2 3 4 -2"),
    ],
)
def test_the_rows_have_these_spaces(edition, row: str, spaces: str) -> None:
    row_key = RowKey(row)

    found = edition.spaces[row_key]

    assert " ".join(found) == spaces


@pytest.mark.parametrize(("setup", "spaces", "markers"), [(english(5), 25, 20), (iello(5), 25, 20), (dutch(4), 20, 15)])
def test_a_full_table_has_25_spaces_for_20_markers_or_20_for_15(setup, spaces: int, markers: int) -> None:
    state = PublicState.start(setup)

    on_the_board = sum(len(row.spaces) for row in state.current.board.rows)

    assert (on_the_board, sum(state.markers_left)) == (spaces, markers)


def test_boxes_of_60_cards_are_for_2_to_5_players_and_goldsieber_for_3_or_4() -> None:
    counts = {key: edition.player_counts for key, edition in EDITIONS.items()}

    assert counts == {"njet60": (2, 3, 4, 5), "goldsieber40": (3, 4), "nyet60": (2, 3, 4, 5)}


@pytest.mark.parametrize(
    ("edition", "players", "removal", "dealt", "aside"),
    [
        (NJET60, 2, None, 15, 30),
        (NJET60, 3, "three_7s", 16, 0),
        (NJET60, 4, None, 15, 0),
        (NJET60, 5, None, 12, 0),
        (GOLDSIEBER40, 3, "all_2s", 12, 0),
        (GOLDSIEBER40, 3, "all_4s", 12, 0),
        (GOLDSIEBER40, 4, None, 10, 0),
        (NYET60, 2, None, 15, 30),
        (NYET60, 3, "all_2s_3s_4s", 16, 0),
        (NYET60, 3, "all_5s_12s_13s", 16, 0),
        (NYET60, 4, None, 15, 0),
        (NYET60, 5, None, 12, 0),
    ],
)
def test_every_card_is_dealt_but_with_two_players_30_stay_aside(edition, players, removal, dealt, aside) -> None:
    deck = edition.deck(players=players, removal=removal)

    each = edition.dealt[players]

    assert each == dealt
    assert len(deck) - players * each == aside


@pytest.mark.parametrize(
    ("edition", "removal", "ranks", "left"),
    [
        (NJET60, "three_7s", {7}, 1),
        (GOLDSIEBER40, "all_2s", {2}, 0),
        (GOLDSIEBER40, "all_4s", {4}, 0),
        (NYET60, "all_2s_3s_4s", {2, 3, 4}, 0),
        (NYET60, "all_5s_12s_13s", {5, 12, 13}, 0),
    ],
)
def test_with_three_players_the_removal_leaves_the_deck_in_each_suit(edition, removal, ranks, left) -> None:
    whole = Counter(edition.deck(players=4, removal=removal))

    small = Counter(edition.deck(players=3, removal=removal))

    assert {card.rank for card in whole - small} == ranks
    assert all(small[card] == left for card in whole if card.rank in ranks)


@pytest.mark.parametrize("players", [2, 4, 5])
def test_without_three_players_nothing_leaves_the_deck(players: int) -> None:
    deck = NJET60.deck(players=players, removal="three_7s")

    assert len(deck) == 60


def test_only_boxes_of_60_cards_have_a_card_for_the_monster_and_a_start_row_that_may_be_off() -> None:
    facts = {key: (edition.has_monster_card, edition.start_row_may_be_off) for key, edition in EDITIONS.items()}

    assert facts == {"njet60": (True, True), "goldsieber40": (False, False), "nyet60": (True, True)}


def test_discarded_cards_leave_the_round_and_passed_ones_do_not() -> None:
    gone = {space: exchange.discarded for space, exchange in EXCHANGES.items()}

    assert gone == {
        "discard_1": 1,
        "discard_2": 2,
        "discard_2_no_zero": 2,
        "discard_2_no_one": 2,
        "pass_2_right": 0,
        "pass_2_left": 0,
        "njet": 0,
    }


def test_of_the_box_of_2015_any_three_ranks_from_2_to_13_may_leave_the_deck() -> None:
    assert len(THREE_RANKS) == 220
    assert next(iter(THREE_RANKS)) == "all_2s_3s_4s"
    assert {rank for ranks in THREE_RANKS.values() for rank in ranks} == set(range(2, 14))
