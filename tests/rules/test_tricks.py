"""RULES.md section 4: following suit, winning a trick, and what the winner captures."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.rules import EDITIONS, Card, Reason, Suit, TrickRules, parse_hand
from games.rules.editions import Edition
from games.rules.options import CapturedFrom, SupertrumpSuit
from games.rules.ruleset import Ruleset
from tests.builders import in_order, play, setup_of, teams, trick_rules
from tests.laws import examples
from tests.rules.following import READINGS, Following, each_case_of_the_table

# --- the table ---


def test_the_table_has_a_column_for_each_value_of_the_option() -> None:
    assert list(SupertrumpSuit) == READINGS


@each_case_of_the_table
def test_the_led_suit_is_followed_as_the_table_says(case: Following) -> None:
    rules = trick_rules(case.trump, case.supertrump, reading=case.reading, must_trump=case.must_trump)

    playable = rules.legal_cards(parse_hand(case.hand), Card.parse(case.led))

    assert playable == parse_hand(case.legal)


# --- following, in sentences ---


@st.composite
def trick_rules_of_an_edition(draw: st.DrawFn) -> tuple[TrickRules, tuple[Card, ...]]:
    """Any trick rules, and the deck they are for."""
    edition = EDITIONS[draw(st.sampled_from(sorted(EDITIONS)))]
    suits = st.none() | st.sampled_from(edition.suits)
    rules = TrickRules(
        trump=draw(suits),
        supertrump=draw(suits),
        edition=edition,
        supertrump_suit=draw(st.sampled_from(SupertrumpSuit)),
        must_trump_when_void=draw(st.booleans()),
        captured_from=draw(st.sampled_from(CapturedFrom)),
    )
    return rules, edition.deck(players=4, removal=None)


@st.composite
def following(draw: st.DrawFn) -> tuple[TrickRules, tuple[Card, ...], Card]:
    """Trick rules, a hand, and the card that was led.

    A super trump in the hand on a lead of its suit is rare by chance, and most of the rule is about it: half of the
    hands have one.
    """
    rules, deck = draw(trick_rules_of_an_edition())
    places = draw(st.lists(st.integers(0, len(deck) - 1), min_size=2, max_size=8, unique=True))
    led, *hand = (deck[place] for place in places)
    of_suit = [card for card in deck if card.suit is rules.supertrump]
    if of_suit and draw(st.booleans()):
        led, hand = draw(st.sampled_from(of_suit)), [*_supertrumps(rules, of_suit), *hand[:3]]
    return rules, tuple(hand), led


def _supertrumps(rules: TrickRules, cards) -> set[Card]:
    return {card for card in cards if card.suit == rules.supertrump and card.rank == rules.capturable_rank}


def _family(rules: TrickRules, cards) -> set[Card]:
    return _supertrumps(rules, cards) | {card for card in cards if card.suit == rules.trump}


@examples(300)
@given(following())
def test_following_is_what_section_4_says_in_words(case) -> None:
    rules, hand, led = case
    printed_suit = {card for card in hand if card.suit == led.suit}
    family, plain = _family(rules, hand), printed_suit - _supertrumps(rules, hand)

    playable = set(rules.legal_cards(hand, led))

    if rules.supertrump_suit == "own_suit":
        forced, allowed = printed_suit, printed_suit
    elif led in _family(rules, [led]):
        forced, allowed = family, family
    else:
        forced, allowed = plain, {"trump_or_own": printed_suit, "trump": plain}[rules.supertrump_suit]
    if forced:
        assert playable == allowed
    elif rules.must_trump_when_void and family:
        assert playable == family
    else:
        assert playable == set(hand)


@given(following())
def test_a_hand_always_has_a_card_to_play_and_plays_only_its_own(case) -> None:
    rules, hand, led = case

    playable = rules.legal_cards(hand, led)

    assert playable
    assert set(playable) <= set(hand)
    assert list(playable) == sorted(set(playable))


@given(following())
def test_the_leader_may_play_any_card(case) -> None:
    rules, hand, _ = case

    playable = rules.legal_cards(hand, None)

    assert playable == tuple(sorted(set(hand)))


@given(following(), st.booleans())
def test_the_three_readings_coincide_for_a_super_trump_of_the_trump_suit_and_without_one(case, without: bool) -> None:
    rules, hand, led = case
    supertrump = None if without else rules.trump
    readings = [
        TrickRules(rules.trump, supertrump, rules.edition, reading, rules.must_trump_when_void, rules.captured_from)
        for reading in SupertrumpSuit
    ]

    playable = {each.legal_cards(hand, led) for each in readings}

    assert len(playable) == 1


@pytest.mark.parametrize("reading", ["trump_or_own", "trump"])
def test_without_trump_the_family_is_the_super_trumps_alone(reading: str) -> None:
    rules = trick_rules("njet", "blue", reading=reading)

    playable = rules.legal_cards(parse_hand("B0 B5 K0 R3"), Card.parse("B0"))

    assert playable == parse_hand("B0")


@pytest.mark.parametrize(
    ("hand", "led", "legal"),
    [
        ("B0 R3 R7", "Y4", "B0"),  # only super trumps: these are trumps, too
        ("B3 R3 R7", "Y4", "B3 R3 R7"),  # no trumps
        ("Y1 K9 B0", "Y4", "Y1"),  # can follow
        ("R0 R9", "R5", "R0 R9"),  # can follow, need not overtake
    ],
)
def test_to_trump_is_a_duty_of_who_cannot_follow_and_holds_trumps(hand: str, led: str, legal: str) -> None:
    rules = trick_rules("black", "blue", must_trump=True)

    playable = rules.legal_cards(parse_hand(hand), Card.parse(led))

    assert playable == parse_hand(legal)


def test_identical_cards_are_one_choice() -> None:
    rules = trick_rules()

    playable = rules.legal_cards(parse_hand("R7 R7 R7 R0 K1"), Card.parse("R5"))

    assert playable == parse_hand("R0 R7")


def test_goldsieber_follows_alike_with_its_ones() -> None:
    rules = trick_rules("black", "blue", reading="trump", must_trump=True, edition=EDITIONS["goldsieber40"])

    playable = rules.legal_cards(parse_hand("B1 B7 K4 G2"), Card.parse("B5"))

    assert playable == parse_hand("B7")


@pytest.mark.parametrize(
    ("preset", "reading", "must_trump"),
    [
        ("njet-english", "own_suit", False),
        ("njet-wikipedia", "trump_or_own", False),
        ("goldsieber-french", "trump", True),
        ("goldsieber-dutch", "trump", False),
        ("goldsieber-italian", "own_suit", False),
    ],
)
def test_each_preset_follows_by_its_own_reading(preset: str, reading: str, must_trump: bool) -> None:
    setup = setup_of(preset, 4)
    conditions = play(setup, "open 0 njet black blue 2").current.conditions

    rules = TrickRules.of(setup.ruleset, conditions)

    assert (rules.trump, rules.supertrump) == (Suit.BLACK, Suit.BLUE)
    assert (rules.supertrump_suit, rules.must_trump_when_void) == (reading, must_trump)
    assert rules.capturable_rank == setup.ruleset.edition.capturable_rank
    assert rules.captured_from == Ruleset.of(preset, 4).options.captured_from


# --- winning ---


WINNERS: dict[str, tuple[str, str, dict[str, int]]] = {
    "the highest card of the led suit where no one trumps": (
        *("black", "njet"),
        {"R4 R9 R2 R8": 1, "R4 B9 Y9 R1": 0, "R0 B9 Y9 B8": 0, "R4 R3 R9 B9": 2, "R1 Y9 R2 R3": 3},
    ),
    "the highest trump": ("black", "blue", {"R9 K1 R8 R7": 1, "R9 K1 K8 K7": 2, "K2 R9 K1 R8": 0, "R9 K7 K3 B9": 1}),
    "an ordinary zero of the trump suit is a trump": ("black", "blue", {"R9 R8 K0 R7": 2, "R8 K0 Y9 B9": 1}),
    "and the lowest one": ("black", "blue", {"R9 K1 K0 R7": 1, "R8 K0 R9 R7": 1}),
    "any other zero is the lowest of its suit": ("black", "blue", {"R0 R1 Y0 R0": 1}),
    "a super trump beats the highest trump": ("black", "blue", {"R8 B0 K9 K9": 1}),
    "also where its printed suit is led": ("black", "blue", {"B9 B0 K9 B8": 1}),
    "also where it is of the trump suit": ("black", "black", {"R9 K9 K0 K8": 2}),
    "also without trumps": ("njet", "blue", {"R9 R8 B0 R7": 2}),
    "without both only the led suit": ("njet", "njet", {"R0 B9 K9 Y9": 0}),
    "the last super trump": ("black", "blue", {"R9 K9 B0 R8": 2, "B0 K9 R9 K8": 0, "B0 K9 B0 K8": 2, "B0 B0 B0 K9": 2}),
    "the last of equal cards everywhere": (
        *("black", "yellow"),
        {"R7 R7 R6 R7": 3, "R7 R7 R6 R5": 1, "R0 R0 Y9 B3": 1, "R9 K7 K7 K6": 2, "R9 K0 K0 R8": 2, "K7 R3 K7 K1": 2},
    ),
}


@pytest.mark.parametrize(("trump", "supertrump", "winners"), WINNERS.values(), ids=WINNERS)
def test_who_wins(trump: str, supertrump: str, winners: dict[str, int]) -> None:
    rules = trick_rules(trump, supertrump)

    assert {cards: rules.winner(in_order(cards)) for cards in winners} == winners


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.key)
def test_the_lowest_trump_beats_every_plain_card_and_a_super_trump_every_trump(edition: Edition) -> None:
    plain, trump, supertrump, *_ = edition.suits
    rules = trick_rules(trump, supertrump, edition=edition)
    low, top = min(rank for rank, copies in enumerate(edition.copies) if copies), edition.top_rank
    strongest = Card.of(supertrump, edition.capturable_rank)

    assert rules.winner([Card.of(plain, top), Card.of(trump, low)]) == 1
    assert rules.winner([Card.of(trump, low), Card.of(plain, top)]) == 0
    assert rules.winner([Card.of(trump, top), strongest]) == 1
    assert rules.winner([strongest, Card.of(trump, top)]) == 0


@given(trick_rules_of_an_edition(), st.data())
def test_the_winner_is_the_one_whom_section_4_names_in_words(case, data: st.DataObject) -> None:
    rules, deck = case
    places = data.draw(st.lists(st.integers(0, len(deck) - 1), min_size=2, max_size=5, unique=True))
    cards = [deck[place] for place in places]

    winner = rules.winner(cards)

    supertrumps = [place for place, card in enumerate(cards) if card in _supertrumps(rules, cards)]
    trumps = [place for place, card in enumerate(cards) if card.suit == rules.trump]
    followed = [place for place, card in enumerate(cards) if card.suit == cards[0].suit]
    highest = max(cards[place].rank for place in trumps or followed)
    highest_cards = [place for place in trumps or followed if cards[place].rank == highest]
    assert winner == (supertrumps or highest_cards)[-1]


# --- captures ---


def _captured(rules: TrickRules, cards: str, leader: int, sides: str) -> int:
    monster = 0 if sides == "04-123" else None
    return rules.captured(in_order(cards), leader=leader, teams=teams(sides, monster))


@pytest.mark.parametrize(
    ("cards", "leader", "captured"),
    [
        ("R9 R0 R0 R0", 0, 2),  # Ana wins, Cleo is the partner
        ("R9 R0 R1 R0", 0, 2),
        ("R9 R1 R0 R1", 0, 0),
        ("R0 R9 R0 R0", 0, 2),
        ("R0 R9 R1 R0", 0, 1),
        ("R0 R9 R1 R0", 3, 1),  # Dan leads, Ana wins: only what Ben and Dan played counts
        ("R0 R9 R0 R1", 3, 2),
        ("R1 R9 R2 R3", 2, 0),
    ],
)
def test_a_captured_card_is_a_zero_from_an_opponent_of_the_tricks_winner(cards, leader, captured) -> None:
    rules = trick_rules("black", "blue")

    assert _captured(rules, cards, leader, "02-13") == captured


@pytest.mark.parametrize(
    ("cards", "captured"), [("R9 R0 R0 R0", 3), ("R0 R9 R0 R0", 3), ("R9 R1 R0 R1", 1), ("R0 R0 R0 Y9", 3)]
)
def test_with_everyone_the_zeros_of_partners_and_of_the_winner_count_too(cards: str, captured: int) -> None:
    rules = trick_rules("black", "blue", captured_from="everyone")

    assert _captured(rules, cards, 0, "02-13") == captured


@pytest.mark.parametrize(
    ("cards", "sides", "captured"),
    [
        ("R0 Y0 Y0 Y9", "02-13", 1),  # not one's own
        ("R9 B0 R8 B0", "01-23", 1),  # super trumps like any other
        ("R9 B0 B0 B0", "03-12", 2),
        ("R9 K0 Y0 K3", "03-12", 2),  # of the trump suit and of a plain one
        ("R9 R0 R0 R0 R8", "04-123", 3),
    ],
)
def test_every_zero_of_an_opponent_counts(cards: str, sides: str, captured: int) -> None:
    assert _captured(trick_rules("black", "blue"), cards, 0, sides) == captured


def test_in_goldsieber_the_ones_are_captured() -> None:
    rules = trick_rules("black", "blue", edition=EDITIONS["goldsieber40"])

    assert _captured(rules, "R9 R1 R2 G1", 0, "02-13") == 2


@pytest.mark.parametrize(("captured_from", "sources"), [("opponents", (1, 3)), ("everyone", (0, 1, 2, 3))])
def test_the_option_decides_whose_cards_count(captured_from: str, sources: tuple[int, ...]) -> None:
    rules = trick_rules(captured_from=captured_from)

    assert rules.sources(2, teams("02-13")) == sources


@given(trick_rules_of_an_edition(), st.data())
def test_captures_count_the_capturable_cards_of_the_winners_opponents(case, data: st.DataObject) -> None:
    rules, deck = case
    sides = teams(data.draw(st.sampled_from(("0-1", "02-13", "12-03"))))
    leader = data.draw(st.integers(0, sides.players - 1))
    capturable = [card for card in deck if card.rank == rules.capturable_rank]
    cards = [data.draw(st.sampled_from((*deck, *capturable, *capturable))) for _ in range(sides.players)]
    assume(any(card.rank == rules.capturable_rank for card in cards))

    captured = rules.captured(cards, leader=leader, teams=sides)

    by_seat = {(leader + place) % sides.players: card for place, card in enumerate(cards)}
    winner = (leader + rules.winner(cards)) % sides.players
    counting = sides.opponents_of(winner) if rules.captured_from == "opponents" else by_seat
    assert captured == len([seat for seat in counting if by_seat[seat].rank == rules.capturable_rank])


# --- why a card wins ---


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        ("R3 R9 R7 Y9", Reason.HIGHEST_OF_LED),
        ("R9", Reason.HIGHEST_OF_LED),
        ("R9 K1 R7 R8", Reason.TRUMP),
        ("K4", Reason.TRUMP),
        ("R9 K1 K8 R7", Reason.HIGHEST_TRUMP),
        ("K3 R9 K8 R7", Reason.HIGHEST_TRUMP),
        ("R9 K9 B0 R7", Reason.SUPER_TRUMP),
        ("B0 K9 B0 R7", Reason.LAST_SUPER_TRUMP),
        ("R7 R7 R2 R5", Reason.LAST_EQUAL),
        ("R9 K7 K7 R2", Reason.LAST_EQUAL),
        # Cards that are equal but do not win have no part in it.
        ("R7 R7 R8 B9", Reason.HIGHEST_OF_LED),
        ("R9 K0 K0 K1", Reason.HIGHEST_TRUMP),
    ],
)
def test_the_reason_of_a_win_is_known(cards: str, reason: Reason) -> None:
    assert trick_rules().reason(in_order(cards)) is reason


def test_in_a_round_without_trumps_the_led_suit_or_a_super_trump_wins() -> None:
    assert trick_rules("njet", "blue").reason(in_order("R9 K1 R7")) is Reason.HIGHEST_OF_LED
    assert trick_rules("njet", "blue").reason(in_order("R9 B0 R7")) is Reason.SUPER_TRUMP
    assert trick_rules("njet", "njet").reason(in_order("R0 B0 R0")) is Reason.LAST_EQUAL


def test_a_super_trump_of_the_trump_suit_wins_as_a_super_trump() -> None:
    assert trick_rules("black", "black").reason(in_order("R9 K9 K0")) is Reason.SUPER_TRUMP
