"""Corrections: a round's entries with a preview, the set-up, the undo of several entries."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.errors import ConfirmedForGood, GameLocked, NotFound, StaleVersion, UndoNotAllowed, status_of
from games.formats import strict_json
from games.log.ledger import Ledger
from games.pages.correct.blocks import blocks_of
from games.pages.correct.blocks_form import BlocksForm, round_to_correct
from games.pages.correct.forms import CorrectionForm, SetupForm, refusal_sentence
from games.pages.correct.page import entry_forms
from games.pages.errors import form_page
from games.pages.forms import NOT_PART_OF_A_REQUEST, form_context, request_of, whole_number
from games.pages.guards import corrects
from games.pages.parts.corrections import preview_lines, standing_lines
from games.pages.parts.players import players_of
from games.pages.table.paper_table import PaperTable
from games.rules import NjetError
from games.rules.entries import changes_from_json, changes_to_json
from games.rules.errors import Malformed
from games.rules.replay import Change
from games.services import previews, tables
from games.services.write import WriteRequest
from games.texts import refusals, words
from games.texts.entries import describe_entry


@require_http_methods(["GET", "POST"])
@corrects
def correct(request: HttpRequest, table: PaperTable, number: int) -> HttpResponse:
    """A round as three blocks; before its board is settled, its entries.  A POST shows what would change."""
    if round_to_correct(table.ledger, number) is None:
        return correct_entries(request, table, number)
    form = BlocksForm(request.POST if request.method == "POST" else None, table.ledger, number)
    return _answer(request, table, number, form)


def correct_entries(request: HttpRequest, table: PaperTable, number: int) -> HttpResponse:
    """The entries of a round as a form, or `only` one.  A POST shows what would change; the preview confirms."""
    form = CorrectionForm(request.POST, table.ledger, number) if request.method == "POST" else None
    return _answer(request, table, number, form)


entries = require_http_methods(["GET", "POST"])(corrects(correct_entries))


def _form_of(request: HttpRequest, table: PaperTable, number: int) -> BlocksForm | CorrectionForm:
    """The form that a preview came from."""
    if "was" in request.POST and round_to_correct(table.ledger, number) is not None:
        return BlocksForm(request.POST, table.ledger, number)
    return CorrectionForm(request.POST, table.ledger, number)


def _answer(
    request: HttpRequest, table: PaperTable, number: int, form: BlocksForm | CorrectionForm | None
) -> HttpResponse:
    """The preview of a form that changes something, else the form.  `again`: back from the preview."""
    if table.ledger.locked:
        raise GameLocked()
    if form is not None and "again" not in request.POST and form.is_valid():
        if not form.changes:
            refused = _("Nothing was changed.")
            return _form(request, table, number, form=form, refused=refused, refused_code="unchanged", status=422)
        with form.refusals():
            standings = previews.preview_amend(ledger=table.ledger, changes=form.changes)
            return _preview(request, table.ledger, number, form.changes, standings)
    return _form(request, table, number, form=form, status=200 if form is None else form.status)


def _preview(
    request: HttpRequest,
    ledger: Ledger,
    number: int,
    changes: Sequence[Change],
    standings: Sequence[previews.StandingChange],
    *,
    stale: StaleVersion | None = None,
) -> HttpResponse:
    context = {
        **form_context(ledger),
        "number": number,
        "lines": preview_lines(ledger, changes),
        "standings": standing_lines(ledger, standings),
        "rounds": ledger.confirmed_rounds_changed_by(previews.corrected_replay(ledger, changes).state),
        "changes": json.dumps(changes_to_json(changes)),
        "is_round": "was" in request.POST,
        "is_alone": "only" in request.POST,
        # A correction that is refused after all shows its form again.
        "typed": [
            (name, text)
            for name, text in request.POST.items()
            if name not in (*NOT_PART_OF_A_REQUEST, "changes", "again")
        ],
        "refused": "" if stale is None else refusals.error_sentence(stale),
        "focuses_heading": True,
    }
    return render(request, "games/correct/preview.html", context, status=200 if stale is None else stale.status)


@require_POST
@corrects
def confirm(request: HttpRequest, table: PaperTable, number: int) -> HttpResponse:
    """Make the corrections that were previewed.  If the game has moved on they are previewed again."""
    try:
        document = strict_json.parsed(request.POST.get("changes", "").encode())
    except Malformed:
        raise Malformed(problem="corrections") from None
    changes = changes_from_json(document)
    try:
        try:
            outcome = tables.amend(
                game_id=table.game.pk, actor=table.key, request=request_of(request.POST), changes=changes
            )
        except StaleVersion as stale:
            standings = previews.preview_amend(ledger=stale.ledger, changes=changes)
            return _preview(request, stale.ledger, number, changes, standings, stale=stale)
    except NotFound:
        # The game was deleted: there is no table left to show.
        raise
    except NjetError as error:
        table.refresh()
        sentence, form = refusal_sentence(table.ledger, error), _form_of(request, table, number)
        return _form(
            request, table, number, form=form, refused=sentence, refused_code=error.code, status=status_of(error)
        )
    if outcome.ledger.pending:
        # Every phone of the table shows a correction that waits, with its buttons: below the board.
        return redirect(f"{reverse('games:table', args=[table.game.pk])}#asked")
    # The sheet says what was done.
    return redirect(f"{reverse('games:sheet', args=[table.game.pk])}?corrected={outcome.ledger.version}")


def _form(
    request: HttpRequest,
    table: PaperTable,
    number: int,
    *,
    form: BlocksForm | CorrectionForm | None = None,
    refused: str = "",
    refused_code: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "game_id": table.game.pk,
        "version": table.ledger.version,
        "number": number,
        "rounds": sorted({step.round_number for step in table.ledger.replay.applied}),
        "super_rank": words.capturable(table.ledger.state.ruleset),
        "form": form,
        "refused": refused,
        "refused_code": refused_code,
    }
    if isinstance(form, BlocksForm):
        return render(request, "games/correct/correct.html", {**context, "page": blocks_of(form)}, status=status)
    only = request.POST.get("only") or request.GET.get("only")
    opened = [f"e{only or request.GET.get('entry')}"] if form is None else form.touched
    found = entry_forms(table.ledger, number, request.POST.dict(), opened, inserts="insert" in request.GET)
    alone = [entry for entry in found if entry.prefix == f"e{only}-"]
    context |= {
        "entries": alone or found,
        "only": only if alone else "",
        "has_blocks": round_to_correct(table.ledger, number) is not None,
    }
    return render(request, "games/correct/entries.html", context, status=status)


@require_http_methods(["GET", "POST"])
@corrects
def setup(request: HttpRequest, table: PaperTable) -> HttpResponse:
    """Correct names, tokens, the first dealer or the number of rounds."""
    form = SetupForm(request.POST if request.method == "POST" else None, table.ledger)
    if form.is_valid():
        with form.refusals(passing=(NotFound,)):
            drawn = secrets.randbelow(table.ledger.state.players) if "draw" in request.POST else None
            tables.correct_setup(
                game_id=table.game.pk,
                actor=table.key,
                request=request_of(request.POST),
                names=form.sent("name"),
                tokens=form.sent("token"),
                dealer=form.cleaned_data["dealer"] if drawn is None else drawn,
                rounds=form.cleaned_data["rounds"],
                since=form.cleaned_data["since"],
            )
            return redirect("games:table", table.game.pk)
        table.refresh()
    ruleset = table.ledger.state.ruleset
    context = {
        **form_context(table.ledger),
        "places": [
            (player, form.typed(f"name-{player.seat}"), form.typed(f"token-{player.seat}"))
            for player in players_of(table.ledger.current_setup)
        ],
        "tokens": [(token, words.token_name(token, ruleset.preset)) for token in ruleset.edition.tokens],
        "dealer": form.typed("dealer"),
        "rounds": form.typed("rounds"),
        "since": form.typed("since"),
        "from_rounds": [str(number) for number in range(2, tables.rounds_begun(table.ledger.state) + 1)],
    }
    return form_page(request, "games/correct/setup.html", form, **context)


@require_http_methods(["GET", "POST"])
@corrects
def undo_to(request: HttpRequest, table: PaperTable, seq: int) -> HttpResponse:
    """Undo several entries, the latest first, down to and including `seq`.  They are listed first."""
    ledger, refused, status = table.ledger, "", 200
    if request.method == "POST":
        expected = whole_number("version", request.POST.get("version"))
        try:
            tables.undo(
                game_id=table.game.pk,
                actor=table.key,
                request=WriteRequest(expected, request.POST.get("request_id") or None, {"to_seq": seq - 1}),
                to_seq=seq - 1,
            )
            return redirect("games:table", table.game.pk)
        except StaleVersion as error:
            ledger, refused, status = error.ledger, refusals.error_sentence(error), error.status
    taken = [each for each in ledger.counting.undoable if each >= seq]
    if ledger.locked:
        raise ConfirmedForGood()
    if not taken:
        raise UndoNotAllowed()
    context = {
        **form_context(ledger),
        "seq": seq,
        "entries": [describe_entry(ledger, ledger.entry(each)) for each in reversed(taken)],
        "refused": refused,
    }
    return render(request, "games/correct/undo_to.html", context, status=status)
