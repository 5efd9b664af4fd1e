"""The table on the phone: the page of a digital game and its taps.  Page and fragment are one view and one context.

Knows: whose hand is shown, and that a phone may be handed round.  Must not know: what a page shows, which is decided in
`games.pages.digital.page`; secrets: it reads the ledger of the seat that is shown and no other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.club import lists
from games.errors import NotFound, RequestIdReused, SeatOnly, StaleVersion, status_of
from games.keys import permissions, registry
from games.log.ledger import Ledger
from games.models import Game, Key
from games.pages import forms
from games.pages.digital.page import cover_page, digital_page, refusal_sentence
from games.pages.forms import NOT_PART_OF_A_REQUEST, new_request_id, optional_number, request_of, whole_number
from games.pages.guards import Table, at_table, wants_fragment
from games.pages.live.views import own_seats
from games.pages.notice import Notice
from games.pages.seats import views as seats
from games.rules import Card, Discard, NjetError, Pass, Play
from games.rules.actions import Action
from games.rules.cards import sort_hand
from games.rules.errors import MissingField
from games.services import digital as play
from games.services import proposals, tables
from games.services.write import Outcome
from games.texts.entries import describe_action
from games.texts.rules_help import explanations

ASKED = ("round", "partners", "start")
"""What the address of a digital table may ask to see, besides the seat."""


def table(request: HttpRequest, table: Table) -> HttpResponse:
    """The table as the seat that is shown sees it; on a phone that several share, the cover between them."""
    ledger = table.ledger
    # Only from the cover itself: an address that names a seat may stand in the history of a phone that was passed on.
    if "open" not in request.GET and _passes_on(table, ledger):
        return _render_cover(request, table)
    return _render(request, table, ledger)


def act(request: HttpRequest, table: Table) -> HttpResponse:
    """A tap that is an action of the seat that is shown."""
    action = _action_of(request.POST, players=table.game.players)

    def record(actor: Key) -> Outcome:
        return tables.record_action(game_id=table.game.pk, actor=actor, action=action, request=request_of(request.POST))

    return _tap(request, table, record, action)


@require_POST
@at_table
def propose(request: HttpRequest, table: Table) -> HttpResponse:
    """Ask the others: to take back, for the remaining tricks, to finish early."""
    kind = request.POST.get("kind", "")
    if kind not in proposals.KINDS:
        raise MissingField(action="proposal", field="kind")
    return _propose(request, table, kind, optional_number("to_seq", request.POST.get("to_seq")))


def undo(request: HttpRequest, table: Table) -> HttpResponse:
    """To take the latest entry back: all the others are asked."""
    return _propose(request, table, "takeback", None)


def _propose(request: HttpRequest, table: Table, kind: str, to_seq: int | None) -> HttpResponse:
    def ask(actor: Key) -> Outcome:
        return proposals.propose(
            game_id=table.game.pk, actor=actor, kind=kind, to_seq=to_seq, request=request_of(request.POST)
        )

    return _tap(request, table, ask)


@require_POST
@at_table
def answer(request: HttpRequest, table: Table) -> HttpResponse:
    """Agree to what another asks, refuse it, or withdraw one's own."""
    about = whole_number("about", request.POST.get("about"))
    agrees = request.POST.get("agrees") == "1"

    def reply(actor: Key) -> Outcome:
        return proposals.answer(
            game_id=table.game.pk, actor=actor, about=about, agrees=agrees, request=request_of(request.POST)
        )

    return _tap(request, table, reply)


@require_POST
@at_table
def take_back_seat(request: HttpRequest, table: Table) -> HttpResponse:
    """A player plays again where a bot sat in for him."""

    def sit(actor: Key) -> Outcome:
        assert actor.seat is not None, "the key of a seat names it"
        permissions.require(permissions.puts_bot, actor, actor.seat)
        return play.put_bot(
            game_id=table.game.pk, actor=actor, seat=actor.seat, level=None, request=request_of(request.POST)
        )

    return _tap(request, table, sit)


def _action_of(data: QueryDict, *, players: int) -> Action:
    """The action that a form of a digital table stands for.

    Errors: `Malformed` and its kin.
    """
    match data.get("do"):
        case "play":
            return Play(Card.parse(data.get("card", "")))
        case "discard":
            return Discard(_cards_of(data))
        case "pass":
            return Pass(_cards_of(data))
        case _:
            return forms.action_of(data.dict(), players=players)


def _cards_of(data: QueryDict) -> tuple[Card, ...]:
    return sort_hand(Card.parse(code) for code in data.getlist("cards"))


def _tap(
    request: HttpRequest, table: Table, write: Callable[[Key], Outcome], action: Action | None = None
) -> HttpResponse:
    """Do what was tapped and show the table: the same answer for every tap, refused or not."""
    if table.seat is None:
        raise SeatOnly()
    try:
        outcome = write(table.seats[table.seat])
    except (StaleVersion, RequestIdReused):
        ledger = _fresh(table)
        return _render(request, table, ledger, notice=_repeat(request, ledger, action), status=409)
    except NotFound:
        # Deleted meanwhile: there is no table left to show.
        raise
    except NjetError as error:
        ledger = _fresh(table)
        notice = Notice(refusal_sentence(error, ledger))
        allowed = error.params.get("allowed")
        shown = [str(each) for each in allowed] if isinstance(allowed, list) else []
        return _render(request, table, ledger, notice=notice, status=status_of(error), shown=shown)
    ledger = _fresh(table) if outcome.repeated else outcome.ledger
    covers = _passes_on(table, ledger)
    # Where the cover is shown the address names nobody: who loads it again would see the hand that it covers.
    address = _address(table) + ("" if covers else _seat_query(table))
    if not wants_fragment(request):
        return redirect(address)
    response = _render_cover(request, table) if covers else _render(request, table, ledger)
    response["HX-Replace-Url"] = address
    return response


