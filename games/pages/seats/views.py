"""The seats of a digital game: who plays them, invitations to them, and sitting down, also in the rematch."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.errors import HostOnly, NotFinished, NotFound, SeatTaken
from games.groups import lists
from games.keys import invitations, permissions, registry, sessions
from games.keys.invitations import Invitation
from games.live.hub import hub
from games.live.presence import AWAY_AFTER, MISSED_AFTER
from games.log.ledger import Ledger
from games.models import Game, GroupKey, Invite, Key, Lost, Role
from games.pages import ledgers
from games.pages.agreement import to_agree
from games.pages.base_table import Table, wants_fragment
from games.pages.digital.digital_table import DigitalTable
from games.pages.errors import form_page, no_table
from games.pages.forms import new_request_id, request_of, whole_number
from games.pages.guards import at_digital_table
from games.pages.parts.invitation import (
    InvitationPage,
    invitation_page,
    open_invitations,
    share_page,
    withdrawn_with_key,
)
from games.pages.parts.players import Player, names_of, players_of
from games.pages.play.views import answer
from games.pages.presence import note_presence
from games.pages.rematch import sits_at
from games.pages.seats.forms import NAME_REFUSED, UNNAMED_SEAT, BotForm, SeatInvitationForm, SeenForm, SitForm
from games.pages.seats.page import Seating, seat_lines, waiting_for
from games.pages.table_code import keep_invitation, kept_invitation
from games.rules.errors import UnknownSeat
from games.services import digital, seating
from games.services.bot_names import bots_again, waits_for_name
from games.services.proposals import seat_of
from games.texts import words
from games.texts.unnamed import is_unnamed


def seats_page(request: HttpRequest, table: DigitalTable) -> HttpResponse:
    """Who sits where.  A POST asks for an invitation: to a seat by its number, to the table, else to watch."""
    note_presence(table)
    ledger, taken = table.ledger, lists.seat_keys(table.game)
    waiting = waiting_for(ledger, taken, is_host=table.key.may_record)
    shown: InvitationPage | None = None
    seat: int | str | None = None
    kept: Invitation | None = None
    if request.method == "POST":
        form = SeatInvitationForm(request.POST)
        form.require_valid()
        seat = form.cleaned_data["invite"]
        if isinstance(seat, str):
            kept = _invitation_to_table(table)
        else:
            shown = _invitation(request, table, seat, form)
            if form.cleaned_data["share"] and seat is None:
                return share_page(request, table.game, shown, step=form.cleaned_data["step"])
    elif waiting and table.key.may_record and not wants_fragment(request):
        kept = kept_invitation(request, table.game)
    if kept is not None:
        shown = invitation_page(request, kept)
    lines = seat_lines(ledger, _seating(table, taken))
    people = [line for line in lines if line.bot is None]
    context = {
        "game_id": table.game.pk,
        "lines": lines,
        "people": people,
        "here": sum(not line.is_missing for line in people),
        "waiting": waiting,
        "shown": shown,
        "is_fragment": wants_fragment(request),
        "is_for_all": kept is not None,
        "is_own": seat in table.seats,
        "lost": table.lost_seats,
        "is_host": table.key.may_record,
        "is_finished": ledger.state.is_over,
        "same_deals": table.game.deals_of_id is not None,
        "open_hands": ledger.setup.open_hands,
        "to_agree": to_agree(table.game),
        "invitations": open_invitations(
            invitations.listed([table.key, *table.seats.values()]),
            ledger.current_setup.names,
            is_full=not seating.free_seats(table.game, ledger),
        ),
        "withdrawn": withdrawn_with_key(request),
        "watching": [key for key in lists.devices_of(table.game) if key.role == Role.VIEWER],
        "key": table.key,
        "request_id": new_request_id(),
    }
    response = render(request, "games/seats/seats.html", context)
    if kept is not None:
        keep_invitation(response, kept)
    return response


def _demand_seat(table: DigitalTable, seat: int) -> None:
    """Errors: `UnknownSeat`."""
    if not 0 <= seat < table.ledger.state.players:
        raise UnknownSeat(seat=seat)


def _invitation_to_table(table: DigitalTable) -> Invitation:
    if not permissions.records(table.key):
        raise HostOnly()
    return invitations.invite(game=table.game, role=Role.SEAT, maker=table.key)


def _invitation(
    request: HttpRequest, table: DigitalTable, seat: int | None, form: SeatInvitationForm
) -> InvitationPage:
    if seat is not None:
        _demand_seat(table, seat)
        permissions.require(permissions.hosts_or_sits, table.key, table.seats, seat)
    role = Role.VIEWER if seat is None else Role.SEAT
    maker = table.key if seat is None else table.seats.get(seat, table.key)
    invitation = invitations.invite(game=table.game, role=role, maker=maker, seat=seat, single_use=form.single_use)
    step = form.cleaned_data["step"] if role == Role.VIEWER else None
    board = role == Role.VIEWER and form.is_for_board
    shown = invitation_page(request, invitation, table.ledger.current_setup.names, step=step, board=board)
    return replace(shown, title=_("Your seat on another phone")) if seat in table.seats else shown


def _seating(table: DigitalTable, taken: dict[int, Key]) -> Seating:
    there, _host_is_there = _heard(table, taken, within=AWAY_AFTER)
    heard, host_was_heard = _heard(table, taken, within=MISSED_AFTER)
    return Seating(
        is_host=table.key.may_record,
        own=set(table.seats),
        taken=set(taken),
        present=there,
        missed=set() if host_was_heard else set(range(table.ledger.state.players)) - heard,
    )


def _heard(table: DigitalTable, taken: dict[int, Key], *, within: float) -> tuple[set[int], bool]:
    """The seats whose phones sent a request within the last seconds, and whether the host's did."""
    present = hub.present(table.game.pk, within=within)
    hosts = [key for key in lists.devices_of(table.game) if key.may_record and key.pk in present]
    seats = {seat for seat, key in taken.items() if key.pk in present}
    for host in hosts:
        # A phone notes its presence by one of its keys: the host's seats are on the host's phone.
        seats |= {key.seat for key in registry.first_seat_keys(table.game, host) if key.seat is not None}
    return seats, bool(hosts)


