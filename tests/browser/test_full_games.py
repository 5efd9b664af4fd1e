"""Whole games, entered by touch at 360×640; every figure below was computed by hand from RULES.md.

A team's score: points a trick × sum over its members of (tricks + captured cards), the holder of the monster twice.
"""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenPhone
from tests.browser.phone import Phone

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ANA, BEN, CLEO, DAN, EVE = FIVE = ["Ana", "Ben", "Cleo", "Dan", "Eve"]


def place(phone: Phone, markers: str) -> None:
    """Cover spaces one by one, “Ana: trump red → what the row then says it has settled”.

    Before each tap the panel, and the sentence for ears, name whose turn it is.
    """
    phone.begin_placing()
    for marker in markers.strip().split(","):
        tapped, _, settled = marker.strip().partition(" → ")
        name, _, space = tapped.partition(": ")
        row, space = space.split()
        assert phone.turn == name
        assert f"{name} covers a space, " in phone.announced
        phone.cover(row, space)
        assert phone.undo_says.startswith(f"Undo: {name} covered ")
        if phone.shows == "board":
            assert phone.settled(row) == settled


def win(phone: Phone, tricks: str) -> None:
    """Record tricks one by one: “Ana Ben+1 Ana …”; how many are done is always there."""
    phone.count_trick_by_trick()
    for done, trick in enumerate(tricks.split()):
        assert phone.progress.startswith(f"{done} of {len(tricks.split())} tricks")
        name, _, captured = trick.partition("+")
        phone.win_trick(name, int(captured or 0))


def figures(text: str) -> dict[str, tuple[int, int]]:
    """“Ana 3+1, Ben 2”: tricks and captured cards of each player."""
    read = {}
    for each in text.split(", "):
        name, numbers = each.split()
        tricks, _, captured = numbers.partition("+")
        read[name] = (int(tricks), int(captured or 0))
    return read


def totals(text: str) -> dict[str, str]:
    """“Ana 20, Ben −2”."""
    return dict(each.split() for each in text.split(", "))


