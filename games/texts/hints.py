"""Hints as sentences: what to do, and why."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.rules import Setup
from games.rules.actions import Action, Discard, Hidden, NameTeam, Pass, Place, Play
from games.rules.hints import HintReason
from games.rules.replay import HintEntry
from games.texts import words

REASONS = {
    HintReason.KEEPS_TOKEN: gettext_noop("Your token stays open: you may choose your partners."),
    HintReason.KEEPS_LONG_TRUMP: gettext_noop("Your longest suit can still become trump."),
    HintReason.COVERS_SHORT_TRUMP: gettext_noop("You hold least of this suit: it would be a bad trump."),
    HintReason.KEEPS_SUPER: gettext_noop("Super trumps that you hold stay possible."),
    HintReason.COVERS_OTHER_SUPER: gettext_noop("You hold none of these super trumps."),
    HintReason.STAKES_MORE: gettext_noop("Your hand is strong: more points stay possible."),
    HintReason.STAKES_LESS: gettext_noop("Your hand is weak: fewer points stay possible."),
    HintReason.COVERS_WORST: gettext_noop("Of this row, it would harm your hand most."),
    HintReason.STRONG_ALONE: gettext_noop("Your hand is strong enough to play alone."),
    HintReason.JOINS_BEHIND: gettext_noop("Everybody else has more points."),
    HintReason.JOINS_TRUMP: gettext_noop("A partner covered other trumps more than once."),
    HintReason.SHEDS_CAPTURABLE: gettext_noop("What is discarded cannot be captured."),
    HintReason.SHEDS_HIGH: gettext_noop("Tricks cost points here: the highest cards go."),
    HintReason.EMPTIES_SUIT: gettext_noop("A suit is gone: you can trump it."),
    HintReason.SHEDS_LOW: gettext_noop("Nothing in your hand is worth less."),
    HintReason.SURE_TRICK: gettext_noop("No card that is left can beat it."),
    HintReason.DRAWS_TRUMPS: gettext_noop("It draws trumps from the others."),
    HintReason.SHORT_SUIT: gettext_noop("It is from your shortest suit."),
    HintReason.WINS_CAPTURE: gettext_noop("It is the cheapest card that wins and takes a {rank}."),
    HintReason.WINS_CHEAPLY: gettext_noop("It is the cheapest card that wins."),
    HintReason.AHEAD_CHEAPLY: gettext_noop("It is the cheapest card that is ahead so far."),
    HintReason.SAFE_WITH_PARTNER: gettext_noop("Your team has this trick: the {rank} is safe there."),
    HintReason.GIVES_CAPTURABLE: gettext_noop("The opponents have to take this {rank}."),
    HintReason.HIGHEST_BELOW: gettext_noop("It is the highest card that does not win."),
    HintReason.KEEPS_CAPTURABLE: gettext_noop("It keeps a {rank} from the opponents."),
    HintReason.KEEPS_LAST_TRUMP: gettext_noop("It keeps your last trump."),
    HintReason.SAVES_TRUMPS: gettext_noop("It keeps your trumps."),
    HintReason.LOWEST: gettext_noop("It is the lowest card that you may play."),
    HintReason.BEST_IN_TRIALS: gettext_noop("It did best in the bot’s trials."),
}


def describe_hint(hint: HintEntry, setup: Setup) -> str:
    """A hint for its own reader: “Hint: blue 7. It is the cheapest card that wins.”; empty for others."""
    if hint.action is None or hint.reason is None:
        return ""
    return f"{_move(hint.action, setup)} {reason_sentence(hint.reason, setup)}"


def reason_sentence(reason: HintReason, setup: Setup) -> str:
    """Why, in a sentence."""
    return _(REASONS[reason]).format(rank=setup.ruleset.edition.capturable_rank)


def _move(action: Action, setup: Setup) -> str:
    match action:
        case Place(row, space):
            return _("Hint: cover {space}.").format(space=words.covered(row, space, setup.ruleset, setup.names))
        case NameTeam(partners, monster):
            return _team(partners, monster, setup)
        case Discard(cards) if not isinstance(cards, Hidden):
            return _("Hint: discard {cards}.").format(cards=words.cards_named(cards))
        case Pass(cards) if not isinstance(cards, Hidden):
            return _("Hint: pass {cards}.").format(cards=words.cards_named(cards))
        case Play(card):
            return _("Hint: {card}.").format(card=words.card_name(card))
    return ""


def _team(partners: tuple[int, ...], monster: int | None, setup: Setup) -> str:
    names = words.listing([setup.names[seat] for seat in partners])
    holder = "" if monster is None else setup.names[monster]
    if not partners:
        return _("Hint: play alone.")
    if not holder:
        return _("Hint: play with {names}.").format(names=names)
    if words.plays_without_monster(setup.ruleset):
        return _("Hint: play with {names}; {name} scores double.").format(names=names, name=holder)
    return _("Hint: play with {names}; {name} holds the monster.").format(names=names, name=holder)
