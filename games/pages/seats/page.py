"""The seats of a digital game: who plays each, and what this phone may do about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from games.bots import LEVELS
from games.log.ledger import Ledger
from games.pages.parts.bots import level_to_fill, style_line
from games.pages.parts.players import Player, players_of
from games.texts import words


@dataclass(frozen=True)
class SeatLine:
    """A seat.  `who` plays it, `presence` says whether their phone is present; the rest is what this phone may do.

    `is_missing`: it has neither a phone nor a bot yet; `style`: how a bot there plays; `filled_by`: the level of the
    bot that one tap puts on a seat that is free or whose phone is away; `bots`: the other levels for a seat that is not
    free, with the text of the button; `give_back`, `invite`: the text of a button, empty where this phone may not do
    it; `invites_first`: it is the first thing to do with the seat.
    """

    player: Player
    who: str
    style: str
    presence: str
    is_here: bool
    is_own: bool
    is_missing: bool
    bot: str | None
    filled_by: str
    bots: list[tuple[str, str]]
    give_back: str
    invite: str
    invites_first: bool
    may_free: bool


@dataclass(frozen=True)
class Seating:
    """Who sits where, as far as the log does not say it.

    `own`: the seats of this phone; `taken`: those with a key; `present`: those whose phone is online, as the table
    shows it; `missed`: those on which any player may put a bot, since neither their phone nor the host's was heard.
    """

    is_host: bool
    own: Collection[int]
    taken: Collection[int]
    present: Collection[int]
    missed: Collection[int]

    def may_put_bot(self, seat: int) -> bool:
        """The host anywhere, a player on their own seat, and on an absent seat while the host is absent too."""
        return self.is_host or seat in self.own or (seat in self.missed and bool(self.own))


def seat_lines(ledger: Ledger, seating: Seating) -> list[SeatLine]:
    """The seats, clockwise.  Once the game is over they can only be freed."""
    level = level_to_fill(ledger)
    lines = [_seat_line(ledger, seating, player, level) for player in players_of(ledger.current_setup)]
    if not ledger.state.is_over:
        return lines
    return [replace(line, filled_by="", bots=[], give_back="", invite="") for line in lines]


def _seat_line(ledger: Ledger, seating: Seating, player: Player, filled_by: str) -> SeatLine:
    seat, bot = player.seat, ledger.bots[player.seat]
    own, taken = seat in seating.own, seat in seating.taken
    is_elsewhere, is_missing = taken and not own, bot is None and not taken and not own
    levels = LEVELS if seating.may_put_bot(seat) else ()
    is_away = is_elsewhere and bot is None and seat not in seating.present
    level = filled_by if levels and (is_missing or is_away) else ""
    others = () if is_missing else [each for each in levels if each not in (bot, level)]
    bot_label = _("Let a bot play for me: {level}") if own else _("Put a bot here: {level}")
    presence = _("here") if seat in seating.present else _("away")
    return SeatLine(
        player=player,
        who=_who(bot, own=own, taken=taken),
        style="" if bot is None else style_line(player.name, ledger.current_setup.ruleset),
        presence=presence if is_elsewhere else "",
        is_here=own or seat in seating.present,
        is_own=own,
        is_missing=is_missing,
        bot=bot,
        filled_by=level,
        bots=[(each, bot_label.format(level=words.BOT_LEVELS[each])) for each in others],
        give_back="" if bot is None else _give_back(seating, seat),
        invite=_invite(seating, seat),
        invites_first=bot is not None and not taken,
        may_free=seating.is_host and is_elsewhere,
    )


def _give_back(seating: Seating, seat: int) -> str:
    if seat in seating.own:
        return _("Take my seat back")
    return _("Give the seat back") if seating.is_host and seat in seating.taken else ""


def _invite(seating: Seating, seat: int) -> str:
    if seat in seating.own:
        return _("Move my seat to another phone")
    return _("Invite to this seat") if seating.is_host else ""


def _who(bot: str | None, *, own: bool, taken: bool) -> str:
    if bot is not None:
        name = words.plain(words.bot_name(bot))
        if own:
            return _("{bot}, in place of this phone").format(bot=name)
        return _("{bot}, in place of another phone").format(bot=name) if taken else name
    if own:
        return _("this phone")
    return _("another phone") if taken else _("nobody yet")


def waiting_for(ledger: Ledger, taken: Mapping[int, object] | Collection[int], *, is_host: bool) -> str:
    """Who has not sat down yet, and who can do something about it; empty once everybody has."""
    names = ledger.current_setup.names
    missing = [name for seat, name in enumerate(names) if seat not in taken and ledger.bots[seat] is None]
    if not missing or ledger.state.current is None:
        return ""
    sentence = (
        _("Not here yet: {names}. Invite them, or put a bot there.")
        if is_host
        else _("Not here yet: {names}. The host can invite them, or put a bot there.")
    )
    return sentence.format(names=words.listing(missing))