def test_four_rounds_of_njet_english_with_five_players(phone: Phone) -> None:
    phone.new_table("njet-english", FIVE, rounds=4)

    # Round 1 is the worked example of the English rulebook: nothing is discarded, so 12 tricks, at 2 points.
    place(
        phone,
        """
        Ana: start Ben, Ben: trump red, Cleo: points 4, Dan: discard discard_2, Eve: supertrump red,
        Ana: start Dan, Ben: trump blue, Cleo: points -2, Dan: discard discard_1, Eve: supertrump njet,
        Ana: trump njet, Ben: trump yellow → Black is trump, Cleo: start Eve, Dan: start Cleo → Ana starts,
        Eve: points 1, Ana: points 3 → 2 a trick, Ben: supertrump yellow,
        Cleo: supertrump black → Blue 0s are super trumps,
        Dan: discard pass_2_right, Eve: discard discard_2_no_zero
        """,
    )
    assert phone.turn == ANA
    assert phone.conditions == [
        "Ana starts",
        "Nothing is discarded",
        "Black is trump",
        "Blue 0s are super trumps",
        "2 a trick",
    ]
    phone.name_team(BEN, CLEO, monster=EVE)
    assert phone.sides == [[ANA, BEN, CLEO], [DAN, "Eve×2"]]
    # The three: 3 + 2 + 2 = 7 tricks and 2 + 1 = 3 captured.  Dan 3 tricks, Eve 2 tricks and 1 captured.
    win(phone, "Ana+1 Dan Ben Eve Ana Cleo Dan Ana+1 Ben+1 Cleo Eve+1 Dan")
    assert phone.formulas == ["(7 + 3) × 2 = 20", "(3 × 2) + (3 × 2) × 2 = 18"]
    assert phone.standings == totals("Ana 20, Ben 20, Cleo 20, Dan 18, Eve 18")

    # Round 2: −2 points and a pass, which leaves 12 tricks; the monster in the start player's team, with themselves.
    assert phone.heading == "Round 1 Ben deals next"
    place(
        phone,
        """
        Ben: points 4, Cleo: points 3, Dan: start Ana, Eve: start Cleo, Ana: trump black,
        Ben: start Dan, Cleo: start Eve → Ben starts, Dan: points 2, Eve: points 1 → −2 a trick, Ana: discard njet,
        Ben: discard discard_1, Cleo: discard discard_2, Dan: discard discard_2_no_zero → Everybody passes 2 right,
        Eve: trump red, Ana: trump blue, Ben: trump yellow → No trump, Cleo: supertrump black, Dan: supertrump blue,
        Eve: supertrump yellow, Ana: supertrump njet
        """,
    )
    assert phone.conditions == [
        "Ben starts",
        "Everybody passes 2 right",
        "No trump",
        "Red 0s are super trumps",
        "−2 a trick",
    ]
    phone.name_team(DAN, monster=BEN)
    # Dan 1 trick; Ben 2 and 1 captured.  The others 4 + 3 + 2 = 9 tricks and 2 captured.
    win(phone, "Ana Cleo Ben+1 Eve Ana+1 Ana Cleo Dan Ana Eve+1 Ben Cleo")
    assert phone.formulas == ["(1 × (−2)) + (3 × (−2)) × 2 = −14", "(9 + 2) × (−2) = −22"]
    # Ana and Cleo 20 − 22, Ben 20 − 14, Dan 18 − 14, Eve 18 − 22
    assert phone.standings == totals("Ben 6, Dan 4, Ana −2, Cleo −2, Eve −4")

    # Round 3: one card away each, so 11 tricks; the monster in the other team.
    place(
        phone,
        """
        Cleo: supertrump red, Dan: supertrump black, Eve: supertrump blue, Ana: supertrump yellow → No super trump,
        Ben: points -2, Cleo: points 1, Dan: points 2, Eve: points 3 → 4 a trick, Ana: start Ben, Ben: start Ana,
        Cleo: start Dan, Dan: start Eve → Cleo starts, Eve: trump red, Ana: trump black, Ben: trump blue,
        Cleo: trump njet → Yellow is trump, Dan: discard njet, Eve: discard pass_2_right, Ana: discard discard_2,
        Ben: discard discard_2_no_zero
        """,
    )
    phone.name_team(ANA, EVE, monster=BEN)
    # 2 + 3 + 1 = 6 tricks and 1 captured; Dan 2, Ben 3 and 2 captured
    phone.tally(figures("Ana 3, Ben 3+2, Cleo 2+1, Dan 2, Eve 1"))
    assert phone.formulas == ["(6 + 1) × 4 = 28", "(2 × 4) + (5 × 4) × 2 = 48"]
    # Ana and Cleo −2 + 28, Ben 6 + 48, Dan 4 + 48, Eve −4 + 28
    assert phone.standings == totals("Ben 54, Dan 52, Ana 26, Cleo 26, Eve 24")

    # Round 4, before which the card says what is at stake.
    assert len(phone.needs) == 4
    place(
        phone,
        """
        Dan: start Ana, Eve: start Eve, Ana: start Cleo, Ben: start Ben → Dan starts, Cleo: points -2,
        Dan: points 1, Eve: points 2, Ana: points 4 → 3 a trick, Ben: trump njet, Cleo: trump black,
        Dan: trump blue, Eve: trump yellow → Red is trump, Ana: supertrump njet, Ben: supertrump black,
        Cleo: supertrump blue,
        Dan: supertrump yellow → Red 0s are super trumps, Eve: discard discard_1, Ana: discard discard_2,
        Ben: discard pass_2_right, Cleo: discard discard_2_no_zero
        """,
    )
    phone.name_team(CLEO, monster=DAN)
    # Cleo 3 tricks and 1 captured, Dan 4 and 1; the others 2 + 1 + 2 = 5 and 1
    win(phone, "Dan Cleo Ana Dan+1 Eve Cleo+1 Ben Dan Ana Cleo Eve+1 Dan")
    assert phone.formulas == ["(4 × 3) + (5 × 3) × 2 = 42", "(5 + 1) × 3 = 18"]
    # Cleo 26 + 42, Dan 52 + 42, Ben 54 + 18, Eve 24 + 18, Ana 26 + 18
    assert phone.standings == totals("Dan 94, Ben 72, Cleo 68, Ana 44, Eve 42")

    sheet = phone.read_sheet()
    assert sheet.totals == totals("Ana 44, Ben 72, Cleo 68, Dan 94, Eve 42")
    assert [" ".join(points) for points in sheet.written.values()] == [
        "20 20 20 18 18",
        "−22 −14 −22 −14 −22",
        "28 48 28 48 28",
        "18 18 42 42 18",
    ]


