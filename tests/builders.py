"""What the tests are described in: a fixed cast, the presets in short, and one line of text for each action.

>>> state = play(dutch(3), "open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")
>>> state.totals
(24, 18, 18)

The lines: `trump red` (covers a space), `open 0 njet red blue 2` (quick entry, row by row; four words where the start
row is not used), `team 1 2 monster 4`, `team alone monster 0`, `team 2 start 3`, `trick 2+1` (seat 2 wins it and
captures one card), `tally 4+1 2 …` (tricks and captures by seat), `void misdeal`, `penalty 1 -5 revoke`, `finish`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from games.rules import (
    Action,
    ActionEntry,
    AddPenalty,
    Card,
    Deal,
    EnterConditions,
    Finish,
    NameTeam,
    Place,
    PublicState,
    RecordTally,
    RecordTrick,
    RowKey,
    Ruleset,
    Setup,
    Suit,
    Teams,
    TrickRules,
    VoidRound,
    Won,
    parse_hand,
)
from games.rules.cards import sort_hand
from games.rules.editions import NJET60, Edition
from games.rules.full import FullState
from games.rules.options import CapturedFrom, SupertrumpSuit

CAST = ("Ana", "Ben", "Cleo", "Dan", "Eve")


# --- set-ups ---


def setup_of(
    preset: str, players: int, *, dealer: int = 0, tokens: Sequence[str | None] | None = None, **options: object
) -> Setup:
    """The cast at a table of any preset."""
    return Setup.of(preset=preset, names=CAST[:players], tokens=tokens, options=options, dealer=dealer)


def english(players: int = 5, *, dealer: int = 0, **options: object) -> Setup:
    """60 cards, the dealer places first, a super trump is a card of its own suit."""
    return setup_of("njet-english", players, dealer=dealer, **options)


def wikipedia(players: int = 5, *, dealer: int = 0, **options: object) -> Setup:
    """60 cards, trumps and super trumps are one family."""
    return setup_of("njet-wikipedia", players, dealer=dealer, **options)


def iello(players: int = 5, *, dealer: int = 0, **options: object) -> Setup:
    """A set-up by the rules of the box of 2015."""
    return setup_of("nyet-iello", players, dealer=dealer, **options)


def french(players: int = 4, *, dealer: int = 0, **options: object) -> Setup:
    """40 cards, everybody's 1s count, who is void has to trump."""
    return setup_of("goldsieber-french", players, dealer=dealer, **options)


def dutch(players: int = 4, *, dealer: int = 0, **options: object) -> Setup:
    """40 cards, the dealer's left neighbour places first."""
    return setup_of("goldsieber-dutch", players, dealer=dealer, **options)


def italian(*, dealer: int = 0, **options: object) -> Setup:
    """40 cards, four players."""
    return setup_of("goldsieber-italian", 4, dealer=dealer, **options)


# --- actions and games ---


def read(line: str) -> Action:
    """One action in compact notation (see the head of this module)."""
    word, *rest = line.split()
    match word:
        case "open":
            start = None if len(rest) == 4 else rest.pop(0)
            return EnterConditions(start, *rest)
        case "team":
            return _read_team(rest)
        case "trick":
            return RecordTrick(*_figures(rest[0]))
        case "tally":
            figures = [_figures(each) for each in rest]
            return RecordTally(tuple(tricks for tricks, _ in figures), tuple(captured for _, captured in figures))
        case "void":
            return VoidRound(" ".join(rest))
        case "penalty":
            return AddPenalty(int(rest[0]), int(rest[1]), " ".join(rest[2:]))
        case "finish":
            return Finish()
    (space,) = rest
    return Place(RowKey(word), space)


def play(game: Setup | PublicState, *lines: str | Action) -> PublicState:
    """The state after these actions, from the beginning of a game or from a state on."""
    state = PublicState.start(game) if isinstance(game, Setup) else game
    for line in lines:
        state = state.apply(read(line) if isinstance(line, str) else line)
    return state


def placing(game: Setup | PublicState, conditions: str) -> list[Place]:
    """The placements, row by row, that leave exactly these spaces open: “0 njet red blue 2”."""
    rows = play(game).current.board.rows
    wanted = dict(zip((row.key for row in rows), conditions.split(), strict=True))
    return [Place(row.key, space) for row in rows for space in row.open_spaces if space != wanted[row.key]]


