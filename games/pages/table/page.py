"""The table page: what a phone beside the board shows in each phase.

Knows: which parts a phase puts together.  Must not know: markup, requests, keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.pages.parts.board import RowView, TurnView, board_rows, turn_view
from games.pages.parts.conditions import SetupCard, setup_card
from games.pages.parts.counting import CountView, count_view
from games.pages.parts.players import ConditionView, Player, TeamView, condition_views, players_of, team_views
from games.pages.parts.standings import RoundResult, StandingLine, round_result, standings
from games.pages.parts.teams import TeamsView, teams_view
from games.rules import Phase, PublicState, Ruleset
from games.rules.editions import NJET
from games.rules.options import DiscardTiming
from games.texts import words
from games.texts.entries import describe_entry


@dataclass(frozen=True)
class TablePage:
    """Everything that the fragment of the table page shows, whatever the phase."""

    game_id: str
    version: int
    view: str
    locked: bool
    round_number: int
    rounds: int
    dealer: Player | None
    players: list[Player]
    undo_seq: int | None
    undo_text: str
    announcement: str
    discard_duty: str
    conditions: list[ConditionView]
    teams: list[TeamView]
    rows: list[RowView]
    turn: TurnView | None
    setup_card: SetupCard | None
    team_question: TeamsView | None
    count: CountView | None
    result: RoundResult | None
    standings: list[StandingLine]
    winners: list[Player]
    finished_early: bool
    rounds_hint: str
    super_rank: str
    monster_word: str


SETUP, BOARD, TEAMS, COUNT, FINISHED = "setup", "board", "teams", "count", "finished"


def table_page(
    ledger: Ledger,
    *,
    show_board: bool = False,
    partners: str = "",
    start: int | None = None,
    typed: Mapping[str, str] | None = None,
) -> TablePage:
    """The table page of a game.

    `show_board`: past the set-up card of a round in which nothing is covered yet; `partners`, `start`: what has been
    tapped of the teams so far; `typed`: the figures of a refused tally.
    """
    state, setup = ledger.state, ledger.current_setup
    players = players_of(setup)
    current = state.current
    view = _view_of(state, show_board=show_board)
    done = state.finished[-1] if state.finished and view in (SETUP, FINISHED) else None
    undo = ledger.last_undoable
    return TablePage(
        game_id=ledger.game_id,
        version=ledger.version,
        view=view,
        locked=ledger.locked,
        round_number=current.number if current is not None else len(state.finished),
        rounds=state.ruleset.options.rounds,
        dealer=players[current.dealer] if current is not None else None,
        players=players,
        undo_seq=undo,
        undo_text="" if undo is None else describe_entry(ledger, ledger.entry(undo)),
        announcement=announcement(state),
        discard_duty=discard_duty(state),
        conditions=condition_views(state, current) if current is not None else [],
        teams=team_views(state, current) if current is not None else [],
        # On the set-up card the board is only for a phone that loses its line before the first marker.
        rows=board_rows(state, current) if current is not None and view in (SETUP, BOARD) else [],
        turn=turn_view(state) if view in (SETUP, BOARD) else None,
        setup_card=setup_card(state) if view == SETUP else None,
        team_question=teams_view(state, partners=partners, start=start) if view == TEAMS else None,
        count=count_view(state, typed) if view == COUNT else None,
        result=round_result(state, done) if done is not None else None,
        standings=standings(state) if done is not None else [],
        winners=[players[seat] for seat in state.winners],
        finished_early=current is None and len(state.finished) < state.ruleset.options.rounds,
        rounds_hint=rounds_hint(state.ruleset) if view == SETUP and not state.finished else "",
        super_rank=words.capturable(state.ruleset),
        monster_word=words.monster_word(state.ruleset),
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


def discard_duty(state: PublicState) -> str:
    """What everybody does with his hand before the first trick, nothing where nothing is to do."""
    current = state.current
    if current is None or current.conditions is None or current.tricks:
        return ""
    if state.setup.digital and state.phase not in (Phase.DISCARDING, Phase.PASSING):
        # There the app knows when everybody has.
        return ""
    # With two players the teams are there at once, whatever the option says.
    early = state.ruleset.options.discard_timing is DiscardTiming.BEFORE_TEAMS
    if state.players > 2 and early is not (current.teams is None):
        return ""
    if current.conditions.discard == NJET and current.teams is not None:
        return ""
    return words.discard_duty(current.conditions.discard)


def announcement(state: PublicState) -> str:
    """Whose turn it is, for ears: one sentence that changes with every event."""
    names = state.setup.names
    match state.phase:
        case Phase.FINISHED:
            winners = words.listing([names[seat] for seat in state.winners])
            many = len(state.winners) > 1
            return (_("{names} share the victory.") if many else _("{names} wins.")).format(names=winners)
        case Phase.PLACING:
            seat = state.acting_seats[0]
            return _("{name} covers a space, {count} left.").format(name=names[seat], count=state.markers_left[seat])
        case Phase.TEAMS:
            return _("{name} names the teams.").format(name=names[state.acting_seats[0]])
        case Phase.DEALING:
            return _("The cards are dealt.")
        case Phase.DISCARDING | Phase.PASSING:
            choosing = words.listing([names[seat] for seat in state.acting_seats])
            told = _("Still to discard: {names}.") if state.phase is Phase.DISCARDING else _("Still to pass: {names}.")
            return told.format(names=choosing)
        case Phase.TRICKS if state.setup.digital:
            return whose_card(state)
        case _:
            count = count_view(state)
            return _("Tricks are counted: {progress}.").format(progress=count.progress)


def whose_card(state: PublicState) -> str:
    """Who plays next in the tricks.  Which card of a trick lies on a physical table nobody has recorded."""
    current = state.current
    assert current is not None, "tricks belong to a round"
    assert current.leader is not None, "once the teams are named somebody leads"
    if current.table:
        return _("{name} plays a card.").format(name=state.setup.names[state.acting_seats[0]])
    leads = _("{name} leads trick {number}.") if current.tricks else _("{name} leads the first trick.")
    return leads.format(name=state.setup.names[current.leader], number=len(current.tricks) + 1)


def rounds_hint(ruleset: Ruleset) -> str:
    """A hint where the deal does not come round evenly."""
    rounds, players = ruleset.options.rounds, ruleset.players
    if rounds % players == 0:
        return ""
    return _("{rounds} rounds are no multiple of {players} players: not everybody deals equally often.").format(
        rounds=rounds, players=players
    )
