"""Creates one game or group from a form, or from a program's request, that is sent twice, even in parallel.

A program that got no answer needs the keys that were in it, and only their hashes are stored.  So the secrets of a
request that has an id are derived from it, with the server's secret key, and the repetition derives them again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils import timezone

from games.errors import AlreadyImported, InviteNotValid, RequestIdReused
from games.keys.hashes import creation_id, hash_of, secret_of_request
from games.models import GroupKey, Key

T = TypeVar("T")
AnyKey = TypeVar("AnyKey", Key, GroupKey)

SHOWN_AGAIN = timedelta(hours=1)
"""How long a repeated request gives its keys again: by then a program has its answer, or has given up."""


@dataclass(frozen=True)
class ProgramRequest:
    """A request of a program that creates something: its `sender`, the id that they gave it, a hash of what it says.

    Ids of different senders, which are keys or addresses, never meet.
    """

    sender: str
    request_id: str
    fingerprint: str

    @property
    def stored_id(self) -> str:
        """What is stored with the game or group that it creates."""
        return creation_id("program", self.sender, self.request_id)

    def secret(self, name: str) -> str:
        """One of the secrets of its answer."""
        return secret_of_request(self.sender, self.request_id, self.fingerprint, name)

    def secret_of_id(self, name: str) -> str:
        """A secret that belongs to the id alone: what is stored with it tells whether the request is the same one."""
        return secret_of_request(self.sender, self.request_id, name)

    def require_soon(self, made_at: datetime, *, is_same: bool) -> None:
        """Refuse unless the request is the same one, sent again while secrets are given again.

        Errors: `RequestIdReused`.
        """
        if not is_same or abs(timezone.now() - made_at) > SHOWN_AGAIN:
            raise RequestIdReused()

    def require_repeated(self, keys: QuerySet[AnyKey], name: str) -> AnyKey:
        """The key with this secret among those that were issued for the id: the request is the same one.

        Errors: `RequestIdReused`, also if the first request is too long ago.
        """
        key = keys.filter(secret_hash=hash_of(self.secret(name))).first()
        if key is None:
            raise RequestIdReused()
        self.require_soon(key.created_at, is_same=True)
        key.secret, key.repeated = self.secret(name), True
        return key


def create_once(
    form: str | None, content: object, *, create: Callable[[str | None], T], find: Callable[[str], T | None]
) -> T:
    """What `create` makes and stores under an id, or what `find` finds under it.

    `form`: identifies the browser and its form, None for what may be created again; `content`: what was sent.
    """
    if form is None:
        return create(None)
    return create_or_find(creation_id(form, json.dumps(content, sort_keys=True)), create=create, find=find)


def create_or_find(stored_id: str, *, create: Callable[[str], T], find: Callable[[str], T | None]) -> T:
    """What `find` finds under an id, or what `create` makes and stores under it."""
    try:
        return find(stored_id) or create(stored_id)
    except (IntegrityError, AlreadyImported, InviteNotValid):
        # The other request was faster: a constraint, or a lock, made this one wait and then refused it.
        found = find(stored_id)
        if found is None:
            raise
        return found
