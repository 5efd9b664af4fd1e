"""The words of the pages: names of suits, rows, spaces, options; sentences for conditions and derivations."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from games.rules import Card, Conditions, FinishedRound, PublicState, Reason, Ruleset, Setup, Suit, TeamScore
from games.rules.editions import EXCHANGES, NJET, THREE_RANKS, Edition, RowKey
from games.rules.options import OPTIONS, CapturedFrom, ScoreRecord
from games.rules.ruleset import PRESETS
from games.rules.scoring import signed

NO_BREAK = "\u00a0"

SUIT_NAMES = {
    "red": pgettext_lazy("suit", "red"),
    "black": pgettext_lazy("suit", "black"),
    "blue": pgettext_lazy("suit", "blue"),
    "yellow": pgettext_lazy("suit", "yellow"),
    "green": pgettext_lazy("suit", "green"),
}

SPEEDS = {
    "slow": pgettext_lazy("speed", "Slow"),
    "normal": pgettext_lazy("speed", "Normal"),
    "fast": pgettext_lazy("speed", "Fast"),
    "instant": pgettext_lazy("speed", "Instant"),
}
SUIT_LETTERS = {
    "red": pgettext_lazy("suit letter", "R"),
    "black": pgettext_lazy("suit letter", "K"),
    "blue": pgettext_lazy("suit letter", "B"),
    "yellow": pgettext_lazy("suit letter", "Y"),
    "green": pgettext_lazy("suit letter", "G"),
}

SHORT = 12
"""Characters of a name beside which a phone of 360 px has room for what the player did."""

TOKEN_NAMES = {
    "turquoise": pgettext_lazy("token", "turquoise"),
    "pink": pgettext_lazy("token", "pink"),
    "green": pgettext_lazy("token", "green"),
    "orange": pgettext_lazy("token", "orange"),
    "lilac": pgettext_lazy("token", "lilac"),
    "bear": pgettext_lazy("token", "bear"),
    "wolf": pgettext_lazy("token", "wolf"),
    "falcon": pgettext_lazy("token", "falcon"),
    "raven": pgettext_lazy("token", "dove"),
    "third": pgettext_lazy("token", "third animal"),
    "fourth": pgettext_lazy("token", "fourth animal"),
    "fifth": pgettext_lazy("token", "fifth animal"),
}

ROW_NAMES = {
    RowKey.START: gettext_lazy("Start player"),
    RowKey.DISCARD: gettext_lazy("Discard"),
    RowKey.TRUMP: gettext_lazy("Trump"),
    RowKey.SUPERTRUMP: gettext_lazy("Super trump"),
    RowKey.POINTS: gettext_lazy("Points a trick"),
}

NJET_NAMES = {
    RowKey.DISCARD: gettext_lazy("no discard"),
    RowKey.TRUMP: gettext_lazy("no trump"),
    RowKey.SUPERTRUMP: gettext_lazy("no super trump"),
}
"""What njet means in its row."""

NJET_SPACES = {
    RowKey.DISCARD: gettext_lazy("“njet” (discard)"),
    RowKey.TRUMP: gettext_lazy("“njet” (trump)"),
    RowKey.SUPERTRUMP: gettext_lazy("“njet” (super trump)"),
}


def box_name(edition: Edition) -> str:
    """A box of the game, by what is on its cards: players do not know its year."""
    ranks = [rank for rank, copies in enumerate(edition.copies) if copies]
    sentence = _("{low} to {high}, 1997") if edition.key == "goldsieber40" else _("{low} to {high}")
    return sentence.format(low=ranks[0], high=ranks[-1])


def box_of_cards(edition: Edition) -> str:
    """A box in a sentence or list about more than cards: “cards 0 to 9”."""
    return _("cards {range}").format(range=box_name(edition))


def token_name(token: str, preset: str) -> str:
    """What a token is called: the fourth animal of 1997 is a dove, but a raven in the Dutch text."""
    if token == "raven" and preset == "goldsieber-dutch":
        return pgettext("token", "raven")
    return str(TOKEN_NAMES[token])


PHASE_NAMES = {
    "placing": gettext_lazy("placing markers"),
    "teams": gettext_lazy("naming the teams"),
    "discarding": gettext_lazy("discarding"),
    "passing": gettext_lazy("passing cards"),
    "tricks": gettext_lazy("the tricks"),
    "finished": gettext_lazy("finished"),
}

BOT_LEVELS = {
    "easy": pgettext_lazy("bot", "easy"),
    "medium": pgettext_lazy("bot", "medium"),
    "strong": pgettext_lazy("bot", "strong"),
}


def card_name(card: Card) -> str:
    """A card as it is read out: “red 7”."""
    return _("{suit} {rank}").format(suit=SUIT_NAMES[card.suit.value], rank=card.rank)


def cards_named(cards: Sequence[Card]) -> str:
    """Cards in a row: “red 7”, “red 7 and blue 0”, “red 7 twice”."""
    return listing([_copies(card_name(card), count) for card, count in Counter(cards).items()])


def _copies(card: str, count: int) -> str:
    sentence = {1: "{card}", 2: _("{card} twice")}.get(count, _("{count} times {card}"))
    return sentence.format(count=count, card=card)


def by_exchange(space: str, *, one: str, two: str, kept: str, right: str, left: str, nothing: str = "") -> str:
    """Of sentences the one that is true of a space of the row `discard`; `{rank}` is the rank that is kept."""
    exchange = EXCHANGES[space]
    if exchange.to:
        return right if exchange.to < 0 else left
    return {0: nothing, 1: one}.get(exchange.cards, two if exchange.kept is None else kept.format(rank=exchange.kept))


def exchange_name(space: str) -> str:
    """A space of the row `discard` but njet: “discard 2, no 0”."""
    return by_exchange(
        space,
        one=_("discard 1"),
        two=_("discard 2"),
        kept=_("discard 2, no {rank}"),
        right=_("pass 2 right"),
        left=_("pass 2 left"),
    )


def trick_taken(name: str, captured: int, ruleset: Ruleset) -> str:
    """Who won a trick and what it captured, to be heard: “Ben wins the trick and captures 1 zero.”"""
    if not captured:
        return _("{name} wins the trick.").format(name=name)
    match ruleset.edition.capturable_rank:
        case 0:
            sentence = ngettext(
                "{name} wins the trick and captures {count} zero.",
                "{name} wins the trick and captures {count} zeros.",
                captured,
            )
        case 1:
            sentence = ngettext(
                "{name} wins the trick and captures {count} one.",
                "{name} wins the trick and captures {count} ones.",
                captured,
            )
        case _:
            sentence = ngettext(
                "{name} wins the trick and captures {count} card.",
                "{name} wins the trick and captures {count} cards.",
                captured,
            )
    return sentence.format(name=name, count=captured)


def trick_reason(name: str, why: Reason, card: Card, captured: int, ruleset: Ruleset) -> str:
    """Why a player wins a trick with a card, and what it captures: “Ben wins: blue is trump. 1 zero captured.”"""
    sentence = {
        Reason.HIGHEST_OF_LED: _("{name} wins with the highest {suit} card."),
        Reason.TRUMP: _("{name} wins: {suit} is trump."),
        Reason.HIGHEST_TRUMP: _("{name} wins with the highest trump."),
        Reason.SUPER_TRUMP: _("{name} wins with a super trump."),
        Reason.LAST_SUPER_TRUMP: _("{name} wins with the last super trump."),
        Reason.LAST_EQUAL: _("{name} wins: of equal cards the last is the highest."),
    }[why].format(name=name, suit=SUIT_NAMES[card.suit.value])
    return f"{sentence} {captured_in_all(captured, ruleset)}." if captured else sentence


def choose_duty(discard: str) -> str:
    """What each player now does with their hand, in a few words."""
    return by_exchange(
        discard,
        one=_("discard 1 card"),
        two=_("discard 2 cards"),
        kept=_("discard 2 cards, no {rank}"),
        right=_("pass 2 cards to the right"),
        left=_("pass 2 cards to the left"),
    )


def choose_button(does: str, count: int) -> str:
    """The text of the button that puts chosen cards face down."""
    if does == "pass":
        return ngettext("Pass {count} card", "Pass {count} cards", count).format(count=count)
    return ngettext("Discard {count} card", "Discard {count} cards", count).format(count=count)


def choose_full(does: str, count: int) -> str:
    """The same once all are chosen, with `{one}` and `{two}` for the cards."""
    return {
        ("discard", 1): _("Discard {one}"),
        ("discard", 2): _("Discard {one} and {two}"),
        ("pass", 2): _("Pass {one} and {two}"),
    }.get((does, count), choose_button(does, count))


def capturable_kept(rank: object) -> str:
    """Why a 0 (in some editions a 1) is not discarded."""
    return _("No {rank} may be discarded while you hold other cards.").format(rank=rank)


def bot_name(level: str) -> str:
    """A bot by its strength: “the easy bot”."""
    return _("the {level} bot").format(level=bot_level(level))


def bot_level(level: str) -> str:
    """The strength of a bot: “easy”; one that no bot has today as it is."""
    return str(BOT_LEVELS.get(level, level))


def bot_style(name: str, style: str, ruleset: Ruleset) -> str:
    """The style of a bot (`games.bots.style.Style`), as a sentence: “Zip loves −2.”"""
    sentence = {
        "stakes": _("{name} plays high."),
        "minus": _("{name} loves −2."),
        "trump": _("{name} wants trumps."),
        "start": _("{name} wants to start."),
        "captures": _("{name} hunts {cards}."),
    }[style]
    return sentence.format(name=name, cards=capturable_plural(ruleset))


def capturable(ruleset: Ruleset) -> str:
    """The rank of the cards that can be captured, as it stands on them."""
    return str(ruleset.edition.capturable_rank)


def capturable_plural(ruleset: Ruleset) -> str:
    """What the capturable cards are called: “zeros”, “ones”, “12s”."""
    rank = ruleset.edition.capturable_rank
    return {0: _("zeros"), 1: _("ones")}.get(rank, _("{rank}s").format(rank=rank))


def plays_without_monster(ruleset: Ruleset) -> bool:
    """Whether the edition has no monster card and says that a lone player scores double."""
    return not ruleset.edition.has_monster_card


def monster_word(ruleset: Ruleset) -> str:
    """The label of the player whose tricks and captures count twice."""
    return _("scores double") if plays_without_monster(ruleset) else _("holds the monster")


def with_monster(line: str, name: str, ruleset: Ruleset) -> str:
    """A sentence about a team, and who holds the monster."""
    sentence = (
        _("{line}; {name} scores double") if plays_without_monster(ruleset) else _("{line}; {name} holds the monster")
    )
    return sentence.format(line=line, name=name)


def side(*, is_ours: bool) -> str:
    """What a player calls a team: their own, or the other one."""
    return _("Us") if is_ours else _("Them")


def short(name: str) -> str:
    """A name for a place where a long one would hide what follows: its first word, at most `SHORT` characters of it."""
    if len(name) <= SHORT:
        return name
    word = name.split()[0]
    return word if len(word) <= SHORT else f"{word[: SHORT - 1]}…"


def isolated(name: str) -> str:
    """A name within a sentence: one that is written from right to left does not take a figure after it along."""
    is_from_the_right = any(unicodedata.bidirectional(character) in ("R", "AL") for character in name)
    return f"\u2068{name}\u2069" if is_from_the_right else name


def apart(name: str) -> str:
    """A name within a sentence of a narrow place: a page cuts it where there is no room, and keeps the words."""
    return f"\u2068{name}\u2069"


def listing(names: Sequence[str]) -> str:
    """Names in a row: “Ana”, “Ana and Ben”, “Ana, Ben and Cleo”."""
    names = [isolated(name) for name in names]
    if len(names) < 2:
        return "".join(names)
    return _("{others} and {last}").format(others=", ".join(names[:-1]), last=names[-1])


def space_name(row: RowKey, space: str, ruleset: Ruleset, names: Sequence[str]) -> str:
    """A space in a few words, as a screen reader reads it: “blue”, “discard 2, no 0”, “4 points”, a player's name."""
    if row is RowKey.START:
        return names[int(space)]
    if row is RowKey.POINTS:
        return ngettext("{count} point", "{count} points", abs(int(space))).format(count=signed(int(space)))
    if space == NJET:
        return str(NJET_NAMES[row])
    if row is RowKey.DISCARD:
        return exchange_name(space)
    suit = str(SUIT_NAMES[space])
    return suit if row is RowKey.TRUMP else _("{suit} {rank}s").format(suit=suit, rank=capturable(ruleset))


