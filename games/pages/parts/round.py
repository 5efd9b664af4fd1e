"""The round that a page shows: the part that the table, the digital table, the replay and the big board share."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.pages.parts.board import RowView, TurnView, board_rows, turn_view
from games.pages.parts.counting import CountView
from games.pages.parts.players import ConditionView, Player, TeamView, condition_views, players_of, team_views
from games.rules import FinishedRound, PublicState
from games.texts import words


@dataclass(frozen=True)
class RoundView:
    """A round in its game.  A part that the page does not show is empty.

    `number`: from 1 on; of a finished game the last one.  `of`: the rounds of the game, None if
    points alone end it; `target`: at how many points.  `duty`: what each player does before the first trick.
    `super_rank`, `monster_word`: words of the edition.
    """

    number: int
    of: int | None
    target: int | None
    super_rank: str
    monster_word: str
    dealer: Player | None = None
    rows: list[RowView] = field(default_factory=list)
    turn: TurnView | None = None
    conditions: list[ConditionView] = field(default_factory=list)
    teams: list[TeamView] = field(default_factory=list)
    duty: str = ""
    count: CountView | None = None


def round_view(
    state: PublicState,
    *,
    shows_board: bool = False,
    shows_agreed: bool = True,
    of: FinishedRound | None = None,
    duty: str = "",
    count: CountView | None = None,
) -> RoundView:
    """The round that is played in a state, or of a finished game its number alone.

    `shows_board`: with the rows and the turn to place; `shows_agreed`: with the conditions and teams; `of`: a finished
    round that is shown in place of the one that is played.
    """
    ruleset = state.ruleset
    current = state.current if of is None else of
    return RoundView(
        number=current.number if current is not None else state.rounds_on_sheet,
        of=ruleset.rounds,
        target=ruleset.options.target,
        super_rank=words.capturable(ruleset),
        monster_word=words.monster_word(ruleset),
        dealer=players_of(state.setup)[current.dealer] if current is not None else None,
        rows=board_rows(state, current) if current is not None and shows_board else [],
        turn=turn_view(state) if shows_board else None,
        conditions=condition_views(state, current) if current is not None and shows_agreed else [],
        teams=team_views(state, current) if current is not None and shows_agreed else [],
        duty=duty,
        count=count,
    )
