"""Suits, rows, spaces, options, entries: everything that can turn up has a name, and the right one for its edition."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from games.log.ledger import Ledger
from games.pages.new.forms import NewTable
from games.pages.new.page import new_table_page
from games.pages.parts.board import board_rows
from games.pages.parts.counting import count_view
from games.pages.parts.players import condition_views, players_of, team_views
from games.pages.parts.standings import round_result, standings
from games.pages.parts.teams import teams_view
from games.pages.table.page import announcement, table_page
from games.rules import (
    PRESETS,
    ActionEntry,
    Phase,
    Place,
    PublicState,
    RecordTrick,
    RowKey,
    Setup,
    allowed_values,
    effective,
    replay,
)
from games.rules.entries import setup_to_json
from games.rules.options import NUMBERS, OPTIONS
from games.texts import words
from games.texts.entries import describe_action, describe_entry, describe_undone
from games.texts.rules_help import explanations, legend
from tests.builders import CAST, dutch, english, french, italian, play, read, setup_of
from tests.laws import examples
from tests.strategies import Game, games

TABLES = [setup_of(key, players) for key, preset in PRESETS.items() for players in preset.player_counts]
NO_SCRUPLES = examples(12)


def each_space(setup: Setup) -> list[tuple[RowKey, str]]:
    """Every space of a table's board."""
    return [(row, space) for row in setup.ruleset.rows for space in setup.ruleset.spaces(row)]


# --- spaces and conditions ---


@pytest.mark.parametrize("setup", TABLES, ids=lambda setup: f"{setup.ruleset.preset} {setup.ruleset.players}")
def test_every_space_of_every_table_has_its_words(setup: Setup) -> None:
    for tell in (words.space_name, words.covered, words.settled):
        shown = [tell(row, space, setup.ruleset, setup.names) for row, space in each_space(setup)]

        assert all(shown)
        assert not any("_" in text for text in shown)
    assert all(words.caption(row, space) for row, space in each_space(setup))


@pytest.mark.parametrize("setup", TABLES, ids=lambda setup: f"{setup.ruleset.preset} {setup.ruleset.players}")
def test_what_was_covered_is_unmistakable_without_its_row(setup: Setup) -> None:
    shown = [words.covered(row, space, setup.ruleset, setup.names) for row, space in each_space(setup)]

    assert len(set(shown)) == len(shown)


@pytest.mark.parametrize(
    ("setup", "row", "space", "name", "covered", "settled"),
    [
        (english(5), "start", "3", "Dan", "Dan’s token", "Dan starts"),
        (english(5), "trump", "blue", "blue", "blue trump", "blue is trump"),
        (english(5), "trump", "njet", "no trump", "“njet” (trump)", "no trump"),
        (english(5), "supertrump", "red", "red 0s", "red super trump", "red 0s are super trumps"),
        (dutch(4), "supertrump", "green", "green 1s", "green super trump", "green 1s are super trumps"),
        (dutch(4), "supertrump", "njet", "no super trump", "“njet” (super trump)", "no super trump"),
        (english(5), "points", "1", "1 point", "1 point", "1 a trick"),
        (english(5), "points", "-2", "−2 points", "−2 points", "−2 a trick"),
        (english(5), "discard", "njet", "no discard", "“njet” (discard)", "nothing is discarded"),
        (english(5), "discard", "pass_2_right", "pass 2 right", "“pass 2 right”", "everybody passes 2 right"),
    ],
)
def test_a_space_is_described_in_three_ways(
    setup: Setup, row: str, space: str, name: str, covered: str, settled: str
) -> None:
    key, ruleset = RowKey(row), setup.ruleset

    assert words.space_name(key, space, ruleset, setup.names) == name
    assert words.covered(key, space, ruleset, setup.names) == covered
    assert words.settled(key, space, ruleset, setup.names) == settled


def test_the_capturable_cards_are_zeros_or_ones() -> None:
    shown = {setup.ruleset.edition.key: words.capturable_plural(setup.ruleset) for setup in TABLES}

    assert shown == {"njet60": "zeros", "goldsieber40": "ones", "nyet60": "ones"}


def test_every_suit_has_a_name_and_a_letter_of_its_own() -> None:
    for preset in PRESETS.values():
        letters = [str(words.SUIT_LETTERS[suit]) for suit in preset.edition.suits]

        assert len(set(letters)) == 4
        assert all(str(words.SUIT_NAMES[suit]) for suit in preset.edition.suits)


@pytest.mark.parametrize(
    ("names", "listed"),
    [([], ""), (["Ana"], "Ana"), (["Ana", "Ben"], "Ana and Ben"), (["Ana", "Ben", "Cleo"], "Ana, Ben and Cleo")],
)
def test_names_are_listed_as_people_say_them(names: list[str], listed: str) -> None:
    assert words.listing(names) == listed


