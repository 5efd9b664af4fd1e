"""Opening a table."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from games.groups import history, lists
from games.keys import invitations, limits, permissions, sessions
from games.keys.addresses import client_address
from games.keys.write_rate import write_rate
from games.models import Game, GroupKey, Key, Mode, Role, Seat
from games.pages import ledgers
from games.pages.base_table import Table
from games.pages.errors import form_page, refusal_page
from games.pages.forms import form_id, new_request_id, once_of
from games.pages.guards import records
from games.pages.new.forms import ELSEWHERE, SHORT, UNUSED, NewTable, NewTableForm
from games.pages.new.page import company, lengths, levels, new_table_page
from games.pages.seats.views import follow_to
from games.pages.table_code import keep_invitation
from games.rules import DEFAULT_PRESET, NjetError, find_preset
from games.services import creation
from games.services.bot_names import bots_again
from games.services.creation import Created
from games.texts.unnamed import is_unnamed


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Open a table.  The buttons for rules, known names and seats only change what is typed."""
    if request.method == "GET":
        blank = _blank(request, request.GET.get("group", ""))
        if "bots" in request.GET:
            blank = _last_against_bots(request, blank)
        if "again" in request.GET:
            blank = _same_players(request, blank)
        return _new_page(request, blank)
    form = NewTableForm(request.POST)
    typed = form.table
    if {"switch", "add", "remove", "draw", "fill"} & set(request.POST):
        return _new_page(request, _changed(typed, request))
    if form.is_valid():
        with form.refusals():
            return _opened(request, typed)
    return _new_page(request, typed, form)


def _opened(request: HttpRequest, typed: NewTable) -> HttpResponse:
    member = member_key(request, typed.group)
    setup = typed.with_tokens(_known(request, member)).setup()
    if member is None:
        limits.count_stranger(client_address(request), limits.CREATIONS)
    else:
        write_rate.count(member)
    created = creation.create_game(
        setup=setup,
        bots=typed.bots,
        own_seats=typed.own_seats,
        creator_label=request.POST.get("label") or typed.phone or ("" if member is None else member.label),
        once=once_of(request),
        group_id=None if member is None else member.group_id,
        through=member,
        after=None if member is None else _key_of_game_before(request, member),
    )
    response = sit_down(request, created)
    all_sit = set(typed.people) <= {key.seat for key in created.seats}
    if all_sit:
        return response
    # Players with a phone of their own are invited first.
    response = redirect("games:phones", created.game.pk)
    if created.creator is not None and not created.repeated:
        keep_invitation(response, invitations.invite(game=created.game, role=Role.SEAT, maker=created.creator))
    return response


def _key_of_game_before(request: HttpRequest, member: GroupKey) -> Key | None:
    """The browser's key of the game that its table has just finished in this group, None without one."""
    before = history.game_before(member.group, sessions.key_ids(request.session), timezone.now())
    return None if before is None else sessions.key_of_session(request.session, before.pk)


def sit_down(request: HttpRequest, created: Created) -> HttpResponse:
    """Redirect the creator to the new table, where a key that was revoked in the meantime opens nothing."""
    if created.creator is not None:
        sessions.remember(request.session, created.creator)
        sessions.remember_seats(request.session, created.seats)
    return redirect("games:table", created.game.pk)


def _blank(request: HttpRequest, group_id: str) -> NewTable:
    """A blank form; in a group with the rules and the mode of its last game."""
    with suppress(NjetError):
        if group_id:
            group = sessions.group_key_of_session(request.session, group_id).group
            preset, mode = lists.usual_game(group)
            return NewTable.blank(preset or DEFAULT_PRESET, group_id, digital=mode == Mode.DIGITAL)
    return NewTable.blank(group=group_id)


def _last_against_bots(request: HttpRequest, blank: NewTable) -> NewTable:
    """One person against bots, as this phone played the last time."""
    for game in lists.tables_of(sessions.key_ids(request.session))[: lists.LATEST]:
        bots = [seat.bot for seat in game.seats.all() if seat.bot]
        if len(bots) == game.players - 1:
            rounds = str(game.setup["options"].get("rounds", ""))
            named = [replace(blank.places[0], name=seat.name) for seat in game.seats.all() if not seat.bot]
            typed = replace(blank.with_places(named), length=rounds if rounds in SHORT else "")
            return typed.against_bots(game.players, bots[0])
    return blank.against_bots()


def _last_played(request: HttpRequest, member: GroupKey | None) -> Game | None:
    """The last game of several people that this phone was at, in a group the last one of the group."""
    own = sessions.key_ids(request.session)
    games = lists.tables_of(own) if member is None else lists.tables_in(member.group)
    for game in games.prefetch_related("seats__player")[: lists.LATEST]:
        people = [seat for seat in game.seats.all() if not seat.bot]
        is_erased = any(seat.player is not None and seat.player.erased_at for seat in people)
        if len(people) > 1 and not is_erased:
            return game
    return None


