"""RULES.md sections 1 and 2: options, presets, and what each number of players deals and places."""

import pytest

from games.rules import DEFAULT_PRESET, EDITIONS, PRESETS, Ruleset, allowed_values, find_preset
from games.rules.editions import THREE_RANKS
from games.rules.errors import (
    NjetError,
    OptionNotAllowed,
    UnknownOption,
    UnknownPreset,
    WrongPlayerCount,
    WrongType,
)
from games.rules.options import OPTIONS, CapturedFrom, DiscardTiming, FirstPlacer, ScoreRecord, SupertrumpSuit
from tests.rules.tables import table_below

(_, *_HEADINGS), *_ROWS = table_below("### 2.2 Presets")
STATED = {heading.strip("`"): {row[0]: row[place] for row in _ROWS} for place, heading in enumerate(_HEADINGS, 1)}
"""By preset and name of the row, what the table of RULES.md says."""


def test_the_presets_are_those_of_the_table_and_njet_english_is_the_default() -> None:
    assert DEFAULT_PRESET == "njet-english"
    assert list(STATED) == list(PRESETS)


@pytest.mark.parametrize("key", PRESETS)
def test_each_preset_is_as_the_table_says(key: str) -> None:
    preset = find_preset(key)
    counts = preset.player_counts
    options = Ruleset.of(key, counts[0]).options.to_json()
    short = [f"{players}: {rounds}" for players, rounds in preset.short_rounds.items()]

    stated = STATED[key]

    assert preset.defaults.keys() == OPTIONS.keys() - {"rounds"}
    assert stated == {
        "text": preset.source,
        "edition": f"`{preset.edition.key}`",
        "players": "–".join(map(str, sorted({counts[0], counts[-1]}))),
        "`rounds` with 2 / 3 / 4 / 5 players": " / ".join(str(preset.rounds.get(count, "–")) for count in (2, 3, 4, 5)),
        "short game": "; ".join(short).replace(":", " players:", 1) or "–",
        **{f"`{name}`": _spelled(name, value) for name, value in options.items() if name != "rounds"},
    }
    for players in counts:
        assert Ruleset.of(key, players).options.rounds == preset.rounds[players]


