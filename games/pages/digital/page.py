"""The table on the phone: what a digital game shows to the one who looks, whatever the phase.

Knows: which parts a phase puts together.  Must not know: markup, requests, keys; secrets: everything is taken from a
ledger that holds only what its reader may see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.pages.digital.cards import HandView, TrickShown, hand_of, last_trick, open_trick
from games.pages.digital.people import (
    DueView,
    ProposalView,
    SeatView,
    TakebackOffer,
    announcement,
    due_view,
    proposal_views,
    seat_views,
    takeback_offer,
    title,
    victory,
)
from games.pages.parts.board import RowView, board_rows
from games.pages.parts.cards import CardView, card_views
from games.pages.parts.conditions import needs
from games.pages.parts.players import ConditionView, Player, TeamView, condition_views, players_of, team_views
from games.pages.parts.standings import RoundResult, StandingLine, round_result, standings
from games.pages.parts.teams import TeamsView, teams_view
from games.rules import FinishedRound, NjetError, Phase, PublicState
from games.rules.proposals import ClaimRest, FinishEarly
from games.rules.redaction import PlayerView
from games.texts import words

BOARD, TEAMS, CHOOSE, TRICKS, RESULT, FINISHED = "board", "teams", "choose", "tricks", "result", "finished"


@dataclass(frozen=True)
class DigitalPage:
    """Everything that the fragment of a digital table shows to one reader.

    `seat`: whose hand it is, None for a spectator; `reads`: the round that is looked at; `result_of`: the one whose
    result may be looked at again; `due`: a text that differs whenever it is the reader's turn anew, empty while it is
    not.
    """

    game_id: str
    version: int
    view: str
    seat: int | None
    locked: bool
    round_number: int
    reads: int
    rounds: int
    dealer: Player | None
    announcement: str
    title: str
    turn: DueView | None
    due: str
    seats: list[SeatView]
    me: SeatView | None
    bot_plays: bool
    conditions: list[ConditionView]
    teams: list[TeamView]
    rows: list[RowView]
    may_place: bool
    team_question: TeamsView | None
    hand: HandView | None
    chosen: list[CardView]
    exchange: list[tuple[str, list[CardView]]]
    trick: TrickShown | None
    last_trick: TrickShown | None
    proposals: list[ProposalView]
    takeback: TakebackOffer | None
    may_claim: bool
    may_finish: bool
    result: RoundResult | None
    result_of: int | None
    granted: str
    needs: list[str]
    standings: list[StandingLine]
    winners: list[Player]
    victory: str
    finished_early: bool
    super_rank: str
    monster_word: str

    @property
    def others(self) -> list[SeatView]:
        """The seats around, without the reader's own."""
        return [seat for seat in self.seats if not seat.is_me]

    @property
    def is_asked(self) -> bool:
        """Whether something is asked that the next card would let lapse."""
        return any(asked.lapses for asked in self.proposals)


def digital_page(
    ledger: Ledger,
    *,
    reads: int | None = None,
    partners: str = "",
    start: int | None = None,
    shown: Sequence[str] = (),
    phones: Mapping[int, Sequence[int]] | None = None,
) -> DigitalPage:
    """The page of a digital game for the reader of this ledger.

    `reads`: the round that the reader is in: the result of a round stays before him until he goes on to the next, also
    if a bot is quick to place the next marker; `partners`, `start`: what has been tapped of the teams so far;
    `shown`: cards that a refusal has named; `phones`: the keys by which the phone of each seat is heard of.
    """
    view = ledger.view
    assert view is not None, "a digital game is seen by somebody"
    state, current = ledger.state, ledger.state.current
    players = players_of(ledger.current_setup)
    shows = _view_of(state, reads)
    done = state.finished[-1] if state.finished and shows in (RESULT, FINISHED) else None
    seats = seat_views(ledger, view, phones or {})
    bot_plays = view.seat is not None and ledger.bots[view.seat] is not None
    turn = due_view(state, view.seat, players)
    is_mine = turn is not None and turn.is_mine and not bot_plays
    asked = [type(each.proposal) for each in ledger.counting.proposals if each.seat == view.seat]
    may_ask = view.seat is not None and current is not None and not bot_plays
    return DigitalPage(
        game_id=ledger.game_id,
        version=ledger.version,
        view=shows,
        seat=view.seat,
        locked=ledger.locked,
        round_number=current.number if current is not None else len(state.finished),
        reads=len(state.finished) if shows in (RESULT, FINISHED) else len(state.finished) + 1,
        rounds=state.ruleset.options.rounds,
        dealer=players[current.dealer] if current is not None else None,
        announcement=announcement(ledger, view),
        title=title(ledger, view),
        turn=turn,
        due=_due_key(state) if is_mine else "",
        seats=seats,
        me=seats[-1] if view.seat is not None else None,
        bot_plays=bot_plays,
        conditions=condition_views(state, current) if current is not None else [],
        teams=team_views(state, current) if current is not None else [],
        rows=board_rows(state, current) if current is not None and shows in (BOARD, RESULT) else [],
        may_place=is_mine,
        team_question=_team_question(state, shows, partners=partners, start=start) if is_mine else None,
        hand=hand_of(view, shown=shown, bot=bot_plays) if view.hand else None,
        chosen=card_views(view.chosen),
        exchange=_exchange(view, players),
        trick=open_trick(view, players),
        last_trick=_last_trick(state, done, players),
        proposals=proposal_views(ledger, view),
        takeback=takeback_offer(ledger, view),
        may_claim=may_ask and state.phase is Phase.TRICKS and ClaimRest not in asked,
        may_finish=may_ask and bool(state.finished) and FinishEarly not in asked,
        result=round_result(state, done) if done is not None else None,
        result_of=state.finished[-1].number if state.finished and shows == BOARD else None,
        granted=_granted(done, players),
        needs=needs(state) if shows == RESULT else [],
        standings=standings(state) if done is not None else [],
        winners=[players[seat] for seat in state.winners],
        victory=victory(state),
        finished_early=current is None and len(state.finished) < state.ruleset.options.rounds,
        super_rank=words.capturable(state.ruleset),
        monster_word=words.monster_word(state.ruleset),
    )


