"""Hints as sentences: what to do, and why."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.rules import Setup
from games.rules.actions import Action, Discard, Hidden, NameTeam, Pass, Place, Play
from games.rules.hints import COMPARED, EMPTIES, SPARES, HintReason
from games.rules.replay import HintEntry
from games.texts import words

REASONS = {
    HintReason.KEEPS_TOKEN: gettext_noop("Your token is now likelier to stay open."),
    HintReason.COVERS_OWN_TOKEN: gettext_noop("Somebody else then names the teams, and may pick you."),
    HintReason.COVERS_LEADER: gettext_noop("Of the players left in this row, this one has most points."),
    HintReason.COVERS_TOKEN: gettext_noop("So this player cannot choose partners."),
    HintReason.KEEPS_LONG_TRUMP: gettext_noop("Your longest suit is now likelier to be trump."),
    HintReason.COVERS_VOID_TRUMP: gettext_noop("You hold none of this suit."),
    HintReason.COVERS_SHORT_TRUMP: gettext_noop("Of the open suits you hold least of this one."),
    HintReason.COVERS_LONG_TRUMP: gettext_noop("As trump it would win you tricks that cost points."),
    HintReason.KEEPS_SUPER: gettext_noop("Super trumps that you hold are now likelier."),
    HintReason.COVERS_OTHER_SUPER: gettext_noop("You hold none of these super trumps."),
    HintReason.COVERS_OWN_SUPER: gettext_noop("Your own super trumps would win tricks that cost points."),
    HintReason.STAKES_MORE: gettext_noop("Your hand is strong: more points are now likelier."),
    HintReason.STAKES_LESS: gettext_noop("Your hand is weak: fewer points are now likelier."),
    HintReason.SETTLES_TOKEN: gettext_noop("So you are the start player."),
    HintReason.SETTLES_LONG_TRUMP: gettext_noop("So your longest suit is trump."),
    HintReason.SETTLES_SUPER: gettext_noop("So you hold more super trumps."),
    HintReason.SETTLES_MORE: gettext_noop("Your hand is strong: so tricks bring more points."),
    HintReason.SETTLES_LESS: gettext_noop("Your hand is weak: so tricks bring fewer points."),
    HintReason.SETTLES_COST: gettext_noop("Your hand is weak: good that every trick costs points."),
    HintReason.COVERS_MINUS: gettext_noop("With −2 every trick would cost points."),
    HintReason.COVERS_NO_ZERO: gettext_noop("With it you could discard none of your {rank}s."),
    HintReason.KEEPS_SHEDDING: gettext_noop("Your {rank}s are now likelier to leave your hand."),
    HintReason.LITTLE_TO_SHED: gettext_noop("You hold few {rank}s: there is little to discard."),
    HintReason.COVERS_PASSING: gettext_noop("With it you would get two cards that you cannot choose."),
    HintReason.OTHERS_SUPER: gettext_noop("You hold none of the super trumps that are left."),
    HintReason.MINUS_COSTS: gettext_noop("You hold many high cards: with −2 they would cost points."),
    HintReason.HIGH_MAY_LEAVE: gettext_noop("High cards are now likelier to leave your hand."),
    HintReason.OTHERS_SHED: gettext_noop("Others likely hold more {rank}s to discard than you."),
    HintReason.OTHERS_SHED_HIGH: gettext_noop("Others likely hold more high cards to discard than you."),
    HintReason.COVERS_WORST: gettext_noop("Of this row, it would harm your hand most."),
    HintReason.STRONG_ALONE: gettext_noop("Your hand is strong enough to play alone."),
    HintReason.ALONE_DOUBLE: gettext_noop("Alone, all your tricks count double."),
    HintReason.WEAK_ALONE: gettext_noop("Your hand wins few of the tricks that cost points."),
    HintReason.JOINS_BEHIND: gettext_noop("Of the others nobody has fewer points: sharing costs least."),
    HintReason.JOINS_TRUMP: gettext_noop("{partner} covered other trumps more than once."),
    HintReason.STRONG_FEW: gettext_noop("Your hand is strong: the smaller team has the monster."),
    HintReason.WEAK_MANY: gettext_noop("Your hand is weak: the larger team helps."),
    HintReason.LEAVES_MONSTER: gettext_noop("Tricks cost points, and an opponent’s count double."),
    HintReason.LEAVES_LEADER: gettext_noop("The player who is ahead stays out of your team."),
    HintReason.JOINS_BELOW: gettext_noop("You stay ahead of those in your team."),
    HintReason.JOINS_ONE_TRUMP: gettext_noop("{partner} covered another trump: they may like this one."),
    HintReason.JOINS_SUPER: gettext_noop("{partner} covered another super trump: they may hold this."),
    HintReason.JOINS_POINTS: gettext_noop("A partner covered other points: they may like these."),
    HintReason.JOINS_LOW_POINTS: gettext_noop("{partner} covered low points: their hand may be strong."),
    HintReason.JOINS_HIGH_POINTS: gettext_noop("{partner} covered high points: a weak hand is good here."),
    HintReason.JOINS_MINUS: gettext_noop("{partner} covered −2: their hand may be strong."),
    HintReason.JOINS_LOWER_POINTS: gettext_noop("{partner} covered lower points than {other}: likely stronger."),
    HintReason.JOINS_HIGHER_POINTS: gettext_noop("{partner} covered higher points than {other}: likely weaker."),
    HintReason.LEAVES_HIGH_POINTS: gettext_noop("{other} covered high points: their hand may be weak."),
    HintReason.LEAVES_LOW_POINTS: gettext_noop("{other} covered low points: a strong hand is bad here."),
    HintReason.JOINS_MORE_TRUMPS: gettext_noop("{partner} covered more of the other trumps than {other}."),
    HintReason.JOINS_MORE_SUPERS: gettext_noop("{partner} covered more other super trumps than {other}."),
    HintReason.ONLY_ALONE: gettext_noop("In the last round you could not pass a partner."),
    HintReason.DOUBLES_OWN: gettext_noop("Your hand is strong: what it wins counts double."),
    HintReason.DOUBLES_PARTNER: gettext_noop("Your hand is weak: rather double what a partner wins."),
    HintReason.DOUBLES_FEWEST: gettext_noop("Your hand wins few of the tricks that cost points."),
    HintReason.SHEDS_CAPTURABLE: gettext_noop("What is discarded cannot be captured."),
    HintReason.SHEDS_ONE_CAPTURABLE: gettext_noop("A {rank} that is discarded cannot be captured."),
    HintReason.SHEDS_HIGH: gettext_noop("Tricks cost points here: the highest cards go."),
    HintReason.SHEDS_HIGHER: gettext_noop("Higher cards go than with {other}."),
    HintReason.SHEDS_WINNERS: gettext_noop("Tricks cost points here: what wins them goes."),
    HintReason.SHEDS_SUIT: gettext_noop("You keep none of a suit: high cards can go there."),
    HintReason.EMPTIES_SUIT: gettext_noop("A suit is gone: you can trump it."),
    HintReason.EMPTIES_RED: gettext_noop("You keep no {suit}: you may soon trump it."),
    HintReason.EMPTIES_BLACK: gettext_noop("You keep no {suit}: you may soon trump it."),
    HintReason.EMPTIES_BLUE: gettext_noop("You keep no {suit}: you may soon trump it."),
    HintReason.EMPTIES_YELLOW: gettext_noop("You keep no {suit}: you may soon trump it."),
    HintReason.EMPTIES_GREEN: gettext_noop("You keep no {suit}: you may soon trump it."),
    HintReason.SHEDS_LOW: gettext_noop("Nothing in your hand is worth less."),
    HintReason.KEEPS_HIGH: gettext_noop("You keep all your high cards."),
    HintReason.STAYS_IN_TEAM: gettext_noop("Your partner gets what you pass: it stays in your team."),
    HintReason.SHORTENS_SUIT: gettext_noop("You keep few of a suit: soon you may be free of it."),
    HintReason.SURE_TRICK: gettext_noop("No card that is left can beat it."),
    HintReason.DRAWS_TRUMPS: gettext_noop("It draws trumps from the others."),
    HintReason.TOP_OF_SUIT: gettext_noop("No card of its suit that is left can beat it."),
    HintReason.SOON_VOID: gettext_noop("You hold little of this suit: soon you can trump it."),
    HintReason.SHORT_SUIT: gettext_noop("Once your shortest suit is gone, high cards can go, too."),
    HintReason.FEW_BEAT: gettext_noop("Few cards of its suit can still beat it."),
    HintReason.MAY_LOSE: gettext_noop("Others may hold higher cards of this suit: it may well lose."),
    HintReason.LEADS_NEXT: gettext_noop("Your team wins anyway, and so you lead the next trick."),
    HintReason.TOPS_PARTNER: gettext_noop("Your partner’s card can still be beaten: go higher."),
    HintReason.ONLY_AHEAD: gettext_noop("No other card of yours would be ahead."),
    HintReason.WINS_CAPTURE: gettext_noop("It is the cheapest card that wins and takes a {rank}."),
    HintReason.WINS_CHEAPLY: gettext_noop("It is the cheapest card that wins."),
    HintReason.AHEAD_CHEAPLY: gettext_noop("It is the cheapest card that is ahead so far."),
    HintReason.HARDER_TO_BEAT: gettext_noop("Fewer cards can beat it than a lower one."),
    HintReason.FEWER_BEAT: gettext_noop("It is harder to beat than {other}."),
    HintReason.MORE_BEAT: gettext_noop("It is easier to beat than {other}: it may well lose."),
    HintReason.KEEPS_LOWER: gettext_noop("You keep a lower card of this suit, which may lose later."),
    HintReason.BETTER_NOW: gettext_noop("This trick goes better for your team than with {other}."),
    HintReason.BETTER_LATER: gettext_noop("Later tricks go better for your team than with {other}."),
    HintReason.LOST_ANYWAY: gettext_noop("You would likely lose this {rank} later, too: keep {other}."),
    HintReason.WINS_NOW: gettext_noop("Your team is likelier to win this trick than with {other}."),
    HintReason.LOSES_NOW: gettext_noop("Your team is likelier to lose this trick than with {other}."),
    HintReason.WINS_LATER: gettext_noop("Keep {other}: it is likelier to win later."),
    HintReason.LOSES_LATER: gettext_noop("Keep {other}: it is likelier to lose later."),
    HintReason.WINS_HIGH: gettext_noop("Your team gets this trick anyway: play as high as you may."),
    HintReason.OTHER_IN_DOUBT: gettext_noop("Keep {other} for later: here it can still be beaten."),
    HintReason.SAFE_WITH_PARTNER: gettext_noop("Your team has this trick: the {rank} is safe there."),
    HintReason.PARTNER_WINS: gettext_noop("Your partner is ahead: you save your better cards."),
    HintReason.LIKELY_WITH_PARTNER: gettext_noop("Your partner is ahead: few cards can still take this {rank}."),
    HintReason.CANNOT_WIN: gettext_noop("You cannot win this trick: away with your lowest card."),
    HintReason.SPENDS_LOWEST: gettext_noop("You cannot win this trick: your lowest card but the {rank}s."),
    HintReason.GIVES_CAPTURABLE: gettext_noop("The opponents have to take this {rank}."),
    HintReason.HIGHEST_BELOW: gettext_noop("It is the highest card that does not win."),
    HintReason.DUCKS: gettext_noop("Tricks cost points, and it does not win this one."),
    HintReason.KEEPS_CAPTURABLE: gettext_noop("It keeps a {rank} from the opponents."),
    HintReason.KEEPS_LAST_TRUMP: gettext_noop("It keeps your last trump."),
    HintReason.SAVES_TRUMPS: gettext_noop("It keeps your trumps."),
    HintReason.SAVES_SUPER: gettext_noop("It keeps your super trump."),
    HintReason.LOWEST: gettext_noop("It is the lowest card that you may play."),
    HintReason.KEEPS_HIGHER: gettext_noop("It keeps a higher card of this suit."),
    HintReason.ALL_EQUAL: gettext_noop("Each card that you may play does the same."),
    HintReason.BEST_IN_TRIALS: gettext_noop("No simple reason: it did best in trials."),
    HintReason.AS_GOOD: gettext_noop("No simple reason: another choice did as well in trials."),
}


def describe_hint(hint: HintEntry, setup: Setup) -> str:
    """A hint for its own reader: “Hint: play blue 7. It is the cheapest card that wins.”; empty for others."""
    if hint.action is None or hint.reason is None:
        return ""
    what = advised_in_full(hint.action, setup)
    return " ".join((_("Hint: {action}.").format(action=what), why_of(hint, setup)))


def why_of(hint: HintEntry, setup: Setup) -> str:
    """Why, in a sentence, with the action that the hint names beside its own; empty for other readers."""
    if hint.reason is None:
        return ""
    if hint.second is None or hint.action is None:
        return reason_sentence(hint.reason, setup, hint.action)
    if hint.reason in COMPARED:
        return reason_sentence(hint.reason, setup, hint.action, hint.second)
    # Who holds the monster is asked later, unless nothing else can be chosen.
    second = advised(hint.second, setup)
    if second == advised(hint.action, setup):
        second = advised_in_full(hint.second, setup)
    if hint.reason is HintReason.BEST_IN_TRIALS:
        return _("It did best in trials; second choice: {action}.").format(action=second)
    other = _("Second choice: {action}.") if hint.reason in SPARES else _("About as good: {action}.")
    named = other.format(action=second)
    return named if hint.reason is HintReason.AS_GOOD else f"{reason_sentence(hint.reason, setup, hint.action)} {named}"


def reason_sentence(reason: HintReason, setup: Setup, action: Action | None = None, other: Action | None = None) -> str:
    """Why an action, in a sentence.  `other`: what it is compared with if the reason is one of `COMPARED`."""
    emptied = next((words.SUIT_NAMES[suit.value] for suit, each in EMPTIES.items() if each is reason), "")
    return _(REASONS[reason]).format(
        rank=setup.ruleset.edition.capturable_rank,
        suit=emptied,
        other=_other_of(other, setup) if reason in COMPARED else "",
        partner=_partner_of(action, setup),
    )


def _partner_of(action: Action | None, setup: Setup) -> str:
    """The partner as a sentence begins: by name if there is one."""
    match action:
        case NameTeam((partner,)):
            return setup.names[partner]
    return _("A partner")


def _other_of(action: Action | None, setup: Setup) -> str:
    """What an action is compared with: cards, or the partner."""
    match action:
        case Play(card):
            return words.card_name(card)
        case Discard(cards) | Pass(cards) if not isinstance(cards, Hidden):
            return words.cards_named(cards)
        case NameTeam((partner,)):
            return setup.names[partner]
    return ""


def advised_holder(name: str) -> str:
    """What a hint says when the partners are chosen: who is to hold the monster."""
    return _("give the monster to {name}").format(name=name)


def advised_in_full(action: Action, setup: Setup) -> str:
    """What a hint says to do, with who is to hold the monster."""
    what = advised(action, setup)
    if isinstance(action, NameTeam) and action.partners and action.monster is not None:
        return words.with_monster(what, setup.names[action.monster], setup.ruleset)
    return what


def advised(action: Action, setup: Setup) -> str:
    """What a hint says to do: “cover blue trump”.  Who is to hold the monster is asked after the partners."""
    match action:
        case Place(row, space):
            return _("cover {space}").format(space=words.covered(row, space, setup.ruleset, setup.names))
        case NameTeam(()):
            return _("play alone")
        case NameTeam(partners):
            return _("play with {names}").format(names=words.listing([setup.names[seat] for seat in partners]))
        case Discard(cards) if not isinstance(cards, Hidden):
            return _("discard {cards}").format(cards=words.cards_named(cards))
        case Pass(cards) if not isinstance(cards, Hidden):
            return _("pass {cards}").format(cards=words.cards_named(cards))
        case Play(card):
            return _("play {card}").format(card=words.card_name(card))
    return ""
