"""`njet`, the readable record of a whole game: written, read, compared with the rules (`NOTATION.md`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.formats import notation
from games.formats.notation import LONGEST_TEXT, Record, actions_of, line_of, parse, write
from games.rules import (
    Action,
    AddPenalty,
    Deal,
    Discard,
    EnterConditions,
    Hidden,
    IllegalAction,
    Malformed,
    NameTeam,
    NjetError,
    Pass,
    Place,
    Play,
    RecordTally,
    RecordTrick,
    RowKey,
    Setup,
    VoidRound,
    parse_hand,
)
from games.rules.errors import NotationError, RecordDiffers, RecordRefused
from games.rules.occasion import Occasion
from games.rules.public import LONGEST_REASON
from games.rules.setup import LONGEST_NAME, Stint
from games.rules.text import clean_line
from tests.builders import dutch, english, french, iello, italian, placing, read, wikipedia
from tests.strategies import Game, games, setups

SPECIFICATION = Path(notation.__file__).parent / "NOTATION.md"

ANGY_ALONE = ("open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")


def noted(setup: Setup, *lines: str | Action, **tags: str) -> Record:
    """A record of these actions."""
    return Record(setup, tuple(read(line) if isinstance(line, str) else line for line in lines), **tags)


def rounds_of(text: str) -> str:
    """What a record tells after its tags."""
    return text.partition("\n\n")[2]


def same_both_ways(record: Record) -> str:
    """The text of a record that is read as it was written, sign by sign."""
    text = write(record)
    assert parse(text) == record
    assert write(parse(text)) == text
    return text


def refused(text: str) -> NjetError:
    """The refusal of a text."""
    with pytest.raises(NjetError) as caught:
        parse(text)
    return caught.value


def position(error: NjetError) -> tuple[str, object, object]:
    """What is refused, and where."""
    return error.code, error.params["line"], error.params["column"]


# --- the worked examples of the rule texts, word by word ---

DUTCH = """\
[Format "njet 1"]
[Source "a1b2c3"]
[Date "2026-11-21T18:02:11Z"]
[Ended "2026-11-21T18:31:40Z"]
[Group "Tuesdays"]
[Preset "goldsieber-dutch"]
[Option rounds "1"]
[Player bear   "Angy"]
[Player wolf   "Biggy"]
[Player falcon "Chris"]
[Dealer "bear"]
[Result "bear 24, wolf 18, falcon 18"]

== Round 1 of 1, bear deals ==
enter   start bear, discard njet, trump blue, supertrump black, points 2
team    bear alone against wolf, falcon; monster bear
tally   bear 5+1, wolf 4+1, falcon 3+1
score   bear 24,  wolf 18,  falcon 18
total   bear 24,  wolf 18,  falcon 18
"""


def test_s3_the_lone_player_scores_24_and_the_pair_18() -> None:
    setup = Setup.of(preset="goldsieber-dutch", names=["Angy", "Biggy", "Chris"], options={"rounds": 1})

    text = write(
        noted(
            setup,
            *ANGY_ALONE,
            began="2026-11-21T18:02:11Z",
            ended="2026-11-21T18:31:40Z",
            group="Tuesdays",
            source="a1b2c3",
        )
    )

    assert text == DUTCH
    assert write(parse(DUTCH)) == DUTCH


def test_s0_by_difference_the_three_write_2_and_the_two_nothing() -> None:
    setup = english(5, score_record="difference", dealer=2)
    board = placing(setup, "0 njet black blue 2")

    text = same_both_ways(noted(setup, *board, "team 1 2 monster 4", "tally 4+1 2+1 1+1 3 2+1"))

    assert text == (
        """\
[Format "njet 1"]
[Preset "njet-english"]
[Option score_record "difference"]
[Player turquoise "Ana"]
[Player pink      "Ben"]
[Player green     "Cleo"]
[Player orange    "Dan"]
[Player lilac     "Eve"]
[Dealer "green"]
[Result "unfinished"]

== Round 1 of 10, green deals ==
place   green start pink, orange start green, lilac start orange,
        turquoise start lilac, pink discard discard_1, green discard discard_2,
        orange discard discard_2_no_zero, lilac discard pass_2_right,
        turquoise trump red, pink trump blue, green trump yellow,
        orange trump njet, lilac supertrump red, turquoise supertrump black,
        pink supertrump yellow, green supertrump njet, orange points 1,
        lilac points 3, turquoise points 4, pink points -2