def _spelled(name: str, value: str | int | bool | None) -> str:
    """The value of an option as the table writes it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return ("off", "on")[value] if name == "start_row" else ("no", "yes")[value]
    return f"`{value}`"


@pytest.mark.parametrize(
    ("edition", "removals", "start_row"),
    [
        ("njet60", ["three_7s"], [True, False]),
        ("goldsieber40", ["all_2s", "all_4s"], [True]),
        ("nyet60", list(THREE_RANKS), [True, False]),
    ],
)
def test_each_edition_allows_these_values(edition: str, removals: list[str], start_row: list[bool]) -> None:
    allowed = allowed_values(EDITIONS[edition])

    values = {name: list(values) for name, values in allowed.items()}

    every_value = {name: list(option.names) for name, option in OPTIONS.items() if not option.is_number}
    assert values == {**every_value, "three_player_removal": removals, "start_row": start_row}


@pytest.mark.parametrize("key", PRESETS)
def test_every_option_can_be_overridden_where_the_edition_allows_it(key: str) -> None:
    preset = find_preset(key)
    before = Ruleset.of(key, 4).options.to_json()

    for name, values in allowed_values(preset.edition).items():
        for value in values:
            after = Ruleset.of(key, 4, {name: value}).options.to_json()

            assert after == {**before, name: value}


@pytest.mark.parametrize("rounds", [1, 7, 8, 99])
def test_a_number_of_rounds_that_is_no_multiple_of_the_players_is_allowed(rounds: int) -> None:
    ruleset = Ruleset.of("njet-english", 5, {"rounds": rounds})

    assert ruleset.options.rounds == rounds


@pytest.mark.parametrize(
    ("options", "rounds"), [({"target": 100}, 99), ({"target": 100, "rounds": 6}, 6), ({"target": None}, 8)]
)
def test_a_game_that_ends_by_points_has_as_many_rounds_as_are_named_or_no_bound(options, rounds: int) -> None:
    ruleset = Ruleset.of("njet-english", 4, options)

    assert (ruleset.options.target, ruleset.options.rounds) == (options["target"], rounds)


@pytest.mark.parametrize("key", PRESETS)
def test_the_resolved_options_make_the_same_rules_again(key: str) -> None:
    ruleset = Ruleset.of(key, 4, {"captured_from": "everyone", "rounds": 5})

    again = Ruleset.of(key, 4, ruleset.options.to_json())

    assert again == ruleset


@pytest.mark.parametrize(
    ("preset", "players", "options", "refusal", "params"),
    [
        ("njet-russian", 4, {}, UnknownPreset, {"preset": "njet-russian"}),
        ("", 4, {}, UnknownPreset, {"preset": ""}),
        ("njet-english", 0, {}, WrongPlayerCount, {"players": 0, "allowed": [2, 3, 4, 5]}),
        ("njet-english", 1, {}, WrongPlayerCount, {"players": 1, "allowed": [2, 3, 4, 5]}),
        ("njet-english", 6, {}, WrongPlayerCount, {"players": 6, "allowed": [2, 3, 4, 5]}),
        ("njet-wikipedia", 6, {}, WrongPlayerCount, {"players": 6, "allowed": [2, 3, 4, 5]}),
        ("goldsieber-french", 2, {}, WrongPlayerCount, {"players": 2, "allowed": [3, 4]}),
        ("goldsieber-french", 5, {}, WrongPlayerCount, {"players": 5, "allowed": [3, 4]}),
        ("goldsieber-dutch", 2, {}, WrongPlayerCount, {"players": 2, "allowed": [3, 4]}),
        ("goldsieber-dutch", 5, {}, WrongPlayerCount, {"players": 5, "allowed": [3, 4]}),
        ("goldsieber-italian", 3, {}, WrongPlayerCount, {"players": 3, "allowed": [4]}),
        ("goldsieber-italian", 2, {}, WrongPlayerCount, {"players": 2, "allowed": [4]}),
        (
            "goldsieber-dutch",
            4,
            {"start_row": False},
            OptionNotAllowed,
            {"option": "start_row", "value": False, "allowed": "True"},
        ),
        (
            "goldsieber-italian",
            4,
            {"start_row": False},
            OptionNotAllowed,
            {"option": "start_row", "value": False, "allowed": "True"},
        ),
        (
            "njet-english",
            3,
            {"three_player_removal": "all_2s"},
            OptionNotAllowed,
            {"option": "three_player_removal", "value": "all_2s", "allowed": "three_7s"},
        ),
        (
            "njet-wikipedia",
            3,
            {"three_player_removal": "all_4s"},
            OptionNotAllowed,
            {"option": "three_player_removal", "value": "all_4s", "allowed": "three_7s"},
        ),
        (
            "goldsieber-dutch",
            3,
            {"three_player_removal": "three_7s"},
            OptionNotAllowed,
            {"option": "three_player_removal", "value": "three_7s", "allowed": "all_2s, all_4s"},
        ),
        (
            "njet-english",
            4,
            {"first_placer": "right_of_dealer"},
            OptionNotAllowed,
            {"option": "first_placer", "value": "right_of_dealer", "allowed": ", ".join(FirstPlacer)},
        ),
        (
            "njet-english",
            4,
            {"supertrump_suit": "OWN_SUIT"},
            OptionNotAllowed,
            {"option": "supertrump_suit", "value": "OWN_SUIT", "allowed": ", ".join(SupertrumpSuit)},
        ),
        (
            "njet-english",
            4,
            {"captured_from": "partners"},
            OptionNotAllowed,
            {"option": "captured_from", "value": "partners", "allowed": ", ".join(CapturedFrom)},
        ),
        (
            "njet-english",
            4,
            {"score_record": ""},
            OptionNotAllowed,
            {"option": "score_record", "value": "", "allowed": ", ".join(ScoreRecord)},
        ),
        (
            "njet-english",
            4,
            {"discard_timing": "never"},
            OptionNotAllowed,
            {"option": "discard_timing", "value": "never", "allowed": ", ".join(DiscardTiming)},
        ),
        ("njet-english", 4, {"rounds": 0}, OptionNotAllowed, {"option": "rounds", "value": 0, "allowed": "1–99"}),
        ("njet-english", 4, {"rounds": -1}, OptionNotAllowed, {"option": "rounds", "value": -1, "allowed": "1–99"}),
        ("njet-english", 4, {"rounds": 100}, OptionNotAllowed, {"option": "rounds", "value": 100, "allowed": "1–99"}),
        ("njet-english", 4, {"rounds": "8"}, WrongType, {"field": "rounds", "expected": "whole_number"}),
        ("njet-english", 4, {"rounds": 8.0}, WrongType, {"field": "rounds", "expected": "whole_number"}),
        ("njet-english", 4, {"rounds": True}, WrongType, {"field": "rounds", "expected": "whole_number"}),
        ("njet-english", 4, {"rounds": None}, WrongType, {"field": "rounds", "expected": "whole_number"}),
        (
            "njet-english",
            4,
            {"must_trump_when_void": "yes"},
            WrongType,
            {"field": "must_trump_when_void", "expected": "boolean"},
        ),
        (
            "njet-english",
            4,
            {"must_trump_when_void": 1},
            WrongType,
            {"field": "must_trump_when_void", "expected": "boolean"},
        ),
        ("njet-english", 4, {"start_row": 0}, WrongType, {"field": "start_row", "expected": "boolean"}),
        ("njet-english", 4, {"start_row": None}, WrongType, {"field": "start_row", "expected": "boolean"}),
        ("njet-english", 4, {"score_record": True}, WrongType, {"field": "score_record", "expected": "text"}),
        (
            "njet-english",
            3,
            {"three_player_removal": None},
            WrongType,
            {"field": "three_player_removal", "expected": "text"},
        ),
        ("njet-english", 4, {"first_placer": ["dealer"]}, WrongType, {"field": "first_placer", "expected": "text"}),
        ("njet-english", 4, {"target": 9}, OptionNotAllowed, {"option": "target", "value": 9, "allowed": "10–999"}),
        (
            "njet-english",
            4,
            {"target": 1000},
            OptionNotAllowed,
            {"option": "target", "value": 1000, "allowed": "10–999"},
        ),
        ("njet-english", 4, {"target": "100"}, WrongType, {"field": "target", "expected": "whole_number"}),
        ("njet-english", 4, {"target": False}, WrongType, {"field": "target", "expected": "whole_number"}),
        ("njet-english", 4, {"jokers": True}, UnknownOption, {"option": "jokers"}),
        ("njet-english", 4, {"must trump": True}, UnknownOption, {"option": "must trump"}),
    ],
)
def test_what_the_edition_does_not_know_is_refused_and_says_what_it_knows(
    preset, players, options, refusal: type[NjetError], params
) -> None:
    with pytest.raises(NjetError) as refused:
        Ruleset.of(preset, players, options)

    assert (type(refused.value), refused.value.params) == (refusal, params)


MARKERS = [
    ("njet-english", True, 5, 20, (4, 4, 4, 4, 4)),
    ("njet-english", True, 4, 19, (5, 5, 5, 4)),
    ("njet-english", True, 3, 18, (6, 6, 6)),
    ("njet-english", True, 2, 17, (9, 8)),
    ("njet-english", False, 5, 16, (4, 3, 3, 3, 3)),
    ("njet-english", False, 4, 16, (4, 4, 4, 4)),
    ("njet-english", False, 3, 16, (6, 5, 5)),
    ("njet-english", False, 2, 16, (8, 8)),
    ("nyet-iello", True, 5, 20, (4, 4, 4, 4, 4)),
    ("nyet-iello", True, 4, 19, (5, 5, 5, 4)),
    ("nyet-iello", True, 3, 18, (6, 6, 6)),
    ("nyet-iello", True, 2, 17, (9, 8)),
    ("goldsieber-dutch", True, 4, 15, (4, 4, 4, 3)),
    ("goldsieber-dutch", True, 3, 14, (5, 5, 4)),
]


@pytest.mark.parametrize(("preset", "start_row", "players", "placed", "each"), MARKERS)
def test_the_number_of_markers_of_each_player_in_placing_order(preset, start_row, players, placed, each) -> None:
    ruleset = Ruleset.of(preset, players, {"start_row": start_row})

    for first_placer in range(players):
        by_seat = ruleset.markers(first_placer=first_placer)

        in_placing_order = by_seat[first_placer:] + by_seat[:first_placer]
        assert in_placing_order == each
        assert sum(by_seat) == placed


@pytest.mark.parametrize(
    ("preset", "players", "njet", "one", "two"),
    [
        ("njet-english", 2, 15, 14, 13),
        ("njet-english", 3, 16, 15, 14),
        ("njet-english", 4, 15, 14, 13),
        ("njet-english", 5, 12, 11, 10),
        ("nyet-iello", 3, 16, 15, 14),
        ("goldsieber-dutch", 3, 12, 11, 10),
        ("goldsieber-dutch", 4, 10, 9, 8),
    ],
)
def test_there_are_as_many_tricks_as_cards_dealt_minus_cards_discarded(preset, players, njet, one, two) -> None:
    ruleset = Ruleset.of(preset, players)

    tricks = {discard: ruleset.tricks(discard) for discard in ("njet", "discard_1", "discard_2")}

    assert tricks == {"njet": njet, "discard_1": one, "discard_2": two}


@pytest.mark.parametrize(("players", "two", "all_cards"), [(2, 13, 15), (3, 14, 16), (4, 13, 15), (5, 10, 12)])
def test_two_cards_without_zeros_shorten_the_round_and_two_passed_cards_do_not(players, two, all_cards) -> None:
    ruleset = Ruleset.of("njet-english", players)

    tricks = ruleset.tricks("discard_2_no_zero"), ruleset.tricks("pass_2_right")

    assert tricks == (two, all_cards)


@pytest.mark.parametrize(
    ("preset", "players", "size"),
    [
        ("njet-english", 2, 60),
        ("njet-english", 3, 48),
        ("njet-english", 4, 60),
        ("njet-english", 5, 60),
        ("nyet-iello", 2, 60),
        ("nyet-iello", 3, 48),
        ("goldsieber-german", 3, 36),
        ("goldsieber-french", 3, 36),
        ("goldsieber-dutch", 3, 36),
        ("goldsieber-dutch", 4, 40),
        ("goldsieber-italian", 4, 40),
    ],
)
def test_the_number_of_cards_that_are_shuffled(preset: str, players: int, size: int) -> None:
    deck = Ruleset.of(preset, players).deck()

    assert len(deck) == size


@pytest.mark.parametrize(("removal", "gone"), [("all_2s", 2), ("all_4s", 4)])
def test_the_option_decides_what_three_players_take_out(removal: str, gone: int) -> None:
    deck = Ruleset.of("goldsieber-dutch", 3, {"three_player_removal": removal}).deck()

    ranks = {card.rank for card in deck}

    assert ranks == {1, 2, 3, 4, 5, 6, 7, 8, 9} - {gone}


@pytest.mark.parametrize(("option", "first"), [("dealer", [0, 1, 2, 3]), ("left_of_dealer", [1, 2, 3, 0])])
def test_the_option_decides_who_places_first(option: str, first: list[int]) -> None:
    ruleset = Ruleset.of("njet-english", 4, {"first_placer": option})

    placers = [ruleset.first_placer(dealer) for dealer in range(4)]

    assert placers == first
