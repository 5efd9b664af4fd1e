"""The home page: the tables and groups that this device knows."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.club import lists
from games.keys import sessions
from games.log import store
from games.models import Game, Mode, Status
from games.pages.home.page import home_page
from games.pages.pwa import KEEP
from games.rules import NjetError
from games.rules.public import PublicState


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The tables that this device knows."""
    games = lists.tables_of(sessions.key_ids(request.session))
    here = next((game for game in games if game.status == Status.PLAYING), None)
    # Only the first card reads a log: a correction may have changed the number of rounds.
    state = None if here is None else _state_of(here)
    is_due = here is not None and state is not None and _is_due(request, here, state)
    page = home_page(games, rounds=None if state is None else state.ruleset.options.rounds, is_due=is_due)
    groups = [key.group for key in sessions.group_keys(request.session)]
    context = {"page": page, "groups": groups, "deleted": "deleted" in request.GET}
    response = render(request, "games/home/home.html", context)
    if settings.HTTPS and not request.GET:
        # An installed application opens here, also offline.
        response[KEEP] = "page"
    return response


def _state_of(game: Game) -> PublicState | None:
    """What everybody sees of a game; None if its log cannot be read, which its own page says."""
    try:
        return store.seen(game, None).state
    except NjetError:
        return None


def _is_due(request: HttpRequest, game: Game, state: PublicState) -> bool:
    """Whether a digital game waits for a seat of this phone."""
    if game.mode != Mode.DIGITAL:
        return False
    return any(seat in state.acting_seats for seat in sessions.seats_of_session(request.session, game.pk))


@require_GET
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines may read: the home page."""
    return HttpResponse("User-agent: *\nAllow: /$\nDisallow: /\n", content_type="text/plain; charset=utf-8")