open    start turquoise, discard njet, trump black, supertrump blue, points 2
team    turquoise with pink, green against orange, lilac; monster lilac
tally   turquoise 4+1, pink 2+1, green 1+1, orange 3,  lilac 2+1
raw     turquoise 20,  pink 20,  green 20,  orange 18, lilac 18
score   turquoise 2,   pink 2,   green 2,   orange 0,  lilac 0
total   turquoise 2,   pink 2,   green 2,   orange 0,  lilac 0
"""
    )


def test_s2_and_s3_two_pairs_score_12_and_21_in_a_round_with_two_discards() -> None:
    for setup in (dutch(4), french(4)):
        record = noted(setup, "open 0 discard_2 blue black 3", "team 1", "tally 3+1 0 5+2 0", "finish")

        text = same_both_ways(record)

        assert '[Result "falcon 21, raven 21, bear 12, wolf 12"]\n' in text
        assert rounds_of(text) == (
            "== Round 1 of 8, bear deals ==\n"
            "enter   start bear, discard discard_2, trump blue, supertrump black, points 3\n"
            "team    bear with wolf against falcon, raven\n"
            "tally   bear 3+1, wolf 0,  falcon 5+2, raven 0\n"
            "score   bear 12,  wolf 12, falcon 21,  raven 21\n"
            "total   bear 12,  wolf 12, falcon 21,  raven 21\n"
            "finish\n"
        )


def test_s1_without_the_start_row_the_table_may_name_the_start_player() -> None:
    setup = wikipedia(5, start_row=False)

    text = same_both_ways(noted(setup, "open njet black njet 1", "team 4 2 start 3 monster 0"))

    assert '[Option start_row "no"]\n' in text
    assert rounds_of(text).splitlines()[1:] == [
        "enter   discard njet, trump black, supertrump njet, points 1",
        "team    orange with lilac, green against turquoise, pink; monster turquoise;",
        "        start orange",
    ]


def test_the_example_of_the_specification_is_a_canonical_record() -> None:
    examples = re.findall(r"```njet\n(.*?)```", SPECIFICATION.read_text(encoding="utf-8"), re.DOTALL)

    assert len(examples) == 1
    for example in examples:
        assert write(parse(example)) == example


def test_the_specification_names_every_line_and_every_tag() -> None:
    text = SPECIFICATION.read_text(encoding="utf-8")

    for word in (*notation.moves.READERS, "open", "raw", "score", "total"):
        assert f"`{word}`" in text
        assert f'"{word}"' in text
    for tag in (*notation.parser.PLAIN_TAGS, *notation.parser.KEYED_TAGS):
        assert f"| `{tag}`" in text or f"`{tag}`" in text
        assert f'"{tag}"' in text


# --- one round after the other ---

PAIR = ("open 0 njet red blue 2", "team 1 monster 2")


def test_a_record_without_actions_is_tags_alone() -> None:
    text = same_both_ways(Record(dutch(3), ()))

    assert text.endswith('[Dealer "bear"]\n[Result "unfinished"]\n')


def test_where_and_how_long_it_was_played_and_who_had_a_seat_before_are_tags() -> None:
    stints = (Stint(1, "Dan", 1), Stint(1, 'Eve "E"', 2))
    occasion = Occasion(minutes=95, place="Garden", note="“Rain” at the end")

    text = same_both_ways(Record(replace(dutch(3), earlier=stints), (), occasion=occasion))

    assert '[Minutes "95"]\n[Place "Garden"]\n[Note "“Rain” at the end"]\n' in text
    assert '[Earlier wolf 1 "Dan"]\n[Earlier wolf 2 "Eve \\"E\\""]\n[Dealer' in text


def test_a_tally_stands_below_the_tricks_that_it_replaces() -> None:
    text = same_both_ways(noted(dutch(3), *PAIR, "trick 0+1", "trick 2", "tally 5+1 4+1 3+1"))

    assert "\ntricks  bear+1, falcon\ntally   bear 5+1, wolf 4+1, falcon 3+1\nscore " in text


def test_a_void_round_begins_again_with_its_heading() -> None:
    text = same_both_ways(noted(dutch(3), "trump red", "void misdeal", "void again", "points 4"))

    heading = "== Round 1 of 6, bear deals ==\n"
    assert rounds_of(text) == (
        f'{heading}place   wolf trump red\nvoid    "misdeal"\n\n{heading}void    "again"\n\n'
        f"{heading}place   wolf points 4\n"
    )


def test_a_penalty_between_two_rounds_belongs_to_neither() -> None:
    record = noted(dutch(3), *PAIR, "tally 5+1 4+1 3+1", "penalty 2 -5 revoke", "points 4")

    text = same_both_ways(record)

    assert '\npenalty falcon -5 "revoke"\n\n== Round 2 of 6, wolf deals ==\nplace ' in text


def test_a_penalty_before_the_first_marker_stands_before_the_first_heading() -> None:
    text = same_both_ways(noted(dutch(3), "penalty 0 3 brought the cake"))

    assert rounds_of(text) == 'penalty bear 3 "brought the cake"\n'


def test_a_penalty_interrupts_the_placing() -> None:
    text = same_both_ways(noted(dutch(3), "trump red", "penalty 0 -1 late", "trump blue"))

    assert 'place   wolf trump red\npenalty bear -1 "late"\nplace   falcon trump blue\n' in text


def test_two_players_have_teams_that_no_line_names() -> None:
    text = same_both_ways(noted(english(2), "open 1 njet red blue -2", "trick 0", "tally 8 7+1"))

    assert "team" not in text
    assert "total   turquoise -16, pink -16\n" in text


def test_a_quick_entry_may_follow_markers() -> None:
    text = same_both_ways(noted(dutch(3), "trump red", "open 0 njet blue black 2"))

    assert "place   wolf trump red\nenter   start bear, " in text
    assert "open " not in text


def test_an_option_is_written_only_where_it_is_not_as_the_preset_has_it() -> None:
    setup = french(3, must_trump_when_void=True, captured_from="opponents", rounds=8, three_player_removal="all_4s")

    text = same_both_ways(Record(setup, ()))

    assert re.findall(r"\[Option .*", text) == [
        '[Option three_player_removal "all_4s"]',
        '[Option captured_from        "opponents"]',
    ]


@pytest.mark.parametrize(
    ("options", "written"),
    [
        ({"target": 100}, ['[Option target "100"]']),
        ({"target": 100, "rounds": 8}, ['[Option rounds "8"]', '[Option target "100"]']),
        ({"three_player_removal": "all_5s_12s_13s"}, ['[Option three_player_removal "all_5s_12s_13s"]']),
    ],
)
def test_a_target_is_written_with_the_rounds_that_bound_it(options: dict[str, object], written: list[str]) -> None:
    text = same_both_ways(Record(iello(3 if "target" not in options else 4, **options), ()))

    assert [re.sub(" +", " ", line) for line in re.findall(r"\[Option .*", text)] == written


@pytest.mark.parametrize("name", ['"', "\\", '\\"', "#", "a, b; [c]", "Zoë 王 Ñ", "“x”", "\\u{61}", "🂡", "==", "’"])
def test_a_name_is_kept_with_any_characters(name: str) -> None:
    same_both_ways(Record(Setup.of(preset="goldsieber-dutch", names=[name, "Ben", "Cleo"]), ()))


@pytest.mark.parametrize(
    "reason", ["a\nb", "  two  blanks ", "\u202eleft", "e\u0301", "\ud800x", "tab\t", "\x00x", "a, b"]
)
def test_a_reason_is_kept_as_it_was_typed(reason: str) -> None:
    text = same_both_ways(noted(dutch(3), AddPenalty(1, 2, reason), VoidRound(reason)))

    assert text.encode()
    assert len(text.splitlines()) == 12


@pytest.mark.parametrize("at", ["2024-02-29T23:59:59Z", "2000-02-29T00:00:00Z", "2026-12-31T12:00:00Z"])
def test_a_time_of_the_calendar_is_taken(at: str) -> None:
    same_both_ways(Record(dutch(3), (), began=at, ended=at))


@pytest.mark.parametrize(
    "at",
    [
        *("2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z"),
        *("2026-04-31T00:00:00Z", "2026-04-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z"),
        *("2026-01-01T00:00:60Z", "2026-01-01", "2026-01-01T00:00:00+01:00", "0000-01-01T00:00:00Z", "", "x"),
    ],
)
def test_a_time_that_no_calendar_has_is_refused(at: str) -> None:
    with pytest.raises(Malformed):
        Record(dutch(3), (), began=at)

    text = write(Record(dutch(3), ())).replace("[Preset", f'[Ended "{at}"]\n[Preset')
    assert position(refused(text)) == ("notation_error", 2, 8)


def test_actions_that_do_not_fold_are_not_written() -> None:
    with pytest.raises(IllegalAction) as caught:
        write(noted(dutch(3), "trump red", "trump red"))

    assert caught.value.code == "space_covered"


# --- written by hand ---


def test_what_the_rules_compute_may_be_left_out() -> None:
    by_hand = """
        # Angy wrote this from memory.
        [Format "njet 1"]
        [Player falcon "Chris"] [ # a tag has a line of its own
    """
    assert refused(by_hand).code == "notation_error"

    record = parse(
        '[Format "njet 1"]\n[Preset "goldsieber-dutch"]\n[Option rounds "1"]\n'
        '[Player bear "Angy"]\n[Player wolf "Biggy"]\n[Player falcon "Chris"]\n'
        "enter points 2, trump blue, supertrump black, discard njet, start bear\n"
        "team bear alone; monster bear\ntally falcon 3+1, bear 5+1, wolf 4+1\n"
    )

    assert record == replace(parse(DUTCH), began=None, ended=None, group=None, source=None)


def test_tags_may_stand_in_another_order_but_for_the_first() -> None:
    first, *tags = DUTCH.partition("\n\n")[0].splitlines()
    players = [tag for tag in tags if tag.startswith("[Player")]
    mixed = [first, *(tag for tag in reversed(tags) if tag not in players), *players]

    assert parse("\n".join([*mixed, "", rounds_of(DUTCH)])) == parse(DUTCH)


HANDS: list[Callable[[str], str]] = [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("\n", "\r"),
    lambda text: "\ufeff" + text,
    lambda text: text.replace("\n", "\n\n \t\n"),
    lambda text: "# a game\n\n" + text.replace("\n", '  # a comment, with " [ == \\\n'),
    lambda text: re.sub(r"^", "   \t", text, flags=re.MULTILINE),
    lambda text: re.sub(r",(?=[^\"]*$)", " ,\n# and on\n\n", text, flags=re.MULTILINE),
    lambda text: text.rstrip("\n"),
    lambda text: re.sub(r"^(open|score|total|raw|==).*\n", "", text, flags=re.MULTILINE),
    lambda text: re.sub(r" against [a-z, ]*", " ", text),
    lambda text: re.sub(r"(?<=  |, )(\w+) (?=(start|discard|trump|supertrump|points) )", "", text),
    lambda text: re.sub(r"(== Round \d+).*", r"\1==", text),
    lambda text: text.replace(" -", " −"),
    lambda text: re.sub(r"\b(\d)\b(?=[,\n])", r"0\1", text),
]


@pytest.mark.parametrize("hand", HANDS)
def test_a_text_in_another_hand_takes_the_canonical_form(hand: Callable[[str], str]) -> None:
    setup = english(5, dealer=2)
    board = placing(setup, "0 njet black blue -2")
    text = write(
        noted(setup, *board, "penalty 1 -5 late", "team 1 2 monster 4", "trick 1+1", "tally 4+1 2+1 1+1 3 2+1")
    )

    by_hand = hand(text)

    assert by_hand != text
    assert write(parse(by_hand)) == text


# --- what phones and mail programs do to a text ---


def wrapped(text: str, width: int, end: str = "\n") -> str:
    """As a mail program breaks lines: where a blank stands, which is gone; `end`: with what."""
    return "".join(f"{end.join(_pieces(line, width))}\n" for line in text.splitlines())


def _pieces(line: str, width: int) -> list[str]:
    place = line.rfind(" ", 1, width + 1) if len(line) > width else -1
    return [line] if place < 1 or not line[:place].strip() else [line[:place], *_pieces(line[place + 1 :], width)]


CARRIED: dict[str, Callable[[str], str]] = {
    "quoted": lambda text: re.sub("^", "> ", text, flags=re.MULTILINE),
    "quoted twice": lambda text: re.sub("^", ">> > ", text, flags=re.MULTILINE),
    "quoted without blanks": lambda text: re.sub("^", ">", text, flags=re.MULTILINE).replace("\n", "\r\n"),
    "wrapped at 76": lambda text: wrapped(text, 76),
    "wrapped at 72": lambda text: wrapped(text, 72),
    "wrapped at 40": lambda text: wrapped(text, 40),
    "wrapped at 20": lambda text: wrapped(text, 20),
    "flowed": lambda text: wrapped(text, 66, " \n"),
    "flowed and quoted": lambda text: re.sub("^", "> ", wrapped(text, 66, " \n"), flags=re.MULTILINE),
    "wrapped and quoted": lambda text: re.sub("^", "> ", wrapped(text, 60), flags=re.MULTILINE),
    "quoted and wrapped again": lambda text: wrapped(re.sub("^", "> ", text, flags=re.MULTILINE), 74, "\n> "),
    "no-break blanks": lambda text: text.replace(" ", "\xa0"),
    "invisible signs": lambda text: text.replace("\n", "\u200b\n\u2068").replace(", ", ",\xad "),
    "line separators": lambda text: text.replace("\n", "\u2028"),
    "blanks at the ends": lambda text: text.replace("\n", "  \t\n"),
    "English marks": lambda text: re.sub(r'(?<!\\)"([^"\n]*)"(?=\]?$)', r"“\1”", text, flags=re.MULTILINE),
    "German marks": lambda text: re.sub(r'"([^"\n]*)"(?=\]?$)', r"„\1“", text, flags=re.MULTILINE),
    "French marks": lambda text: re.sub(r'"([^"\n]*)"(?=\]?$)', "«\xa0\\1\xa0»", text, flags=re.MULTILINE),
    "the last mark alone": lambda text: re.sub(r'"(?=\]?$)', "”", text, flags=re.MULTILINE),
    "dashes": lambda text: text.replace("-", "–"),
    "no-break hyphens": lambda text: text.replace("-", "\u2011"),
    "capitals": lambda text: re.sub(r"^[a-z]", lambda first: first[0].upper(), text, flags=re.MULTILINE),
}


@pytest.mark.parametrize("carried", CARRIED)
def test_a_text_that_phones_and_mail_programs_have_handled_is_read_as_it_was(carried: str) -> None:
    setup = english(5, dealer=2).corrected(names=["Ana", "Zoë “Zed” O’Neil", "Ben „Jo“", "Cleo #1", "Dan"])
    board = placing(setup, "0 njet black blue -2")
    reason = "a revoke that was noticed three tricks later and then was spoken about for a long time, until all agreed"
    text = write(
        noted(
            *(setup, *board, f"penalty 1 -5 {reason}", "team 1 2 monster 4", "trick 1+1"),
            *("tally 4+1 2+1 1+1 3 2+1", "penalty 2 3 “late”"),
        )
    )

    handled = CARRIED[carried](text)

    assert handled != text
    assert write(parse(handled)) == text


def test_cards_that_a_mail_program_has_spread_over_lines_are_read_as_they_were() -> None:
    lines = ("deal bear R0 R1\n  R2 red-3\nR4, wolf none, falcon hidden 12", "discard wolf K0\n> R7")

    (dealt,), (discarded,) = (actions_of(line, dutch(3)) for line in lines)

    assert dealt.action == Deal((parse_hand("R0 R1 R2 R3 R4"), (), Hidden(12)))
    assert discarded.action == Discard((K0, R7))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("“Ana”", "Ana"),
        ("“Ana \\“the Bear\\””", 'Ana "the Bear"'),
        ('"Ana \\“the Bear\\”"', 'Ana "the Bear"'),
        ("“Zoë “Zed””", "Zoë “Zed”"),
        ("„Jürgen „Jojo““", "Jürgen „Jojo“"),
        ("« Ana »", "Ana"),
        ("“Ça va\\\\”", "Ça va\\"),
        ("“a # b”] # “c”", "a # b"),
        ('"Ana\nMaria"', "Ana Maria"),
        ('"Ana \r\n> Maria"', "Ana Maria"),
        ('"Ana > Maria"', "Ana > Maria"),
        ('"A\xadna\xa0Ma\u200bria"', "Ana Maria"),
        ('"Ana’s “bear” – 1…"', "Ana’s “bear” – 1…"),
    ],
)
def test_a_name_keeps_what_was_not_a_mark_around_it(written: str, read: str) -> None:
    text = DUTCH.replace('[Player wolf   "Biggy"]', f"[Player wolf {written}{'' if ']' in written else ']'}")

    assert parse(text).setup.names[1] == read


def test_a_blank_of_another_kind_is_kept_where_it_was_meant() -> None:
    moved = actions_of(r'void "a\u{a0}b\u{ad}"' + "\xa0", dutch(3))

    assert moved[0].action == VoidRound("a\xa0b\xad")


@pytest.mark.parametrize(
    ("put", "where"),
    [
        # No mark at the end, and the next line is a tag.
        ("“Biggy]", ("notation_error", 9, 14)),
        ("Biggy”]", ("notation_error", 9, 14)),
        ("“Big”gy”]x", ("notation_error", 9, 14)),
        ('"Big\n\ngy"]', ("notation_error", 9, 14)),
        ('"Big\n== gy"]', ("notation_error", 9, 14)),
        ('"Biggy\nand"] x', ("notation_error", 10, 7)),
        ("‘Biggy’]", ("notation_error", 9, 14)),
    ],
)
def test_what_may_have_been_handled_in_several_ways_is_refused(put: str, where: tuple[str, int, int]) -> None:
    assert position(refused(DUTCH.replace('wolf   "Biggy"]', f"wolf {put}"))) == where


@pytest.mark.parametrize(
    ("stands", "put", "where"),
    [
        # A line that is not complete, and one that follows it.
        ("enter   start bear, discard njet", "enter   start bear, discard\nnjet", None),
        ("enter   start bear", "> enter   start\n> bear", None),
        ("alone against", "alone\nagainst", None),
        ("falcon; monster", "falcon\n; monster", None),
        ("bear 5+1, wolf", "bear 5\n+1\n, wolf", None),
        ("deals ==", "deals\n==", ("notation_error", 14, 28)),
        ("start bear,", "start\nscore,", ("notation_error", 15, 14)),
        ("enter   start", "enter\nteam   start", ("notation_error", 15, 6)),
        ("enter   start", "x > y\nenter   start", ("unknown_line", 15, 1)),
    ],
)
def test_a_line_goes_on_in_the_next_one_only_if_something_is_missing(
    stands: str, put: str, where: tuple[str, int, int] | None
) -> None:
    text = DUTCH.replace(stands, put, 1)

    if where is None:
        assert write(parse(text)) == DUTCH
    else:
        assert position(refused(text)) == where


# --- lines, one by one ---

R7, K0 = parse_hand("R7 K0")

LINES: list[tuple[Action, int | None, str]] = [
    (Place(RowKey.TRUMP, "red"), 1, "place wolf trump red"),
    (Place(RowKey.START, "2"), None, "place start falcon"),
    (Place(RowKey.POINTS, "-2"), 0, "place bear points -2"),
    (
        EnterConditions("0", "discard_2", "red", "blue", "2"),
        None,
        "enter start bear, discard discard_2, trump red, supertrump blue, points 2",
    ),
    (
        EnterConditions(None, "njet", "njet", "njet", "2"),
        None,
        "enter discard njet, trump njet, supertrump njet, points 2",
    ),
    (NameTeam((), 0), 0, "team bear alone against wolf, falcon; monster bear"),
    (NameTeam((2,), 0), 1, "team wolf with falcon against bear; monster bear"),
    (NameTeam((2, 1), None), 0, "team bear with falcon, wolf against "),
    (NameTeam((2,), 1, 0), None, "team bear with falcon against wolf; monster wolf; start bear"),
    (RecordTrick(2, 0), None, "tricks falcon"),
    (RecordTrick(2, 1), None, "tricks falcon+1"),
    (RecordTally((12, 0, 0), (8, 0, 1)), None, "tally bear 12+8, wolf 0, falcon 0+1"),
    (VoidRound('a "b" \\'), None, r'void "a \"b\" \\"'),
    (AddPenalty(1, -5, "\n"), None, r'penalty wolf -5 "\u{a}"'),
    (read("finish"), None, "finish"),
    (Deal(((R7, K0), (), Hidden(12))), None, "deal bear R7 K0, wolf none, falcon hidden 12"),
    (Discard((K0, R7)), 1, "discard wolf K0 R7"),
    (Discard(Hidden(2)), None, "discard hidden 2"),
    (Discard(()), 2, "discard falcon none"),
    (Pass((R7,)), None, "pass R7"),
    (Pass(Hidden(0)), 0, "pass bear hidden 0"),
    (Play(R7), 2, "play falcon R7"),
    (Play(K0), None, "play K0"),
]


@pytest.mark.parametrize(("action", "seat", "line"), LINES, ids=[line for _, _, line in LINES])
def test_each_kind_of_action_has_a_line(action: Action, seat: int | None, line: str) -> None:
    assert line_of(action, dutch(3), seat=seat) == line.rstrip()

    if not line.endswith(" "):
        (move,) = actions_of(line, dutch(3))
        assert (move.action, move.seat) == (action, seat)


@given(st.data(), setups())
def test_cards_that_are_known_go_into_a_line_and_out_again(data: st.DataObject, setup: Setup) -> None:
    card = st.sampled_from(setup.ruleset.deck())
    cards = st.lists(card, max_size=16).map(tuple) | st.builds(Hidden, st.integers(0, 16))
    players = setup.ruleset.players
    hands = st.lists(cards, min_size=players, max_size=players).map(tuple)
    kinds = st.one_of(
        *(st.builds(kind, cards) for kind in (Discard, Pass)), st.builds(Play, card), st.builds(Deal, hands)
    )
    action = data.draw(kinds)
    seat = None if isinstance(action, Deal) else data.draw(st.none() | st.integers(0, players - 1))

    (move,) = actions_of(line_of(action, setup, seat=seat), setup)

    assert (move.action, move.seat) == (action, seat)


def test_a_line_tells_several_plays_and_knows_both_ways_to_write_a_card() -> None:
    moves = actions_of("play falcon red-7,\n  bear K0, wolf R7", dutch(3))

    assert [(move.seat, move.action) for move in moves] == [(2, Play(R7)), (0, Play(K0)), (1, Play(R7))]


@pytest.mark.parametrize(
    "line", ["deal bear R7, wolf hidden 1, falcon K0", "discard R7", "pass bear hidden 2", "play K0"]
)
def test_cards_belong_to_digital_games(line: str) -> None:
    error = refused(write(Record(dutch(3), ())) + line)

    assert position(error)[:2] == ("record_refused", 8)
    assert error.params["code"] == "digital_only"


# --- refusals, with line and column ---

BROKEN: list[tuple[str, str, tuple[str, int, int]]] = [
    # what stands in the record of Angy, what is put there, and what is refused where
    ('[Format "njet 1"]\n', "", ("tag_missing", 1, 1)),
    ("njet 1", "njet 2", ("unknown_format", 1, 9)),
    ("[Format", "x [Format", ("tag_missing", 1, 1)),
    ("[Group", "[Club", ("unknown_tag", 5, 2)),
    ("[Group", '[Minutes "long"]\n[Group', ("notation_error", 5, 10)),
    ("[Group", '[Minutes "0"]\n[Group', ("record_refused", 5, 10)),
    ("[Group", f'[Place "{"x" * 61}"]\n[Group', ("record_refused", 5, 8)),
    ("[Group", f'[Note "{"x" * 501}"]\n[Group', ("record_refused", 5, 7)),
    ("[Group", '[Note "x"]\n[Note "x"]\n[Group', ("tag_twice", 6, 1)),
    ("[Dealer", '[Earlier raven 1 "Dan"]\n[Dealer', ("not_at_table", 11, 10)),
    ("[Dealer", '[Earlier wolf "Dan"]\n[Dealer', ("notation_error", 11, 15)),
    ("[Dealer", '[Earlier wolf 1 " "]\n[Dealer', ("notation_error", 11, 17)),
    ("[Dealer", '[Earlier wolf 0 "Dan"]\n[Dealer', ("record_refused", 11, 1)),
    ("[Dealer", f'[Earlier wolf 1 "{"x" * 41}"]\n[Dealer', ("record_refused", 11, 1)),
    ("[Dealer", '[Earlier wolf 1 "Dan"]\n[Earlier wolf 1 "Eve"]\n[Dealer', ("record_refused", 12, 1)),
    ("[Group", "[[Group", ("notation_error", 5, 2)),
    ('[Group "Tuesdays"]', "[Group Tuesdays]", ("notation_error", 5, 8)),
    ('[Group "Tuesdays"]', '[Group "Tuesdays]', ("notation_error", 5, 8)),
    ('[Group "Tuesdays"]', '[Group "Tues\\days"]', ("notation_error", 5, 13)),
    ('[Group "Tuesdays"]', '[Group "\\u{110000}"]', ("notation_error", 5, 9)),
    ('[Group "Tuesdays"]', '[Group "\\u{}"]', ("notation_error", 5, 9)),
    ('[Group "Tuesdays"]', '[Group "Tuesdays"', ("notation_error", 5, 18)),
    ('[Group "Tuesdays"]', '[Group "Tuesdays"] [', ("notation_error", 5, 20)),
    ("[Group", '[Group "x"]\n[Group', ("tag_twice", 6, 1)),
    ("[Option", '[Option rounds "2"]\n[Option', ("tag_twice", 8, 1)),
    ("2026-11-21T18:02:11Z", "2026-11-31T18:02:11Z", ("notation_error", 3, 7)),
    ('[Preset "goldsieber-dutch"]\n', "", ("tag_missing", 13, 1)),
    ("goldsieber-dutch", "poker", ("record_refused", 6, 1)),
    ('[Player falcon "Chris"]\n', '[Player falcon "Chris"]\n' * 2, ("record_refused", 11, 1)),
    ("Player falcon", "Player wolf", ("record_refused", 10, 1)),
    ("Player falcon", "Player pink", ("record_refused", 10, 1)),
    ('"Chris"', '"angy"', ("record_refused", 10, 1)),
    ('"Biggy"', '" "', ("record_refused", 9, 1)),
    ('"Biggy"', f'"{"x" * 41}"', ("record_refused", 9, 1)),
    ('[Player wolf   "Biggy"]\n[Player falcon "Chris"]\n', "", ("record_refused", 6, 1)),
    ('Option rounds "1"', 'Option beer "yes"', ("record_refused", 7, 1)),
    ('rounds "1"', 'rounds "one"', ("notation_error", 7, 16)),
    ('rounds "1"', 'rounds "100"', ("record_refused", 7, 1)),
    ('rounds "1"', 'start_row "off"', ("notation_error", 7, 19)),
    ('rounds "1"', 'start_row "no"', ("record_refused", 7, 1)),
    ('rounds "1"', 'supertrump_suit "moon"', ("record_refused", 7, 1)),
    ('[Dealer "bear"]', '[Dealer "raven"]', ("not_at_table", 11, 9)),
    ('"bear 24, wolf', '"bear 42, wolf', ("record_differs", 12, 9)),
    ('"bear 24, wolf 18, falcon 18"', '"unfinished"', ("record_differs", 12, 9)),
    ("== Round 1 of", "== Round 2 of", ("record_differs", 14, 10)),
    ("of 1,", "of 2,", ("record_differs", 14, 15)),
    ("bear deals", "wolf deals", ("record_differs", 14, 18)),
    ("bear deals", "raven deals", ("not_at_table", 14, 18)),
    ("deals ==", "deals", ("notation_error", 14, 28)),
    ("== Round", "== round", ("notation_error", 14, 4)),
    ("enter ", "ENTER ", ("unknown_line", 15, 1)),
    ("enter ", "enter 7 ", ("notation_error", 15, 7)),
    ("enter   start bear, discard njet,", "enter   start bear,", ("record_refused", 15, 1)),
    ("discard njet", "start wolf", ("notation_error", 15, 21)),
    ("discard njet", "moon njet", ("notation_error", 15, 21)),
    ("discard njet", "discard 2", ("notation_error", 15, 29)),
    ("trump blue,", "trump yellow,", ("record_refused", 15, 1)),
    ("start bear", "start raven", ("not_at_table", 15, 15)),
    ("points 2", "points two", ("notation_error", 15, 72)),
    ("points 2", "points 2 3", ("notation_error", 15, 74)),
    ("points 2", f"points {'2' * 5000}", ("notation_error", 15, 72)),
    ("bear alone", "wolf alone", ("record_refused", 16, 1)),
    ("bear alone", "bear against", ("notation_error", 16, 14)),
    ("against wolf, falcon", "against wolf", ("record_differs", 16, 1)),
    ("; monster bear", "", ("record_refused", 16, 1)),
    ("; monster bear", "; bear", ("notation_error", 16, 42)),
    ("; monster bear", "; monster bear; monster bear", ("notation_error", 16, 56)),
    ("; monster bear", "; monster bear; start wolf", ("notation_error", 16, 56)),
    ("; monster bear", "; monster bear; start bear", ("record_refused", 16, 1)),
    ("bear 5+1", "bear 5+2", ("record_differs", 18, 14)),
    ("bear 5+1", "bear 6+1", ("record_refused", 17, 1)),
    ("bear 5+1", "bear -5+1", ("notation_error", 17, 14)),
    ("bear 5+1", "bear 5+x", ("notation_error", 17, 16)),
    ("bear 5+1, wolf 4+1", "bear 5+1, bear 4+1", ("notation_error", 17, 19)),
    (", falcon 3+1", "", ("notation_error", 17, 27)),
    ("tally   bear", "trick bear 1\ntally   bear", ("unknown_line", 17, 1)),
    ("tally   bear", "tricks bear, wolf+3\ntally   bear", ("record_refused", 17, 14)),
    ("tally   bear", "open points 2\nopen points 3\ntally   bear", ("record_differs", 18, 13)),
    ("tally   bear", "score bear 24, wolf 18, falcon 18\ntally   bear", ("record_refused", 17, 1)),
    ("tally   bear", "== Round 1 ==\ntally   bear", ("record_refused", 17, 1)),
    ("enter ", "open points 2\nenter ", ("record_refused", 15, 1)),
    ("enter ", "place falcon trump red\nenter ", ("record_refused", 15, 7)),
    ("enter ", "place trump red, wolf points 4\nenter ", ("record_refused", 15, 18)),
    ("enter ", "place wolf trump red falcon\nenter ", ("notation_error", 15, 22)),
    ("enter ", "penalty wolf five\nenter ", ("notation_error", 15, 14)),
    ("enter ", "penalty wolf 5\nenter ", ("notation_error", 15, 15)),
    ("enter ", 'penalty wolf 0 "late"\nenter ', ("record_refused", 15, 1)),
    ("enter ", "void\nenter ", ("notation_error", 15, 5)),
    ("enter ", 'void ","\nenter wolf', ("notation_error", 16, 7)),
    ("enter ", "finish\nenter ", ("record_refused", 15, 1)),
    ("enter ", "discard X7\nenter ", ("notation_error", 15, 9)),
    ("enter ", "discard 7\nenter ", ("notation_error", 15, 9)),
    ("enter ", "discard hidden -1\nenter ", ("notation_error", 15, 16)),
    ("falcon 3+1\nscore   bear 24,", "falcon 3+1\nscore   bear 42,", ("record_differs", 18, 14)),
    ("score   bear 24,", "score   raven 24,", ("not_at_table", 18, 9)),
    ("total   bear 24,", "total   bear 25,", ("record_differs", 19, 14)),
    ("total   bear 24,", "raw   bear 25,", ("record_differs", 19, 12)),
    ("wolf 18,  falcon 18\ntotal", "wolf 18,  falcon 18\nopen points 2\ntotal", ("record_refused", 19, 1)),
    ("wolf 18,  falcon 18\ntotal", "wolf 18,  falcon 18\n== Round 2 ==\ntotal", ("record_refused", 19, 1)),
    ("wolf 18,  falcon 18\ntotal", "wolf 18,  falcon 18\nfinish\ntotal", ("record_refused", 19, 1)),
    ("total   bear 24,", "… bear 24,", ("notation_error", 19, 1)),
    ("falcon 18\ntotal", "falcon 18,\ntotal", ("not_at_table", 19, 1)),
]


@pytest.mark.parametrize(("stands", "put", "where"), BROKEN)
def test_what_is_wrong_is_refused_with_line_and_column(stands: str, put: str, where: tuple[str, int, int]) -> None:
    assert stands in DUTCH

    error = refused(DUTCH.replace(stands, put, 1))

    assert position(error) == where
    assert error.message.startswith(f"Line {where[1]}, column {where[2]}: ")


def test_a_refusal_of_the_rules_carries_their_code_sentence_and_params() -> None:
    error = refused(DUTCH.replace("bear 5+1", "bear 6+1"))

    assert isinstance(error, RecordRefused)
    assert error.params == {
        "line": 17,
        "column": 1,
        "code": "wrong_trick_sum",
        "reason": "13 tricks are entered, but the round had 12: the difference is -1.",
        "refused_params": {"sum": 13, "tricks": 12, "missing": -1},
        "players": ["Angy", "Biggy", "Chris"],
    }


def test_a_stated_fact_is_shown_beside_the_computed_one() -> None:
    error = refused(DUTCH.replace("against wolf, falcon", "against falcon"))

    assert isinstance(error, RecordDiffers)
    assert (error.params["stated"], error.params["computed"]) == ("falcon", "wolf, falcon")


def test_the_start_row_that_is_not_used_has_no_open_space() -> None:
    setup = wikipedia(4, start_row=False)
    text = write(noted(setup, "open njet black njet 1")) + "open start pink\n"

    error = refused(text)

    assert position(error)[:2] == ("record_refused", len(text.splitlines()))
    assert error.params["code"] == "row_not_used"


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing", "\ufeff", "\r\n", " "])
def test_an_empty_text_misses_its_format(text: str) -> None:
    assert position(refused(text))[0] == "tag_missing"


def test_the_byte_order_mark_is_no_column() -> None:
    assert position(refused("\ufeff?")) == position(refused("?"))


def test_a_text_of_the_greatest_length_is_read_and_a_longer_one_refused() -> None:
    longest = DUTCH + "#" * (LONGEST_TEXT - len(DUTCH))

    assert parse(longest) == parse(DUTCH)
    assert position(refused(longest + "#")) == ("notation_too_long", 20, LONGEST_TEXT - len(DUTCH) + 1)


@pytest.mark.parametrize(
    "sign",
    [
        '"',
        "“",
        "“”",
        '[Format "',
        "[Format “",
        "[Format “”x",
        "> ",
        "\u200b",
        "[",
        "\\",
        "=",
        "a",
        "1",
        "-",
        ",",
        ' "" ',
        '"\\',
        "{",
        "é",
    ],
)
def test_the_same_character_repeated_is_refused_quickly(sign: str) -> None:
    assert isinstance(refused(sign * (LONGEST_TEXT // len(sign))), NotationError)


# --- laws on random games ---

MANY = settings(max_examples=settings().max_examples * 3 // 5)
FEW = settings(max_examples=max(1, settings().max_examples // 5))


def texts(longest: int) -> st.SearchStrategy[str]:
    """What people may type on a line, good enough for the sheet."""
    wild = st.text(max_size=12) | st.text(alphabet='"\\ ,;#[]{}=u\n\ufeffé', max_size=8)
    return wild.filter(lambda text: 0 < len(clean_line(text)) <= longest)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any record: every preset, player count and option, finished or not, with any names and reasons."""
    game: Game = draw(games())
    players = game.setup.ruleset.players
    names = st.lists(texts(LONGEST_NAME).map(clean_line), min_size=players, max_size=players, unique_by=str.casefold)
    actions = []
    for action in game.actions:
        if isinstance(action, VoidRound | AddPenalty):
            action = replace(action, reason=draw(texts(LONGEST_REASON)))
        actions.append(action)
    times = st.none() | st.datetimes().map(lambda at: f"{at:%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0"))
    return Record(
        setup=game.setup.corrected(names=draw(names)),
        actions=tuple(actions),
        began=draw(times),
        ended=draw(times),
        group=draw(st.none() | st.text(max_size=8)),
        source=draw(st.none() | st.text(max_size=8)),
    )


