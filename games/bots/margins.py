"""By how much one action has to be better than another in trials."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

LITTLE = 0.5
"""Points by which it has to be better before it matters."""

CLEAR = 2.0
"""The number of standard errors from which on a difference is beyond chance."""


def error_of(found: Sequence[float]) -> float:
    """The standard error of the mean of independent figures; infinite for a single one."""
    return statistics.stdev(found) / math.sqrt(len(found)) if len(found) > 1 else math.inf


def most_of(found: Sequence[float]) -> float:
    """The greatest mean that is not beyond chance after these figures."""
    return statistics.fmean(found) + CLEAR * error_of(found)
