"""The form of the ids in addresses."""

import re

from games.errors import NotFound

AN_ID = re.compile(r"[0-9a-z]{1,12}", re.ASCII)


def demand_id(text: str) -> str:
    """An id of this server's form; any other text identifies nothing, and no database is asked for it.

    Errors: `NotFound`.
    """
    if not AN_ID.fullmatch(text):
        raise NotFound()
    return text
