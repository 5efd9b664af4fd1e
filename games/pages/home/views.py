"""The home page: the tables and groups that this device knows."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.groups import lists
from games.keys import sessions
from games.log import store
from games.models import Game, Status
from games.pages import ledgers
from games.pages.home.page import ON_A_PAGE, UNREAD, Known, bin_of, cards_of, home_page
from games.pages.pwa import KEEP
from games.rules import NjetError

READ = 5
"""How many running games are read for their cards."""


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The tables that this device knows; `page`: with a page of all of them."""
    tables, binned = lists.tables_and_bin(sessions.key_ids(request.session))
    found = list(tables[: lists.LATEST + 1])
    games = found[: lists.LATEST]
    running = [game for game in games if game.status == Status.PLAYING][:READ]
    seats = sessions.seats_of_games(request.session, [game.pk for game in running])
    known = {game.pk: _known(game, seats.get(game.pk, set())) for game in running}
    listing = Paginator(tables, ON_A_PAGE).get_page(request.GET["page"]) if "page" in request.GET else None
    for game_id, begun in store.rounds_played_on([*games, *(listing or ())]).items():
        known[game_id] = replace(known.get(game_id, UNREAD), begun=begun)
    of_groups = sessions.group_keys_with_bin(request.session)
    context = {
        "page": home_page(games, known, more=len(found) > len(games)),
        "listing": listing,
        "cards": cards_of(listing or (), known),
        "groups": [key.group for key in of_groups if key.revoked_at is None],
        "bin": bin_of(binned, of_groups),
        "deleted": "deleted" in request.GET,
    }
    response = render(request, "games/home/home.html", context)
    if settings.HTTPS and not request.GET:
        # An installed application opens here, also offline.
        response[KEEP] = "page"
    return response


def _known(game: Game, seats: Set[int]) -> Known:
    """What the log of a running game says; nothing if it cannot be read, which its own page tells."""
    try:
        state = ledgers.seen(game, None).state
    except NjetError:
        return UNREAD
    is_due = not seats.isdisjoint(state.acting_seats)
    return Known(rounds=state.ruleset.rounds, seats=seats, is_due=is_due)


@require_GET
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines may read: the home page and the lesson."""
    rules = "User-agent: *\nAllow: /$\nAllow: /learn/\nDisallow: /\n"
    return HttpResponse(rules, content_type="text/plain; charset=utf-8")
