"""What the parts of a digital page see: the game of one reader, read once."""

from __future__ import annotations

from dataclasses import dataclass

from games.log.ledger import Ledger
from games.pages.parts.players import Player, players_of
from games.rules import FinishedRound, Phase, PublicState, Round
from games.rules.redaction import PlayerView
from games.rules.replay import HintEntry
from games.services.hints import Hints

BOARD, TEAMS, CHOOSE, TRICKS, RESULT, FINISHED = "board", "teams", "choose", "tricks", "result", "finished"
_PHASES = {Phase.TEAMS: TEAMS, Phase.DISCARDING: CHOOSE, Phase.PASSING: CHOOSE, Phase.TRICKS: TRICKS}


@dataclass(frozen=True)
class Seen:
    """A digital game as the reader of a ledger sees it.

    `seat`: the reader's, None for a spectator; `plays`: the same, but None while a bot plays for them; `is_due`:
    whether it is their turn; `shows`: the phase of the page; `done`: the finished round that it shows in place of the
    next one; `played`: the round that it shows; `hint`: for the reader's present decision.
    """

    ledger: Ledger
    state: PublicState
    view: PlayerView
    players: tuple[Player, ...]
    seat: int | None
    plays: int | None
    is_due: bool
    shows: str
    done: FinishedRound | None
    played: Round | FinishedRound | None
    hint: HintEntry | None

    @classmethod
    def of(cls, ledger: Ledger, reads: int | None = None) -> Seen:
        """`reads`: the round that the reader is in, if they have said so."""
        state, view = ledger.state, ledger.view
        assert view is not None, "a digital game is read through a view"
        plays = None if view.seat is None or ledger.bots[view.seat] is not None else view.seat
        shows = _phase_of(state, reads)
        done = state.finished[-1] if state.finished and shows in (RESULT, FINISHED) else None
        return cls(
            ledger=ledger,
            state=state,
            view=view,
            players=players_of(state.setup),
            seat=view.seat,
            plays=plays,
            is_due=plays in state.acting_seats,
            shows=shows,
            done=done,
            played=done or state.current,
            hint=None if shows == RESULT else Hints(ledger).of(view.seat),
        )


def _phase_of(state: PublicState, reads: int | None) -> str:
    current, finished = state.current, state.finished
    if current is None:
        # The last trick and the result of its round are seen before the end, by those who were in that round.
        return RESULT if finished and reads == len(finished) else FINISHED
    # A result stays until the reader goes on to the next round, also if a bot places the next marker at once.
    if finished and (current.board.is_untouched if reads is None else reads < current.number):
        return RESULT
    return _PHASES.get(state.phase, BOARD)
