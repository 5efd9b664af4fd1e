"""The way from an address to the database: short enough to follow with “go to definition”."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType

import pytest

from games.log import store
from games.models import LogEntry
from tests.builders import dutch
from tests.cast.digital import DigitalTable, cards_on_table
from tests.cast.pages import Phone, sit_down
from tests.cast.seats import at_seats
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

GAMES = str(Path(sys.modules[LogEntry.__module__].__file__ or "").parent)
MOST = 10


@pytest.fixture
def own_frames(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[list[str]]]:
    """Of each write to the log, the functions of the application that lead to it, middleware left out."""
    seen: list[list[str]] = []
    written = store._store

    def insert(entries: Sequence[LogEntry]) -> None:
        frame: FrameType | None = sys._getframe(1)
        names = []
        while frame is not None:
            if frame.f_code.co_filename.startswith(GAMES):
                names.append(frame.f_code.co_qualname)
            frame = frame.f_back
        seen.append(names)
        written(entries)

    monkeypatch.setattr(store, "_store", insert)
    return seen


def test_a_placement_reaches_the_log_in_ten_frames(own_frames: list[list[str]]) -> None:
    phone: Phone = sit_down(Table(dutch(3)))
    own_frames.clear()

    phone.post("act", do="place", space="trump:red")

    (frames,) = own_frames
    assert len(frames) <= MOST, frames


def test_a_card_reaches_the_log_in_ten_frames(own_frames: list[list[str]]) -> None:
    game = DigitalTable(dutch(3)).play_on(cards_on_table(1))
    seat = game.state.acting_seats[0]
    phone = at_seats(game, seat)
    card = game.view(seat).legal[0].card
    own_frames.clear()

    phone.post("act", do="play", card=str(card))

    (frames,) = own_frames
    assert len(frames) <= MOST, frames
