"""RULES.md section 5: the formula, its derivation, the sheet, and what a scorekeeper can check."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import NjetError, Ruleset, TallyBounds, Won, choices, ranks, score_round
from games.rules.errors import (
    CapturedSumTooLarge,
    CapturedSumTooSmall,
    CapturedWithoutTrick,
    NegativeCount,
    TooManyCaptured,
    WrongTallyLength,
    WrongTrickSum,
)
from games.rules.options import ScoreRecord
from games.rules.scoring import leaders, signed
from tests.builders import dutch, english, french, teams, won

# --- the formula ---


@pytest.mark.parametrize(
    ("sides", "monster", "points", "figures", "scores"),
    [
        ("012-34", 4, 2, "4+1 2+1 1+1 3 2+1", (20, 20, 20, 18, 18)),
        ("012-34", 3, 2, "4+1 2+1 1+1 3 2+1", (20, 20, 20, 18, 18)),
        ("012-34", 4, 1, "4 2 1 4 1", (7, 7, 7, 6, 6)),
        ("012-34", 3, 1, "4 2 1 4 1", (7, 7, 7, 9, 9)),
        ("01-23", None, 3, "3+1 0 5+2 0", (12, 12, 21, 21)),
        ("0-12", 0, 2, "5+1 4+1 3+1", (24, 18, 18)),
        ("01-2", 2, 4, "5 4 7+3", (36, 36, 80)),
        ("0-1", None, 4, "9+6 6+2", (60, 32)),
        ("01-23", None, -2, "3+1 0 5+2 0", (-8, -8, -14, -14)),
        ("0-12", 0, -2, "5+1 4+1 3+1", (-24, -18, -18)),
        ("02-13", None, 3, "0 13+4 0 0", (0, 51, 0, 51)),
    ],
)
def test_a_team_scores_points_per_trick_times_its_tricks_and_captures(sides, monster, points, figures, scores) -> None:
    named = teams(sides, monster)

    score = score_round(teams=named, points_per_trick=points, won=won(figures))

    assert score.raw == scores
    assert score.points == scores


def test_the_monster_doubles_the_captures_of_its_holder_too() -> None:
    score = score_round(teams=teams("0-12", 0), points_per_trick=1, won=won("1+3 5 6"))

    assert score.raw == (8, 11, 11)


def test_every_member_of_a_team_writes_down_the_team_score() -> None:
    score = score_round(teams=teams("03-124", 0), points_per_trick=2, won=won("1 2 3 4 5"))

    assert score.raw == (12, 20, 20, 12, 20)


def test_minus_two_makes_the_score_negative_and_there_is_no_floor() -> None:
    score = score_round(teams=teams("0-12", 0), points_per_trick=-2, won=won("16+8 0 0"))

    assert score.raw == (-96, 0, 0)


def test_captures_count_on_top_of_the_trick_they_lie_in() -> None:
    counted = [Won(3, 0).counted, Won(3, 2).counted]

    assert counted == [3, 5]


# --- the derivation ---


@pytest.mark.parametrize(
    ("sides", "monster", "points", "figures", "own", "other"),
    [
        ("012-34", 4, 2, "4+1 2+1 1+1 3 2+1", "(7 + 3) × 2 = 20", "(3 × 2) + (3 × 2) × 2 = 18"),
        ("012-34", 3, 2, "4+1 2+1 1+1 3 2+1", "(7 + 3) × 2 = 20", "(3 × 2) + (3 × 2) × 2 = 18"),
        ("01-234", 0, 3, "5+2 4 1 1 1", "(4 × 3) + (7 × 3) × 2 = 54", "(3 + 0) × 3 = 9"),
        ("01-23", None, 3, "3+1 0 5+2 0", "(3 + 1) × 3 = 12", "(5 + 2) × 3 = 21"),
        ("0-12", 0, 2, "5+1 4+1 3+1", "(5 + 1) × 2 × 2 = 24", "(7 + 2) × 2 = 18"),
        ("01-2", 2, 1, "5+1 4+1 3+1", "(9 + 2) × 1 = 11", "(3 + 1) × 1 × 2 = 8"),
        ("0-1", None, 4, "9+6 6+2", "(9 + 6) × 4 = 60", "(6 + 2) × 4 = 32"),
        ("01-23", None, -2, "3+1 0 5+2 0", "(3 + 1) × (−2) = −8", "(5 + 2) × (−2) = −14"),
        ("0-12", 0, -2, "5+1 4+1 3+1", "(5 + 1) × (−2) × 2 = −24", "(7 + 2) × (−2) = −18"),
        ("012-34", 4, -2, "4 2 1 3 2", "(7 + 0) × (−2) = −14", "(3 × (−2)) + (2 × (−2)) × 2 = −14"),
        ("02-13", None, -2, "0 0 0 13", "(0 + 0) × (−2) = 0", "(13 + 0) × (−2) = −26"),
    ],
)
def test_the_result_is_spelled_out_as_the_rulebook_does(sides, monster, points, figures, own, other) -> None:
    score = score_round(teams=teams(sides, monster), points_per_trick=points, won=won(figures))

    spelled = score.own.formula, score.other.formula

    assert spelled == (own, other)


@pytest.mark.parametrize(
    ("sides", "monster", "points", "figures", "spelled"),
    [
        ("012-34", 4, 2, "4+1 2+1 1+1 3 2+1", "20 − 18 = 2"),
        ("01-23", None, 3, "3+1 0 5+2 0", "21 − 12 = 9"),
        ("01-23", None, -2, "5+4 0 5+5 0", "−18 − (−20) = 2"),
        ("01-23", None, 2, "4+1 0 4+1 0", "10 − 10 = 0"),
    ],
)
def test_the_difference_is_spelled_out_too(sides, monster, points, figures, spelled: str) -> None:
    score = score_round(
        teams=teams(sides, monster), points_per_trick=points, won=won(figures), record=ScoreRecord.DIFFERENCE
    )

    assert score.difference_formula == spelled


@pytest.mark.parametrize(
    ("number", "bracketed", "text"),
    [
        (5, False, "5"),
        (5, True, "5"),
        (1, True, "1"),
        (0, False, "0"),
        (0, True, "0"),
        (-1, False, "−1"),
        (-1, True, "(−1)"),
        (-5, False, "−5"),
        (-5, True, "(−5)"),
    ],
)
def test_a_negative_number_has_the_typographic_minus(number: int, bracketed: bool, text: str) -> None:
    assert signed(number, bracketed=bracketed) == text


# --- the difference ---


@pytest.mark.parametrize(
    ("points", "figures", "raw", "sheet"),
    [
        (2, "5+5 0 4+5 0", (20, 20, 18, 18), (2, 2, 0, 0)),
        (2, "4+5 0 5+5 0", (18, 18, 20, 20), (0, 0, 2, 2)),
        (2, "5+4 0 4+5 0", (18, 18, 18, 18), (0, 0, 0, 0)),
        (-2, "5+4 0 5+5 0", (-18, -18, -20, -20), (2, 2, 0, 0)),
        (-2, "5+5 0 5+5 0", (-20, -20, -20, -20), (0, 0, 0, 0)),
        (-2, "0 0 9+1 0", (0, 0, -20, -20), (20, 20, 0, 0)),
    ],
)
def test_by_difference_the_higher_team_writes_the_gap_and_the_other_nothing(points, figures, raw, sheet) -> None:
    score = score_round(teams=teams("01-23"), points_per_trick=points, won=won(figures), record=ScoreRecord.DIFFERENCE)

    assert score.points == sheet
    assert score.raw == raw


# --- victory ---


@pytest.mark.parametrize(
    ("totals", "first", "places"),
    [
        ((24, 18, 18), (0,), (1, 2, 2)),
        ((18, 24, 20, 24), (1, 3), (4, 1, 3, 1)),
        ((7, 7, 7), (0, 1, 2), (1, 1, 1)),
        ((-8, -3), (1,), (2, 1)),
        ((0, 0, -1, 5, 0), (3,), (2, 2, 5, 1, 2)),
    ],
)
def test_the_highest_total_wins_and_equal_totals_share_the_victory(totals, first, places) -> None:
    assert leaders(totals) == first
    assert ranks(totals) == places


# --- the checks ---


def _bounds(setup, sides: str, monster: int | None = None, discard: str = "njet") -> TallyBounds:
    return TallyBounds.of(setup.ruleset, teams(sides, monster), discard=discard)


def _check(bounds: TallyBounds, figures: str) -> None:
    counts = won(figures)
    bounds.check([each.tricks for each in counts], [each.captured for each in counts])


@pytest.mark.parametrize(
    ("setup", "discard", "tricks"),
    [
        (english(2), "njet", 15),
        (english(3), "discard_1", 15),
        (english(4), "discard_2_no_zero", 13),
        (english(5), "pass_2_right", 12),
        (dutch(3), "discard_2", 10),
        (dutch(4), "discard_1", 9),
    ],
)
def test_the_bounds_know_the_tricks_of_the_round(setup, discard: str, tricks: int) -> None:
    sides = {2: "0-1", 3: "0-12", 4: "01-23", 5: "01-234"}[setup.ruleset.players]

    bounds = _bounds(setup, sides, 0 if setup.ruleset.players in (3, 5) else None, discard)

    assert bounds.tricks == tricks


@pytest.mark.parametrize(
    ("setup", "sides", "monster", "each"),
    [
        (english(2), "0-1", None, (1, 1)),
        (english(3), "0-12", 0, (2, 1, 1)),
        (english(4), "01-23", None, (2, 2, 2, 2)),
        (english(5), "03-124", 0, (3, 2, 2, 3, 2)),
        (english(2, captured_from="everyone"), "0-1", None, (2, 2)),
        (french(3), "0-12", 0, (3, 3, 3)),
        (french(4), "01-23", None, (4, 4, 4, 4)),
        (english(5, captured_from="everyone"), "03-124", 0, (5, 5, 5, 5, 5)),
    ],
)
def test_a_trick_brings_at_most_one_captured_card_from_each_player_who_counts(setup, sides, monster, each) -> None:
    bounds = _bounds(setup, sides, monster)

    assert bounds.captured_per_trick == each


@pytest.mark.parametrize(
    ("setup", "sides", "discard", "least", "most"),
    [
        (english(4), "01-23", "njet", 0, 12),
        (english(4), "01-23", "discard_2", 0, 12),
        (english(2), "0-1", "njet", 0, 12),
        (dutch(4), "01-23", "njet", 0, 8),
        (french(4), "01-23", "njet", 8, 8),
        (french(4), "01-23", "discard_1", 4, 8),
        (french(4), "01-23", "discard_2", 0, 8),
        (french(3), "0-12", "njet", 8, 8),
        (french(3), "0-12", "discard_1", 5, 8),
        (french(3), "0-12", "discard_2", 2, 8),
        (english(2, captured_from="everyone"), "0-1", "njet", 0, 12),
        (english(2, captured_from="everyone"), "0-1", "discard_2", 0, 12),
        (english(3, captured_from="everyone"), "0-12", "njet", 12, 12),
        (english(3, captured_from="everyone"), "0-12", "discard_2", 6, 12),
        (english(4, captured_from="everyone"), "01-23", "pass_2_right", 12, 12),
        (english(4, captured_from="everyone"), "01-23", "discard_1", 8, 12),
        (english(4, captured_from="everyone"), "01-23", "discard_2_no_zero", 4, 12),
        (english(5, captured_from="everyone"), "01-234", "discard_2", 2, 12),
    ],
)
def test_all_captures_together_lie_between_these(setup, sides, discard, least, most) -> None:
    bounds = _bounds(setup, sides, 0 if setup.ruleset.players in (3, 5) else None, discard)

    assert (bounds.captured_least, bounds.captured_most) == (least, most)


@pytest.mark.parametrize(
    ("setup", "sides", "figures"),
    [
        (english(4), "01-23", "15 0 0 0"),
        (english(4), "01-23", "6+12 0 9 0"),
        (english(4), "01-23", "1+2 4+2 5+4 5+4"),
        (english(4), "01-23", "15+12 0 0 0"),
        (dutch(4), "01-23", "4+8 0 6 0"),
        (french(4), "01-23", "2+8 0 8 0"),
        (french(4), "01-23", "2+1 3+2 4+3 1+2"),
        (english(2), "0-1", "15+12 0"),
        (english(2), "0-1", "7+7 8+5"),
        (english(2), "0-1", "7 8"),
        (english(2, captured_from="everyone"), "0-1", "1 14"),
        (english(2, captured_from="everyone"), "0-1", "6+12 9"),
    ],
)
def test_a_possible_tally_is_taken(setup, sides: str, figures: str) -> None:
    bounds = _bounds(setup, sides)

    _check(bounds, figures)


@pytest.mark.parametrize(
    ("setup", "sides", "figures", "refusal", "params"),
    [
        (english(4), "01-23", "16 -1 0 0", NegativeCount, {"tricks": [16, -1, 0, 0], "captured": [0, 0, 0, 0]}),
        (english(4), "01-23", "15+-1 0 0 0", NegativeCount, {"tricks": [15, 0, 0, 0], "captured": [-1, 0, 0, 0]}),
        (english(4), "01-23", "14 0 0 0", WrongTrickSum, {"sum": 14, "tricks": 15, "missing": 1}),
        (english(4), "01-23", "5 5 5 1", WrongTrickSum, {"sum": 16, "tricks": 15, "missing": -1}),
        (english(4), "01-23", "0 0 0 0", WrongTrickSum, {"sum": 0, "tricks": 15, "missing": 15}),
        (english(4), "01-23", "15 0+1 0 0", CapturedWithoutTrick, {"seat": 1, "captured": 1}),
        (english(4), "01-23", "14 0 0 1+3", TooManyCaptured, {"seat": 3, "captured": 3, "most": 2}),
        (english(2), "0-1", "14 1+2", TooManyCaptured, {"seat": 1, "captured": 2, "most": 1}),
        (english(4), "01-23", "8+7 0 7+6 0", CapturedSumTooLarge, {"sum": 13, "most": 12}),
        (english(2), "0-1", "8+7 7+6", CapturedSumTooLarge, {"sum": 13, "most": 12}),
        (dutch(4), "01-23", "5+5 0 5+4 0", CapturedSumTooLarge, {"sum": 9, "most": 8}),
        (french(4), "01-23", "5+3 0 5+4 0", CapturedSumTooSmall, {"sum": 7, "least": 8}),
        (french(4), "01-23", "5+5 0 5+4 0", CapturedSumTooLarge, {"sum": 9, "most": 8}),
        (french(4), "01-23", "1+5 0 9+3 0", TooManyCaptured, {"seat": 0, "captured": 5, "most": 4}),
        (french(4), "01-23", "0+4 0 10+4 0", CapturedWithoutTrick, {"seat": 0, "captured": 4}),
        (english(2, captured_from="everyone"), "0-1", "1+3 14", TooManyCaptured, {"seat": 0, "captured": 3, "most": 2}),
    ],
)
def test_an_impossible_tally_is_refused(setup, sides, figures, refusal: type[NjetError], params) -> None:
    bounds = _bounds(setup, sides)

    with pytest.raises(NjetError) as refused:
        _check(bounds, figures)

    assert type(refused.value) is refusal
    assert refused.value.params == params


@pytest.mark.parametrize(("tricks", "captured"), [(3, 4), (5, 4), (4, 3), (4, 5), (0, 4), (4, 0), (0, 0)])
def test_a_tally_has_as_many_figures_of_each_kind_as_there_are_players(tricks: int, captured: int) -> None:
    bounds = _bounds(english(4), "01-23")

    with pytest.raises(WrongTallyLength) as refused:
        bounds.check([15, 0, 0, 0, 0][:tricks], [0] * captured)

    assert refused.value.params == {"players": 4}


def test_each_player_captures_at_most_the_tricks_times_the_opponents() -> None:
    bounds = _bounds(english(5), "03-124", 0)

    _check(bounds, "1+3 1+2 0 2+6 8")

    for figures in ("1+4 1+2 0 2+5 8", "1+3 1+3 0 2+5 8", "1 1 0 2+7 8"):
        with pytest.raises(TooManyCaptured):
            _check(bounds, figures)


def test_where_everybody_counts_and_somebody_discards_some_zeros_may_be_missing() -> None:
    bounds = _bounds(french(4), "01-23", discard="discard_1")

    _check(bounds, "4+4 5 0 0")

    with pytest.raises(CapturedSumTooSmall):
        _check(bounds, "4+3 5 0 0")


def _possible(ruleset: Ruleset, named, discard: str, tricks: list[int], captured: list[int]) -> bool:
    """RULES.md section 5.3, in one expression for each sentence."""
    players = ruleset.players
    total = ruleset.dealt - {"njet": 0, "pass_2_right": 0, "discard_1": 1}.get(discard, 2)
    zeros = {"njet60": 12, "goldsieber40": 8}[ruleset.edition.key]
    everyone = ruleset.options.captured_from == "everyone"
    sources = [players if everyone else len(named.opponents_of(seat)) for seat in range(players)]
    least = zeros - players * (ruleset.dealt - total) if everyone else 0
    if ruleset.edition.key == "njet60" and players == 2:
        least = 0
    return (
        len(tricks) == len(captured) == players
        and min(tricks) >= 0
        and min(captured) >= 0
        and sum(tricks) == total
        and all(captured[seat] <= tricks[seat] * sources[seat] for seat in range(players))
        and least <= sum(captured) <= zeros
    )


@st.composite
def near_tallies(draw: st.DrawFn):
    """Any rules, teams and discard, and figures that are nearly or quite possible."""
    preset = draw(st.sampled_from(("njet-english", "goldsieber-dutch")))
    players = draw(st.sampled_from((2, 3, 4, 5) if preset == "njet-english" else (3, 4)))
    ruleset = Ruleset.of(preset, players, {"captured_from": draw(st.sampled_from(("opponents", "everyone")))})
    named = draw(st.sampled_from(choices(players=players, start=draw(st.integers(0, players - 1)))))
    discard = draw(st.sampled_from(ruleset.edition.spaces["discard"]))
    total = ruleset.tricks(discard) + draw(st.sampled_from((0, 0, 0, 0, 0, 0, 1, -1)))
    cuts = sorted(draw(st.lists(st.integers(0, total), min_size=players - 1, max_size=players - 1)))
    tricks = [high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True)]
    captured = [draw(st.integers(0, 1 + min(4, 3 * count))) for count in tricks]
    return ruleset, named, discard, tricks, captured


@given(near_tallies())
def test_a_tally_is_taken_exactly_if_every_sentence_of_section_5_holds(case) -> None:
    ruleset, named, discard, tricks, captured = case
    bounds = TallyBounds.of(ruleset, named, discard=discard)

    try:
        bounds.check(tricks, captured)
        taken = True
    except NjetError:
        taken = False

    assert taken == _possible(ruleset, named, discard, tricks, captured)


# --- trick by trick ---


def test_the_next_trick_brings_what_is_still_in_the_deck_at_most() -> None:
    bounds = _bounds(dutch(4), "01-23")

    limits = [bounds.captures_of_next_trick(seat=0, tricks_so_far=5, captured_so_far=so_far) for so_far in (0, 6, 7, 8)]

    assert limits == [(0, 2), (0, 2), (0, 1), (0, 0)]


def test_where_everybody_counts_the_last_tricks_have_to_bring_what_is_missing() -> None:
    bounds = _bounds(french(4), "01-23")

    limits = [bounds.captures_of_next_trick(seat=0, tricks_so_far=done, captured_so_far=0) for done in (6, 7, 8)]
    last = [bounds.captures_of_next_trick(seat=0, tricks_so_far=9, captured_so_far=so_far) for so_far in (4, 6, 8)]

    assert limits == [(0, 4), (0, 4), (4, 4)]
    assert last == [(4, 4), (2, 2), (0, 0)]


def test_the_lone_player_may_capture_more_in_a_trick_than_the_pair() -> None:
    bounds = _bounds(english(3), "0-12", 0)

    limits = [bounds.captures_of_next_trick(seat=seat, tricks_so_far=0, captured_so_far=0) for seat in range(3)]

    assert limits == [(0, 2), (0, 1), (0, 1)]


@given(st.data())
def test_a_trick_may_bring_just_what_lets_the_round_still_come_out(data: st.DataObject) -> None:
    tricks, each, other = (data.draw(st.integers(1, 5)) for _ in range(3))
    either = max(each, other)
    most = data.draw(st.integers(0, tricks * either))
    least = data.draw(st.integers(0, most))
    bounds = TallyBounds(tricks, (each, other), least, most)
    done = data.draw(st.integers(0, tricks - 1))
    so_far = data.draw(st.integers(max(0, least - (tricks - done) * either), min(most, done * either)))

    low, high = bounds.captures_of_next_trick(seat=0, tricks_so_far=done, captured_so_far=so_far)

    coming = tricks - done - 1
    possible = [
        captured
        for captured in range(each + 1)
        if any(least <= so_far + captured + later <= most for later in range(coming * either + 1))
    ]
    assert list(range(low, high + 1)) == possible
    assert possible or each < other
