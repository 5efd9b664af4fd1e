"""The epoch of the database: a restored one has another, and the same version of a game may be another state there."""

from functools import cache

from games.models import Installation


@cache
def epoch() -> str:
    """The epoch, which does not change while a server runs.  Empty in a database without the row."""
    return Installation.objects.values_list("epoch", flat=True).first() or ""
