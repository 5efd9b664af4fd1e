"""Sentences about decisions that were judged after the game."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import Discard, NameTeam, Pass, Place, Play, Setup
from games.rules.actions import Action
from games.texts import words
from games.texts.statistics import mean


def better(best: Action, setup: Setup, *, difference: float, error: float) -> str:
    """What would have been better, and by how much."""
    sentence = _would_have(best, setup)
    return sentence.format(points=mean(difference), error=mean(error))


def _would_have(best: Action, setup: Setup) -> str:
    """The sentence with places for the points and the error."""
    match best:
        case Place(row, space):
            covered = words.covered(row, space, setup.ruleset, setup.names)
            return _filled(_("Covering {what} would have been worth {points} points more (± {error})."), covered)
        case NameTeam(partners=()):
            return _("Playing alone would have been worth {points} points more (± {error}).")
        case NameTeam(partners, monster):
            names = words.listing([setup.names[partner] for partner in partners])
            if monster is None:
                return _filled(_("Playing with {what} would have been worth {points} points more (± {error})."), names)
            if words.plays_without_monster(setup.ruleset):
                sentence = _(
                    "Playing with {what}, where {name} scores double, would have been worth {points} points more "
                    "(± {error})."
                )
            else:
                sentence = _(
                    "Playing with {what}, and the monster for {name}, would have been worth {points} points more "
                    "(± {error})."
                )
            return _filled(_filled(sentence, names), setup.names[monster], "name")
        case Discard(tuple() as cards):
            named = words.cards_named(cards)
            return _filled(_("Discarding {what} would have been worth {points} points more (± {error})."), named)
        case Pass(tuple() as cards):
            named = words.cards_named(cards)
            return _filled(_("Passing {what} would have been worth {points} points more (± {error})."), named)
        case Play(card):
            named = words.card_name(card)
            return _filled(_("{what} would have been worth {points} points more (± {error})."), named, start=True)
    raise ValueError(f"no bot decides {best}")


def _filled(sentence: str, what: str, place: str = "what", *, start: bool = False) -> str:
    """The sentence with a name in its place.  `start`: it begins with it."""
    # A name with braces must not be read as another place.
    safe = (what[:1].upper() + what[1:] if start else what).replace("{", "{{").replace("}", "}}")
    return sentence.replace(f"{{{place}}}", safe)


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