def test_six_rounds_of_goldsieber_dutch_with_three_players(phone: Phone) -> None:
    phone.new_table("goldsieber-dutch", [ANA, BEN, CLEO])
    assert len(phone.setup_steps) == 4

    # Round 1 is the worked example of the Dutch text: 2 points, who plays alone scores double.
    place(
        phone,
        """
        Ben: start Cleo, Cleo: trump red, Ana: points 4, Ben: trump black, Cleo: points 1,
        Ana: start Ben → Ana starts, Ben: trump green → Blue is trump, Cleo: supertrump red,
        Ana: points 3 → 2 a trick, Ben: supertrump blue, Cleo: supertrump green,
        Ana: supertrump njet → Black 1s are super trumps,
        Ben: discard discard_1, Cleo: discard discard_2
        """,
    )
    assert phone.conditions == [
        "Ana starts",
        "Nothing is discarded",
        "Blue is trump",
        "Black 1s are super trumps",
        "2 a trick",
    ]
    phone.name_team()
    assert phone.sides == [["Ana×2"], [BEN, CLEO]]
    # Ana 5 tricks and 1 captured; the pair 4 + 3 = 7 and 2
    win(phone, "Ana Ben Cleo+1 Ana+1 Ben Ana Cleo Ben+1 Ana Cleo Ben Ana")
    assert phone.formulas == ["(5 + 1) × 2 × 2 = 24", "(7 + 2) × 2 = 18"]
    assert phone.standings == totals("Ana 24, Ben 18, Cleo 18")

    # Round 2: one card away each leaves 11 tricks; this time the one who was not asked is alone.
    assert phone.heading == "Round 1 Ben deals next"
    place(
        phone,
        """
        Cleo: points 1, Ana: points 2, Ben: points 4 → 3 a trick, Cleo: start Ana, Ana: start Cleo → Ben starts,
        Ben: discard njet, Cleo: discard discard_2 → Everybody discards 1 card, Ana: trump red, Ben: trump black,
        Cleo: trump blue → Green is trump, Ana: supertrump red, Ben: supertrump black, Cleo: supertrump blue,
        Ana: supertrump green
        """,
    )
    phone.name_team(ANA)
    assert phone.sides == [[ANA, BEN], ["Cleo×2"]]
    phone.tally(figures("Ana 4, Ben 3+1, Cleo 4+1"))
    assert phone.formulas == ["(7 + 1) × 3 = 24", "(4 + 1) × 3 × 2 = 30"]
    # Ana 24 + 24, Ben 18 + 24, Cleo 18 + 30
    assert phone.standings == totals("Ana 48, Cleo 48, Ben 42")

    phone.note_board(start=CLEO, discard="discard_2", trump="black", supertrump="green", points="4")
    phone.name_team()
    phone.tally(figures("Ana 5+1, Ben 3+2, Cleo 2"))
    assert phone.formulas == ["(2 + 0) × 4 × 2 = 16", "(8 + 3) × 4 = 44"]
    # Ana 48 + 44, Ben 42 + 44, Cleo 48 + 16
    assert phone.standings == totals("Ana 92, Ben 86, Cleo 64")

    place(
        phone,
        """
        Ben: start Ana, Cleo: start Cleo → Ben starts, Ana: points 4, Ben: points 3, Cleo: points 2 → 1 a trick,
        Ana: discard discard_1, Ben: discard discard_2 → Nothing is discarded, Cleo: trump black, Ana: trump blue,
        Ben: trump green → Red is trump, Cleo: supertrump njet, Ana: supertrump black, Ben: supertrump blue,
        Cleo: supertrump green
        """,
    )
    phone.name_team()
    win(phone, "Ben Ben+1 Ana Cleo Ben Ana+1 Cleo Ben+1 Ben Ana Cleo Ben")
    assert phone.formulas == ["(6 + 2) × 1 × 2 = 16", "(6 + 1) × 1 = 7"]
    # Ana 92 + 7, Ben 86 + 16, Cleo 64 + 7
    assert phone.standings == totals("Ben 102, Ana 99, Cleo 71")

    phone.note_board(start=ANA, discard="discard_1", trump="blue", supertrump="njet", points="2")
    phone.name_team(CLEO)
    phone.tally(figures("Ana 4+1, Ben 5+1, Cleo 2+1"))
    assert phone.formulas == ["(6 + 2) × 2 = 16", "(5 + 1) × 2 × 2 = 24"]
    # Ana 99 + 16, Ben 102 + 24, Cleo 71 + 16
    assert phone.standings == totals("Ben 126, Ana 115, Cleo 87")

    phone.note_board(start=CLEO, discard="njet", trump="green", supertrump="black", points="1")
    phone.name_team(ANA)
    phone.tally(figures("Ana 6+3, Ben 2, Cleo 4+2"))
    assert phone.formulas == ["(10 + 5) × 1 = 15", "(2 + 0) × 1 × 2 = 4"]
    # Ana 115 + 15, Ben 126 + 4, Cleo 87 + 15: a victory to share
    assert phone.standings == totals("Ana 130, Ben 130, Cleo 102")
    assert phone.victory == "Ana and Ben share the victory, 130"

    sheet = phone.read_sheet()
    assert sheet.totals == totals("Ana 130, Ben 130, Cleo 102")
    assert sheet.running == {
        "1": ["24", "18", "18"],
        "2": ["48", "42", "48"],
        "3": ["92", "86", "64"],
        "4": ["99", "102", "71"],
        "5": ["115", "126", "87"],
        "6": ["130", "130", "102"],
    }


