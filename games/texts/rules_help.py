"""The help page: each row, space and condition explained for the edition and options in play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import assert_never

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.rules import Ruleset
from games.rules.editions import NJET, NYET60, RowKey
from games.rules.options import CapturedFrom, DiscardTiming, FirstPlacer, ScoreRecord, SupertrumpSuit
from games.texts import words


@dataclass(frozen=True)
class Explanation:
    """A heading and its explanation."""

    key: str
    title: str
    text: str
    items: tuple[tuple[str, str], ...] = ()


def explanations(ruleset: Ruleset) -> tuple[Explanation, ...]:
    """The rules of a round, in the order in which they are needed."""
    return _explanations(ruleset, get_language())


@lru_cache(maxsize=128)
def _explanations(ruleset: Ruleset, language: str | None) -> tuple[Explanation, ...]:
    rows = ((row, *_row(ruleset, row)) for row in ruleset.rows)
    return (
        _placing(ruleset),
        *(Explanation(row.value, str(words.ROW_NAMES[row]), text, tuple(items)) for row, text, items in rows),
        _teams(ruleset),
        _tricks(ruleset),
        _score(ruleset),
        *_inferred(ruleset),
    )


def _inferred(ruleset: Ruleset) -> list[Explanation]:
    """What no source settles of a box whose rule book was not read, and the option that changes it (RULES.md 7.1)."""
    if ruleset.edition.key != NYET60.key:
        return []
    no_option = _("no option")
    items = [
        (words.option_name("supertrump_suit"), _("One source alone says that a super trump counts as trump.")),
        (no_option, _("Whether the board has a space for no trump: it is taken from the older box.")),
        (no_option, _("How many cards are passed: two, as in the older box.")),
    ]
    if ruleset.players == 3:
        lowest = _("Which three ranks leave the deck with three players: the lowest ones.")
        items.insert(0, (words.option_name("three_player_removal"), lowest))
    text = _("Each line begins with the option that changes it.")
    return [Explanation("inferred", _("What no source settles"), text, tuple(items))]


def legend(ruleset: Ruleset) -> Explanation:
    """The symbols that the pages beside the board use."""
    letters = ", ".join(str(words.SUIT_LETTERS[suit]) for suit in ruleset.edition.suits)
    items = [
        (letters, _suits(ruleset)),
        ("▲ ■", _("The start player’s team, and the team against it.")),
    ]
    if ruleset.players in (3, 5):
        items.append(("×2", _("This player’s tricks and captured cards count twice.")))
    items.append(("○", _("Captured: {cards}.").format(cards=words.capturable_plural(ruleset))))
    text = _("A token with letters is a player: the first letters of the name in the colour of the markers.")
    return Explanation("legend", _("Symbols"), text, tuple(items))


def _placing(ruleset: Ruleset) -> Explanation:
    text = _(
        "Clockwise, everybody covers one space at a time with a marker; nobody passes. "
        "What is covered cannot happen this round. Exactly one space stays open in each row."
    )
    match ruleset.options.first_placer:
        case FirstPlacer.DEALER:
            first = _("The dealer begins.")
        case FirstPlacer.LEFT_OF_DEALER:
            first = _("The player left of the dealer begins.")
        case never:
            assert_never(never)
    return Explanation("placing", _("Placing markers"), f"{text} {first}")


def _row(ruleset: Ruleset, row: RowKey) -> tuple[str, list[tuple[str, str]]]:
    """The text of a row and its items."""
    match row:
        case RowKey.START:
            text = _("The player whose token stays open picks the partners and leads the first trick.")
            items = [(_("A token"), _("Covering it means: this player does not start this round."))]
            if ruleset.players < len(ruleset.edition.tokens):
                items.append(("○ ×", _("Nobody plays this token.")))
            return text, items
        case RowKey.DISCARD:
            return _timing(ruleset), [
                (words.plain(words.space_name(row, space, ruleset, ())), _exchange(space))
                for space in ruleset.spaces(row)
            ]
        case RowKey.TRUMP:
            items = [(_suits(ruleset), _("Cards of this colour are trump: they beat all plain cards."))]
            if NJET in ruleset.spaces(row):
                items.append((_("njet"), _("No colour is trump in this round.")))
            return _("The colour that stays open is trump."), items
        case RowKey.SUPERTRUMP:
            rank = words.capturable(ruleset)
            items = [
                (
                    _suits(ruleset),
                    _("The {rank}s of this colour beat everything; of several, the last one played wins.").format(
                        rank=rank
                    ),
                ),
                (_("njet"), _("There are no super trumps in this round.")),
            ]
            return _family(ruleset), items
        case RowKey.POINTS:
            items = [
                ("1 2 3 4", _("So many points for each trick and each captured card of the team.")),
            ]
            if "-2" in ruleset.spaces(row):
                items.append(("−2", _("Each costs two points: win as little as you can.")))
            text = _("What each trick and each captured card is worth to the team that won it.")
            return text, items
        case never:
            assert_never(never)


def _timing(ruleset: Ruleset) -> str:
    match ruleset.options.discard_timing:
        case DiscardTiming.BEFORE_TEAMS:
            return _("This happens before the teams are named.")
        case DiscardTiming.AFTER_TEAMS:
            return _("This happens once the teams are known, before the first trick.")
        case never:
            assert_never(never)


def _suits(ruleset: Ruleset) -> str:
    return words.plain(", ".join(str(words.SUIT_NAMES[suit]) for suit in ruleset.edition.suits))


def _exchange(space: str) -> str:
    return words.by_exchange(
        space,
        one=_("Each puts one card away, face down. It is out of the round and never counted."),
        two=_("Each puts two cards away, face down. They are out of the round and never counted."),
        kept=_("Two cards as well, but no {rank} – unless a hand has nothing else."),
        right=_("Each gives two cards to the right neighbour before looking at what arrives."),
        left=_("Each gives two cards to the left neighbour before looking at what arrives."),
        nothing=_("Everybody plays with the whole hand."),
    )


def _family(ruleset: Ruleset) -> str:
    match ruleset.options.supertrump_suit:
        case SupertrumpSuit.OWN_SUIT:
            return _("For following, a super trump is a card of its printed colour.")
        case SupertrumpSuit.TRUMP_OR_OWN:
            return _("For following, it counts as trump; on its printed colour it may be played but need not be.")
        case SupertrumpSuit.TRUMP:
            return _("For following, it counts as trump and no longer as its printed colour.")
        case never:
            assert_never(never)


def _teams(ruleset: Ruleset) -> Explanation:
    match ruleset.players:
        case 2:
            text = _("The two play against each other.")
        case 3:
            text = _("The start player has to choose: alone or with one partner.")
        case 4:
            text = _("The start player picks one partner; the other two play together.")
        case _:
            text = _("The start player picks one partner or two, so that two play against three.")
    if not ruleset.options.start_row:
        text = _("Who covers the first space is the start player and leads the first trick.") + " " + text
    if words.plays_without_monster(ruleset) and ruleset.players == 3:
        text += " " + _("Whoever plays alone scores double.")
    elif ruleset.players in (3, 5):
        text += " " + _(
            "One player of the smaller team holds the monster card, which doubles what that player wins. "
            "The start player says who."
        )
        if ruleset.edition.key == NYET60.key:
            text += " " + _("In this box it is the ×2 card.")
    return Explanation("teams", _("Teams"), text)


def _tricks(ruleset: Ruleset) -> Explanation:
    text = _(
        "Follow the colour that was led if you can; otherwise play what you like. The last super trump wins, "
        "else the highest trump, else the highest card of the colour led. Of equal cards the last one played is higher."
    )
    if ruleset.options.must_trump_when_void:
        text += " " + _("Without the colour led you have to play a trump or super trump if you hold one.")
    return Explanation("tricks", _("Tricks"), text)


def _score(ruleset: Ruleset) -> Explanation:
    ones = words.capturable_plural(ruleset)
    match ruleset.options.captured_from:
        case CapturedFrom.EVERYONE:
            text = _("All {cards} in a trick count for the team that won it, like another trick each.")
        case CapturedFrom.OPPONENTS:
            text = _(
                "The {cards} that opponents played into a trick you won are captured: each counts like another trick."
            )
        case never:
            assert_never(never)
    return Explanation("score", _("Scoring"), f"{text.format(cards=ones)} {_written(ruleset)}")


def _written(ruleset: Ruleset) -> str:
    match ruleset.options.score_record:
        case ScoreRecord.FULL:
            return _("A team's tricks and captured cards times the points of the round: every member writes that down.")
        case ScoreRecord.DIFFERENCE:
            return _(
                "A team's tricks and captured cards times the points of the round are its score. "
                "Every member of the team with more writes down the difference, the others 0."
            )
        case never:
            assert_never(never)