def _is_known(seat: Seat) -> bool:
    """Whether a person with a name played a seat."""
    return not seat.bot and not is_unnamed(seat.present_name)


def _same_players(request: HttpRequest, blank: NewTable) -> NewTable:
    """The form with the players, the box and the rules of the last game."""
    with suppress(NjetError):
        game = _last_played(request, member_key(request, blank.group))
        if game is not None:
            ledger = ledgers.seen(game, None)
            here = sessions.seats_of_games(request.session, [game.pk]).get(game.pk, set())
            names = [seat.present_name for seat in game.seats.all()]
            return NewTable.again(ledger.current_setup, names, bots=bots_again(ledger), here=here, group=blank.group)
    return blank


def member_key(request: HttpRequest, group_id: str) -> GroupKey | None:
    """The key of the group that a table is opened in, None without a group.

    Errors: `NotFound`, `Forbidden`.
    """
    if not group_id:
        return None
    key = sessions.group_key_of_session(request.session, group_id)
    permissions.require(permissions.plays_in_group, key)
    return key


def _changed(typed: NewTable, request: HttpRequest) -> NewTable:
    if "draw" in request.POST:
        return typed.with_tokens_drawn() if request.POST["draw"] == "tokens" else typed.with_seats_drawn()
    if "fill" in request.POST:
        return typed.filled()
    if "switch" in request.POST:
        changed = replace(typed, preset=request.POST["switch"], options={})
        return changed.with_places(replace(place, token="") for place in typed.places)
    if "remove" in request.POST:
        removed = [place for place in typed.places if str(place.number) == request.POST["remove"]]
        return typed.with_places(replace(place, name="", plays=UNUSED) for place in removed)
    added, free = request.POST.get("add", ""), typed.free_place
    if not added or free is None or added in {place.name for place in typed.places}:
        return typed
    plays = ELSEWHERE if free.plays == UNUSED else free.plays
    return typed.with_places([replace(free, name=added, plays=plays)])


def _known(request: HttpRequest, member: GroupKey | None) -> dict[str, str]:
    """The names that the page offers, each with the token that this player has had last."""
    if member is None:
        return lists.known_names(sessions.key_ids(request.session))
    # A player whose name was erased is offered no seat.
    people = [player for player in lists.players_of(member.group) if player.erased_at is None]
    last = lists.last_tokens(member.group)
    return {player.name: player.token or last.get(player.pk, "") for player in people}


def _new_page(request: HttpRequest, typed: NewTable, form: NewTableForm | None = None) -> HttpResponse:
    try:
        member = member_key(request, typed.group)
    except NjetError as error:
        return refusal_page(request, error)
    typed = typed.with_usual_hands()
    if typed.alone:
        return _page_against_bots(request, typed, form)
    known = _known(request, member)
    last = None if any(place.name for place in typed.places) else _last_played(request, member)
    try:
        page = new_table_page(
            typed.with_tokens(known),
            known=list(known),
            again=[] if last is None else [seat.present_name for seat in last.seats.all() if _is_known(seat)],
            is_choosing="switch" in request.POST,
            is_by_lot=request.POST.get("dealer", "lot") == "lot",
        )
    except NjetError:
        page = new_table_page(replace(typed, preset=DEFAULT_PRESET), known=list(known))
    return form_page(
        request,
        "games/new/new.html",
        form,
        page=page,
        hands=typed,
        group=None if member is None else member.group,
        request_id=form_id(request.POST) or new_request_id(),
    )


def _page_against_bots(request: HttpRequest, typed: NewTable, form: NewTableForm | None) -> HttpResponse:
    preset = find_preset(DEFAULT_PRESET)
    return form_page(
        request,
        "games/new/bots.html",
        form,
        name=typed.places[0].name,
        players=len(typed.seated),
        counts=preset.player_counts,
        company=company(preset),
        level=typed.places[1].plays,
        levels=levels(),
        length=typed.length,
        lengths=lengths(preset),
        hands=typed,
        request_id=form_id(request.POST) or new_request_id(),
    )


@require_POST
@records
def rematch(request: HttpRequest, table: Table) -> HttpResponse:
    """Open the next game of the same table, with the deal moved on, or in digital play with the same deals."""
    form = form_id(request.POST)
    created = creation.rematch(
        game=table.game,
        ledger=table.ledger,
        creator_label=table.key.label,
        after=table.key,
        once=f"key {table.key.pk} {form}" if form else None,
        through=table.key.through,
        same_deals="same_deals" in request.POST,
        own_seats=sorted(table.seats),
    )
    if created.creator is None:
        return follow_to(request, table, created.game.pk)
    return sit_down(request, created)
