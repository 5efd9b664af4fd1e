"""The way of a verb to the services: what a table does unless it is given another way (`tests.cast.ways`)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from games.models import Key
from games.services import confirmations, digital, proposals, tables
from games.services.write import Outcome, WriteRequest
from tests.cast.copies import committed

ANY = WriteRequest()
"""A request of somebody who names no version and no id."""

SERVICES: dict[str, Callable[..., Outcome]] = {
    "record": tables.record_action,
    "undo": tables.undo,
    "amend": tables.amend,
    "correct": tables.correct_setup,
    "confirm": confirmations.confirm,
    "withdraw": confirmations.withdraw,
    "lock": tables.lock,
    "reopen": tables.reopen,
    "propose": proposals.propose,
    "answer": proposals.answer,
    "put_bot": digital.put_bot,
}
"""What can be done at a table, and the service that does it."""


class Way(Protocol):
    """How a verb reaches a game.  It answers the outcome of the service, or raises its refusal."""

    def __call__(
        self, verb: str, *, game_id: str, actor: Key, request: WriteRequest = ANY, **arguments: object
    ) -> Outcome: ...


class ByService:
    """The call of a service, inside a context."""

    def __init__(self, within: Callable[[], AbstractContextManager[object]] = nullcontext) -> None:
        self._within = within

    def __call__(
        self, verb: str, *, game_id: str, actor: Key, request: WriteRequest = ANY, **arguments: object
    ) -> Outcome:
        with self._within():
            return SERVICES[verb](game_id=game_id, actor=actor, request=request, **arguments)


by_service = ByService()
committing = ByService(lambda: committed(execute=True))
"""The same, and what follows a commit is done at once."""
