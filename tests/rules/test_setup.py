"""What is fixed before the first marker: players, tokens, the first dealer (RULES.md sections 1–3)."""

import pytest

from games.rules import Setup
from games.rules.entries import setup_from_json, setup_to_json
from games.rules.errors import (
    NameMissing,
    NameTooLong,
    NameTwice,
    NjetError,
    OpenHandsAreDigital,
    OpenHandsFixed,
    OptionNotAllowed,
    TokenTwice,
    UnknownDealer,
    UnknownToken,
    WrongPlayerCount,
    WrongType,
)
from games.rules.setup import typed_names
from games.rules.text import clean_line
from tests.builders import dutch, english, setup_of


def _setup(names=("Ana", "Ben", "Cleo"), preset="njet-english", **fields) -> Setup:
    return Setup.of(preset=preset, names=names, **fields)


def test_players_take_the_tokens_in_the_order_of_the_board() -> None:
    setup = english(3)

    taken = [(seat.name, seat.token) for seat in setup.seats]

    assert taken == [("Ana", "turquoise"), ("Ben", "pink"), ("Cleo", "green")]


def test_a_left_out_token_is_the_next_that_no_player_asked_for() -> None:
    setup = setup_of("njet-english", 4, tokens=[None, "turquoise", None, "pink"])

    taken = [seat.token for seat in setup.seats]

    assert taken == ["green", "turquoise", "orange", "pink"]


@pytest.mark.parametrize(
    ("preset", "players", "tokens", "absent"),
    [
        ("njet-english", 5, None, ()),
        ("njet-english", 4, None, ("lilac",)),
        ("njet-english", 3, ["lilac", "green", "turquoise"], ("pink", "orange")),
        ("njet-english", 2, None, ("green", "orange", "lilac")),
        ("goldsieber-dutch", 4, None, ()),
        ("goldsieber-dutch", 3, ["raven", "bear", "wolf"], ("falcon",)),
    ],
)
def test_tokens_without_a_player_are_covered_already(preset, players, tokens, absent) -> None:
    setup = setup_of(preset, players, tokens=tokens)

    assert setup.absent_tokens == absent


@pytest.mark.parametrize(
    ("fields", "refusal", "params"),
    [
        ({"names": ("Ana", "Ben", "Ana")}, NameTwice, {"name": "Ana"}),
        ({"names": ("Ana", "Ben", " ana ")}, NameTwice, {"name": "ana"}),
        ({"names": ("Straße", "Ben", "STRASSE")}, NameTwice, {"name": "STRASSE"}),
        ({"names": ("Ana", "", "Cleo")}, NameMissing, {"number": 2}),
        ({"names": ("Ana", " \u200b ", "Cleo")}, NameMissing, {"number": 2}),
        ({"names": ("Ana", "Ben", "C" * 41)}, NameTooLong, {"name": "C" * 41, "most": 40}),
        ({"names": ("Ana",)}, WrongPlayerCount, {"players": 1, "allowed": [2, 3, 4, 5]}),
        ({"names": ()}, WrongPlayerCount, {"players": 0, "allowed": [2, 3, 4, 5]}),
        ({"names": tuple("ABCDEF")}, WrongPlayerCount, {"players": 6, "allowed": [2, 3, 4, 5]}),
        ({"tokens": ["pink", None, "pink"]}, TokenTwice, {"token": "pink"}),
        ({"tokens": ["pink", None, "bear"]}, UnknownToken, {"token": "bear"}),
        ({"tokens": ["pink", None, ""]}, UnknownToken, {"token": ""}),
        ({"preset": "goldsieber-dutch", "tokens": ["bear", None, "pink"]}, UnknownToken, {"token": "pink"}),
        ({"dealer": -1}, UnknownDealer, {"dealer": -1}),
        ({"dealer": 3}, UnknownDealer, {"dealer": 3}),
        ({"options": {"rounds": 0}}, OptionNotAllowed, {"option": "rounds", "value": 0, "allowed": "1–99"}),
        ({"options": {"rounds": "9"}}, WrongType, {"field": "rounds", "expected": "whole_number"}),
    ],
)
def test_an_impossible_table_is_refused_and_says_why(
    fields: dict[str, object], refusal: type[NjetError], params: dict[str, object]
) -> None:
    with pytest.raises(NjetError) as refused:
        _setup(**fields)

    assert (type(refused.value), refused.value.params) == (refusal, params)


def test_a_name_of_forty_letters_fits_on_the_sheet() -> None:
    setup = _setup(("Ana", "Ben", "C" * 40))

    assert setup.names[2] == "C" * 40


def test_names_are_written_in_one_clean_line() -> None:
    setup = _setup((" Ana  Maria ", "Ben\n", "Cleo\u200b"))

    assert setup.names == ("Ana Maria", "Ben", "Cleo")


def test_the_left_neighbour_deals_the_next_round() -> None:
    setup = english(4, dealer=2)

    dealers = [setup.dealer_of(number) for number in range(1, 7)]

    assert dealers == [2, 3, 0, 1, 2, 3]


def test_names_can_be_corrected_and_nothing_else_changes() -> None:
    setup = dutch(3, dealer=1, rounds=4, captured_from="everyone")

    corrected = setup.corrected(names=["Anna", "Ben", "Cleo"])

    assert corrected.names == ("Anna", "Ben", "Cleo")
    assert corrected.corrected(names=setup.names) == setup


def test_tokens_can_be_exchanged() -> None:
    setup = dutch(3)

    corrected = setup.corrected(tokens=["raven", "bear", "wolf"])

    assert [seat.token for seat in corrected.seats] == ["raven", "bear", "wolf"]
    assert (corrected.names, corrected.ruleset) == (setup.names, setup.ruleset)


