"""By how much one action has to be better than another in trials."""

from __future__ import annotations

LITTLE = 0.5
"""Points by which it has to be better before it matters."""

CLEAR = 2.0
"""The number of standard errors from which on a difference is beyond chance."""
