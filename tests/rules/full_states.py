"""Full states in the tests of digital play: cards that are played, actions that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import IllegalAction, Play
from games.rules.full import FullState
from tests.builders import in_order


def playing(state: FullState, *lines: str) -> FullState:
    """Cards, one after another, by the seats that are due: “R9 R4 K7”."""
    for card in in_order(" ".join(lines)):
        state = state.apply(Play(card))
    return state


def refusal_of(state: FullState, action: Any, *, seat: int | None = None) -> IllegalAction:
    """The refusal of an action, which has changed nothing."""
    before = repr(state)
    with pytest.raises(IllegalAction) as refused:
        state.apply(action, seat=seat)
    assert repr(state) == before
    return refused.value
