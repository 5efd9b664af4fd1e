"""The menu of a table, and the changes of a whole table: voiding a round, finishing, locking, reopening, deleting."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.pages.agreement import to_agree
from games.pages.base_table import Table
from games.pages.digital.digital_table import DigitalTable
from games.pages.errors import form_page
from games.pages.forms import Form, form_context, new_request_id, request_of
from games.pages.guards import at_table, by_mode, corrects, may_delete, records, require_deletes
from games.pages.home.page import cards_of
from games.pages.menu.forms import VoidForm
from games.pages.parts.announcement import victory
from games.pages.parts.board import board_rows
from games.pages.parts.standings import penalties_since_last_round, result_view, standings
from games.pages.rematch import next_game, origin_of, rematch_offer
from games.pages.table.page import table_page
from games.pages.table.paper_table import PaperTable
from games.rules import Finish, NjetError, Phase, VoidRound
from games.rules.proposals import FinishEarly
from games.services import deletion, tables
from games.services.write import Outcome
from games.texts import words
from games.texts.refusals import error_sentence


def _paper_menu(request: HttpRequest, table: PaperTable) -> HttpResponse:
    ledger = table.ledger
    context = {
        "game_id": table.game.pk,
        "key": table.key,
        "may_record": table.may_correct,
        "is_scorekeeper": table.key.may_record,
        "is_finished": ledger.state.is_over,
        "following": next_game(table),
        "may_end": table.may_correct and bool(ledger.state.finished) and not ledger.state.is_over,
        "number": len(ledger.state.finished) + 1,
        "locked": ledger.locked,
        "asks_confirmation": table.game.asks_confirmation,
        "hides_markers": table.game.hides_markers,
        "can_enter": ledger.state.phase is Phase.PLACING,
        "preset": words.preset_name(ledger.state.ruleset.preset),
        "request_id": new_request_id(),
        "group": table.game.present_group,
        "may_delete": may_delete(request.session, table.key),
    }
    return render(request, "games/menu/menu.html", context)


def _digital_menu(request: HttpRequest, table: DigitalTable) -> HttpResponse:
    state = table.ledger.state
    proposed = any(
        isinstance(each.proposal, FinishEarly) and each.seat in table.seats for each in table.ledger.counting.proposals
    )
    context = {
        "game_id": table.game.pk,
        "is_host": table.key.may_record,
        "locked": table.ledger.locked,
        "may_delete": may_delete(request.session, table.key),
        "hides_markers": table.game.hides_markers,
        "is_finished": state.is_over,
        "may_finish": bool(table.seats) and not state.is_over and bool(state.finished) and not proposed,
        "takeback": table.long_takeback,
        "preset": words.preset_name(state.ruleset.preset),
        "version": table.ledger.version,
        "request_id": new_request_id(),
        "group": table.game.present_group,
        "offer": rematch_offer(table, request.session),
        "same_deals": table.game.deals_of_id is not None,
        "to_agree": to_agree(table.game),
        "origin": origin_of(table.game, request.session),
        **table.pace,
        **(table.saying if table.seat is not None else {}),
    }
    return render(request, "games/menu/menu_digital.html", context)


menu = require_GET(by_mode(paper=_paper_menu, digital=_digital_menu))


@require_POST
@corrects
def ask_confirmation(request: HttpRequest, table: PaperTable) -> HttpResponse:
    """Ask both teams to confirm each round, or not any more."""
    tables.ask_confirmation(game=table.game, asked="asked" in request.POST)
    return redirect("games:menu", table.game.pk)


@require_POST
@records
def hide_markers(request: HttpRequest, table: Table) -> HttpResponse:
    """Hide on the board whose marker is whose, or show it."""
    tables.hide_markers(game=table.game, hidden="hidden" in request.POST)
    return redirect("games:menu", table.game.pk)


@require_GET
@corrects
def quick(request: HttpRequest, table: PaperTable) -> HttpResponse:
    """Quick entry: the settled board at once."""
    ledger = table.ledger
    if ledger.state.current is None or ledger.state.phase is not Phase.PLACING:
        return redirect("games:table", table.game.pk)
    context = {
        **form_context(ledger),
        "rows": board_rows(ledger.state, ledger.state.current, with_outcomes=True),
        "page": table_page(ledger, show_board=True),
    }
    return render(request, "games/menu/quick.html", context)


# --- changes that are confirmed first ---


@require_http_methods(["GET", "POST"])
@corrects
def void(request: HttpRequest, table: PaperTable) -> HttpResponse:
    """Void the round: it starts again with the same dealer."""
    form = VoidForm(request.POST if request.method == "POST" else None)

    def record() -> Outcome:
        action = VoidRound(form.cleaned_data["reason"])
        return tables.record_action(
            game_id=table.game.pk, actor=table.key, action=action, request=request_of(request.POST)
        )

    return _confirmed(request, table, "games/menu/void.html", record, form)


@require_http_methods(["GET", "POST"])
@at_table
def finish(request: HttpRequest, table: Table) -> HttpResponse:
    """End the game early; in a digital game the others have to agree."""
    table.require_may_finish()
    state = table.ledger.state
    ended, why_not = None, ""
    try:
        ended = state.apply(Finish())
    except NjetError as refusal:
        why_not = error_sentence(refusal)
    return _confirmed(
        request,
        table,
        table.finish_template,
        lambda: table.finish(request.POST),
        ends=None if ended is None else result_view(ended, None),
        consequence="" if ended is None else victory(ended),
        last=len(state.finished),
        lost=len(state.finished) + 1,
        why_not=why_not,
    )


@require_http_methods(["GET", "POST"])
@records
def lock(request: HttpRequest, table: Table) -> HttpResponse:
    """Confirm the result: from now on nothing changes."""
    return _confirmed(
        request,
        table,
        "games/menu/lock.html",
        lambda: tables.lock(game_id=table.game.pk, actor=table.key, request=request_of(request.POST)),
    )


@require_http_methods(["GET", "POST"])
@records
def reopen(request: HttpRequest, table: Table) -> HttpResponse:
    """Undo the end of the game."""
    table.require_may_reopen()
    return _confirmed(
        request,
        table,
        "games/menu/reopen.html",
        lambda: tables.reopen(game_id=table.game.pk, actor=table.key, request=request_of(request.POST)),
    )


def _confirmed(
    request: HttpRequest,
    table: Table,
    template: str,
    change: Callable[[], Outcome],
    form: Form | None = None,
    **shown: object,
) -> HttpResponse:
    """A change of the whole table: GET asks for confirmation, POST makes the change.  `form`: if it has fields."""
    ledger = table.ledger
    form = form or Form(request.POST if request.method == "POST" else None)
    form.names = ledger.current_setup.names
    if form.is_valid():
        with form.refusals():
            change()
            return redirect("games:table", table.game.pk)
    page = {"standings": standings(ledger.state, penalties_since_last_round(ledger))}
    context = {**form_context(ledger), "page": page, **shown}
    return form_page(request, template, form, **context)


@require_http_methods(["GET", "POST"])
@records
def delete(request: HttpRequest, table: Table) -> HttpResponse:
    """Put a game into the bin, after a question."""
    require_deletes(request.session, table.key)
    if request.method == "GET":
        (card,) = cards_of([table.game], {})
        return render(request, "games/menu/delete.html", {"game_id": table.game.pk, "card": card})
    deletion.delete_game(game_id=table.game.pk, actor=table.key)
    return redirect(f"{reverse('games:home')}?deleted")
