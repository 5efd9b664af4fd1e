"""Putting right what was entered: a round's entries with a preview, the set-up, undo of several entries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import BytesIO

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.api.requests import StrictJSONParser
from games.errors import ConfirmedForGood, NotFound, StaleVersion, UndoNotAllowed, status_of
from games.log.ledger import Ledger
from games.pages.correct.page import changes_of_form, correction_page, preview_lines, refusal_sentence, standing_lines
from games.pages.forms import new_request_id, optional_number, request_of, whole_number
from games.pages.guards import Table, at_table, physical, records
from games.pages.parts.players import players_of
from games.rules import NjetError
from games.rules.entries import changes_from_json, changes_to_json
from games.rules.errors import Malformed
from games.rules.replay import Change
from games.services import previews, tables, write
from games.texts import words
from games.texts.entries import describe_entry


@require_http_methods(["GET", "POST"])
@at_table
@records
@physical
def correct(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    """The entries of a round as a form.  Sending it shows what would change; the preview confirms."""
    ledger = table.ledger
    if request.method == "GET":
        return _form(request, table, number)
    try:
        changes = changes_of_form(ledger, number, request.POST)
        if not changes:
            return _form(request, table, number, refused=_("Nothing was changed."), status=422)
        standings = previews.preview_amend(ledger=ledger, changes=changes)
    except NjetError as error:
        sentence = refusal_sentence(ledger, error)
        return _form(request, table, number, refused=sentence, status=status_of(error))
    return _preview(request, ledger, number, changes, standings)


def _preview(
    request: HttpRequest,
    ledger: Ledger,
    number: int,
    changes: Sequence[Change],
    standings: Sequence[previews.StandingChange],
    *,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "game_id": ledger.game_id,
        "number": number,
        "version": ledger.version,
        "request_id": new_request_id(),
        "lines": preview_lines(ledger, changes),
        "standings": standing_lines(ledger, standings),
        "changes": json.dumps(changes_to_json(changes)),
        "refused": refused,
    }
    return render(request, "games/correct/preview.html", context, status=status)


@require_http_methods(["POST"])
@at_table
@records
@physical
def confirm(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    """Make the corrections that were previewed.  If the game has moved on they are previewed again."""
    try:
        document = StrictJSONParser().parse(BytesIO(request.POST.get("changes", "").encode()))
    except Malformed:
        raise Malformed(problem=_("the corrections")) from None
    changes = changes_from_json(document)
    try:
        try:
            tables.amend(game_id=table.game.pk, actor=table.key, request=request_of(request.POST), changes=changes)
        except StaleVersion as stale:
            standings = previews.preview_amend(ledger=stale.ledger, changes=changes)
            sentence, status = words.error_sentence(stale), stale.status
            return _preview(request, stale.ledger, number, changes, standings, refused=sentence, status=status)
    except NotFound:
        # Deleted meanwhile: there is no table left to show.
        raise
    except NjetError as error:
        table.game.refresh_from_db()
        sentence = refusal_sentence(table.ledger, error)
        return _form(request, table, number, refused=sentence, status=status_of(error))
    return redirect("games:sheet", table.game.pk)


def _form(request: HttpRequest, table: Table, number: int, *, refused: str = "", status: int = 200) -> HttpResponse:
    ledger = table.ledger
    context = {
        "game_id": table.game.pk,
        "page": correction_page(ledger, number, request.POST if request.method == "POST" else None),
        "version": ledger.version,
        "refused": refused,
    }
    return render(request, "games/correct/correct.html", context, status=status)


@require_http_methods(["GET", "POST"])
@at_table
@records
@physical
def setup(request: HttpRequest, table: Table) -> HttpResponse:
    """Correct names, tokens, the first dealer or the number of rounds."""
    ledger = table.ledger
    refused, status = "", 200
    if request.method == "POST":
        places = range(ledger.state.players)
        try:
            tables.correct_setup(
                game_id=table.game.pk,
                actor=table.key,
                request=request_of(request.POST),
                names=[request.POST.get(f"name-{seat}", "") for seat in places] if "name-0" in request.POST else None,
                tokens=[request.POST.get(f"token-{seat}", "") for seat in places]
                if "token-0" in request.POST
                else None,
                dealer=previews.drawn_dealer(ledger)
                if "draw" in request.POST
                else optional_number("dealer", request.POST.get("dealer")),
                rounds=optional_number("rounds", request.POST.get("rounds")),
            )
            return redirect("games:table", table.game.pk)
        except NotFound:
            raise
        except NjetError as error:
            refused, status = refusal_sentence(ledger, error), status_of(error)
            table.game.refresh_from_db()
    current, typed = table.ledger.current_setup, request.POST
    context = {
        "game_id": table.game.pk,
        "places": [
            (player, typed.get(f"name-{player.seat}", player.name), typed.get(f"token-{player.seat}", player.token))
            for player in players_of(current)
        ],
        "tokens": [(token, words.TOKEN_NAMES[token]) for token in current.ruleset.edition.tokens],
        "dealer": typed.get("dealer", str(current.dealer)),
        "rounds": typed.get("rounds", str(current.ruleset.options.rounds)),
        "version": table.ledger.version,
        "request_id": new_request_id(),
        "refused": refused,
    }
    return render(request, "games/correct/setup.html", context, status=status)


@require_http_methods(["GET", "POST"])
@at_table
@records
@physical
def undo_to(request: HttpRequest, table: Table, seq: int) -> HttpResponse:
    """Take back several entries, the latest first, down to and including `seq`.  They are named before."""
    ledger, refused, status = table.ledger, "", 200
    if request.method == "POST":
        expected = whole_number("version", request.POST.get("version"))
        try:
            tables.undo(
                game_id=table.game.pk,
                actor=table.key,
                request=write.WriteRequest(expected, request.POST.get("request_id") or None, {"to_seq": seq - 1}),
                to_seq=seq - 1,
            )
            return redirect("games:table", table.game.pk)
        except StaleVersion as error:
            ledger, refused, status = error.ledger, words.error_sentence(error), error.status
    taken = [each for each in ledger.counting.undoable if each >= seq]
    if ledger.locked:
        raise ConfirmedForGood()
    if not taken:
        raise UndoNotAllowed()
    context = {
        "game_id": table.game.pk,
        "seq": seq,
        "version": ledger.version,
        "request_id": new_request_id(),
        "entries": [describe_entry(ledger, ledger.entry(each)) for each in reversed(taken)],
        "refused": refused,
    }
    return render(request, "games/correct/undo_to.html", context, status=status)