@require_POST
@at_digital_table
def put_bot(request: HttpRequest, table: DigitalTable, number: int) -> HttpResponse:
    """Let a bot play for a seat; an empty level gives the seat back."""
    form = BotForm(request.POST)
    form.require_valid()
    level = form.cleaned_data["level"]
    _demand_seat(table, number)
    present = hub.present(table.game.pk)
    permissions.require(permissions.puts_bot, table.key, number, level=level, seats=table.seats, present=present)
    actor = table.seats.get(number, table.key)
    asked = request_of(request.POST)
    put = partial(
        digital.put_bot, game_id=table.game.pk, actor=actor, seat=number, level=level, request=asked, shows=table.key
    )
    if wants_fragment(request):
        # It was tapped at the table.
        return answer(request, table, put)
    put()
    return _to_line(table, number)


@require_POST
@at_digital_table
def free(request: HttpRequest, table: DigitalTable, number: int) -> HttpResponse:
    """Take a seat from the phone that plays it."""
    permissions.require(permissions.hosts_or_sits, table.key, (), number)
    if number in table.seats:
        # A phone does not take its own seat away, as it does not revoke its own key.
        return _to_line(table, number)
    seating.free_seat(game_id=table.game.pk, seat=number, actor=table.key)
    return _to_line(table, number)


def _to_line(table: DigitalTable, seat: int) -> HttpResponse:
    """The page of the seats where a seat is that has changed."""
    return redirect(f"{reverse('games:phones', args=[table.game.pk])}#seat-{seat}")


@require_POST
def again(request: HttpRequest, game_id: str, number: int) -> HttpResponse:
    """Take a seat back that was claimed on another phone."""
    if number in sessions.seats_of_session(request.session, game_id):
        # The second request of a double tap.
        return redirect("games:table", game_id)
    lost = [key for key in sessions.lost_of_session(request.session, game_id) if key.seat == number]
    if not lost or lost[0].lost != Lost.CLAIMED:
        return no_table(request)
    try:
        seating.claim(game_id=game_id, seat=number, by=lost[0], session=request.session)
    except NotFound:
        # The game was deleted or the seat freed.
        return no_table(request)
    return redirect("games:table", game_id)


def sit_down(request: HttpRequest, invite: Invite, code: str, once: str | None) -> HttpResponse:
    """Sit down in the seat of an invitation, in place of a bot that plays there."""
    form = SitForm(request.POST)
    claimed = partial(seating.claim, game_id=invite.game_id, by=invite, session=request.session, once=once)
    try:
        claimed(seat=seat_of(invite), name=form.name_typed)
    except NAME_REFUSED as refusal:
        form.refuse(refusal)
        return seat_welcome(request, invite, code, form)
    return redirect("games:table", invite.game_id)


def table_welcome(request: HttpRequest, invite: Invite, code: str, form: SitForm | None = None) -> HttpResponse:
    """The page that asks who of the players without a phone sits down."""
    free, ledger = free_seats(invite.game), ledgers.seen(invite.game, None)
    named = [player for player in free if not waits_for_name(invite.game, ledger, player.seat)]
    context = {
        "listed": _listed(ledger),
        "players": named,
        "unnamed": UNNAMED_SEAT if len(free) > len(named) else "",
        "bots": words.listing(played_by_bots(invite.game)),
        "host": _name_of_host(invite),
        "to_agree": to_agree(invite.game),
        "is_over": ledger.state.is_over,
        "sits": bool(sessions.seats_of_session(request.session, invite.game_id)),
        "is_at_table": sits_at(request.session, invite.game_id),
        "game_id": invite.game_id,
        "code": code,
        "request_id": new_request_id(),
    }
    return form_page(request, "games/seats/which.html", form, **context)


