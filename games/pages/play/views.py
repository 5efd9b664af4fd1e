"""The table page and its taps, in either mode.  Page and fragment are one view: with htmx only the fragment is sent."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.errors import NotFound, RequestIdReused, StaleVersion, status_of
from games.pages.base_table import Table, fills_in, is_latest, wants_fragment
from games.pages.digital.digital_table import DigitalTable
from games.pages.guards import at_digital_table, at_table, corrects, seated
from games.pages.notice import Notice
from games.pages.page_cache import with_marks
from games.pages.presence import note_presence, still_here
from games.pages.pwa import KEEP
from games.pages.table.pad import pad_of
from games.pages.table.paper_table import PaperTable
from games.rules import NjetError
from games.services.hints import Hints
from games.services.write import Outcome


@require_GET
@at_table
def show(request: HttpRequest, table: Table) -> HttpResponse:
    """The table.  `since`: the version that a phone shows; while it is the latest there is nothing to send."""
    answer = nothing_new(request, table)
    if answer is None and fills_in(request):
        answer = fragment(request, table)
    return answer or table.render(request)


def nothing_new(request: HttpRequest, table: Table) -> HttpResponse | None:
    """The answer to a phone that shows the latest version, None to another."""
    if "since" in request.GET and "away" not in request.GET:
        note_presence(table)
    # If the seats of a phone have changed, always send the page: the phone may show another seat's hand.
    is_same = all(request.GET.get(name, value) == value for name, value in table.own.items())
    return still_here(table) if is_latest(request, table) and is_same else None


def fragment(request: HttpRequest, table: Table) -> HttpResponse | None:
    """The fragment for all phones of a kind, None where this phone has one of its own."""
    found = table.fragment(request.GET)
    return None if found is None else table.mark_private(with_marks(request, found))


@require_POST
@at_table
def act(request: HttpRequest, table: Table) -> HttpResponse:
    """Record the action that was tapped."""
    table.require_actor()
    return answer(request, table, lambda: table.record(request.POST))


@require_GET
@corrects
def pad(request: HttpRequest, table: PaperTable) -> HttpResponse:
    """The questions of a whole round, for the time when a phone is offline."""
    context = {"game_id": table.game.pk, "pad": pad_of(table.ledger.state), "form": None}
    response = render(request, "games/table/_pad.html", context)
    if settings.HTTPS:
        response[KEEP] = "page"
    return response


@require_POST
@at_table
def undo(request: HttpRequest, table: Table) -> HttpResponse:
    """Undo the latest entry.  What another phone recorded is confirmed first; in a digital game the others agree."""
    table.require_actor()
    question = table.question_before_undo(request.POST)
    if question is not None:
        return table.render(request, notice=question)
    return answer(request, table, lambda: table.undo(request.POST))


@require_POST
@corrects
def confirm_round(request: HttpRequest, table: PaperTable, number: int) -> HttpResponse:
    """Confirm a round, or the correction of it that waits.  `sheet`: the tap was made on the sheet, as below."""
    return _answer_there(request, table, lambda: table.confirm(number, request.POST))


@require_POST
@corrects
def withdraw(request: HttpRequest, table: PaperTable, seq: int) -> HttpResponse:
    """Withdraw the correction that waits, or what one team has confirmed."""
    return _answer_there(request, table, lambda: table.withdraw(seq, request.POST))


def _answer_there(request: HttpRequest, table: PaperTable, act: Callable[[], Outcome]) -> HttpResponse:
    if "sheet" in request.GET:
        act()
        return redirect("games:sheet", table.game.pk)
    return answer(request, table, act)


@require_POST
@seated
def propose(request: HttpRequest, table: DigitalTable) -> HttpResponse:
    """Propose to the others: to undo, the remaining tricks, to finish early."""
    return answer(request, table, lambda: table.propose(request.POST))


@require_POST
@seated
def hint(request: HttpRequest, table: DigitalTable) -> HttpResponse:
    """Ask a bot what to do: until its hint comes, the table says that it is looked for."""
    sought = Notice(_("The strong bot is looking for a hint."), is_error=False)
    return answer(request, table, table.ask_hint, sought if Hints(table.ledger).may_ask else None)


@require_POST
@seated
def answer_proposal(request: HttpRequest, table: DigitalTable) -> HttpResponse:
    """Agree to a proposal, refuse it, or withdraw one's own."""
    return answer(request, table, lambda: table.answer_proposal(request.POST))


@require_POST
@seated
def take_back_seat(request: HttpRequest, table: DigitalTable) -> HttpResponse:
    """Play again in a seat that a bot plays."""
    return answer(request, table, lambda: table.take_back_seat(request.POST))


@require_POST
@at_digital_table
def hurry(request: HttpRequest, table: DigitalTable) -> HttpResponse:
    """Note that the seats of this phone need no more time.  `round`: the one that they go on to from a result."""
    table.hurry(request.POST)
    if "round" not in request.POST:
        return HttpResponse(status=204)
    return table.render(request) if wants_fragment(request) else redirect(table.address_of(request.POST.dict()))


@require_http_methods(["GET", "POST"])
@at_digital_table
def speed(request: HttpRequest, table: DigitalTable) -> HttpResponse:
    """The speed of the bots: the choice as it is now, or a new one."""
    table.require_seats()
    if request.method == "POST":
        table.set_speed(request.POST)
    if wants_fragment(request):
        return render(request, "games/digital/_speed.html", {"game_id": table.game.pk, **table.pace})
    return redirect(
        "games:table" if request.method == "POST" and "menu" not in request.POST else "games:menu", table.game.pk
    )


@require_http_methods(["GET", "POST"])
@at_digital_table
def say(request: HttpRequest, table: DigitalTable) -> HttpResponse:
    """The phrases for the players, which everybody at the table reads, or a new one of the seat that is shown."""
    if request.method == "GET":
        if not wants_fragment(request):
            return redirect("games:menu", table.game.pk)
        return table.mark_private(render(request, "games/digital/_say.html", table.saying))
    note_presence(table)
    table.say(request.POST)
    return HttpResponse(status=204) if wants_fragment(request) else redirect("games:table", table.game.pk)


def answer(
    request: HttpRequest, table: Table, change: Callable[[], Outcome], notice: Notice | None = None
) -> HttpResponse:
    """Make a change and show the table: one answer to every tap, refused or not.  `notice`: unless it is refused."""
    try:
        outcome = change()
    except (StaleVersion, RequestIdReused):
        table.refresh()
        return table.render(request, notice=table.offer_to_repeat(request.POST), status=409)
    except NotFound:
        # The game was deleted: there is no table left to show.
        raise
    except NjetError as error:
        table.refresh()
        return table.render(request, refusal=error, status=status_of(error))
    return table.show(request, outcome.ledger.version, notice)
