"""The sheet of a table, the history of its entries, and its rules."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.errors import NotFound
from games.formats.sheet import as_csv
from games.log import store
from games.log.durations import durations
from games.log.ledger import Ledger
from games.models import Game
from games.pages import downloads
from games.pages.base_table import Table
from games.pages.forms import form_context, optional_number, whole_number
from games.pages.guards import sees_table
from games.pages.parts.confirmations import all_confirmations
from games.pages.parts.players import Player, players_of
from games.pages.parts.race import race_chart
from games.pages.parts.sheet import sheet as sheet_view
from games.pages.rematch import origin_of
from games.pages.sheet.placements import placements_page
from games.rules import AddPenalty, RecordTally
from games.rules.errors import WrongType
from games.texts import words
from games.texts.entries import corrections, describe_correction
from games.texts.entries import history as history_lines
from games.texts.rules_help import explanations

ENTRIES_OF_A_PART = 200
"""Ten rounds with five players, marker by marker, are one part."""


@require_GET
@sees_table
def sheet(request: HttpRequest, table: Table) -> HttpResponse:
    """The score sheet with the chart of the race; prints as a page of paper."""
    ledger = table.ledger
    state = ledger.state
    actors = store.actors(table.game.pk, [each.seq for each in ledger.counting.confirms])
    phones = {seq: key.label for seq, key in actors.items() if key is not None}
    context = {
        **form_context(ledger),
        "game": table.game,
        "sheet": sheet_view(
            state,
            all_confirmations(ledger, phones, asks_confirmation=table.game.asks_confirmation),
            corrections(ledger),
            minutes=durations(ledger, store.times(table.game.pk)).rounds,
            penalties=[step for step in ledger.replay.applied if isinstance(step.action, AddPenalty)],
            reader=table.seat,
        ),
        "corrected": _just_corrected(request, ledger),
        "origin": origin_of(table.game, request.session),
        "is_mine": table.seat is not None,
        "chart": race_chart(state),
        "taken_over": words.taken_over(ledger.current_setup),
        "occasion": _occasion_line(table.game),
        "from_paper": ledger.current_setup.paper is not None,
        "may_state": table.key.may_record and not ledger.locked and not table.group_key,
        "note": words.sheet_note(state.ruleset),
        "preset": words.preset_name(state.ruleset.preset),
        "super_rank": words.capturable(state.ruleset),
        "monster_word": words.monster_word(state.ruleset),
        "may_record": table.may_correct,
        "group_key": table.group_key,
        "invitation_field": "invite" if table.digital else "role",
    }
    return render(request, "games/sheet/sheet.html", context)


def _occasion_line(game: Game) -> str:
    """How long and where the game was played, and the note, as far as they are known."""
    minutes = "" if game.minutes is None else words.minutes(game.minutes)
    return " · ".join(filter(None, (minutes, game.place, game.note)))


def _just_corrected(request: HttpRequest, ledger: Ledger) -> str:
    """What the correction has changed that led to this page."""
    with suppress(WrongType):
        return describe_correction(ledger, whole_number("corrected", request.GET.get("corrected")))
    return ""


@require_GET
@sees_table
def sheet_csv(request: HttpRequest, table: Table) -> HttpResponse:
    """The sheet as a file for spreadsheets."""
    ledger, name = table.ledger, downloads.named("njet", table.game.created_at, table.game.pk, "csv")
    text = as_csv(ledger.state, ledger.counting.confirms, delimiter=downloads.delimiter_of(request))
    return downloads.spreadsheet([text], name=name)


@require_GET
@sees_table
def history(request: HttpRequest, table: Table) -> HttpResponse:
    """Every entry of the log: who, when, what.  Of a long one a part, the latest unless another is asked for."""
    ledger = table.ledger
    players = players_of(ledger.current_setup)
    parts = parts_of(ledger.version)
    number = optional_number("part", request.GET.get("part"))
    if number is not None and not 1 <= number <= len(parts):
        raise NotFound()
    part = parts[-1 if number is None else number - 1]
    rows = store.seen_rows(ledger, after=part.first - 1, last=part.last)
    context = {
        **form_context(ledger),
        "captured": words.capturable(ledger.state.ruleset),
        "lines": [(line, _figures(line.tally, players)) for line in history_lines(ledger, rows)],
        "part": part,
        "parts": parts[::-1],
        "may_record": table.may_correct,
    }
    return table.mark_private(render(request, table.history_template, context))


@dataclass(frozen=True)
class Part:
    """The entries that are shown at once, from `first` to `last`."""

    number: int
    first: int
    last: int
    is_latest: bool


def parts_of(version: int) -> list[Part]:
    """The parts of a log, the earliest first.

    Each but the latest always has the same entries, so that its address leads to the same ones.  The latest has up to
    twice as many, so that a log is not divided for a few entries.
    """
    count = max(1, version // ENTRIES_OF_A_PART)
    return [
        Part(
            number,
            first=(number - 1) * ENTRIES_OF_A_PART + 1,
            last=version if number == count else number * ENTRIES_OF_A_PART,
            is_latest=number == count,
        )
        for number in range(1, count + 1)
    ]


def _figures(tally: RecordTally | None, players: Sequence[Player]) -> list[tuple[Player, int, int]]:
    """What each player had in a counted round: tricks and captured cards."""
    if tally is None:
        return []
    # A correction may have removed the seat of an old entry.
    return list(zip(players, tally.tricks, tally.captured, strict=False))


@require_GET
@sees_table
def placements(request: HttpRequest, table: Table) -> HttpResponse:
    """What the markers of this table say."""
    context = {"game_id": table.game.pk, "page": placements_page(table.ledger.replay)}
    return render(request, "games/sheet/placements.html", context)


@require_GET
@sees_table
def rules(request: HttpRequest, table: Table) -> HttpResponse:
    """The rules of this table on one page."""
    ruleset = table.ledger.state.ruleset
    options = [
        (words.option_name(name), words.option_value(name, value))
        for name, value in ruleset.options.to_json().items()
        if value is not None and (name != "three_player_removal" or ruleset.players == 3)
    ]
    context = {
        "game_id": table.game.pk,
        "preset": words.preset_name(ruleset.preset),
        "options": options,
        "open_hands": table.ledger.setup.open_hands,
        "explanations": explanations(ruleset),
    }
    return render(request, "games/sheet/rules.html", context)
