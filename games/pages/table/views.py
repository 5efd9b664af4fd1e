"""The table page and its taps.  Page and fragment are one view and one context: with htmx only the fragment is sent."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.errors import NotFound, RequestIdReused, StaleVersion, status_of
from games.log.ledger import Ledger
from games.models import Mode
from games.pages import forms
from games.pages.digital import views as digital
from games.pages.forms import NOT_PART_OF_A_REQUEST, optional_number, request_of
from games.pages.guards import Table, at_table, records, wants_fragment
from games.pages.live.views import note_presence, own_seats, still_here
from games.pages.notice import Notice
from games.pages.page_cache import rendered
from games.pages.pwa import KEEP
from games.pages.table.pad import pad_of
from games.pages.table.page import table_page
from games.rules import NjetError
from games.services import previews, tables
from games.services.write import Outcome
from games.texts import words
from games.texts.entries import describe_action, describe_entry
from games.texts.rules_help import explanations

ASKED = ("board", "partners", "start", "count")
"""What the address of a table may ask to see."""


@require_GET
@at_table
def table(request: HttpRequest, table: Table) -> HttpResponse:
    """The table.  `since`: the version that a phone shows; while it is the latest there is nothing to send."""
    if "since" in request.GET and "away" not in request.GET:
        note_presence(table)
    # A phone whose seats are others by now is not told that nothing is new: it shows a hand that is not its own.
    if request.GET.get("since") == str(table.game.version) and request.GET.get("own") in (None, own_seats(table)):
        return still_here(table)
    if table.game.mode == Mode.DIGITAL:
        return digital.table(request, table)
    return render_table(request, table, table.ledger)


@require_POST
@at_table
def act(request: HttpRequest, table: Table) -> HttpResponse:
    """A tap that is an action."""
    return digital.act(request, table) if table.game.mode == Mode.DIGITAL else _record(request, table)


@records
def _record(request: HttpRequest, table: Table) -> HttpResponse:
    def record(ledger: Ledger) -> Outcome:
        return tables.record_action(
            game_id=table.game.pk,
            actor=table.key,
            action=forms.action_of(request.POST.dict(), players=ledger.state.players),
            request=request_of(request.POST),
            # A tap that waited for its line says whose turn it was meant for.
            seat=optional_number("turn", request.POST.get("turn")),
        )

    return _tap(request, table, record)


@require_POST
@at_table
def undo(request: HttpRequest, table: Table) -> HttpResponse:
    """Take back the latest entry.  What somebody else's phone recorded is asked about first."""
    return digital.undo(request, table) if table.game.mode == Mode.DIGITAL else _undo(request, table)


@records
def _undo(request: HttpRequest, table: Table) -> HttpResponse:
    ledger = table.ledger
    seq = ledger.last_undoable
    if seq is not None and "sure" not in request.POST:
        others = previews.entries_of_others(ledger, table.key, [seq])
        if others:
            return _ask_undo(request, table, ledger, seq, others[seq])

    def take_back(ledger: Ledger) -> Outcome:
        return tables.undo(game_id=table.game.pk, actor=table.key, request=request_of(request.POST))

    return _tap(request, table, take_back)


def _ask_undo(request: HttpRequest, table: Table, ledger: Ledger, seq: int, who: str) -> HttpResponse:
    sentence = _("{who} recorded: {entry}. Take it back?").format(
        who=who, entry=describe_entry(ledger, ledger.entry(seq))
    )
    notice = Notice(sentence, [("sure", "1")], _("Take it back"), "games:undo", is_error=False)
    return render_table(request, table, ledger, notice=notice)


