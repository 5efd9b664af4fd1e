"""The deals of tests: the same ones whenever a test runs, so that none passes or fails by chance.

Knows: where the application takes its randomness for a deal.  Must not know: what is played with it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

from games.services import pending_entries

_SEED_BYTES = 32
_chance = random.Random(0)


def _next_seed() -> str:
    return _chance.randbytes(_SEED_BYTES).hex()


pending_entries.new_seed = _next_seed


def begin(source: int | str = 0) -> None:
    """From here on deals follow from this number or text, one after the other."""
    _chance.seed(source)


@contextmanager
def known_deals(source: int | str) -> Iterator[None]:
    """Inside, every deal follows from this number or text; afterwards they go on as before."""
    before = _chance.getstate()
    begin(source)
    try:
        yield
    finally:
        _chance.setstate(before)
