"""The cover over the hand between two seats that share a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.pages.parts.players import Player, players_of
from games.texts import words


@dataclass(frozen=True)
class CoverPage:
    """The cover over the hand between two seats that share a phone.

    `to`: the players who get the phone next; `side`: the seat from whose side the table is seen: of the one who acted
    last here, so that a card that was just played lies in front of them.  The table turns as the next hand is shown.
    """

    announcement: str
    to: list[Player]
    others: list[Player]
    side: int


def cover_page(ledger: Ledger, own: Sequence[int]) -> CoverPage:
    """The cover of a phone that these seats share."""
    players, acting = players_of(ledger.current_setup), ledger.state.acting_seats
    due = [players[seat] for seat in own if seat in acting and ledger.bots[seat] is None]
    others = [players[seat] for seat in own if players[seat] not in due]
    names = words.listing([player.name for player in due])
    sentence = _("Pass the phone to {names}").format(names=names) if due else _("Nobody on this phone has a turn now.")
    acted = next((step.seat for step in reversed(ledger.replay.applied) if step.seat in own), None)
    return CoverPage(sentence, due, others, side=(due or others)[0].seat if acted is None else acted)