def _tap(request: HttpRequest, table: Table, write: Callable[[Ledger], Outcome]) -> HttpResponse:
    """Do what was tapped and show the table: the same answer for every tap, refused or not."""
    try:
        outcome = write(table.ledger)
    except StaleVersion as error:
        return render_table(request, table, error.ledger, notice=_repeat(request, error.ledger), status=409)
    except RequestIdReused:
        ledger = _fresh(table)
        return render_table(request, table, ledger, notice=_repeat(request, ledger), status=409)
    except NotFound:
        # Deleted meanwhile: there is no table left to show.
        raise
    except NjetError as error:
        ledger = _fresh(table)
        notice = Notice(words.error_sentence(error, ledger.current_setup.names))
        return render_table(request, table, ledger, notice=notice, status=status_of(error), typed=request.POST.dict())
    if not wants_fragment(request):
        return redirect("games:table", table.game.pk)
    response = render_table(request, table, outcome.ledger)
    response["HX-Replace-Url"] = request.path.removesuffix("act/").removesuffix("undo/")
    return response


def _fresh(table: Table) -> Ledger:
    table.game.refresh_from_db()
    return table.ledger


def _repeat(request: HttpRequest, ledger: Ledger) -> Notice:
    """The offer to repeat a tap that lost a race, on the table as it is now."""
    fields = [(name, value) for name, value in request.POST.items() if name not in NOT_PART_OF_A_REQUEST]
    if "do" not in request.POST:
        return Notice(_("The table has changed meanwhile, nothing was taken back. Look again."))
    try:
        action = forms.action_of(request.POST.dict(), players=ledger.state.players)
        ledger.state.apply(action)
    except NjetError as error:
        reason = words.error_sentence(error, ledger.current_setup.names)
        return Notice(_("The table has changed meanwhile, so nothing was recorded. {reason}").format(reason=reason))
    seats = ledger.state.acting_seats
    told = describe_action(action, setup=ledger.current_setup, seat=seats[0] if seats else None)
    return Notice(
        _("The table has changed meanwhile: nothing was recorded."),
        fields,
        _("Record it now: {entry}").format(entry=told),
        "games:act",
    )


def render_table(
    request: HttpRequest,
    table: Table,
    ledger: Ledger,
    *,
    notice: Notice | None = None,
    status: int = 200,
    typed: dict[str, str] | None = None,
) -> HttpResponse:
    """The table page, or its fragment for a phone that has the page already."""
    asked = {name: request.GET[name] for name in ASKED if name in request.GET} if request.method == "GET" else {}
    may_record = table.key.may_record and not ledger.locked
    tally, fragment = _counts_by_tally(request, ledger), wants_fragment(request)

    def context() -> dict[str, object]:
        page = table_page(
            ledger,
            show_board="board" in asked,
            partners=asked.get("partners", ""),
            start=optional_number("start", asked.get("start")),
            typed=typed,
        )
        return {
            "page": page,
            "game_id": table.game.pk,
            "query": f"?{urlencode(asked)}" if asked else "",
            "may_record": may_record,
            "notice": notice,
            "is_scorekeeper": table.key.may_record,
            "super_rank": page.round.super_rank,
            "monster_word": page.round.monster_word,
            "tally": tally,
            "explanations": explanations(ledger.state.ruleset),
            "https": settings.HTTPS,
            "pad": pad_of(ledger.state) if may_record and not fragment else None,
        }

    shown = (table.game.pk, ledger.version, table.key.may_record, tally, tuple(asked.items()))
    response = rendered(
        request,
        "games/table/_table.html" if fragment else "games/table/table.html",
        context,
        key=table.key,
        kept_as=shown if notice is None and typed is None else None,
        status=status,
    )
    if status == HTTPStatus.OK and settings.HTTPS and table.game.mode == Mode.TABLE:
        # A phone may show it again without a line.  A page that knows a hand must never say this.
        response[KEEP] = "fragment" if fragment else "page"
    return response


def _counts_by_tally(request: HttpRequest, ledger: Ledger) -> bool:
    """Whether this table counts a round at once: as asked, else as it did in the last round."""
    asked = request.GET.get("count") or request.POST.get("do")
    if asked in ("tally", "trick"):
        return asked == "tally"
    state = ledger.state
    if state.current is not None and state.current.tricks:
        return False
    return bool(state.finished) and not state.finished[-1].tricks
