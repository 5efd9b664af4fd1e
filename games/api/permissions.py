"""What a key may do.  A key that does not open what is in the address gets 404, one that opens it and may less 403."""

from __future__ import annotations

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from games import access, queries
from games.api.ids import demand_id
from games.errors import NotFound, SeatOnly
from games.models import Mode


class RightOfKey(BasePermission):
    """A right that only some of the keys have that open the same game or group: 403 for the others."""


class HasKey(BasePermission):
    """The request has a key of a kind that the endpoint takes."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.auth is not None


class OpensGame(HasKey):
    """The key opens the game in the address."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not super().has_permission(request, view):
            return False
        access.require_game(request.auth, view.kwargs["game_id"])
        return True


class IsScorekeeper(RightOfKey):
    """The key is a scorekeeper's; in a digital game, the host's."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        access.require_scorekeeper(request.auth)
        return True


class MayAct(RightOfKey):
    """At a table a scorekeeper acts, in a digital game the player of a seat."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.auth.game.mode != Mode.DIGITAL:
            access.require_scorekeeper(request.auth)
        elif request.auth.seat is None:
            raise SeatOnly()
        return True


class IsHostOrHoldsSeat(RightOfKey):
    """The key is the host's or that of the seat in the address."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        access.require_host_or_own(request.auth, {request.auth.seat}, view.kwargs["seat"])
        return True


class MayDeleteGame(RightOfKey):
    """Scorekeepers delete games; those that a group counts only its owners delete."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        key = request.auth
        if key.pk is None:
            access.require_owner(key.through)
        else:
            access.require_scorekeeper(key)
            access.require_may_delete(key.game, owner=False)
        return True


class OpensGroup(HasKey):
    """The key opens the group in the address."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not super().has_permission(request, view):
            return False
        if request.auth.group_id != view.kwargs["group_id"]:
            raise NotFound()
        return True


class GroupHasPlayer(BasePermission):
    """The player in the address is one of the group who was not merged into another."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if queries.player_of(request.auth.group, demand_id(view.kwargs["player_id"])) is None:
            raise NotFound()
        return True


class GroupHasGame(BasePermission):
    """The game in the address is one of the group's."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        access.reading_key(request.auth, demand_id(view.kwargs["game_id"]))
        return True


class IsMember(RightOfKey):
    """The key is a member's or an owner's."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        access.require_member(request.auth)
        return True


class IsOwner(RightOfKey):
    """The key is an owner's."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        access.require_owner(request.auth)
        return True