def condition(row: RowKey, space: str, ruleset: Ruleset, names: Sequence[str]) -> str:
    """What a row has decided, clear without its row: “blue trump”, “blue 0s super trump”, “no trump”."""
    name = space_name(row, space, ruleset, names)
    match row:
        case RowKey.TRUMP if space != NJET:
            return _("{suit} trump").format(suit=name)
        case RowKey.SUPERTRUMP if space != NJET:
            return _("{cards} super trump").format(cards=name)
        case _:
            return name


def covered(row: RowKey, space: str, ruleset: Ruleset, names: Sequence[str]) -> str:
    """What a marker was put on, clear without its row: “blue super trump”, “Dan’s token”, ““njet” (trump)”.

    A space that reads as a command is quoted: “cover “discard 1””.
    """
    if row is RowKey.START:
        return _("{name}’s token").format(name=names[int(space)])
    if space == NJET:
        return str(NJET_SPACES[row])
    if row is RowKey.SUPERTRUMP:
        return _("{suit} super trump").format(suit=SUIT_NAMES[space])
    name = condition(row, space, ruleset, names)
    return _("“{action}”").format(action=name) if row is RowKey.DISCARD else name


def settled(row: RowKey, space: str, ruleset: Ruleset, names: Sequence[str]) -> str:
    """What a closed row has decided, in words: “Blue is trump”."""
    match row:
        case RowKey.START:
            return _("{name} starts").format(name=names[int(space)])
        case RowKey.DISCARD:
            return by_exchange(
                space,
                one=_("everybody discards 1 card"),
                two=_("everybody discards 2 cards"),
                kept=_("everybody discards 2, no {rank}"),
                right=_("everybody passes 2 right"),
                left=_("everybody passes 2 left"),
                nothing=_("nothing is discarded"),
            )
        case RowKey.TRUMP:
            return _("no trump") if space == NJET else _("{suit} is trump").format(suit=SUIT_NAMES[space])
        case RowKey.SUPERTRUMP:
            cards = space_name(row, space, ruleset, names)
            return _("no super trump") if space == NJET else _("{cards} are super trumps").format(cards=cards)
        case RowKey.POINTS:
            return _("{points} a trick").format(points=signed(int(space)))


