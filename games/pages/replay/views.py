"""The replay of a game, step by step: every step has its address."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from games.analysis import tasks
from games.bots import LEVELS
from games.groups import lists
from games.keys import limits, sessions
from games.keys.addresses import client_address
from games.pages.base_table import Table, wants_fragment
from games.pages.digital.digital_table import DigitalTable
from games.pages.forms import new_request_id, once_of, whole_number
from games.pages.guards import sees_digital_table, sees_table
from games.pages.new.page import levels
from games.pages.new.views import sit_down
from games.pages.parts.players import Player, players_of
from games.pages.replay.page import ReplayPage, first_step, last_step, replay_page
from games.rules import NjetError
from games.rules.errors import MissingField
from games.services import creation


@require_GET
@sees_table
def replay(request: HttpRequest, table: Table, step: int | None = None) -> HttpResponse:
    """The table after a number of steps.  An undo may have taken the step that a link names: then it is the last one.

    `?seat=2`: the cards as this seat knew them; `?judged=1`: what the analysis says of the decisions of this seat, if
    there is one; without it of those of the seat whose cards are shown.
    """
    ledger = table.ledger
    if ledger.current_setup.paper is not None:
        # Nothing was played here.
        return redirect("games:sheet", table.game.pk)
    if step is None:
        step = first_step(ledger)
    seat, judged = _seat(request, table, "seat"), _seat(request, table, "judged")
    query = _query(seat, judged)
    if step > last_step(ledger):
        address = reverse("games:replay_step", args=(table.game.pk, last_step(ledger)))
        return redirect(f"{address}{query}")
    whose = seat if judged is None else judged
    found = tasks.found(table.game, ledger, whose)
    page = replay_page(ledger, step, seat=seat, judged=None if whose is None or found is None else (whose, found))
    context = {
        "page": page,
        "query": query,
        "analysis_query": _query(whose),
        "views": _views(page),
        "game_id": table.game.pk,
        "super_rank": page.round.super_rank,
        "monster_word": page.round.monster_word,
        "play_on": _offer(request, table, page) if page.may_judge else None,
    }
    template = "games/replay/_replay.html" if wants_fragment(request) else "games/replay/replay.html"
    return table.mark_private(render(request, template, context))


def _seat(request: HttpRequest, table: Table, name: str) -> int | None:
    """The seat that a parameter of the address names."""
    asked = request.GET.get(name, "")
    return int(asked) if asked in map(str, range(table.game.players)) else None


def _query(seat: int | None, judged: int | None = None) -> str:
    """What an address carries on: whose cards are shown, and whose decisions are named if that is another seat."""
    named = {"seat": seat, "judged": None if judged == seat else judged}
    found = urlencode({name: each for name, each in named.items() if each is not None})
    return f"?{found}" if found else ""


def _views(page: ReplayPage) -> list[tuple[Player | None, str]]:
    """Whose cards can be shown, None: all, with the queries that lead there: the decisions that are named stay."""
    judged = None if page.turning is None else page.turning.seat
    return [(player, _query(None if player is None else player.seat, judged)) for player in (None, *page.players)]


@dataclass(frozen=True)
class PlayOnOffer:
    """The form that plays on from a step.  `player`: whose seat the reader gets; `level`: what is chosen at first.

    `again`: the step is that before a decision of this player, which could have been better.
    """

    step: int
    again: bool
    player: Player
    level: str
    levels: list[tuple[str, str]]
    request_id: str


def _offer(request: HttpRequest, table: Table, page: ReplayPage) -> PlayOnOffer | None:
    """The offer to play on from a step of a digital game, if it may be.

    As the seat that decides again, else that is shown, else the reader's own, else the one that acted next.
    """
    again = page.turning is not None and bool(page.turning.verdict)
    step, seat = page.step - again, page.turning.seat if page.turning is not None and again else page.seat
    with suppress(NjetError):
        creation.require_playable(table.game, table.ledger, step)
        acts_next = (each.seat for each in table.ledger.replay.applied[step:] if each.seat is not None)
        own = None if table.ledger.view is None else table.ledger.view.seat
        plays = next((each for each in (seat, own, *acts_next) if each is not None), 0)
        player = players_of(table.ledger.current_setup)[plays]
        level = lists.last_level(sessions.key_ids(request.session)) or LEVELS[-1]
        return PlayOnOffer(step, again, player, level, levels(), new_request_id())
    return None


@require_POST
@sees_digital_table
def play_on(request: HttpRequest, table: DigitalTable, step: int) -> HttpResponse:
    """Play on from a step against bots, in a new game."""
    seat, level = whole_number("seat", request.POST.get("seat")), request.POST.get("level", "")
    if level not in LEVELS:
        raise MissingField(action="play_on", field="level")
    # All who read the game may do this, also those who have a link for spectators.
    limits.count_stranger(client_address(request), limits.CREATIONS)
    created = creation.play_on(
        game=table.game, step=step, seat=seat, level=level, creator_label=table.key.label, once=once_of(request)
    )
    return sit_down(request, created)
