"""Table games as everyone sees them, for the tests of their rules."""

from __future__ import annotations

import pytest

from games.rules import Action, NjetError, PublicState, Setup
from tests.builders import play, read

BOARD = "open 0 njet red blue 2"


def refusal_of(state: PublicState | Setup, line: str | Action, *, seat: int | None = None) -> NjetError:
    """The refusal that an action meets."""
    before = play(state)
    with pytest.raises(NjetError) as refused:
        before.apply(read(line) if isinstance(line, str) else line, seat=seat)
    return refused.value