def _fresh(table: Table) -> Ledger:
    table.game.refresh_from_db()
    return table.ledger


def _repeat(request: HttpRequest, ledger: Ledger, action: Action | None) -> Notice:
    """The offer to repeat a tap that lost a race, if it can still be done on the table as it is now."""
    view = ledger.view
    if action is None or view is None or action not in view.legal:
        return Notice(_("The table has changed meanwhile: nothing was done. Look again."))
    told = describe_action(action, setup=ledger.current_setup, seat=view.seat)
    fields = [
        (name, each) for name, values in request.POST.lists() if name not in NOT_PART_OF_A_REQUEST for each in values
    ]
    return Notice(
        _("The table has changed meanwhile: nothing was done."),
        fields,
        _("Do it now: {entry}").format(entry=told),
        "games:act",
    )


# --- what is shown ---


def _shares(table: Table) -> bool:
    """Whether the phone is handed round between several seats."""
    return len(table.seats) > 1


def _passes_on(table: Table, ledger: Ledger) -> bool:
    """Whether the phone should go to another of its own seats: that one is due, the one that is shown is not."""
    due = ledger.state.acting_seats
    own = [seat for seat in table.seats if seat in due and ledger.bots[seat] is None]
    return _shares(table) and table.seat not in due and bool(own)


def _address(table: Table) -> str:
    return reverse("games:table", args=[table.game.pk])


def _seat_query(table: Table) -> str:
    return f"?{urlencode({'seat': table.seat})}" if _shares(table) and table.seat is not None else ""


def _render(
    request: HttpRequest,
    table: Table,
    ledger: Ledger,
    *,
    notice: Notice | None = None,
    status: int = 200,
    shown: Sequence[str] = (),
) -> HttpResponse:
    """The page, or its fragment for a phone that has the page already."""
    if table.seat is None and _shares(table) and ledger.state.current is not None:
        return _render_cover(request, table)
    asked = {name: request.GET[name] for name in ASKED if name in request.GET} if request.method == "GET" else {}
    page = digital_page(
        ledger,
        reads=_number(request.POST.get("round") or asked.get("round")),
        partners=asked.get("partners", ""),
        start=_number(asked.get("start")),
        shown=shown,
        phones=_phones_of(table.game),
    )
    own = {"seat": str(table.seat)} if _shares(table) and table.seat is not None else {}
    # Each later look says which round this phone is in.
    query = {**own, **asked, "round": str(page.reads)}
    context = {
        **_frame(table),
        "page": page,
        "query": f"?{urlencode(query)}",
        "news": _news_query(table, query),
        "here": f"{_address(table)}?{urlencode(own)}&" if own else f"{_address(table)}?",
        # Whoever looks at a hand that is not due goes on looking, but no address says so.
        "opens": "open=1&" if _passes_on(table, ledger) else "",
        "shares": _shares(table),
        "notice": notice,
        "super_rank": page.round.super_rank,
        "monster_word": page.round.monster_word,
        "may_record": page.may_place,
        "explanations": explanations(ledger.state.ruleset),
        "offer": seats.rematch_offer(request, table) if ledger.state.current is None else None,
        "lost": seats.lost_seats(request, table),
    }
    return _answer(request, context, status)


def _phones_of(game: Game) -> dict[int, list[int]]:
    """The keys by which the phone of each seat is heard of: that of the seat, or of the host who sits there."""
    devices = lists.devices_of(game)
    found = {key.seat: [key.pk] for key in devices if key.seat is not None}
    for host in devices:
        for key in registry.first_seat_keys(game, host) if host.may_record else ():
            found.setdefault(key.seat, []).append(host.pk)
    return found


def _number(text: str | None) -> int | None:
    """A number of an address; what is none asks for nothing."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 4 else None


def _render_cover(request: HttpRequest, table: Table) -> HttpResponse:
    """Between two seats of one phone: nobody's hand."""
    table.game.refresh_from_db()
    public = Table(table.game, table.key, table.seats).ledger
    cover = cover_page(public, sorted(table.seats))
    return _answer(request, {**_frame(table), "cover": cover, "page": cover, "news": _news_query(table, {})}, 200)


def _news_query(table: Table, query: Mapping[str, str]) -> str:
    """What a phone asks for when it asks for news.

    It says which seats it bore when its page was made, and so is told of one that is claimed elsewhere, also while
    nothing is played.
    """
    return f"?{urlencode({**query, 'own': own_seats(table)})}"


def _frame(table: Table) -> dict[str, object]:
    """What every page of a digital table stands in."""
    return {
        "game_id": table.game.pk,
        "key_id": table.key.pk,
        "bears_several": len(table.seats) + (table.key.seat is None) > 1,
        "request_id": new_request_id(),
        "is_host": table.key.may_record,
        "https": settings.HTTPS,
    }


def _answer(request: HttpRequest, context: dict[str, object], status: int) -> HttpResponse:
    template = "games/digital/_table.html" if wants_fragment(request) else "games/digital/table.html"
    response = render(request, template, context, status=status)
    # A page that knows a hand is kept by nobody: neither the browser nor the service worker.
    response["Cache-Control"] = "no-store"
    return response
