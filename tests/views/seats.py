"""Browsers at a digital game: whose host's key and seats they bear, and whose phones were heard of lately."""

from __future__ import annotations

from django.conf import settings

from games.keys import sessions
from games.live.hub import hub
from games.models import Key
from tests.cast.pages import Phone
from tests.cast.phones import Phones


def has_key(phone: Phone, game: Phones, *seats: int, key: Key | None = None) -> Phone:
    """Let a browser bear the keys of some seats, and another key of the game."""
    session = phone.client.session
    if key is not None:
        sessions.remember(session, key)
    sessions.remember_seats(session, [game.keys[seat] for seat in seats])
    session.save()
    phone.client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    phone.table, phone.key = game, key or game.keys[seats[0]]
    return phone


def at_seats(game: Phones, *seats: int) -> Phone:
    """A phone on which these seats are played."""
    return has_key(Phone(), game, *seats)


def hosting(game: Phones, *seats: int) -> Phone:
    """The host's phone, with the seats that are played on it."""
    return has_key(Phone(), game, *seats, key=game.host)


def watching(game: Phones) -> Phone:
    """Somebody who looks on."""
    return has_key(Phone(), game, key=game.viewer)


def is_there(game: Phones, *keys: Key) -> None:
    """The phones of these keys have just been heard of."""
    for key in keys:
        hub.heard(game.id, key.pk, key.label, may_record=key.may_record)


def seats_of(phone: Phone) -> dict[str, int]:
    """The seats that a browser has, by game and seat."""
    return {seat: key for seats in phone.client.session.get("seats", {}).values() for seat, key in seats.items()}
