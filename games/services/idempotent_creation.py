"""Creates one game or group from a form that is sent twice, even in parallel."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypeVar

from django.db import IntegrityError

from games.errors import AlreadyImported
from games.keys.hashes import creation_id

T = TypeVar("T")


def create_once(
    form: str | None, content: object, *, create: Callable[[str | None], T], find: Callable[[str], T | None]
) -> T:
    """What `create` makes and stores under an id, or what `find` finds under it.

    `form`: identifies the browser and its form, None for what may be created again; `content`: what was sent.
    """
    if form is None:
        return create(None)
    stored_id = creation_id(form, json.dumps(content, sort_keys=True))
    try:
        return find(stored_id) or create(stored_id)
    except (IntegrityError, AlreadyImported):
        # The other request was faster: the constraint on `creation_id`, or the lock of the group, made this one wait
        # and then refused it.
        found = find(stored_id)
        if found is None:
            raise
        return found
