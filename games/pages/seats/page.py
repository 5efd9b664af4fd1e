"""The seats of a digital game: who plays each, and what can be done about it from this phone.

Knows: what is said of a seat and offered for it.  Must not know: markup, sessions, hands.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.bots import LEVELS
from games.log.ledger import Ledger
from games.pages.parts.players import Player, players_of
from games.texts import words


@dataclass(frozen=True)
class SeatLine:
    """A seat.  `who` plays it, `presence` says whether his phone is there; the rest is what this phone may do.

    `bots`: the levels that can be put there, with what the button says.
    """

    player: Player
    who: str
    presence: str
    is_here: bool
    is_own: bool
    bot: str | None
    bots: list[tuple[str, str]]
    may_give_back: bool
    give_back: str
    may_invite: bool
    invite: str
    may_free: bool


@dataclass(frozen=True)
class Seating:
    """What is known of who sits where, besides the log.

    `own`: the seats of this phone; `taken`: those that some phone bears; `there`: those whose phone was heard of
    lately; `host_there`: whether the host's was.
    """

    is_host: bool
    own: Collection[int]
    taken: Collection[int]
    there: Collection[int]
    host_there: bool


def seat_lines(ledger: Ledger, seating: Seating) -> list[SeatLine]:
    """The seats, clockwise."""
    over = ledger.state.current is None
    return [_line(seating, player, ledger.bots[player.seat], over=over) for player in players_of(ledger.current_setup)]


def _line(seating: Seating, player: Player, bot: str | None, *, over: bool) -> SeatLine:
    seat = player.seat
    own, taken, there = seat in seating.own, seat in seating.taken, seat in seating.there
    missed = not there and not seating.host_there and bool(seating.own)
    may_put = not over and (seating.is_host or own or missed)
    return SeatLine(
        player=player,
        who=_who(bot, own=own, taken=taken),
        presence="" if own or not taken else _("here") if there else _("away"),
        is_here=own or there,
        is_own=own,
        bot=bot,
        bots=[(level, _bot_label(level, own=own)) for level in LEVELS if may_put and level != bot],
        may_give_back=not over and bot is not None and (own or (seating.is_host and taken)),
        give_back=_("Take my seat back") if own else _("Give the seat back"),
        may_invite=not over and (seating.is_host or own),
        invite=_("Move my seat to another phone") if own else _("Invite to this seat"),
        may_free=seating.is_host and taken and not own,
    )


def _who(bot: str | None, *, own: bool, taken: bool) -> str:
    if bot is not None:
        name = words.plain(words.bot_name(bot))
        return _("{bot}, in place of this phone").format(bot=name) if own else name
    if own:
        return _("this phone")
    return _("another phone") if taken else _("nobody yet")


def _bot_label(level: str, *, own: bool) -> str:
    told = _("Let a bot play for me: {level}") if own else _("Put a bot here: {level}")
    return told.format(level=words.BOT_LEVELS[level])


def waiting_for(ledger: Ledger, taken: Mapping[int, object] | Collection[int]) -> str:
    """Who has not sat down yet, in a sentence; nothing once everybody has."""
    names = ledger.current_setup.names
    missing = [name for seat, name in enumerate(names) if seat not in taken and ledger.bots[seat] is None]
    if not missing or ledger.state.current is None:
        return ""
    return _("Not here yet: {names}. Invite them, or put a bot there.").format(names=words.listing(missing))