# --- players ---


@pytest.mark.parametrize(
    ("names", "symbols"),
    [
        (["Ana", "Ben", "Cleo"], ["A", "B", "C"]),
        (["Ana", "Ben", "anke"], ["Aa", "B", "Ak"]),
        (["Ana", "Ben", "Achim"], ["An", "B", "Ac"]),
        (["Ana", "Anke", "Ben"], ["Aa", "Ak", "B"]),
        (["Ü", "ü2", "x"], ["Ü", "Ü2", "X"]),
        (["🐕", "🐈", "x"], ["🐕", "🐈", "X"]),
    ],
)
def test_the_characters_on_the_tokens_are_never_the_same(names: list[str], symbols: list[str]) -> None:
    found = [player.sign for player in players_of(dutch(3).corrected(names=names))]

    assert found == symbols
    assert len(set(found)) == 3


# --- options and presets ---


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_and_option_has_its_words(preset: str) -> None:
    edition = PRESETS[preset].edition

    assert words.preset_name(preset)
    for name, values in allowed_values(edition).items():
        assert words.option_name(name)
        assert words.option_help(name)
        shown = [words.option_value(name, value) for value in values]
        assert len(set(shown)) == len(values)
        assert not any("_" in text for text in shown)
    assert all(words.option_name(name) and words.option_help(name) for name in OPTIONS)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_page_of_a_new_table_offers_what_can_be_chosen(preset: str) -> None:
    blank = NewTable.blank(preset)
    four = blank.with_places(map(lambda place, name: replace(place, name=name), blank.places, CAST[:4]))
    page = new_table_page(blank, known=["Ana"])

    for option in page.options:
        for value, _ in option.values:
            typed = replace(four, options={option.name: value})
            assert typed.setup().ruleset.options.to_json()[option.name] in (value, value == "True")
    needed = [place for place in page.places if "(if any)" not in place.hint]
    assert len(needed) == min(PRESETS[preset].player_counts)


# --- the rules in place ---


@pytest.mark.parametrize("setup", TABLES, ids=lambda setup: f"{setup.ruleset.preset} {setup.ruleset.players}")
def test_the_rules_explain_each_row_in_play_and_each_of_its_spaces(setup: Setup) -> None:
    parts = {part.key: part for part in explanations(setup.ruleset)}

    inferred = ["inferred"] if setup.ruleset.edition.key == "nyet60" else []
    rows = [row.value for row in setup.ruleset.rows]
    assert list(parts) == ["placing", *rows, "teams", "tricks", "score", *inferred]
    assert all(part.title and part.text for part in parts.values())
    assert not any("{" in part.text for part in parts.values())
    for row in (RowKey.DISCARD,):
        assert len(parts[row.value].items) == len(setup.ruleset.spaces(row))
    # A token without a player is covered from the start.
    if "start" in parts:
        absent = ("○ ×", "Nobody plays this token.") in parts["start"].items
        assert absent == (setup.ruleset.players < len(setup.ruleset.edition.tokens))


def test_the_symbols_of_the_pages_are_explained() -> None:
    assert [symbol for symbol, _meaning in legend(english(5).ruleset).items] == ["R, K, B, Y", "▲ ■", "×2", "○"]
    assert [symbol for symbol, _meaning in legend(dutch(4).ruleset).items] == ["R, K, B, G", "▲ ■", "○"]
    assert dict(legend(dutch(3).ruleset).items)["○"] == "Captured: ones."


def rules_of(setup: Setup) -> str:
    """All explanations of a table in one text."""
    return " ".join(f"{p.title} {p.text} {p.items}" for p in explanations(setup.ruleset))


def test_the_rules_are_those_of_the_edition_and_the_options() -> None:
    assert "−2" in rules_of(english(5))
    assert "−2" not in rules_of(dutch(4))
    assert "monster" in rules_of(english(5))
    assert "monster" not in rules_of(dutch(3))
    assert "plays alone scores double" in rules_of(dutch(3))
    assert "Start player" not in rules_of(english(5, start_row=False)).split("Placing")[1].split("Discard")[0]
    assert "have to play a trump" in rules_of(french(4))
    assert "have to play a trump" not in rules_of(italian())
    assert "before the teams are named" in rules_of(setup_of("njet-wikipedia", 5))
    assert "once the teams are known" in rules_of(english(5))
    for reading, sentence in {
        "own_suit": "a super trump is a card of its printed colour",
        "trump_or_own": "it may be played but need not be",
        "trump": "no longer as its printed colour",
    }.items():
        assert sentence in rules_of(english(5, supertrump_suit=reading))
    assert "zeros" in rules_of(english(5))
    assert "ones" in rules_of(dutch(4))
    assert "All ones in a trick count" in rules_of(french(4))
    assert "The dealer begins." in rules_of(english(5))
    assert "The player left of the dealer begins." in rules_of(dutch(4))
    assert "covers the first space is the start player" in rules_of(english(5, start_row=False))
    assert "writes down the difference" in rules_of(english(5, score_record="difference"))


