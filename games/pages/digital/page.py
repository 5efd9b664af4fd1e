"""The digital table: what a game with the cards on the phones shows to one reader in any phase.

Everything is taken from a ledger that holds only what its reader may see.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from django.utils.translation import gettext as _

from games.bots import can_claim, why_holder
from games.log.ledger import Ledger
from games.pages.digital.cards import (
    GoneLine,
    HandView,
    LogLine,
    TrickShown,
    cards_gone,
    cards_of,
    hand_of,
    last_trick,
    open_trick,
    own_cards,
    tricks_won,
)
from games.pages.digital.coach import tip
from games.pages.digital.dealt import DealtHand, dealt_hands
from games.pages.digital.end import EndView, end_view
from games.pages.digital.proposals import (
    ProposalView,
    Reply,
    TakebackOffer,
    proposal_views,
    refusal_of,
    takeback_offer,
    taken_back,
    why_no_takeback,
)
from games.pages.digital.seats import SeatView, SideView, seat_views, side_views
from games.pages.digital.seen import BOARD, CHOOSE, RESULT, TEAMS, TRICKS, Seen
from games.pages.digital.teams import TeamsAsked, teams_asked
from games.pages.digital.turn import (
    DueView,
    announcement,
    due_view,
    happened,
    last_number,
    title,
    trick_number,
)
from games.pages.parts.announcement import event
from games.pages.parts.board import SpaceView, space_of
from games.pages.parts.cards import CardView, card_views
from games.pages.parts.conditions import needs
from games.pages.parts.round import RoundView, round_view
from games.pages.parts.standings import ResultView, StandingLine, result_view, standings
from games.pages.parts.teams import teams_view
from games.rules import (
    Action,
    ActionEntry,
    Deal,
    NameTeam,
    NjetError,
    Phase,
    Place,
    PublicState,
    Setup,
)
from games.rules.proposals import ClaimRest
from games.services.bot_speed import Phones
from games.services.hints import Hints
from games.texts import refusals, words
from games.texts.hints import advised, advised_holder, reason_sentence, why_of


@dataclass(frozen=True)
class CardsHeld:
    """The cards on the phone of a seat: its hand, those chosen face down, those passed, and the tricks on the table.

    `gone`: those in complete tricks and its own discards, by suit, while tricks are played; `dealt`: all hands of the
    round whose result is shown, if the players agreed on that.
    """

    hand: HandView | None
    chosen: list[CardView]
    exchange: list[str]
    trick: TrickShown | None
    last_trick: TrickShown | None
    gone: list[GoneLine]
    dealt: list[DealtHand]


@dataclass(frozen=True)
class Asking:
    """What the players ask of each other, and what this seat may ask.

    `refused`: who refused what this seat asked for last; `undone`: what was taken back just now; `no_takeback`: what
    cannot be taken back, with the reason; `hints`: whether the seat ever may ask for one.
    """

    proposals: list[ProposalView]
    refused: Reply | None
    undone: Reply | None
    takeback: TakebackOffer | None
    no_takeback: TakebackOffer | None
    may_claim: bool
    hints: bool
    may_hint: bool

    @property
    def holds_play(self) -> bool:
        """Whether a proposal is open that the next card would let lapse."""
        return any(proposal.lapses for proposal in self.proposals)

    @property
    def to_answer(self) -> ProposalView | None:
        """The newest proposal for which the game waits and that this seat has to answer: in the thumb bar."""
        return next((each for each in reversed(self.proposals) if each.lapses and each.may_answer), None)


@dataclass(frozen=True)
class Reader:
    """Who reads the page.

    `seat`: whose hand it shows, None for a spectator; `reads`: the round that they are in; `result_of`: the round whose
    result they may look at again; `bot_plays`: whether a bot plays for their seat; `is_due`: whether it is their turn;
    `due`: a text that differs for each of their turns, empty between them.
    """

    seat: int | None
    reads: int
    result_of: int | None
    bot_plays: bool
    is_due: bool
    due: str

    @property
    def plays(self) -> bool:
        """Whether they have a seat."""
        return self.seat is not None


@dataclass(frozen=True)
class Advice:
    """What the coach says to a learner; or a hint, if it `is_hint`: its reason, its action and the space of that."""

    text: str
    is_hint: bool
    action: Action | None
    space: SpaceView | None


@dataclass(frozen=True)
class TricksSoFar:
    """The numbers of the open and the last trick in words; `log`: what happened in the round, the latest first."""

    number: str
    last_number: str
    log: list[LogLine]


@dataclass(frozen=True)
class DigitalPage:
    """Everything that the fragment of a digital table shows to one reader.

    `sides`: the two teams so far; `standings`: before the round on the page; `latest`: the space that was covered last.
    """

    game_id: str
    version: int
    view: str
    locked: bool
    announcement: str
    title: str
    reader: Reader
    turn: DueView | None
    advice: Advice
    seats: list[SeatView]
    teams: TeamsAsked
    round: RoundView
    cards: CardsHeld
    asking: Asking
    result: ResultView
    tricks: TricksSoFar
    sides: list[SideView]
    standings: list[StandingLine]
    latest: SpaceView | None
    end: EndView | None

    @property
    def shows_conditions(self) -> bool:
        """Whether the settled board stays in sight: from the teams on, until the next board."""
        return bool(self.round.conditions) and self.view in (CHOOSE, TRICKS, RESULT)

    @property
    def shows_counts(self) -> bool:
        """Whether the banner has the counts of both teams beside it."""
        return bool(self.sides) and self.view in (TRICKS, RESULT)

    @property
    def me(self) -> SeatView | None:
        """The reader's own seat."""
        return next((seat for seat in self.seats if seat.is_me), None)

    @property
    def awaited(self) -> SeatView | None:
        """The seat of the person whose turn it is, None if it is the reader's own, or if several are due."""
        due = self.turn.player if self.turn is not None else None
        others = (seat for seat in self.seats if not seat.is_me and not seat.bot)
        return next((seat for seat in others if due is not None and seat.player.seat == due.seat), None)

    @property
    def missing(self) -> str:
        """The names of those who have not come yet, as JSON; empty if all have."""
        names = [seat.player.name for seat in self.seats if not seat.phones and not seat.bot]
        return json.dumps(names) if names else ""

    @property
    def goes_on_to(self) -> int:
        """The round that follows the result on the page; after the last one the end."""
        return self.round.number + 1


