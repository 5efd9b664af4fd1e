"""A digital game written in full, line by line: what was done (“> …”), and what followed from it.

`python -m tests.rules.playthrough` plays the games of `golden/` again, with their steps, and writes
down what follows today; `--new NAME SALT` invents the steps of one of `GAMES`.

Only the steps are read; everything else is written by the rules.  A line “2 R7 R8 K9 | R7 R8” is a seat,
its hand, and what it may play.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from games.rules import (
    Card,
    Claim,
    Deal,
    Discard,
    Finish,
    NameTeam,
    Pass,
    Phase,
    Place,
    Play,
    RowKey,
    Setup,
    parse_hand,
)
from games.rules.actions import Action
from games.rules.full import FullState
from tests.builders import CAST
from tests.strategies import Step, chance_steps

GOLDEN = Path(__file__).parent / "golden"

GAMES = {
    "english-2": ("njet-english", 2, "start_row=off"),
    "english-4": ("njet-english", 4, ""),
    "wikipedia-3": ("njet-wikipedia", 3, "must_trump_when_void=on"),
    "wikipedia-5": ("njet-wikipedia", 5, "score_record=difference"),
    "french-3": ("goldsieber-french", 3, ""),
    "dutch-4": ("goldsieber-dutch", 4, ""),
    "italian-4": ("goldsieber-italian", 4, "discard_timing=before_teams"),
}


def setup_line(preset: str, players: int, options: str) -> str:
    return " ".join(["game", preset, str(players), *options.split()])


def read_setup(line: str) -> Setup:
    """“game njet-english 4 start_row=off”."""
    _, preset, players, *options = line.split()
    switches = {"on": True, "off": False}
    named = {name: switches.get(value, value) for name, value in (option.split("=") for option in options)}
    return Setup.of(preset=preset, names=CAST[: int(players)], options={"rounds": 1, **named}, dealer=0, digital=True)


# --- steps as text ---


def written(cards: Sequence[Card]) -> str:
    return " ".join(card.compact for card in cards)


def write_step(step: Step) -> str:
    """“> 2 play R7”; what no seat does begins with a dash."""
    who = "-" if step.seat is None else str(step.seat)
    match step.action:
        case Deal(hands):
            text = "deal " + " / ".join(written(hand) for hand in hands)
        case Place(row, space):
            text = f"place {row.value} {space}"
        case NameTeam(partners, monster, start):
            text = f"team {','.join(map(str, partners)) or '-'} monster {monster} start {start}"
        case Discard(cards):
            text = f"discard {written(cards)}"
        case Pass(cards):
            text = f"pass {written(cards)}"
        case Play(card):
            text = f"play {card.compact}"
        case Claim(seat, captured):
            text = f"claim {seat} {captured}"
        case Finish():
            text = "finish"
        case other:
            raise AssertionError(f"no digital game has {other}")
    return f"> {who} {text}"


def read_step(line: str) -> Step:
    _, who, kind, *words = line.split()
    return Step(_read_action(kind, words), None if who == "-" else int(who))


def _read_action(kind: str, words: list[str]) -> Action:
    match kind:
        case "deal":
            return Deal(tuple(map(parse_hand, " ".join(words).split("/"))))
        case "place":
            return Place(RowKey(words[0]), words[1])
        case "team":
            partners = () if words[0] == "-" else tuple(map(int, words[0].split(",")))
            monster, start = (None if word == "None" else int(word) for word in (words[2], words[4]))
            return NameTeam(partners, monster, start)
        case "discard":
            return Discard(parse_hand(" ".join(words)))
        case "pass":
            return Pass(parse_hand(" ".join(words)))
        case "play":
            return Play(Card.parse(words[0]))
        case "claim":
            return Claim(int(words[0]), int(words[1]))
        case "finish":
            return Finish()
    raise AssertionError(f"no step is called {kind}")


# --- a game as text ---


def tell(setup: str, steps: Sequence[Step]) -> str:
    """The whole playthrough."""
    state = FullState.start(read_setup(setup))
    lines = [setup, *_situation(state)]
    for step in steps:
        lines.append(write_step(step))
        following = state.apply(step.action, seat=step.seat)
        lines += _news(state, following)
        state = following
        lines += _situation(state)
    return "\n".join(lines) + "\n"


def _news(before: FullState, state: FullState) -> Iterator[str]:
    """What has just ended: the choices, a trick, the round."""
    public, current = state.public, state.public.current
    if before.public.current and current and current.exchanged and not before.public.current.exchanged:
        for seat in range(public.players):
            given = state.discarded[seat] or state.passed[seat]
            yield f"  {seat} gave {written(given)}, got {written(state.received[seat]) or '-'}"
    if len(public.finished) > len(before.public.finished):
        done = public.finished[-1]
        if done.claimed is None:
            yield _trick(done.tricks[-1])
        yield "  won " + " ".join(f"{won.tricks}+{won.captured}" for won in done.won)
        yield f"  {done.score.own.formula}"
        yield f"  {done.score.other.formula}"
        yield "  sheet " + " ".join(map(str, done.score.points))
    elif current and before.public.current and len(current.tricks) > len(before.public.current.tricks):
        yield _trick(current.tricks[-1])


def _trick(trick) -> str:
    return f"  {written(trick.cards)}: {trick.winner} wins, {trick.captured} captured"


def _situation(state: FullState) -> Iterator[str]:
    """What can be done now, and by whom."""
    public = state.public
    match public.phase:
        case Phase.TRICKS:
            (seat,) = state.acting_seats
            yield f"  {seat} {written(state.hands[seat])} | {written(state.playable(seat))}"
        case Phase.DEALING | Phase.FINISHED as phase:
            yield f"  {phase.value}"
        case phase:
            counts = ", ".join(f"{seat}: {len(state.legal_actions(seat))}" for seat in state.acting_seats)
            yield f"  {phase.value}, choices {counts}"


def retold(text: str) -> str:
    """The same steps, and what the rules make of them today."""
    setup, *lines = text.splitlines()
    return tell(setup, [read_step(line) for line in lines if line.startswith(">")])


def invented(name: str, salt: str = "") -> str:
    """A game of chance under the set-up of this name."""
    setup = setup_line(*GAMES[name])
    return tell(setup, list(chance_steps(read_setup(setup), Random(name + salt))))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--new"]:
        name, salt = sys.argv[2:]
        (GOLDEN / f"{name}.txt").write_text(invented(name, salt), encoding="utf-8")
    for path in sorted(GOLDEN.glob("*.txt")):
        path.write_text(retold(path.read_text(encoding="utf-8")), encoding="utf-8")
