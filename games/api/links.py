"""Absolute addresses in answers."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse
from rest_framework.request import Request


def of_game(request: Request | HttpRequest, game_id: str) -> dict[str, str]:
    """The addresses of a game: for programs and for people."""
    return {
        "self": request.build_absolute_uri(reverse("api:game", args=[game_id])),
        "table": request.build_absolute_uri(reverse("games:table", args=[game_id])),
    }


def of_invitation(request: Request | HttpRequest, token: str) -> str:
    """The page that an invitation opens."""
    return str(request.build_absolute_uri(reverse("games:join_link", args=[token])))


def of_feed(request: Request | HttpRequest, feed: str) -> str:
    """The feed of a program's key."""
    return str(request.build_absolute_uri(reverse("games:feed", args=[feed])))


def of_group(request: Request | HttpRequest, group_id: str) -> dict[str, str]:
    """The addresses of a group: for programs and for people.  Its lists need no id: the key says which group."""
    found = {"self": reverse("api:group", args=[group_id]), "page": reverse("games:group", args=[group_id])}
    found |= {name: reverse(f"api:{name}") for name in ("results", "players", "statistics")}
    return {name: request.build_absolute_uri(path) for name, path in found.items()}


def of_page(request: Request, cursor: str | None) -> str | None:
    """The address of the same list from a cursor on; None if there is no cursor."""
    if cursor is None:
        return None
    asked = request.query_params.copy()
    asked["cursor"] = cursor
    return str(request.build_absolute_uri(f"{request.path}?{asked.urlencode()}"))