def played_by_bots(game: Game) -> list[str]:
    """The players whose seats bots have, and no phone."""
    ledger, taken = ledgers.seen(game, None), lists.seat_keys(game)
    seats = zip(ledger.current_setup.names, ledger.bots, strict=True)
    return [name for seat, (name, bot) in enumerate(seats) if bot is not None and seat not in taken]


def _listed(ledger: Ledger) -> str:
    """Whose table it is: the people with a name, or else all players."""
    names = ledger.current_setup.names
    seats = zip(names, ledger.bots, bots_again(ledger), strict=True)
    people = [name for name, bot, is_own in seats if not is_unnamed(name) and not (bot and is_own)]
    return words.listing(people or names)


def _name_of_host(invite: Invite) -> str:
    """The player on the phone that made an invitation, empty without a player there."""
    seats = [] if invite.maker is None else registry.first_seat_keys(invite.game, invite.maker)
    return next((names_of(invite.game)[key.seat] for key in seats if key.seat is not None), "")


def sit_where_free(request: HttpRequest, invite: Invite, code: str, once: str | None) -> HttpResponse:
    """Sit down in the seat that was chosen, unless another phone was faster."""
    form, chosen = SitForm(request.POST), request.POST.get("seat")
    seat = None if chosen == UNNAMED_SEAT else whole_number("seat", chosen)
    claimed = partial(seating.claim, game_id=invite.game_id, by=invite, session=request.session, once=once)
    try:
        if claimed(seat=seat, name=form.name_typed) is None:
            raise SeatTaken()
    except (SeatTaken, *NAME_REFUSED) as refusal:
        form.refuse(refusal)
        return table_welcome(request, invite, code, form)
    return redirect("games:table", invite.game_id)


@require_POST
@at_digital_table
def acknowledge(request: HttpRequest, table: DigitalTable) -> HttpResponse:
    """Note that the changes of the seats' holders were seen.  `passed`: by time, and only if none waits for a tap."""
    form = SeenForm(request.POST)
    form.require_valid()
    table.acknowledge(form.cleaned_data["version"], if_passing="passed" in request.POST)
    return table.show(request, table.ledger.version)


def seat_welcome(request: HttpRequest, invite: Invite, code: str, form: SitForm | None = None) -> HttpResponse:
    """The page before sitting down: which table, which seat, and who loses it."""
    assert invite.seat is not None, "an invitation to a seat says which"
    ledger = ledgers.seen(invite.game, None)
    bot, player = ledger.bots[invite.seat], players_of(ledger.current_setup)[invite.seat]
    context = {
        "listed": _listed(ledger),
        "player": player,
        "unnamed": waits_for_name(invite.game, ledger, invite.seat) and not ledger.state.is_over,
        "is_own": invite.seat in sessions.seats_of_session(request.session, invite.game_id),
        "is_taken": registry.is_taken(invite.game, invite.seat),
        "level": "" if bot is None else words.bot_level(bot),
        "is_finished": ledger.state.is_over,
        "same_deals": invite.game.deals_of_id is not None,
        "to_agree": to_agree(invite.game),
        "code": code,
        "request_id": new_request_id(),
    }
    return form_page(request, "games/seats/welcome.html", form, **context)


def free_seats(game: Game) -> list[Player]:
    """The players whose seats wait for them, none in a game that is over."""
    ledger = ledgers.seen(game, None)
    if ledger.state.is_over:
        return []
    players = players_of(ledger.current_setup)
    return [players[seat] for seat in seating.free_seats(game, ledger)]


def sit_free(request: HttpRequest, member: GroupKey, game_id: str, seat: str) -> HttpResponse:
    """Sit down in a free seat at a table of one's group."""
    permissions.require(permissions.plays_in_group, member)
    number = whole_number("seat", seat)
    if seating.claim(game_id=game_id, seat=number, by=member, session=request.session) is None:
        raise SeatTaken()
    return redirect("games:table", game_id)


@require_POST
@at_digital_table
def follow(request: HttpRequest, table: DigitalTable) -> HttpResponse:
    """Sit down in the rematch, in every seat of this phone that is free there."""
    if not table.ledger.state.is_over:
        raise NotFinished()
    if table.next_id is None or not table.seats:
        raise HostOnly() if table.next_id is not None else NotFound()
    return follow_to(request, table, table.next_id)


def follow_to(request: HttpRequest, table: Table, game_id: str) -> HttpResponse:
    """Lead a phone to the next game of its table, in every seat of this phone that is free there."""
    if table.seats and not sits_at(request.session, game_id):
        claims = table.seats.items()
        keys = [seating.claim(game_id=game_id, seat=seat, by=key, session=request.session) for seat, key in claims]
        if not any(keys):
            raise SeatTaken()
    return redirect("games:table", game_id)
