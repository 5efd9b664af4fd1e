"""Random set-ups, games, actions and junk, for the laws (ARCHITECTURE.md section 8).

A game is drawn by asking each state what is legal and taking one of the answers, so that every line of play can turn
up; most rounds are nevertheless short, because the board or the tally is then entered in one go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from hypothesis import strategies as st

from games.rules import (
    EDITIONS,
    ENTRY,
    PRESETS,
    Action,
    AddPenalty,
    Claim,
    Deal,
    Discard,
    EnterConditions,
    Finish,
    Hidden,
    NameTeam,
    Pass,
    Phase,
    Place,
    Play,
    PublicState,
    RecordTally,
    RecordTrick,
    RowKey,
    Setup,
    Template,
    VoidRound,
    allowed_values,
    to_json,
)
from games.rules.actions import KINDS
from games.rules.cards import CARDS
from games.rules.full import FullState
from games.rules.redaction import redact
from tests.builders import CAST, dealt_by_chance

SPACES: tuple[str, ...] = tuple(
    sorted({space for edition in EDITIONS.values() for row in edition.spaces.values() for space in row})
)
"""Every space that some row of some edition has, but for the seats."""

SEAT_SPACES = tuple(str(seat) for seat in range(6))
NO_SPACES = ("", "lilac", "Red", "-1", "5 ", ENTRY)


@dataclass(frozen=True)
class Game:
    """A set-up and the legal actions of a game, which need not be at its end."""

    setup: Setup
    actions: tuple[Action, ...]

    @cached_property
    def states(self) -> tuple[PublicState, ...]:
        """The state before the first action, and after each."""
        states = [PublicState.start(self.setup)]
        for action in self.actions:
            states.append(states[-1].apply(action))
        return tuple(states)

    @property
    def state(self) -> PublicState:
        """The last state."""
        return self.states[-1]


@dataclass(frozen=True)
class Step:
    """An action of a digital game and who acted; None: chance dealt, or the others granted a claim."""

    action: Action
    seat: int | None = None

    def redacted(self, viewer: int | None) -> Step:
        """The step as a viewer may read it."""
        return Step(redact(self.action, seat=self.seat, viewer=viewer), self.seat)


@dataclass(frozen=True)
class DigitalGame:
    """A digital set-up and the legal steps of a game, which need not be at its end."""

    setup: Setup
    steps: tuple[Step, ...]

    @cached_property
    def states(self) -> tuple[FullState, ...]:
        """The state before the first step, and after each."""
        states = [FullState.start(self.setup)]
        for step in self.steps:
            states.append(states[-1].apply(step.action, seat=step.seat))
        return tuple(states)

    @property
    def state(self) -> FullState:
        """The last state."""
        return self.states[-1]


@st.composite
def setups(
    draw: st.DrawFn, *, presets: tuple[str, ...] = tuple(PRESETS), most_rounds: int = 3, digital: bool = False
) -> Setup:
    """Every preset, number of players and combination of options that its edition allows."""
    preset = PRESETS[draw(st.sampled_from(presets))]
    players = draw(st.sampled_from(preset.player_counts))
    options: dict[str, object] = {"rounds": draw(st.integers(1, most_rounds))}
    for name, values in allowed_values(preset.edition).items():
        if draw(st.booleans()):
            options[name] = draw(st.sampled_from(values))
    tokens = draw(st.permutations(preset.edition.tokens))[:players]
    dealer = draw(st.integers(0, players - 1))
    return Setup.of(
        preset=preset.key,
        names=CAST[:players],
        tokens=tokens,
        options=options,
        dealer=dealer,
        digital=digital,
        open_hands=digital and draw(st.booleans()),
    )


@st.composite
def games(draw: st.DrawFn, table: st.SearchStrategy[Setup] | None = None, *, to_the_end: bool = False) -> Game:
    """A legal game: broken off anywhere, or played to the end."""
    setup = draw(setups() if table is None else table)
    state = PublicState.start(setup)
    actions: list[Action] = []
    interruptions = 3
    while state.phase is not Phase.FINISHED:
        pace = draw(st.integers(0, 39))
        if pace == 0 and not to_the_end:
            break
        action = draw(progress(state, in_one_go=pace > 33)) if pace > 2 or not interruptions else None
        if action is None:
            interruptions -= 1
            action = draw(interruption(state))
        actions.append(action)
        state = state.apply(action)
    return Game(setup, tuple(actions))


@st.composite
def digital_games(
    draw: st.DrawFn, table: st.SearchStrategy[Setup] | None = None, *, to_the_end: bool = False, most_rounds: int = 1
) -> DigitalGame:
    """A digital game with random choices: broken off anywhere, or played to the end.  Few rounds have a claim."""
    setup = draw(setups(most_rounds=most_rounds, digital=True) if table is None else table)
    # One number instead of a draw for each of a hundred cards: an example then takes milliseconds.
    random = Random(draw(st.integers(0, 2**32 - 1)))
    game = DigitalGame(setup, tuple(chance_steps(setup, random)))
    if to_the_end:
        return game
    # Half of them end early enough that much is still hidden.
    length = draw(st.integers(0, len(game.steps)))
    return DigitalGame(setup, game.steps[:length])


def chance_steps(setup: Setup, random: Random) -> Iterator[Step]:
    """The steps of a whole digital game, each choice left to chance."""
    state = FullState.start(setup)
    claims = random.random() < 0.2
    while state.public.phase is not Phase.FINISHED:
        step = chance_step(state, random, claims=claims)
        yield step
        state = state.apply(step.action, seat=step.seat)


def chance_step(state: FullState, random: Random, *, claims: bool = False) -> Step:
    """What may happen next in a digital game."""
    if state.public.phase is Phase.DEALING:
        return Step(dealt_by_chance(state.setup.ruleset, random))
    if claims and state.public.phase is Phase.TRICKS and random.random() < 0.05:
        seat = random.randrange(state.public.players)
        return Step(Claim(seat, state.rest_captured(seat)))
    seat = random.choice(state.acting_seats)
    return Step(random.choice(state.legal_actions(seat)), seat)


@st.composite
def progress(draw: st.DrawFn, state: PublicState, *, in_one_go: bool = False) -> Action:
    """A legal action that moves the round on; `in_one_go`: the whole board, the whole tally."""
    plain, templates = sort_legal(state)
    one_by_one = [action for action in plain if isinstance(action, Place | NameTeam)]
    if state.phase is Phase.TRICKS:
        return draw(filled(state, templates["tally" if in_one_go else "trick"]))
    if state.phase is Phase.PLACING and in_one_go:
        return draw(filled(state, templates["conditions"]))
    return draw(st.sampled_from(one_by_one))


@st.composite
def interruption(draw: st.DrawFn, state: PublicState) -> Action:
    """A legal action that can come at any time."""
    plain, templates = sort_legal(state)
    choices: list[Action | Template] = [templates["void_round"], templates["penalty"], templates["penalty"]]
    choice = draw(st.sampled_from([*choices, *(action for action in plain if isinstance(action, Finish))]))
    return draw(filled(state, choice)) if isinstance(choice, Template) else choice


def sort_legal(state: PublicState) -> tuple[list[Action], dict[str, Template]]:
    """What is legal: the actions, and the templates by kind."""
    legal = state.legal_actions()
    plain = [each for each in legal if not isinstance(each, Template)]
    return plain, {each.kind: each for each in legal if isinstance(each, Template)}


@st.composite
def filled(draw: st.DrawFn, state: PublicState, template: Template) -> Action:
    """A template with its figures filled in within the bounds."""
    bounds: Mapping[str, Any] = template.bounds
    match template.kind:
        case "conditions":
            spaces = {row: draw(st.sampled_from(open_spaces)) for row, open_spaces in bounds.items()}
            return EnterConditions(**{"start": None, **spaces})
        case "trick":
            winner = draw(st.sampled_from(bounds["winner"]))
            limits = bounds["captured"][winner]
            return RecordTrick(winner, draw(st.integers(limits["least"], limits["most"])))
        case "tally":
            return draw(tallies(state.players, bounds))
        case "void_round":
            return VoidRound(draw(reasons()))
        case "penalty":
            points = st.integers(bounds["points"]["least"], bounds["points"]["most"]).filter(bool)
            return AddPenalty(draw(st.sampled_from(bounds["seat"])), draw(points), draw(reasons()))
    raise AssertionError(f"no test knows how to fill {template.kind}")


@st.composite
def tallies(draw: st.DrawFn, players: int, bounds: Mapping[str, Any]) -> RecordTally:
    """A tally within the bounds of a template."""
    cuts = sorted(draw(st.lists(st.integers(0, bounds["tricks"]), min_size=players - 1, max_size=players - 1)))
    tricks = [high - low for low, high in zip([0, *cuts], [*cuts, bounds["tricks"]], strict=True)]
    most = [count * each for count, each in zip(tricks, bounds["captured_per_trick"], strict=True)]
    captured: list[int] = []
    for seat in range(players):
        least_here = bounds["captured"]["least"] - sum(captured) - sum(most[seat + 1 :])
        most_here = bounds["captured"]["most"] - sum(captured)
        captured.append(draw(st.integers(max(0, least_here), min(most[seat], most_here))))
    return RecordTally(tuple(tricks), tuple(captured))


def reasons() -> st.SearchStrategy[str]:
    """Reasons that are good enough for the sheet."""
    return st.sampled_from(("misdeal", "revoke", "Ben’s dog ate the red 7", "verzaakt – één keer", "違反"))


# --- well-formed actions, legal or not ---


def any_places() -> st.SearchStrategy[Place]:
    """Any space of any edition in any row."""
    return st.builds(Place, st.sampled_from(RowKey), st.sampled_from((*SPACES, *SEAT_SPACES, *NO_SPACES)))


def any_actions() -> st.SearchStrategy[Action]:
    """Everything that can be written as an action, legal or not."""
    seats, counts = st.integers(-1, 6), st.integers(-2, 17)
    space = st.sampled_from((*SPACES, *NO_SPACES))
    figures = st.lists(counts, max_size=6).map(tuple)
    chosen = st.lists(st.sampled_from(CARDS), max_size=3).map(tuple) | st.builds(Hidden, st.integers(0, 16))
    reason = st.text(max_size=8) | reasons() | st.sampled_from(("x" * 200, "x" * 201))
    drawn: dict[type[Action], st.SearchStrategy[Action]] = {
        Place: any_places(),
        EnterConditions: st.builds(EnterConditions, st.none() | st.sampled_from(SEAT_SPACES), *[space] * 4),
        NameTeam: st.builds(NameTeam, st.lists(seats, max_size=4).map(tuple), st.none() | seats, st.none() | seats),
        RecordTrick: st.builds(RecordTrick, seats, counts),
        RecordTally: st.builds(RecordTally, figures, figures),
        VoidRound: st.builds(VoidRound, reason),
        AddPenalty: st.builds(AddPenalty, seats, st.integers(-1001, 1001), reason),
        Finish: st.just(Finish()),
        Deal: st.builds(Deal, st.lists(chosen, max_size=5).map(tuple)),
        Discard: st.builds(Discard, chosen),
        Pass: st.builds(Pass, chosen),
        Play: st.builds(Play, st.sampled_from(CARDS)),
        Claim: st.builds(Claim, seats, counts),
    }
    assert drawn.keys() == set(KINDS.values()), "an action is missing here, so the laws would never play it"
    return st.one_of(*drawn.values())


# --- what cannot be read ---


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value."""
    leaves = st.none() | st.booleans() | st.integers(-3, 20) | st.floats(allow_nan=True) | st.text(max_size=6)
    words = st.sampled_from(("type", "place", "row", "red", "red-7", "0", "captured", "hands", "counts", "cards"))
    return st.recursive(
        leaves | words,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words | st.text(max_size=4), inner, max_size=4),
        max_leaves=8,
    )


@st.composite
def damaged_actions(draw: st.DrawFn) -> Any:
    """An action's JSON with one thing put wrong: a field gone, one too many, another value."""
    value = to_json(draw(any_actions()))
    field = draw(st.sampled_from(sorted(value)))
    match draw(st.sampled_from(("drop", "add", "change", "wrap"))):
        case "drop":
            del value[field]
        case "add":
            value[draw(st.text(max_size=5))] = draw(json_values())
        case "change":
            value[field] = draw(json_values())
        case "wrap":
            value[field] = [value[field]]
    return value


def junk() -> st.SearchStrategy[Any]:
    """JSON that somebody may send in the place of an action."""
    return json_values() | damaged_actions()