def caption(row: RowKey, space: str) -> str:
    """The caption of a settled condition."""
    match row:
        case RowKey.START:
            return _("starts")
        case RowKey.DISCARD:
            return _("pass") if space in EXCHANGES and EXCHANGES[space].to else _("discard")
        case RowKey.TRUMP:
            return _("trump")
        case RowKey.SUPERTRUMP:
            return _("super")
        case RowKey.POINTS:
            return _("a trick")


def discard_duty(discard: str) -> str:
    """What all players now do with their hands, in one sentence."""
    return by_exchange(
        discard,
        one=_("Everybody now puts 1 card away, face down."),
        two=_("Everybody now puts 2 cards away, face down."),
        # What is easily overlooked first: the end may have no room.
        kept=_("2 cards away, but no {rank}: everybody now, face down."),
        right=_("Everybody now gives 2 cards to the right neighbour, all at once."),
        left=_("Everybody now gives 2 cards to the left neighbour, all at once."),
        nothing=_("Nobody discards: play with the whole hand."),
    )


def suit_of(condition: Suit | None) -> str:
    """The space of a settled trump or super trump: the suit or njet."""
    return NJET if condition is None else condition.value


def condition_spaces(conditions: Conditions) -> dict[RowKey, str]:
    """The open spaces that conditions stand for."""
    return {
        RowKey.START: str(conditions.start),
        RowKey.DISCARD: conditions.discard,
        RowKey.TRUMP: suit_of(conditions.trump),
        RowKey.SUPERTRUMP: suit_of(conditions.supertrump),
        RowKey.POINTS: str(conditions.points),
    }