def test_a_whole_game_without_script(open_phone: OpenPhone) -> None:
    phone = open_phone(script=False)
    phone.new_table("goldsieber-italian", [ANA, BEN, CLEO, DAN], rounds=2)
    assert phone.heading == "Round 1 of 2 Ana deals"

    # Round 1 is the example that the French and the Dutch text share: 3 points, two cards away, so 8 tricks.
    phone.begin_placing()
    for row, space in [("points", "1"), ("points", "2"), ("points", "4")]:
        phone.cover(row, space)
    assert phone.tap_space("points", "3") == "last_open_space"
    assert phone.version == 3
    phone.undo()
    phone.undo()
    phone.undo()
    place(
        phone,
        """
        Ben: start Ana, Cleo: start Cleo, Dan: start Dan → Ben starts, Ana: points 1, Ben: points 2,
        Cleo: points 4 → 3 a trick, Dan: discard njet, Ana: discard discard_1 → Everybody discards 2 cards,
        Ben: trump red, Cleo: trump black, Dan: trump green → Blue is trump, Ana: supertrump red,
        Ben: supertrump black, Cleo: supertrump blue, Dan: supertrump green
        """,
    )
    phone.name_team(DAN)
    # One pair 3 tricks and 1 captured, the other 5 and 2
    win(phone, "Ben Ana+1 Cleo Dan+1 Ana Cleo+1 Ana Ben")
    assert phone.formulas == ["(3 + 1) × 3 = 12", "(5 + 2) × 3 = 21"]
    assert phone.standings == totals("Ana 21, Cleo 21, Ben 12, Dan 12")

    # Round 2, where the first tally is a trick short.
    phone.note_board(start=DAN, discard="njet", trump="red", supertrump="red", points="4")
    phone.name_team(ANA)
    phone.enter_tally(figures("Ana 3+1, Ben 3+2, Cleo 1+1, Dan 2"))
    phone.tap("Count the round")
    assert phone.code == "wrong_trick_sum"
    assert phone.figure("captured", BEN).input_value() == "2"
    phone.tally(figures("Ana 3+1, Ben 3+2, Cleo 2+1, Dan 2"))
    assert phone.formulas == ["(5 + 1) × 4 = 24", "(5 + 3) × 4 = 32"]
    # Ana 21 + 24, Ben 12 + 32, Cleo 21 + 32, Dan 12 + 24
    assert phone.standings == totals("Cleo 53, Ana 45, Ben 44, Dan 36")
    assert phone.victory == "Cleo wins, 53"

    phone.tap("Confirm the result")
    phone.tap("Lock the sheet")
    assert phone.read_sheet().totals == totals("Ana 45, Ben 44, Cleo 53, Dan 36")