SAID_BY_THEIR_VALUE = {"three_player_removal", "rounds", "target"}
"""Options whose value is the whole sentence: “Cards taken out with 3 players: all 2s”, “Rounds: 8”."""


@pytest.mark.parametrize("name", OPTIONS)
def test_the_rules_have_another_sentence_for_every_value_of_an_option(name: str) -> None:
    usual = english(3)
    values = allowed_values(usual.ruleset.edition).get(name, NUMBERS.get(name, ())[-2:])

    texts = {rules_of(english(3, **{name: value})) for value in values}

    assert len(texts) == (1 if name in SAID_BY_THEIR_VALUE else len(values))


@pytest.mark.parametrize(
    "name", [name for name, option in OPTIONS.items() if not option.is_boolean and name not in SAID_BY_THEIR_VALUE]
)
def test_the_rules_pass_no_value_over_that_has_no_sentence(name: str) -> None:
    """A value that is added to an option is found by mypy, and here."""
    ruleset = english(3).ruleset
    unknown = replace(ruleset, options=replace(ruleset.options, **{name: "a value that was added"}))

    with pytest.raises(AssertionError, match="a value that was added"):
        explanations(unknown)


# --- entries ---


@pytest.mark.parametrize(
    ("setup", "line", "shown"),
    [
        (dutch(3), "trump red", "Ben covered red trump"),
        (english(5), "points -2", "Ben covered −2 points"),
        (english(5), "team 2 3 monster 4", "Ben plays with Cleo and Dan; Eve holds the monster"),
        (english(4), "team 3", "Ben plays with Dan"),
        (english(3), "team alone monster 1", "Ben plays alone and holds the monster"),
        (dutch(3), "team alone monster 1", "Ben plays alone and scores double"),
        (english(4, start_row=False), "team 3 start 2", "Cleo plays with Dan"),
        (english(4), "trick 2+3", "Cleo won a trick, 3 captured cards"),
        (dutch(3), "tally 5+1 4 3", "Round counted, tricks (captured): Ana 5 (1), Ben 4, Cleo 3"),
        (dutch(3), "penalty 1 -5 late", "Ben −5: late"),
        (dutch(3), "trick 9", "9 won a trick"),
        (dutch(3), "trump yellow", "Ben covered yellow"),
        (dutch(3), "open 9 x y z 7", "Board: 9, x, y, z, 7"),
    ],
)
def test_an_entry_is_shown_even_where_a_correction_has_made_it_meaningless(setup: Setup, line: str, shown: str) -> None:
    assert describe_action(read(line), setup=setup, seat=1) == shown


# --- nothing that can be played leaves a page without words ---


def ledger_of(game: Game) -> Ledger:
    """A game's log, as if it were stored."""
    entries = tuple(ActionEntry(seq, action) for seq, action in enumerate(game.actions, start=1))
    return Ledger(
        game_id="x",
        version=len(entries),
        written=setup_to_json(game.setup),
        setup=game.setup,
        entries=entries,
        counting=effective(game.setup, entries),
        replay=replay(game.setup, entries),
        locked=False,
    )