def tricks_and_captured(tricks: int, captured: int) -> str:
    """“3 tricks”, “2 tricks and 1 captured card”."""
    won = ngettext("{count} trick", "{count} tricks", tricks).format(count=tricks)
    if not captured:
        return won
    taken = ngettext("{count} captured card", "{count} captured cards", captured).format(count=captured)
    return _("{tricks} and {captured}").format(tricks=won, captured=taken)


def count_line(tricks: int, captured: int) -> str:
    """Tricks and captured cards in short: “3 tricks · 2 captured”."""
    won = ngettext("{count} trick", "{count} tricks", tricks).format(count=tricks)
    return won if not captured else _("{tricks} · {count} captured").format(tricks=won, count=captured)


def captured_in_all(captured: int, ruleset: Ruleset) -> str:
    """How many of the capturable cards were captured so far: “3 zeros captured”."""
    if not captured:
        return _("no {card} captured").format(card=ruleset.edition.capturable_rank)
    match ruleset.edition.capturable_rank:
        case 0:
            sentence = ngettext("{count} zero captured", "{count} zeros captured", captured)
        case 1:
            sentence = ngettext("{count} one captured", "{count} ones captured", captured)
        case _:
            sentence = ngettext("{count} card captured", "{count} cards captured", captured)
    return sentence.format(count=captured)