def digital_page(
    ledger: Ledger,
    *,
    reads: int | None = None,
    partners: str = "",
    start: int | None = None,
    shown: Sequence[str] = (),
    phones: Phones | None = None,
    side: int | None = None,
) -> DigitalPage:
    """The page of a digital game for the reader of this ledger.

    `reads`: the round that the reader is in: the result of a round stays on their page until they go on to the next,
    also if a bot places the next marker at once; `partners`, `start`: what has been tapped of the teams so far;
    `shown`: cards that a refusal has named; `phones`: the keys by which phones are present; `side`: the seat from whose
    side a reader without a seat looks.
    """
    seen = Seen.of(ledger, reads)
    state, shows = seen.state, seen.shows
    held = _cards_held(seen, shown=shown)
    # A result is read under the number of its own round.
    round = round_view(state, shows_board=shows in (BOARD, TEAMS), of=seen.done)
    asks_team = seen.is_due and shows == TEAMS
    teams = teams_asked(seen, teams_view(state, partners=partners, start=start) if asks_team else None, round)
    return DigitalPage(
        game_id=ledger.game_id,
        version=ledger.version,
        view=shows,
        locked=ledger.locked,
        announcement=announcement(seen, held.hand, held.exchange),
        title=title(seen),
        reader=_reader(seen),
        turn=_turn(seen, held, teams),
        advice=_advice(seen, round, teams),
        seats=seat_views(seen, phones or {}, trick=held.trick, last=held.last_trick, side=side),
        teams=teams,
        round=round,
        cards=held,
        asking=_asking(seen),
        result=result_view(state, seen.done, needs=needs(state) if shows == RESULT else [], reader=seen.seat),
        tricks=TricksSoFar(trick_number(seen), last_number(seen, held.last_trick), _log(seen)),
        sides=side_views(seen.played, seen.seat, state.setup.names, side=side),
        standings=standings(state if shows != RESULT else replace(state, finished=state.finished[:-1])),
        latest=_latest(ledger, round),
        end=end_view(state, seen.seat, Hints(ledger).counts),
    )


def _reader(seen: Seen) -> Reader:
    finished, shows = seen.state.finished, seen.shows
    return Reader(
        seat=seen.seat,
        reads=len(finished) + (shows != RESULT),
        result_of=finished[-1].number if finished and shows == BOARD else None,
        bot_plays=seen.plays != seen.seat,
        is_due=seen.is_due,
        due=_due_key(seen.state) if seen.is_due else "",
    )


def _turn(seen: Seen, held: CardsHeld, teams: TeamsAsked) -> DueView | None:
    named = [replace(player, name=words.apart(player.name)) for player in seen.players]
    duty = _("the monster doubles what its holder wins") if teams.asks_monster else _duty(seen, held)
    turn, hint = due_view(seen, named, duty=duty), seen.hint
    if turn is None or not turn.is_mine:
        return turn
    # The title of the page has the headline of `due_view`, which is shorter.
    if hint is not None and hint.action is not None:
        setup = _with_names_apart(seen.state.setup)
        said = advised(hint.action, setup) if teams.hinted is None else advised_holder(setup.names[teams.hinted])
        return replace(turn, headline=words.plain(said))
    if seen.shows == TEAMS and not teams.asks_monster:
        return replace(turn, headline=_("Your turn: pick your team"))
    return replace(turn, headline=_("Your turn: cover")) if seen.shows == BOARD else turn


