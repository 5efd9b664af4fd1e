"""What a key may do.  A key that does not open what is in the address gets 404, one that opens it and may less 403."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from games.api.ids import demand_id
from games.errors import NotFound, SeatOnly
from games.groups import lists
from games.keys import permissions, registry
from games.models import GroupKey, Key, Mode


class HasKey(BasePermission):
    """The request has a valid key of a kind that the endpoint takes."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.auth is None:
            return False
        self.check(request.auth, view)
        return True

    def check(self, key: Any, view: APIView) -> None:
        """Refuse a key that does not open what is in the address.

        Errors: `NotFound`.
        """


class OpensGame(HasKey):
    """The key opens the game in the address."""

    def check(self, key: Key, view: APIView) -> None:
        permissions.game_of(key, view.kwargs["game_id"])


class OpensGroup(HasKey):
    """The key opens the group in the address."""

    def check(self, key: GroupKey, view: APIView) -> None:
        if key.group_id != view.kwargs["group_id"]:
            raise NotFound()


class GroupHasPlayer(OpensGroup):
    """The player in the address is one of the group who was not merged into another."""

    def check(self, key: GroupKey, view: APIView) -> None:
        super().check(key, view)
        if lists.player_of(key.group, demand_id(view.kwargs["player_id"])) is None:
            raise NotFound()


class GroupHasGame(OpensGroup):
    """The game in the address is one of the group's."""

    def check(self, key: GroupKey, view: APIView) -> None:
        super().check(key, view)
        registry.viewing_key(key, demand_id(view.kwargs["game_id"]))


# --- rights that only some of the keys have that open the same game or group ---


class Right(BasePermission):
    """A right that the key must have: 403 for those that have not."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        self.require(request.auth, view)
        return True

    @abstractmethod
    def require(self, key: Any, view: APIView) -> None:
        """Errors: `Forbidden`."""


class IsScorekeeper(Right):
    """The key is a scorekeeper's; in a digital game, the host's."""

    def require(self, key: Key, view: APIView) -> None:
        permissions.require(permissions.records, key)


class MayAct(Right):
    """At a table a scorekeeper acts, in a digital game the player of a seat."""

    def require(self, key: Key, view: APIView) -> None:
        if key.game.mode != Mode.DIGITAL:
            permissions.require(permissions.records, key)
        elif key.seat is None:
            raise SeatOnly()


class IsHostOrHoldsSeat(Right):
    """The key is the host's or that of the seat in the address."""

    def require(self, key: Key, view: APIView) -> None:
        own = set() if key.seat is None else {key.seat}
        permissions.require(permissions.hosts_or_sits, key, own, view.kwargs["seat"])


class MayDeleteGame(Right):
    """Scorekeepers delete games; those that a group counts only its owners, confirmed ones only who opened them."""

    def require(self, key: Key, view: APIView) -> None:
        if key._state.adding and key.through is not None:
            # A viewer's key that is stored nowhere, made from this key of the group.
            permissions.require(permissions.owns_group, key.through)
        else:
            permissions.require(permissions.records, key)
            permissions.require(permissions.deletes, key, owner=False)
            permissions.require(permissions.deletes_locked, key, owner=False)


class IsMember(Right):
    """The key is a member's or an owner's."""

    def require(self, key: GroupKey, view: APIView) -> None:
        permissions.require(permissions.plays_in_group, key)


class IsOwner(Right):
    """The key is an owner's."""

    def require(self, key: GroupKey, view: APIView) -> None:
        permissions.require(permissions.owns_group, key)