def _view_of(state: PublicState, reads: int | None) -> str:
    current = state.current
    if current is None:
        return FINISHED
    if state.finished and (current.board.is_untouched if reads is None else reads < current.number):
        return RESULT
    match state.phase:
        case Phase.TEAMS:
            return TEAMS
        case Phase.DISCARDING | Phase.PASSING:
            return CHOOSE
        case Phase.TRICKS:
            return TRICKS
        case _:
            return BOARD


def _due_key(state: PublicState) -> str:
    """What tells one turn of the same seat from the next."""
    current = state.current
    if current is None:
        return ""
    return f"{current.number}-{state.phase.value}-{len(current.tricks)}-{current.board.markers}"


def _team_question(state: PublicState, shows: str, *, partners: str, start: int | None) -> TeamsView | None:
    return teams_view(state, partners=partners, start=start) if shows == TEAMS else None


def _exchange(view: PlayerView, players: Sequence[Player]) -> list[tuple[str, list[CardView]]]:
    """Before the first trick is complete: what went to the right neighbour, and what came from the left one."""
    current, count = view.public.current, len(players)
    if view.seat is None or current is None or current.tricks or not view.received:
        return []
    given, got = players[(view.seat - 1) % count].name, players[(view.seat + 1) % count].name
    return [
        (_("To {name}").format(name=given), card_views(view.passed)),
        (_("From {name}").format(name=got), card_views(view.received)),
    ]


def _last_trick(state: PublicState, done: FinishedRound | None, players: Sequence[Player]) -> TrickShown | None:
    of = done if done is not None else state.current
    return None if of is None else last_trick(state.ruleset, of, players)


def _granted(done: FinishedRound | None, players: Sequence[Player]) -> str:
    if done is None or done.claimed is None:
        return ""
    return _("The remaining tricks were granted to {name}.").format(name=players[done.claimed].name)


def refusal_sentence(error: NjetError, ledger: Ledger) -> str:
    """Why something was refused, told to a player."""
    names = ledger.current_setup.names
    acting = error.params.get("acting")
    if error.code == "not_your_turn" and isinstance(acting, list) and acting:
        due = words.listing([names[seat] for seat in acting])
        return _("It is not your turn: {names} is due.").format(names=due)
    return words.error_sentence(error, names)


@dataclass(frozen=True)
class CoverPage:
    """What lies between two seats of one phone: no hand.  `to`: who should get it next."""

    game_id: str
    version: int
    view: str
    announcement: str
    to: list[Player]
    others: list[Player]

    @property
    def title(self) -> str:
        """It knows no card."""
        return self.announcement


def cover_page(ledger: Ledger, own: Sequence[int]) -> CoverPage:
    """The cover of a phone that these seats share."""
    players, acting = players_of(ledger.current_setup), ledger.state.acting_seats
    due = [players[seat] for seat in own if seat in acting and ledger.bots[seat] is None]
    others = [players[seat] for seat in own if players[seat] not in due]
    names = words.listing([player.name for player in due])
    told = _("Pass the phone to {names}").format(names=names) if due else _("Nobody here is due.")
    return CoverPage(ledger.game_id, ledger.version, "cover", told, due, others)