def said(value: object) -> list[str]:
    """Every text in a page."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list | tuple):
        return [text for each in value for text in said(each)]
    return [text for each in getattr(value, "__dict__", {}).values() for text in said(each)]


@given(games())
@NO_SCRUPLES
def test_every_state_of_any_game_has_its_page(game: Game) -> None:
    ledger = ledger_of(game)

    for show_board in (False, True):
        page = table_page(ledger, show_board=show_board)

        assert page.announcement == announcement(game.state)
        assert not any("{" in text or "None" in text for text in said(page))
        assert (page.undo_text == "") == (not game.actions)
    assert all(describe_entry(ledger, entry) for entry in ledger.entries)


@given(games())
@NO_SCRUPLES
def test_what_a_page_shows_is_what_the_rules_say(game: Game) -> None:
    for state in game.states[-12:]:
        assert [line.player.seat in state.leaders for line in standings(state)] == [
            line.is_leader for line in standings(state)
        ]
        if state.current is None:
            continue
        covered = [space for row in board_rows(state, state.current) for space in row.spaces if space.is_covered]
        absent = len(state.setup.absent_tokens) if state.ruleset.options.start_row else 0
        marked = sum(mark is not None for row in state.current.board.rows for mark in row.marks)
        assert len(covered) == marked + absent
        if state.phase is Phase.TRICKS:
            count = count_view(state)
            assert count.recorded == len(state.current.tricks)
            assert count.captured == sum(trick.captured for trick in state.current.tricks)
            for line in count.lines:
                least, most = state.captures_of_next_trick(line.player.seat)
                assert [line.least, *line.captures] == list(range(least, max(most, least) + 1))
        if state.phase is Phase.TEAMS:
            assert_every_team_can_be_tapped(state)
        for done in state.finished[-1:]:
            result = round_result(state, done)
            formulas = [team.formula.replace(words.NO_BREAK, " ") for team in result.teams]
            assert formulas == [done.score.own.formula, done.score.other.formula]
            assert len(condition_views(state, done)) == 5
            assert sum(len(team.players) for team in team_views(state, done)) == state.players


def assert_every_team_can_be_tapped(state: PublicState) -> None:
    """The taps of the teams page are exactly the teams that the rules allow."""
    free = not state.ruleset.options.start_row
    settled = state.current.conditions.start
    taps = set()
    for start in range(state.players) if free else [settled]:
        for choice in teams_view(state, start=start).choices:
            assert teams_view(state, start=start, partners=choice.value).chosen == choice
            partners = tuple(player.seat for player in choice.partners)
            for monster in choice.monsters or [None]:
                named = None if start == settled else start
                taps.add((partners, monster and monster.seat if monster else None, named))
    legal = {(a.partners, a.monster, a.start) for a in state.legal_actions() if hasattr(a, "partners")}
    assert taps == legal


def test_a_result_by_difference_says_so_only_where_it_differs() -> None:
    lines = ("open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")

    full, gap = (play(english(5, score_record=record), *lines) for record in ("full", "difference"))

    assert round_result(full, full.finished[0]).difference == ""
    assert round_result(gap, gap.finished[0]).difference == "20 − 18 = 2"
    assert [words.derivation(gap.finished[0], seat, gap.setup).split(" · ")[-1] for seat in (0, 4)] == [
        "by difference: 20 − 18 = 2",
        "by difference: the lower team writes 0",
    ]


@pytest.mark.parametrize(
    ("formula", "lines"),
    [
        ("(5 + 1) × (−2) = −12", ["(5 + 1) × (−2)", "= −12"]),
        ("(1 × (−2)) + (3 × (−2)) × 2 = −14", ["(1 × (−2))", "+ (3 × (−2)) × 2", "= −14"]),
    ],
)
def test_a_formula_breaks_before_its_result_and_between_the_parts_of_a_team(formula: str, lines: list[str]) -> None:
    assert [line.replace(words.NO_BREAK, " ") for line in words.in_lines(formula).split(" ")] == lines


def test_a_derivation_names_what_doubles_as_the_edition_does() -> None:
    lone = play(dutch(3), "open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")
    small = play(english(5), "open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")

    assert words.derivation(lone.finished[0], 0, lone.setup) == (
        "Ana: 5 tricks and 1 captured card, doubled, playing alone · (5 + 1) × 2 × 2 = 24"
    )
    assert "Eve: 2 tricks and 1 captured card, doubled by the monster" in words.derivation(
        small.finished[0], 4, small.setup
    )


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Ana", "Ana"),
        ("Bartholomäus", "Bartholomäus"),
        ("Bartholomäus Wagenknecht", "Bartholomäus"),
        ("Wilhelmine-Charlottenina", "Wilhelmine-…"),
        ("عبد الرحمن القاسم", "عبد"),
    ],
)
def test_a_long_name_is_short_where_it_would_hide_what_the_player_did(name: str, short: str) -> None:
    assert words.short(name) == short


def test_the_undo_button_keeps_what_it_undoes_beside_a_long_name() -> None:
    names = ["Bartholomäus Wagenknecht", "Ben", "Cleo"]
    setup = Setup.of(preset="njet-english", names=names, options={}, dealer=0)
    ledger = Ledger.of("a game", {}, setup, [ActionEntry(1, Place(RowKey.TRUMP, "red"))])

    assert describe_undone(ledger, ledger.entry(1)) == "Bartholomäus covered red trump"
    for captured, said in ((0, "Bartholomäus: trick"), (2, "Bartholomäus: trick +2")):
        assert describe_undone(ledger, ActionEntry(2, RecordTrick(0, captured))) == said
    own = describe_action(Place(RowKey.START, "1"), setup=setup, seat=1)
    assert own == "Ben covered their own token"


def test_a_name_from_right_to_left_keeps_to_itself_and_other_names_stay_as_they_are() -> None:
    name = "عبد الرحمن"

    assert words.isolated("Zoë") == "Zoë"
    assert words.isolated(name) == f"\u2068{name}\u2069"
    assert words.listing(["Ana", name]) == f"Ana and \u2068{name}\u2069"