def _duty(seen: Seen, held: CardsHeld) -> str:
    """What the banner says below whose turn it is, where the phase has more to say than what to do."""
    current = seen.state.current
    if seen.shows == BOARD and current is not None and not current.board.is_untouched:
        return happened(seen.ledger, setup=_with_names_apart(seen.state.setup))
    return held.hand.duty if held.hand is not None else ""


def _with_names_apart(setup: Setup) -> Setup:
    """With names that can be cut on the page."""
    return replace(setup, seats=tuple(replace(seat, name=words.apart(seat.name)) for seat in setup.seats))


def _advice(seen: Seen, round: RoundView, teams: TeamsAsked) -> Advice:
    hint = seen.hint
    action = None if hint is None else hint.action
    if not seen.is_due:
        text = ""
    elif hint is None or hint.reason is None:
        text = "" if teams.asks_monster else tip(seen.view)
    else:
        text = why_of(hint, seen.state.setup)
        if teams.hinted is not None and isinstance(action, NameTeam):
            # What the hint has for a reason is one for the partners.
            text = reason_sentence(why_holder(seen.view, action), seen.state.setup)
    return Advice(text, is_hint=hint is not None, action=action, space=space_of(action, round.rows))


def _log(seen: Seen) -> list[LogLine]:
    """Who won the tricks of the round on the page, before them who covered what; the latest first."""
    current = seen.state.current
    if seen.played is not None and seen.played.tricks:
        return tricks_won(seen.state, seen.played)
    actions = (each for each in reversed(seen.ledger.entries) if isinstance(each, ActionEntry))
    of_round = takewhile(lambda each: not isinstance(each.action, Deal), actions)
    log = []
    for entry in of_round:
        if current is not None and isinstance(entry.action, Place):
            row = current.board.row(entry.action.row)
            by = row.marks[row.spaces.index(entry.action.space)]
            if isinstance(by, int):
                log.append(LogLine(seen.players[by], event(seen.ledger, entry)))
    return log


def _latest(ledger: Ledger, round: RoundView) -> SpaceView | None:
    """The space that was covered last in the round on the page."""
    action = next((each.action for each in reversed(ledger.entries) if isinstance(each, ActionEntry)), None)
    return space_of(action, round.rows)


def _cards_held(seen: Seen, *, shown: Sequence[str]) -> CardsHeld:
    hinted = cards_of(None if seen.hint is None else seen.hint.action)
    return CardsHeld(
        hand=hand_of(seen.view, shown=shown, hinted=hinted) if seen.view.hand else None,
        chosen=card_views(seen.view.chosen),
        exchange=_exchange(seen),
        trick=open_trick(seen.state),
        last_trick=last_trick(seen.state, seen.played),
        gone=cards_gone(seen.view) if seen.shows == TRICKS else [],
        dealt=_dealt(seen),
    )


def _dealt(seen: Seen) -> list[DealtHand]:
    if seen.shows != RESULT or seen.done is None or not seen.ledger.setup.open_hands:
        return []
    return dealt_hands(seen.ledger, seen.done.number)


def _asking(seen: Seen) -> Asking:
    hints = Hints(seen.ledger)
    asked = [type(each.proposal) for each in seen.ledger.counting.proposals if each.seat == seen.seat]
    return Asking(
        proposals=proposal_views(seen),
        refused=refusal_of(seen),
        undone=taken_back(seen.ledger),
        takeback=takeback_offer(seen),
        no_takeback=why_no_takeback(seen),
        hints=seen.plays is not None and hints.are_given,
        may_hint=hints.may_ask,
        may_claim=seen.plays is not None
        and seen.state.phase is Phase.TRICKS
        and len(seen.view.hand) > 1
        and ClaimRest not in asked
        and can_claim(seen.view),
    )


def _due_key(state: PublicState) -> str:
    """A text that is different for each turn of a seat."""
    current = state.current
    if current is None:
        return ""
    return f"{current.number}-{state.phase.value}-{len(current.tricks)}-{current.board.markers}"


def _exchange(seen: Seen) -> list[str]:
    """Until the reader plays a card: the cards passed to a neighbour and those from the other one, in words."""
    view, seat, current, players = seen.view, seen.seat, seen.state.current, seen.players
    if seat is None or current is None or current.tricks or not view.received or own_cards(current, seat):
        return []
    to = seen.state.ruleset.edition.passes_to
    given, got = players[(seat + to) % len(players)].name, players[(seat - to) % len(players)].name
    return [
        text.format(name=name, cards=words.listing([words.card_name(card) for card in cards]))
        for text, name, cards in (
            (_("You passed {name} {cards}."), given, view.passed),
            (_("{name} passed you {cards}."), got, view.received),
        )
    ]


def refusal_sentence(error: NjetError, ledger: Ledger) -> str:
    """Why something was refused, as a sentence for a player."""
    names = ledger.current_setup.names
    acting = error.params.get("acting")
    if error.code == "not_your_turn" and isinstance(acting, list) and acting:
        due = words.listing([names[seat] for seat in acting])
        return _("It is not your turn. Wait for {names}.").format(names=due)
    return refusals.error_sentence(error, names)