def team_words(score: TeamScore, setup: Setup) -> list[str]:
    """What each member scored, a line each: “Eve: 2 tricks and 1 captured card, doubled by the monster”."""
    names, alone = setup.names, plays_without_monster(setup.ruleset)
    lines = []
    for member in score.members:
        won = tricks_and_captured(member.won.tricks, member.won.captured)
        line = _("{name}: {won}").format(name=names[member.seat], won=won)
        if member.weight > 1:
            doubled = _("doubled, playing alone") if alone else _("doubled by the monster")
            line = _("{line}, {doubled}").format(line=line, doubled=doubled)
        lines.append(line)
    return lines


def in_lines(formula: str) -> str:
    """A formula that breaks in narrow places only before its result, and between the parts of a team."""
    return re.sub(r" (?!=|\+ \()", NO_BREAK, formula)


def derivation(done: FinishedRound, seat: int, setup: Setup) -> str:
    """How a player's points of a round are computed, in words and as the rulebook's formula."""
    score = done.score.own if seat in done.teams.own else done.score.other
    parts = [*team_words(score, setup), score.formula]
    if done.score.points != done.score.raw:
        written = done.score.difference_formula if done.score.points[seat] else _("the lower team writes 0")
        parts.append(_("by difference: {written}").format(written=written))
    return " · ".join(parts)


# --- options ---


def preset_name(key: str) -> str:
    """What a preset is called; a key that no longer exists is returned as it is."""
    return _(PRESETS[key].name) if key in PRESETS else key


def option_name(name: str) -> str:
    """What an option is called."""
    return _(OPTIONS[name].label)


def option_help(name: str) -> str:
    """What an option decides, in one sentence."""
    return _(OPTIONS[name].help)


def option_value(name: str, value: object) -> str:
    """An option's value in the reader's language; a number or an unknown value is shown as it is."""
    if value is None:
        return _("off")
    label = next((label for known, label in OPTIONS[name].names.items() if str(known) == str(value)), None)
    ranks = dict(zip(("low", "middle", "high"), THREE_RANKS.get(str(value), ()), strict=False))
    return str(value) if label is None else _(label).format(**ranks)


def sheet_note(ruleset: Ruleset) -> str:
    """A note about how the sheet is written, empty if none is needed."""
    notes = []
    if ruleset.options.score_record is ScoreRecord.DIFFERENCE:
        notes.append(_("Only the difference between the teams is written down."))
    if ruleset.options.captured_from is CapturedFrom.EVERYONE:
        notes.append(_("Captured cards count from everybody, partners too."))
    return " ".join(notes)


def finished_early(state: PublicState) -> str:
    """That a game ended before its last round, empty if it did not."""
    if not state.is_over or state.is_complete or state.setup.paper:
        return ""
    played, rounds = len(state.finished), state.ruleset.rounds
    if rounds is None:
        sentence = ngettext("Finished early, after {count} round.", "Finished early, after {count} rounds.", played)
    else:
        sentence = _("Finished early, after {count} of {rounds} rounds.")
    return sentence.format(count=played, rounds=rounds)


# --- figures and sentences ---


def taken_over(setup: Setup) -> list[str]:
    """Who played for whom before, a sentence for each; the result is that of who plays on."""
    return [
        ngettext(
            "{name} played round 1 for {player}, whose result it is.",
            "{name} played up to round {count} for {player}, whose result it is.",
            stint.until,
        ).format(name=stint.name, count=stint.until, player=setup.names[stint.seat])
        for stint in setup.earlier
    ]


def minutes(number: int) -> str:
    """A time of play: “95 minutes”."""
    return ngettext("{count} minute", "{count} minutes", number).format(count=number)


def change(points: int) -> str:
    """Points that a player gains or loses: “+5”, “−5”."""
    return f"+{points}" if points > 0 else signed(points)


def plain(text: str) -> str:
    """A text with a capital at its start."""
    return text[:1].upper() + text[1:]