def entries(*lines: str | Action, first: int = 1) -> list[ActionEntry]:
    """A log of these actions, numbered from `first` on."""
    actions = (read(line) if isinstance(line, str) else line for line in lines)
    return [ActionEntry(seq, action) for seq, action in enumerate(actions, start=first)]


# --- digital games ---


def digital(setup: Setup) -> Setup:
    """The same set-up, where the app deals the cards."""
    return replace(setup, digital=True)


def dealt_by_chance(ruleset: Ruleset, random: Random) -> Deal:
    """A deal of the whole deck."""
    deck, each = list(ruleset.deck()), ruleset.dealt
    random.shuffle(deck)
    return Deal(tuple(sort_hand(deck[seat * each : (seat + 1) * each]) for seat in range(ruleset.players)))


def deal_of(ruleset: Ruleset, *known: str) -> Deal:
    """A deal in which the first seats hold at least these cards; the rest of the deck follows in its order."""
    hands = [list(in_order(text)) for text in known]
    hands += [[] for _ in range(ruleset.players - len(hands))]
    rest = list(ruleset.deck())
    for card in (card for hand in hands for card in hand):
        rest.remove(card)
    for hand in hands:
        while len(hand) < ruleset.dealt:
            hand.append(rest.pop(0))
    return Deal(tuple(sort_hand(hand) for hand in hands))


def settled(setup: Setup, conditions: str, team: str | None, deal: Deal) -> FullState:
    """A digital round that is dealt, with these spaces open and, if it is time for that, these teams."""
    state = FullState.start(setup).apply(deal)
    for action in placing(state.public, conditions):
        state = state.apply(action)
    return state if team is None or setup.ruleset.players == 2 else state.apply(read(team))


def in_tricks(setup: Setup, conditions: str, team: str | None, *hands: str) -> FullState:
    """The trick phase of a digital round in which everybody holds just these cards: “0 njet red blue 2”."""
    state = settled(replace(setup, digital=True), _undiscarded(conditions), team, deal_of(setup.ruleset))
    current, held = state.public.current, tuple(parse_hand(hand) for hand in hands)
    assert current is not None, "a round of the tricks is being played"
    sizes = tuple(map(len, held))
    return replace(
        state, public=replace(state.public, current=replace(current, hand_sizes=sizes)), hands=held, aside=()
    )


def _undiscarded(conditions: str) -> str:
    """Conditions under which the tricks follow at once."""
    words = conditions.split()
    words[-4] = "njet"
    return " ".join(words)


# --- parts of a round ---


def teams(text: str, monster: int | None = None) -> Teams:
    """“012-34”: seats 0, 1, 2 against 3 and 4; the first seat is the start player."""
    own, other = ([int(seat) for seat in side] for side in text.split("-"))
    return Teams.of(players=len(own) + len(other), start=own[0], partners=own[1:], monster=monster)


def won(text: str) -> tuple[Won, ...]:
    """“4+1 2 3”: tricks and captures by seat."""
    return tuple(Won(*_figures(each)) for each in text.split())


def in_order(text: str) -> tuple[Card, ...]:
    """Cards in the order in which they are played: “R9 R0 K7”."""
    return tuple(Card.parse(word) for word in text.split())


def trick_rules(
    trump: str = "black",
    supertrump: str = "blue",
    *,
    reading: str = "own_suit",
    must_trump: bool = False,
    captured_from: str = "opponents",
    edition: Edition = NJET60,
) -> TrickRules:
    """The trick rules of a round; “njet”: none.  As in the tables of the rules: trump black, super trump blue."""
    return TrickRules(
        trump=None if trump == "njet" else Suit(trump),
        supertrump=None if supertrump == "njet" else Suit(supertrump),
        edition=edition,
        supertrump_suit=SupertrumpSuit(reading),
        must_trump_when_void=must_trump,
        captured_from=CapturedFrom(captured_from),
    )


def _read_team(words: Sequence[str]) -> NameTeam:
    named: dict[str, list[int]] = {"team": [], "monster": [], "start": []}
    here = "team"
    for word in words:
        if word in named:
            here = word
        elif word != "alone":
            named[here].append(int(word))
    monster, start = (named[key][0] if named[key] else None for key in ("monster", "start"))
    return NameTeam(tuple(named["team"]), monster, start)


def _figures(text: str) -> tuple[int, int]:
    tricks, _, captured = text.partition("+")
    return int(tricks), int(captured or 0)
