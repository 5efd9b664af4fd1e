"""The way from a finished digital game into the rematch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RematchOffer:
    """What a phone at a finished game is offered.  `game_id`: the rematch, empty as long as there is none.

    `may_open`: it may open one; `may_follow`: one of its seats is free there; `is_in`: it sits there already; `waits`:
    it can follow as soon as the rematch is opened.
    """

    game_id: str
    may_open: bool
    may_follow: bool
    is_in: bool
    waits: bool
