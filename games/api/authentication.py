"""Keys of games and groups, sent as bearer tokens."""

from __future__ import annotations

from abc import abstractmethod

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from games.api.ids import demand_id
from games.errors import NotAuthenticated
from games.keys import registry
from games.models import GroupKey, Key


class BearerAuthentication(BaseAuthentication):
    """The key in `Authorization: Bearer KEY`.  There are no accounts: the key is `request.auth`, the user is None."""

    def authenticate(self, request: Request) -> tuple[None, Key | GroupKey] | None:
        scheme, _, secret = request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            return None, self.key_of(secret.strip(), request)
        except NotAuthenticated:
            # Another class may know it.
            return None

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"

    @abstractmethod
    def key_of(self, secret: str, request: Request) -> Key | GroupKey:
        """The key with this secret.

        Errors: `NotAuthenticated`.
        """


class GameKeyAuthentication(BearerAuthentication):
    """A key of a game."""

    def key_of(self, secret: str, request: Request) -> Key:
        return registry.key_of_secret(secret)


class BinKeyAuthentication(BearerAuthentication):
    """A key of a game in the bin: it only restores it."""

    def key_of(self, secret: str, request: Request) -> Key:
        return registry.key_in_bin_of_secret(secret)


class GroupKeyAuthentication(BearerAuthentication):
    """A key of a group."""

    def key_of(self, secret: str, request: Request) -> GroupKey:
        return registry.group_key_of_secret(secret)


class GroupReaderAuthentication(BearerAuthentication):
    """A key of a group as a viewer's key for the game in the address, which is one of the group's."""

    def key_of(self, secret: str, request: Request) -> Key:
        group_key = registry.group_key_of_secret(secret)
        key = registry.viewing_key(group_key, demand_id(request.parser_context["kwargs"]["game_id"]))
        key.through = group_key
        return key
