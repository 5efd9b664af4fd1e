"""Sentences about decisions that were judged after the game."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import Discard, NameTeam, Pass, Phase, Place, Play, Setup
from games.rules.actions import Action
from games.rules.cards import Card
from games.rules.editions import RowKey
from games.rules.hints import HintReason
from games.rules.replay import Step
from games.rules.scoring import signed
from games.texts import words
from games.texts.entries import describe_step
from games.texts.hints import advised_in_full, reason_sentence
from games.texts.statistics import mean, more_or_less, share


def better(best: Action, setup: Setup, points: float) -> str:
    """What would have been better, and by how much."""
    sentence = _would_have(best, setup).format(points=mean(points))
    return sentence[:1].upper() + sentence[1:]


def _would_have(best: Action, setup: Setup) -> str:
    """The sentence with a place for the points."""
    match best:
        case Place(row, space):
            covered = words.covered(row, space, setup.ruleset, setup.names)
            return _filled(_("Covering {what} would have been worth {points} points more."), covered)
        case NameTeam(partners=()):
            return _("Playing alone would have been worth {points} points more.")
        case NameTeam(partners, monster):
            names = words.listing([setup.names[partner] for partner in partners])
            if monster is None:
                return _filled(_("Playing with {what} would have been worth {points} points more."), names)
            if words.plays_without_monster(setup.ruleset):
                sentence = _(
                    "Playing with {what}, where {name} scores double, would have been worth {points} points more."
                )
            else:
                sentence = _(
                    "Playing with {what}, and the monster for {name}, would have been worth {points} points more."
                )
            return _filled(_filled(sentence, names), setup.names[monster], "name")
        case Discard(tuple() as cards):
            named = words.cards_named(cards)
            return _filled(_("Discarding {what} would have been worth {points} points more."), named)
        case Pass(tuple() as cards):
            named = words.cards_named(cards)
            return _filled(_("Passing {what} would have been worth {points} points more."), named)
        case Play(card):
            named = words.card_name(card)
            return _filled(_("{what} would have been worth {points} points more."), named)
    raise ValueError(f"no bot decides {best}")


def _filled(sentence: str, what: str, place: str = "what") -> str:
    """The sentence with a name in its place."""
    # A name with braces must not be read as another place.
    return sentence.replace(f"{{{place}}}", what.replace("{", "{{").replace("}", "}}"))


def verdict(
    played: Action,
    best: Action,
    setup: Setup,
    *,
    points: float | None,
    chances: tuple[float, float] | None,
    is_beyond_chance: bool,
    hinted: bool,
    advised: Action | None,
    reason: HintReason | None,
) -> str:
    """What the strong bot says of a decision.

    `points`: what it cost the round, None if the chance of the victory is to be named; `chances`: of the victory, after
    it and after the better action, None if unknown; `is_beyond_chance`: another action was clearly better, and not by
    chance; `hinted`: the decision followed a hint; `advised`: what a hint had said, None if there was none.
    """
    if is_beyond_chance and hinted:
        return _("As the hint said; a longer search prefers: {action}.").format(action=advised_in_full(best, setup))
    if not is_beyond_chance:
        if hinted:
            return _("As the hint said.")
        if advised is not None:
            return _("About as good as the hint: {action}.").format(action=advised_in_full(advised, setup))
        if best == played:
            return _("The strong bot finds nothing better.")
        action = advised_in_full(best, setup)
        return _("No clear difference from what the strong bot would do: {action}.").format(action=action)
    sentences = [_nearer(best, setup, chances) if points is None else better(best, setup, points)]
    # Where a hint said why, that trials alone show it is no second answer.
    if reason is not None and not (advised is not None and reason is HintReason.BEST_IN_TRIALS):
        sentences.append(reason_sentence(reason, setup, best, played))
    if advised is not None:
        sentences.append(_("The hint had said: {action}.").format(action=advised_in_full(advised, setup)))
    return " ".join(sentences)


def _nearer(best: Action, setup: Setup, chances: tuple[float, float] | None) -> str:
    """What would have brought the victory nearer, more than points of the round."""
    action, (after, instead) = advised_in_full(best, setup), map(share, chances or (None, None))
    if after == instead:
        return _("Better for the victory, if not for the points of the round: {action}.").format(action=action)
    sentence = _("Better for the victory: {action}. The chance of the victory would have been {best}, not {played}.")
    return sentence.format(action=action, best=instead, played=after)


def admitted(points: float, chance: float) -> str:
    """What makes a turning point: the least it costs or changes."""
    return _(
        "The worst decisions, and where the curves fell or rose most, in the order of play. "
        "Each mattered by at least {points} points of the round, or {chance} in the chance of the victory."
    ).format(points=mean(points, digits=0), chance=share(chance))


def whose(name: str, phase: Phase, *, is_own: bool) -> str:
    """Whether a turning point is a decision of the player."""
    if is_own:
        return _("{name} decided").format(name=name)
    # No card is hidden that could show before one is played.
    return _("others, or cards that were hidden") if phase is Phase.TRICKS else _("others decided")


def rise(before: float, after: float) -> float:
    """The difference of two figures as they are read, which are rounded: what is read adds up."""
    return round(after, 1) - round(before, 1)


def arrow(points: float) -> str:
    """A rise or a fall, to be seen: “▼ 9.3”."""
    return f"{'▼' if points < 0 else '▲'} {mean(abs(points))}"


def swung(before: float, after: float) -> str:
    """By how much the expected result of a round fell or rose."""
    if after < before:
        sentence = _("The expected result fell by {points} points of the round, from {before} to {after}.")
    else:
        sentence = _("The expected result rose by {points} points of the round, from {before} to {after}.")
    points = mean(abs(rise(before, after)))
    return sentence.format(points=points, before=more_or_less(before), after=more_or_less(after))


def own_part(points: float) -> str:
    """What the decision before a fall has to do with it."""
    return _("The decision itself cost {points} of them.").format(points=mean(points))


def unexplained() -> str:
    """That nothing that was done or shown explains a fall or a rise."""
    return _("No single card or decision explains it: with what was known then, other hands were likelier.")


def causes(steps: Sequence[Step], seat: int) -> str:
    """What others did while the expected result of a seat fell or rose."""
    return _("What others did: {facts}.").format(facts="; ".join(_by_whom(step, seat) for step in steps))


def rest() -> str:
    """That the tricks that are named do not make up a swing."""
    return _("The rest is what these cards showed of the hands.")


def trick(number: int, winner: int, captured: Sequence[Card], points: int, step: Step, seat: int) -> str:
    """How a trick ended: “Trick 9 (8 points): Cog (opponent) won it and captured blue 1.”"""
    if captured:
        sentence = ngettext(
            "Trick {number} ({points} point): {name} won it and captured {cards}.",
            "Trick {number} ({points} points): {name} won it and captured {cards}.",
            abs(points),
        )
    else:
        sentence = ngettext(
            "Trick {number} ({points} point): {name} won it.",
            "Trick {number} ({points} points): {name} won it.",
            abs(points),
        )
    who = _related(step.before.setup.names[winner], winner, step, seat)
    return sentence.format(number=number, points=signed(points), name=who, cards=words.cards_named(captured))


def closed(row: RowKey, space: str, step: Step, seat: int) -> str:
    """What a marker decided: “Cog covered Ana’s token: Mia starts.”"""
    setup = step.before.setup
    left = words.settled(row, space, setup.ruleset, setup.names)
    return _("{did}: {settled}.").format(did=_by_whom(step, seat), settled=left)


def _by_whom(step: Step, seat: int) -> str:
    did = describe_step(step, step.before.setup)
    return did if step.seat is None else _related(did, step.seat, step, seat)


def _related(what: str, other: int, step: Step, seat: int) -> str:
    """What is said of another seat, with its team as seen by a seat, once there are teams."""
    current = step.before.current
    if current is None or current.teams is None or other == seat:
        return what
    if other in current.teams.team_of(seat):
        return _("{did} (partner)").format(did=what)
    return _("{did} (opponent)").format(did=what)


def account(name: str, *, dealt: float, decided: float, rest: float) -> str:
    """What of a round's result was dealt, what decided, and what neither."""
    return _(
        "Dealt to {name}: {dealt}. Decisions that were clearly worse: {decided}. "
        "Everything else (what others did, hidden cards): {rest}."
    ).format(name=name, dealt=more_or_less(dealt), decided=more_or_less(decided), rest=more_or_less(rest))


def expected(points: float) -> str:
    """How the round was expected to end for the seat's team."""
    if round(points, 1) > 0:
        return _("Expected then: the round is won by {points} points.").format(points=mean(points))
    if round(points, 1) < 0:
        return _("Expected then: the round is lost by {points} points.").format(points=mean(-points))
    return _("Expected then: the round is drawn.")


def ended(points: int) -> str:
    """How the round ended for the seat's team."""
    if points > 0:
        return ngettext("Won by {count} point.", "Won by {count} points.", points).format(count=points)
    if points < 0:
        return ngettext("Lost by {count} point.", "Lost by {count} points.", -points).format(count=-points)
    return _("Drawn.")
