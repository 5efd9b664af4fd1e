"""The table page: what a phone beside the board shows in each phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.pages.parts.announcement import announcement, discard_duty, event
from games.pages.parts.conditions import SetupCard, setup_card
from games.pages.parts.confirmations import RoundConfirmations, round_confirmations
from games.pages.parts.counting import count_view
from games.pages.parts.players import Player, players_of
from games.pages.parts.race import Chart, race_chart
from games.pages.parts.round import RoundView, round_view
from games.pages.parts.sheet import Sheet, sheet
from games.pages.parts.standings import ResultView, penalties_since_last_round, result_view
from games.pages.parts.teams import TeamsView, teams_view
from games.rules import ActionEntry, Phase, Place, PublicState, Ruleset, UndoEntry
from games.texts.entries import describe_undone


@dataclass(frozen=True)
class TablePage:
    """Everything that the fragment of the table page shows in any phase.

    `sheet`: beside every phase on a wide screen; `chart`: the race, beside the result of a round and at the end;
    `rematch_dealer`: who deals first in the next game.
    """

    game_id: str
    version: int
    view: str
    locked: bool
    from_paper: bool
    players: tuple[Player, ...]
    undo_seq: int | None
    undo_text: str
    happened: str
    announcement: str
    round: RoundView
    setup_card: SetupCard | None
    team_question: TeamsView | None
    result: ResultView
    sheet: Sheet
    rounds_hint: str
    confirmations: RoundConfirmations | None
    chart: Chart | None
    rematch_dealer: Player | None


SETUP, BOARD, TEAMS, COUNT, FINISHED = "setup", "board", "teams", "count", "finished"


def table_page(
    ledger: Ledger,
    *,
    asks_confirmation: bool = False,
    show_board: bool = False,
    partners: str = "",
    start: int | None = None,
    typed: Mapping[str, str] | None = None,
) -> TablePage:
    """The table page of a game.

    `asks_confirmation`: both teams are asked to confirm the last round; `show_board`: past the set-up card of a round
    in which nothing is covered yet; `partners`, `start`: what has been tapped of the teams so far; `typed`: the figures
    of a refused tally.
    """
    state = ledger.state
    view = _view_of(state, show_board=show_board or _undid_marker(ledger))
    done = state.finished[-1] if state.finished and view in (SETUP, FINISHED) else None
    undo = _last_undoable(ledger)
    setup, players = ledger.current_setup, players_of(ledger.current_setup)
    return TablePage(
        game_id=ledger.game_id,
        version=ledger.version,
        view=view,
        locked=ledger.locked,
        from_paper=setup.paper is not None,
        players=players,
        undo_seq=undo,
        undo_text="" if undo is None else describe_undone(ledger, ledger.entry(undo)),
        happened=event(ledger, ledger.entries[-1]) if ledger.entries else "",
        announcement=announcement(state),
        round=round_view(
            state,
            # On the set-up card the board is only for a phone that goes offline before the first marker.
            shows_board=view in (SETUP, BOARD),
            duty=discard_duty(state),
            count=count_view(state, typed) if view == COUNT else None,
        ),
        setup_card=setup_card(state) if view == SETUP else None,
        team_question=teams_view(state, partners=partners, start=start) if view == TEAMS else None,
        result=result_view(state, done, penalties=penalties_since_last_round(ledger)),
        sheet=sheet(state, in_detail=False),
        rounds_hint=rounds_hint(state.ruleset) if view == SETUP and not state.finished else "",
        confirmations=_confirmations_of_last(ledger, on_result=done is not None) if asks_confirmation else None,
        chart=race_chart(state) if view in (SETUP, FINISHED) else None,
        rematch_dealer=(
            players[setup.rematch(rounds_played=state.rounds_on_sheet).dealer] if view == FINISHED else None
        ),
    )


def _view_of(state: PublicState, *, show_board: bool) -> str:
    if state.current is None:
        return FINISHED
    match state.phase:
        case Phase.PLACING:
            untouched = state.current.board.is_untouched
            return SETUP if untouched and not show_board else BOARD
        case Phase.TEAMS:
            return TEAMS
        case _:
            return COUNT


def _undid_marker(ledger: Ledger) -> bool:
    """Whether the latest entry took a marker off the board: the board stays, although it may be empty."""
    last = ledger.entries[-1] if ledger.entries else None
    if not isinstance(last, UndoEntry):
        return False
    undone = ledger.entry(last.undoes)
    return isinstance(undone, ActionEntry) and isinstance(undone.action, Place)


def _last_undoable(ledger: Ledger) -> int | None:
    """The entry that undo would undo, unless it belongs to what both teams have confirmed."""
    seq = ledger.last_undoable
    if seq is None or not ledger.counting.confirms:
        return seq
    undone = ledger.with_entries([UndoEntry(ledger.version + 1, undoes=seq)])
    return None if ledger.confirmed_rounds_changed_by(undone.state) else seq


def _confirmations_of_last(ledger: Ledger, *, on_result: bool) -> RoundConfirmations | None:
    """Who has confirmed the last round: both teams only beside its result, one or none not in a locked game."""
    if not ledger.state.finished:
        return None
    confirmations = round_confirmations(ledger, ledger.state.finished[-1], ledger.counting.confirms)
    is_shown = on_result if confirmations.is_complete else not ledger.locked
    return confirmations if is_shown else None


def rounds_hint(ruleset: Ruleset) -> str:
    """A hint if some players deal more often than others."""
    if not (ruleset.rounds or 0) % ruleset.players:
        return ""
    return _("Not everybody deals equally often.")
