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


@pytest.mark.gallery
def test_ten_rounds_of_njet_english_with_five_players(phone: Phone) -> None:
    phone.new_table("njet-english", FIVE)
    assert phone.heading == "Round 1 of 10 Ana deals"
    assert phone.setup_steps == [
        "Ana shuffles and deals 12 cards to each player.",
        "Ana places first. Everybody has 4 markers.",
    ]

    # Round 1 is the worked example of the English rulebook: nothing is discarded, so 12 tricks, at 2 points.
    place(
        phone,
        """
        Ana: start Ben, Ben: trump red, Cleo: points 4, Dan: discard discard_2, Eve: supertrump red,
        Ana: start Dan, Ben: trump blue, Cleo: points -2, Dan: discard discard_1, Eve: supertrump njet,
        Ana: trump njet, Ben: trump yellow → Black is trump, Cleo: start Eve, Dan: start Cleo → Ana starts,
        Eve: points 1, Ana: points 3 → 2 a trick, Ben: supertrump yellow, Cleo: supertrump black → Blue 0s,
        Dan: discard pass_2_right, Eve: discard discard_2_no_zero
        """,
    )
    assert phone.turn == ANA
    assert phone.conditions == ["Ana starts", "Nothing is discarded", "Black is trump", "Blue 0s", "2 a trick"]
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
    assert phone.conditions == ["Ben starts", "Everybody passes 2 right", "No trump", "Red 0s", "−2 a trick"]
    phone.name_team(DAN, monster=BEN)
    assert phone.duty == "Everybody now gives 2 cards to the right neighbour, all at once."
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
    assert phone.duty == "Everybody now puts 1 card away, face down."
    # 2 + 3 + 1 = 6 tricks and 1 captured; Dan 2, Ben 3 and 2 captured
    phone.tally(figures("Ana 3, Ben 3+2, Cleo 2+1, Dan 2, Eve 1"))
    assert phone.formulas == ["(6 + 1) × 4 = 28", "(2 × 4) + (5 × 4) × 2 = 48"]
    # Ana and Cleo −2 + 28, Ben 6 + 48, Dan 4 + 48, Eve −4 + 28
    assert phone.standings == totals("Ben 54, Dan 52, Ana 26, Cleo 26, Eve 24")

    # Rounds 4 to 9 note the settled board only, and count a round at once, typed.
    phone.note_board(start=DAN, discard="discard_2", trump="red", supertrump="black", points="3")
    phone.name_team(EVE, monster=EVE)
    phone.tally(figures("Ana 2+1, Ben 1, Cleo 2, Dan 2, Eve 3+1"), typing=True)
    assert phone.formulas == ["(2 × 3) + (4 × 3) × 2 = 30", "(5 + 1) × 3 = 18"]
    # Ana and Cleo 26 + 18, Ben 54 + 18, Dan 52 + 30, Eve 24 + 30
    assert phone.standings == totals("Dan 82, Ben 72, Eve 54, Ana 44, Cleo 44")

    phone.note_board(start=EVE, discard="discard_2_no_zero", trump="blue", supertrump="blue", points="1")
    phone.name_team(ANA, BEN, monster=CLEO)
    assert phone.duty == "Everybody now puts 2 cards away, face down, but no 0."
    phone.tally(figures("Ana 1, Ben 2+2, Cleo 1, Dan 3+1, Eve 3"), typing=True)
    assert phone.formulas == ["(6 + 2) × 1 = 8", "(4 × 1) + (1 × 1) × 2 = 6"]
    # Ana 44 + 8, Ben 72 + 8, Eve 54 + 8, Cleo 44 + 6, Dan 82 + 6
    assert phone.standings == totals("Dan 88, Ben 80, Eve 62, Ana 52, Cleo 50")

    phone.note_board(start=BEN, discard="njet", trump="njet", supertrump="njet", points="-2")
    phone.name_team(CLEO, monster=BEN)
    phone.tally(figures("Ana 4+1, Ben 0, Cleo 1, Dan 4, Eve 3"), typing=True)
    assert phone.formulas == ["(1 × (−2)) + (0 × (−2)) × 2 = −2", "(11 + 1) × (−2) = −24"]
    # Ben 80 − 2, Cleo 50 − 2, Ana 52 − 24, Dan 88 − 24, Eve 62 − 24
    assert phone.standings == totals("Ben 78, Dan 64, Cleo 48, Eve 38, Ana 28")

    phone.note_board(start=ANA, discard="pass_2_right", trump="black", supertrump="red", points="2")
    phone.name_team(DAN, EVE, monster=BEN)
    phone.tally(figures("Ana 2+1, Ben 4+1, Cleo 3+2, Dan 2, Eve 1"), typing=True)
    assert phone.formulas == ["(5 + 1) × 2 = 12", "(5 × 2) + (5 × 2) × 2 = 30"]
    # Ana 28 + 12, Dan 64 + 12, Eve 38 + 12, Ben 78 + 30, Cleo 48 + 30
    assert phone.standings == totals("Ben 108, Cleo 78, Dan 76, Eve 50, Ana 40")

    phone.note_board(start=EVE, discard="discard_1", trump="yellow", supertrump="blue", points="4")
    phone.name_team(ANA, monster=ANA)
    phone.tally(figures("Ana 3+2, Ben 2, Cleo 1, Dan 3+1, Eve 2+1"), typing=True)
    assert phone.formulas == ["(3 × 4) + (5 × 4) × 2 = 52", "(6 + 1) × 4 = 28"]
    # Ana 40 + 52, Eve 50 + 52, Ben 108 + 28, Cleo 78 + 28, Dan 76 + 28
    assert phone.standings == totals("Ben 136, Cleo 106, Dan 104, Eve 102, Ana 92")

    phone.note_board(start=CLEO, discard="discard_2", trump="njet", supertrump="yellow", points="3")
    phone.name_team(EVE, monster=CLEO)
    phone.tally(figures("Ana 2+1, Ben 2, Cleo 3+1, Dan 1, Eve 2"), typing=True)
    assert phone.formulas == ["(2 × 3) + (4 × 3) × 2 = 30", "(5 + 1) × 3 = 18"]
    # Cleo 106 + 30, Eve 102 + 30, Ana 92 + 18, Ben 136 + 18, Dan 104 + 18
    assert phone.standings == totals("Ben 154, Cleo 136, Eve 132, Dan 122, Ana 110")

    # Round 10, before which the card says what is at stake.
    assert phone.heading == "Round 9 Eve deals next"
    assert phone.needs == [
        "Ben leads with 154: 18 points ahead.",
        "Cleo is 18 points behind.",
        "Eve is 22 points behind.",
        "Dan is 32 points behind.",
        "Ana is 44 points behind.",
    ]
    place(
        phone,
        """
        Eve: start Ana, Ana: start Eve, Ben: start Cleo, Cleo: start Ben → Dan starts, Dan: points -2,
        Eve: points 1, Ana: points 2, Ben: points 4 → 3 a trick, Cleo: trump njet, Dan: trump black,
        Eve: trump blue, Ana: trump yellow → Red is trump, Ben: supertrump njet, Cleo: supertrump black,
        Dan: supertrump blue, Eve: supertrump yellow → Red 0s, Ana: discard discard_1, Ben: discard discard_2,
        Cleo: discard pass_2_right, Dan: discard discard_2_no_zero
        """,
    )
    phone.name_team(CLEO, monster=DAN)
    # Cleo 3 tricks and 1 captured, Dan 4 and 1; the others 2 + 1 + 2 = 5 and 1
    win(phone, "Dan Cleo Ana Dan+1 Eve Cleo+1 Ben Dan Ana Cleo Eve+1 Dan")
    assert phone.formulas == ["(4 × 3) + (5 × 3) × 2 = 42", "(5 + 1) × 3 = 18"]
    # Cleo 136 + 42, Dan 122 + 42, Ben 154 + 18, Eve 132 + 18, Ana 110 + 18
    assert phone.standings == totals("Cleo 178, Ben 172, Dan 164, Eve 150, Ana 128")
    assert phone.victory == "Cleo wins, 178"

    sheet = phone.read_sheet()
    assert sheet.totals == totals("Ana 128, Ben 172, Cleo 178, Dan 164, Eve 150")
    assert [" ".join(points) for points in sheet.written.values()] == [
        "20 20 20 18 18",
        "−22 −14 −22 −14 −22",
        "28 48 28 48 28",
        "18 18 18 30 30",
        "8 8 6 6 8",
        "−24 −2 −2 −24 −24",
        "12 30 30 12 12",
        "52 28 28 28 52",
        "18 18 30 18 30",
        "18 18 42 42 18",
    ]
    assert [" ".join(running) for running in sheet.running.values()] == [
        "20 20 20 18 18",
        "−2 6 −2 4 −4",
        "26 54 26 52 24",
        "44 72 44 82 54",
        "52 80 50 88 62",
        "28 78 48 64 38",
        "40 108 78 76 50",
        "92 136 106 104 102",
        "110 154 136 122 132",
        "128 172 178 164 150",
    ]