@pytest.mark.parametrize(("wrong", "right"), [(0, 3), (3, 0), (2, 1)])
def test_the_first_dealer_can_be_corrected(wrong: int, right: int) -> None:
    setup = english(4, dealer=wrong)

    corrected = setup.corrected(dealer=right)

    assert [corrected.dealer_of(number) for number in (1, 2)] == [right, (right + 1) % 4]
    assert corrected == english(4, dealer=right)


def test_the_number_of_rounds_can_be_changed_and_the_other_options_stay() -> None:
    setup = english(4, start_row=False, must_trump_when_void=True)

    corrected = setup.corrected(rounds=5)

    assert corrected.ruleset.options.to_json() == {**setup.ruleset.options.to_json(), "rounds": 5}


@pytest.mark.parametrize(
    ("fields", "refusal", "params"),
    [
        ({"names": ["Ana", "Ben"]}, WrongPlayerCount, {"players": 2, "allowed": [3]}),
        ({"names": ["Ana", "Ben", "Cleo", "Dan"]}, WrongPlayerCount, {"players": 4, "allowed": [3]}),
        ({"names": ["Ana", "Ben", "Ben"]}, NameTwice, {"name": "Ben"}),
        ({"tokens": ["pink", "green"]}, WrongPlayerCount, {"players": 2, "allowed": [3]}),
        ({"tokens": ["pink", "pink", "green"]}, TokenTwice, {"token": "pink"}),
        ({"tokens": ["pink", "bear", "green"]}, UnknownToken, {"token": "bear"}),
        ({"dealer": 3}, UnknownDealer, {"dealer": 3}),
        ({"rounds": 0}, OptionNotAllowed, {"option": "rounds", "value": 0, "allowed": "1–99"}),
    ],
)
def test_a_correction_cannot_make_a_table_impossible(
    fields: dict[str, object], refusal: type[NjetError], params: dict[str, object]
) -> None:
    setup = english(3)

    with pytest.raises(NjetError) as refused:
        setup.corrected(**fields)

    assert (type(refused.value), refused.value.params) == (refusal, params)


def test_the_italian_table_has_no_removal_and_can_be_corrected_too() -> None:
    setup = setup_of("goldsieber-italian", 4)

    corrected = setup.corrected(rounds=4)

    assert corrected.ruleset.options.three_player_removal is None
    assert corrected.ruleset.options.rounds == 4


def test_a_rematch_is_dealt_by_the_next_dealer() -> None:
    setup = english(4, dealer=1)

    rematch = setup.rematch(rounds_played=8)

    assert rematch.dealer == 1
    assert setup.rematch(rounds_played=5).dealer == 2
    assert (rematch.seats, rematch.ruleset) == (setup.seats, setup.ruleset)


def test_a_token_for_each_player_or_none_at_all() -> None:
    with pytest.raises(WrongPlayerCount) as refused:
        Setup.of(preset="njet-english", names=["Ana", "Ben"], tokens=["pink"])

    assert refused.value.params == {"players": 1, "allowed": [2]}


def test_the_cards_are_on_a_real_table_unless_the_setup_says_otherwise() -> None:
    setup = english(3)

    assert not Setup(setup.ruleset, setup.seats, setup.dealer).digital
    assert not _setup().digital
    assert _setup(digital=True).digital


@pytest.mark.parametrize("alike", ["ana", "\u0410na", "\u0391na", "Ana\ufe0f", "An\u200ba"])
def test_no_two_typed_names_look_alike(alike: str) -> None:
    with pytest.raises(NameTwice) as refused:
        typed_names(["Ana", "Ben", alike])

    assert refused.value.params == {"name": clean_line(alike)}


def test_typed_names_are_those_that_can_be_seen() -> None:
    assert typed_names([" Ana\ufe0f ", "Ben", "", ""]) == ["Ana", "Ben", "", ""]


def test_a_stored_set_up_is_read_as_it_was_written() -> None:
    """Names that look alike are refused when they are typed, not in a game that has them."""
    stored = _setup(("Ana", "\u0410na", "Ana\ufe0f"))

    assert setup_from_json(setup_to_json(stored)) == stored


# --- all hands after each round ---


def test_a_set_up_without_open_hands_is_written_as_before() -> None:
    written = setup_to_json(_setup(digital=True))

    assert sorted(written) == ["dealer", "digital", "options", "preset", "seats"]
    assert setup_from_json(written).open_hands is False


def test_a_set_up_with_open_hands_is_written_and_read() -> None:
    setup = _setup(digital=True, open_hands=True)

    assert setup_to_json(setup)["open_hands"] is True
    assert setup_from_json(setup_to_json(setup)) == setup


def test_hands_on_a_real_table_are_not_shown() -> None:
    with pytest.raises(OpenHandsAreDigital):
        _setup(open_hands=True)


@pytest.mark.parametrize("agreed", [True, False])
def test_open_hands_outlive_a_correction_and_a_rematch(agreed: bool) -> None:
    setup = _setup(digital=True, open_hands=agreed)

    assert setup.corrected(names=("Ana", "Ben", "Dan"), open_hands=agreed).open_hands is agreed
    assert setup.rematch(rounds_played=2).open_hands is agreed


@pytest.mark.parametrize("agreed", [True, False])
def test_open_hands_are_not_changed(agreed: bool) -> None:
    with pytest.raises(OpenHandsFixed):
        _setup(digital=True, open_hands=agreed).corrected(open_hands=not agreed)
