"""The set-up card of a round: what to do with cards and markers, and before the last round what each player needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.pages.parts.players import Player, players_of
from games.rules import ENTRY, PublicState, Ruleset, Setup
from games.rules.options import FirstPlacer
from games.rules.scoring import signed
from games.texts import words


@dataclass(frozen=True)
class SetupCard:
    """What has to be done with cards, board and markers before a round, a sentence each.

    `enters_result`: only the settled board of the last round was entered, so that is what is offered first.
    """

    steps: list[str]
    dealer: Player
    may_pick_dealer: bool
    dealer_hint: str
    needs: list[str]
    enters_result: bool


def setup_card(state: PublicState) -> SetupCard:
    """The set-up card of the round that is played."""
    assert state.current is not None, "a set-up card opens a round that is played"
    players, ruleset = players_of(state.setup), state.ruleset
    dealer = players[state.current.dealer]
    placer = players[ruleset.first_placer(state.current.dealer)]
    first = state.current.number == 1
    steps = [
        *_removal_step(ruleset, state.current.number),
        *_covered_step(state.setup, names_others=first),
        _deal_step(ruleset, dealer),
        _placing_step(ruleset, dealer, placer, players),
    ]
    oldest = first and ruleset.options.first_placer is FirstPlacer.LEFT_OF_DEALER
    return SetupCard(
        steps=steps,
        dealer=dealer,
        may_pick_dealer=first,
        dealer_hint=_("By these rules the oldest player deals first.") if oldest else "",
        needs=[line for _seats, line in needs(state)],
        enters_result=bool(state.finished) and any(ENTRY in row.marks for row in state.finished[-1].board.rows),
    )


def _removal_step(ruleset: Ruleset, number: int) -> list[str]:
    if ruleset.players == 2 and number > 1:
        return [_("Shuffle all cards together again.")]
    if ruleset.players != 3 or number > 1:
        return []
    removal = ruleset.options.three_player_removal
    if removal is None:
        return []
    cards = words.option_value("three_player_removal", removal)
    return [_("Take {cards} out: they stay out for the whole game.").format(cards=cards)]


def _covered_step(setup: Setup, *, names_others: bool) -> list[str]:
    """`names_others`: with whose the other tokens are: an animal is no colour that the screen shows."""
    preset = setup.ruleset.preset
    absent = [words.token_name(token, preset) for token in setup.absent_tokens]
    if not setup.ruleset.options.start_row:
        return [_("The start player row is not used: play with 16 markers.")]
    if not absent:
        return []
    step = ngettext(
        "Cover {tokens} in the top row: nobody plays it.",
        "Cover {tokens} in the top row: nobody plays them.",
        len(absent),
    ).format(tokens=words.listing(absent))
    if names_others:
        others = [
            _("{name} ({token})").format(name=each.name, token=words.token_name(each.token, preset))
            for each in setup.seats
        ]
        step += " " + _("The others: {tokens}.").format(tokens=words.listing(others))
    return [step]


def _deal_step(ruleset: Ruleset, dealer: Player) -> str:
    step = _("{name} shuffles and deals {count} cards to each player.").format(name=dealer.name, count=ruleset.dealt)
    if ruleset.players == 2:
        step += " " + _("Put the other 30 aside, face down.")
    return step


def _placing_step(ruleset: Ruleset, dealer: Player, placer: Player, players: Sequence[Player]) -> str:
    markers = ruleset.markers(first_placer=placer.seat)
    sentence = (
        _("{name} places first.") if placer.seat == dealer.seat else _("{name}, left of the dealer, places first.")
    )
    return sentence.format(name=placer.name) + " " + _markers(markers, players)


def _markers(markers: Sequence[int], players: Sequence[Player]) -> str:
    most, least = max(markers), min(markers)
    if most == least:
        return _("Everybody has {count} markers.").format(count=most)
    many, few = (
        words.listing([player.name for player in players if markers[player.seat] == count]) for count in (most, least)
    )
    return _("Markers: {most} for {many}, {least} for {few}.").format(many=many, most=most, few=few, least=least)


def needs(state: PublicState) -> list[tuple[list[int], str]]:
    """Before the last round: what the players need to win, a line for the seats with the same total."""
    if state.current is None or not state.finished or state.current.number != state.ruleset.rounds:
        return []
    totals, lines = sorted(set(state.totals), reverse=True), []
    for total in totals:
        seats = [seat for seat, each in enumerate(state.totals) if each == total]
        names = [state.setup.names[seat] for seat in seats]
        lines.append((seats, _lead(names, *totals[:2]) if total == totals[0] else _behind(names, totals[0] - total)))
    return lines


def _lead(names: Sequence[str], total: int, next_total: int = 0) -> str:
    if len(names) > 1:
        return _("{names} share the lead with {total}.").format(names=words.listing(names), total=signed(total))
    gap = total - next_total
    return ngettext(
        "{name} leads with {total}: {count} point ahead.", "{name} leads with {total}: {count} points ahead.", gap
    ).format(name=names[0], total=signed(total), count=gap)


def _behind(names: Sequence[str], gap: int) -> str:
    if len(names) > 1:
        several = ngettext("{names} are {count} point behind.", "{names} are {count} points behind.", gap)
        return several.format(names=words.listing(names), count=gap)
    one = ngettext("{name} is {count} point behind.", "{name} is {count} points behind.", gap)
    return one.format(name=names[0], count=gap)