def test_six_rounds_of_goldsieber_dutch_with_three_players(phone: Phone) -> None:
    phone.new_table("goldsieber-dutch", [ANA, BEN, CLEO])
    assert phone.heading == "Round 1 of 6 Ana deals"
    assert phone.setup_steps == [
        "Take all 4s out: they stay out for the whole game.",
        "Cover raven in the top row: nobody plays it.",
        "Ana shuffles and deals 12 cards to each player.",
        "Ben, left of the dealer, places first. Everybody has 5 or 4 markers.",
    ]

    # Round 1 is the worked example of the Dutch text: 2 points, who plays alone scores double.
    place(
        phone,
        """
        Ben: start Cleo, Cleo: trump red, Ana: points 4, Ben: trump black, Cleo: points 1,
        Ana: start Ben → Ana starts, Ben: trump green → Blue is trump, Cleo: supertrump red,
        Ana: points 3 → 2 a trick, Ben: supertrump blue, Cleo: supertrump green, Ana: supertrump njet → Black 1s,
        Ben: discard discard_1, Cleo: discard discard_2
        """,
    )
    assert phone.conditions == ["Ana starts", "Nothing is discarded", "Blue is trump", "Black 1s", "2 a trick"]
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
    assert (
        phone.tap_space("points", "3")
        == "“3” is the last open space of the row “Points a trick”: exactly one stays open."
    )
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
    assert phone.notice == "1 trick is missing: 9 of 10 are entered."
    assert phone.figure("captured", BEN).input_value() == "2"
    phone.tally(figures("Ana 3+1, Ben 3+2, Cleo 2+1, Dan 2"))
    assert phone.formulas == ["(5 + 1) × 4 = 24", "(5 + 3) × 4 = 32"]
    # Ana 21 + 24, Ben 12 + 32, Cleo 21 + 32, Dan 12 + 24
    assert phone.standings == totals("Cleo 53, Ana 45, Ben 44, Dan 36")
    assert phone.victory == "Cleo wins, 53"

    phone.tap("Confirm the result")
    phone.tap("Lock the sheet")
    assert phone.sees("The result is confirmed.")
    assert phone.read_sheet().totals == totals("Ana 45, Ben 44, Cleo 53, Dan 36")