@MANY
@given(records())
def test_law_7_a_record_is_read_as_it_was_written_sign_by_sign(record: Record) -> None:
    text = same_both_ways(record)

    assert text.encode()
    assert text.isascii() or not any(sign != "\n" and not sign.isprintable() for sign in text)


@MANY
@given(records(), st.integers(20, 78), st.sampled_from(("\n", " \n", "\r\n")), st.booleans())
def test_law_a_text_that_a_mail_program_has_broken_is_read_as_it_was_or_refused(
    record: Record, width: int, end: str, quoted: bool
) -> None:
    text = write(replace(record, group=None, source=None))
    mail = wrapped(text, width, end)

    try:
        read = write(parse(re.sub("^", "> ", mail, flags=re.MULTILINE) if quoted else mail))
    except NotationError:
        # Only a text that people typed can look like another line.
        assert any('"' in line and len(line) > width for line in text.splitlines())
    else:
        assert read == text


@FEW
@given(records())
def test_a_line_that_is_a_list_has_at_most_80_columns(record: Record) -> None:
    for line in rounds_of(write(record)).splitlines():
        assert len(line) <= 80 or '"' in line
        assert line == line.rstrip()


@FEW
@given(games(to_the_end=True))
def test_reading_gives_the_same_results_again(game: Game) -> None:
    record = parse(write(Record(game.setup, game.actions)))

    assert Game(record.setup, record.actions).state == game.state


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A record in which lines or characters are gone, doubled, exchanged or others."""
    text = draw(st.sampled_from(VALID))
    for _ in range(draw(st.integers(1, 3))):
        pieces = text.splitlines(keepends=True) if draw(st.booleans()) else re.split(r"(\W)", text)
        one, other = (draw(st.integers(0, len(pieces) - 1)) for _ in range(2))
        match draw(st.sampled_from(("drop", "double", "exchange", "move", "change"))):
            case "drop":
                del pieces[one]
            case "double":
                pieces.insert(other, pieces[one])
            case "exchange":
                pieces[one], pieces[other] = pieces[other], pieces[one]
            case "move":
                pieces.insert(other, pieces.pop(one))
            case "change":
                pieces[one] = draw(st.text(max_size=3) | st.sampled_from(("-1", "99", "0", "none", "==", '"', "start")))
        text = "".join(pieces) or "x"
    return text


VALID = (
    DUTCH,
    write(noted(english(2), "open 1 njet red blue -2", "trick 0", "tally 8 7+1", "void oops", "finish")),
    write(noted(wikipedia(5, start_row=False), "open njet black njet 1", "team 4 2 start 3 monster 0", "trick 1+1")),
    write(
        noted(italian(), *placing(italian(), "2 discard_1 red njet 3"), "penalty 1 5 x", "team 1", "tally 9+2 0 0 0")
    ),
)


@MANY
@given(damaged())
def test_a_damaged_record_is_read_or_refused_and_never_breaks_the_reader(text: str) -> None:
    try:
        record = parse(text)
    except NjetError as error:
        assert isinstance(error, NotationError | RecordRefused)  # noqa: PT017 (a refusal is allowed, and not demanded)
        line, column = error.params["line"], error.params["column"]
        assert 1 <= line <= len(text) + 1
        assert 1 <= column <= len(text) + 1
    else:
        same_both_ways(record)


WORDS = (
    *('[Format "njet 1"]\n', '[Preset "njet-english"]\n', '[Player pink "Ana"]\n', '[Player green "Ben"]\n'),
    *("== Round 1", "place", "enter", "open", "team", "tricks", "tally", "pink", "green", "start", "trump red"),
    *("points", "1", "+", ",", ";", "\n", "deal", "hidden", "R7", "play", "void", '"x"', "penalty", "finish"),
    *("score", "total", "==", "[", "]"),
)


@MANY
@given(
    st.text()
    | st.lists(st.sampled_from(WORDS)).map(" ".join)
    | st.lists(st.sampled_from(WORDS)).map(lambda words: " ".join([*WORDS[:4], *words]))
)
def test_any_text_is_read_or_refused_and_never_breaks_the_reader(text: str) -> None:
    try:
        record = parse(text)
    except NjetError as error:
        assert isinstance(error, NotationError | RecordRefused)  # noqa: PT017 (a refusal is allowed, and not demanded)
    else:
        same_both_ways(record)


@FEW
@given(st.data(), records())
def test_a_figure_of_the_sheet_that_is_another_is_refused_where_it_stands(data: st.DataObject, record: Record) -> None:
    rows = write(record).splitlines()
    sheet = [number for number, row in enumerate(rows) if row.startswith(("raw ", "score ", "total "))]
    if not sheet:
        return
    number = data.draw(st.sampled_from(sheet))
    figure = data.draw(st.sampled_from(list(re.finditer(r"-?\d+", rows[number]))))
    rows[number] = f"{rows[number][: figure.start()]}{int(figure[0]) + 1}{rows[number][figure.end() :]}"

    error = refused("\n".join(rows))

    assert position(error) == ("record_differs", number + 1, figure.start() + 1)
