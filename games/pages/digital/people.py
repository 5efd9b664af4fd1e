"""The players around a digital table: the public facts of each seat, whose turn it is, and what they ask each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.log.ledger import Ledger
from games.pages.digital.cards import TableCard, TrickShown
from games.pages.parts.announcement import event, victory
from games.pages.parts.cards import CardView, card_views
from games.pages.parts.players import Player, players_of
from games.rules import (
    Action,
    ActionEntry,
    Deal,
    Discard,
    FinishedRound,
    Key,
    Pass,
    Phase,
    Place,
    Play,
    PublicState,
    Round,
    Setup,
)
from games.rules.proposals import ClaimRest, OpenProposal, Takeback
from games.rules.redaction import PlayerView
from games.rules.replay import AnswerEntry, HintEntry, ProposalEntry
from games.rules.scoring import Won, score_round, signed
from games.texts import words
from games.texts.entries import describe_proposal
from games.texts.hints import describe_hint


@dataclass(frozen=True)
class SeatFacts:
    """The cards or markers that a seat has left in the round, and what it has won; None without a count."""

    cards: int | None
    markers: int | None
    won: Won | None
    has_monster: bool
    has_chosen: bool

    @property
    def left(self) -> str:
        """The markers or cards that are left, in words."""
        if self.markers is not None:
            return ngettext("{count} marker left", "{count} markers left", self.markers).format(count=self.markers)
        if self.cards is not None:
            return ngettext("{count} card", "{count} cards", self.cards).format(count=self.cards)
        return ""

    @property
    def figures(self) -> str:
        """Tricks and captured cards as on the pad: “3+1”."""
        if self.won is None:
            return ""
        return f"{self.won.tricks}+{self.won.captured}" if self.won.captured else str(self.won.tricks)

    @property
    def count(self) -> str:
        """Tricks and captured cards in words."""
        return "" if self.won is None else words.count_line(self.won.tricks, self.won.captured)


@dataclass(frozen=True)
class SeatView:
    """A seat as everybody sees it.

    `at`: where it sits around the table, seen by the reader; `tag`: partner of the reader, or the number of the team;
    `bot`: which one plays; `words`: all of it for a screen reader; `phones`: the keys whose phones this seat is played
    on; `card`, `last`: its place in the open and in the last trick.
    """

    player: Player
    at: str
    is_me: bool
    is_due: bool
    is_ours: bool
    tag: str
    bot: str
    total: str
    facts: SeatFacts
    words: str
    phones: str
    card: TableCard | None
    last: TableCard | None


@dataclass(frozen=True)
class DueView:
    """The panel that says whose turn it is.  `player` is None where several are due."""

    player: Player | None
    headline: str
    detail: str
    is_mine: bool


@dataclass(frozen=True)
class ProposalView:
    """A proposal, to be answered or withdrawn.

    `lapses`: it lapses with the next card, so that the game waits for the answers.
    """

    seq: int
    text: str
    cards: list[CardView]
    is_mine: bool
    may_answer: bool
    lapses: bool
    waiting: str


@dataclass(frozen=True)
class TakebackOffer:
    """The latest action of the seat, which it may ask to take back with everything after it.  `to_seq` stays."""

    text: str
    to_seq: int


# --- seats ---


AROUND = {
    2: ("n", "me"),
    3: ("w", "e", "me"),
    4: ("w", "n", "e", "me"),
    5: ("w", "nw", "ne", "e", "me"),
}
"""Where the seats are around the table, clockwise from the reader's left neighbour, by the number of players."""


def seat_views(
    ledger: Ledger,
    view: PlayerView,
    phones: Mapping[int, Sequence[int]],
    *,
    trick: TrickShown | None,
    last: TrickShown | None,
    done: FinishedRound | None = None,
) -> list[SeatView]:
    """The seats clockwise from the reader's left neighbour; the reader's own is the last.

    `trick`, `last`: the open and the last trick; `done`: a finished round that is shown in place of the next one.
    """
    state = ledger.state
    first = 0 if view.seat is None else view.seat + 1
    order = [(first + step) % state.players for step in range(state.players)]
    players = players_of(ledger.current_setup)
    lying, lay = ({place.player.seat: place for place in each.places} if each else {} for each in (trick, last))
    return [
        _seat_view(
            ledger,
            view,
            players[seat],
            phones.get(seat, ()),
            at=at,
            card=lying.get(seat),
            last=lay.get(seat),
            done=done,
        )
        for seat, at in zip(order, AROUND[state.players], strict=True)
    ]


def _seat_view(
    ledger: Ledger,
    view: PlayerView,
    player: Player,
    phones: Sequence[int],
    *,
    at: str,
    card: TableCard | None,
    last: TableCard | None,
    done: FinishedRound | None,
) -> SeatView:
    state, seat, bot = ledger.state, player.seat, ledger.bots[player.seat]
    facts = _facts_of(state, seat, done)
    relation, is_ours = _relation(done or state.current, view.seat, seat)
    return SeatView(
        player=player,
        at=at,
        is_me=seat == view.seat,
        is_due=done is None and seat in state.acting_seats,
        is_ours=is_ours,
        # There is little room, and a seat that is no partner is an opponent.
        tag=relation if is_ours or view.seat is None else "",
        bot="" if bot is None else words.bot_name(bot),
        total=signed(state.totals[seat]),
        facts=facts,
        words=", ".join(_words_of(state, view, player, bot, relation, facts)),
        phones=" ".join(map(str, phones)),
        card=card,
        last=last,
    )


@dataclass(frozen=True)
class SideView:
    """A team in the round so far.

    `members`: their names; `is_ours`: the reader's, or for spectators the start player's; `points`: what it would score
    if the round ended now.
    """

    name: str
    members: str
    is_ours: bool
    won: Won
    points: str
    words: str


def side_views(played: Round | FinishedRound | None, viewer: int | None, names: Sequence[str]) -> list[SideView]:
    """The reader's team and the other one in a round; none before the teams are named."""
    if played is None or played.teams is None or played.conditions is None:
        return []
    won = played.won if isinstance(played, FinishedRound) else played.won(played.teams.players)
    score = score_round(teams=played.teams, points_per_trick=played.conditions.points, won=won)
    views = []
    for team, scored in ((played.teams.own, score.own), (played.teams.other, score.other)):
        ours = viewer in team if viewer is not None else team == played.teams.own
        counted = Won(sum(won[seat].tricks for seat in team), sum(won[seat].captured for seat in team))
        name = _side_name(viewer, is_ours=ours)
        sentence = _("{side}: {count}; {points} points so far").format(
            side=name, count=words.tricks_and_captured(counted.tricks, counted.captured), points=signed(scored.total)
        )
        members = words.listing([names[seat] for seat in team])
        views.append(SideView(name, members, ours, counted, signed(scored.total), sentence))
    return sorted(views, key=lambda side: not side.is_ours)


def _side_name(viewer: int | None, *, is_ours: bool) -> str:
    if viewer is None:
        return _("Team 1") if is_ours else _("Team 2")
    return _("Us") if is_ours else _("Them")


def _facts_of(state: PublicState, seat: int, done: FinishedRound | None) -> SeatFacts:
    current = state.current
    if done is not None:
        return SeatFacts(
            cards=None,
            markers=None,
            won=done.won[seat],
            has_monster=done.teams.monster == seat,
            has_chosen=False,
        )
    markers = state.markers_left[seat] if state.phase is Phase.PLACING else None
    if current is None:
        return SeatFacts(cards=None, markers=markers, won=None, has_monster=False, has_chosen=False)
    return SeatFacts(
        cards=current.hand_sizes[seat] if current.hand_sizes else None,
        markers=markers,
        won=current.won(state.players)[seat] if current.teams is not None else None,
        has_monster=current.teams is not None and current.teams.monster == seat,
        has_chosen=seat in current.chosen,
    )


def _words_of(
    state: PublicState, view: PlayerView, player: Player, bot: str | None, relation: str, facts: SeatFacts
) -> list[str]:
    """Everything that is shown of a seat, for a screen reader."""
    return [
        text
        for text in (
            _("You") if player.seat == view.seat else player.name,
            words.plain(words.bot_name(bot)) if bot is not None else "",
            relation,
            words.monster_word(state.ruleset) if facts.has_monster else "",
            facts.left,
            words.tricks_and_captured(facts.won.tricks, facts.won.captured) if facts.won is not None else "",
            _("has chosen") if facts.has_chosen else "",
            ngettext("{total} point", "{total} points", abs(state.totals[player.seat])).format(
                total=signed(state.totals[player.seat])
            ),
        )
        if text
    ]


def _relation(played: Round | FinishedRound | None, viewer: int | None, seat: int) -> tuple[str, bool]:
    """The relation of a seat to the reader in words in a round, and whether they are in one team."""
    teams = None if played is None else played.teams
    if teams is None:
        return "", False
    if viewer is None:
        first = seat in teams.own
        return (_("team 1") if first else _("team 2")), first
    ours = seat in teams.team_of(viewer)
    if seat == viewer:
        return "", True
    return (_("partner") if ours else _("opponent")), ours


# --- whose turn ---


def player_of(ledger: Ledger, view: PlayerView) -> int | None:
    """The seat that the reader plays; None for a spectator, and while a bot plays for the reader."""
    return None if view.seat is None or ledger.bots[view.seat] is not None else view.seat


def due_view(state: PublicState, viewer: int | None, players: Sequence[Player], *, duty: str = "") -> DueView | None:
    """Whose turn it is and what is to be done, for this reader; None once the game is over.

    `duty`: what the reader's hand has to play.
    """
    if state.current is None or not state.acting_seats:
        return None
    acting = state.acting_seats
    is_mine = viewer in acting
    if state.phase in (Phase.DISCARDING, Phase.PASSING):
        return _choosing(state, viewer, players)
    player = players[acting[0]]
    headline = _("Your turn") if is_mine else _whose(state, player)
    return DueView(player, headline, duty or _detail(state, is_mine=is_mine), is_mine)


def _whose(state: PublicState, player: Player) -> str:
    assert state.current is not None, "somebody is due while a round is played"
    match state.phase:
        case Phase.PLACING:
            text = _("{name} covers")
        case Phase.TEAMS:
            text = _("{name} picks partners")
        case _:
            text = _("{name} plays") if state.current.table else _("{name} leads")
    return text.format(name=player.name)


def _detail(state: PublicState, *, is_mine: bool) -> str:
    current = state.current
    assert current is not None, "somebody is due while a round is played"
    match state.phase:
        case Phase.PLACING:
            return _("cover a space") if is_mine else ""
        case Phase.TEAMS:
            return _("you start: pick your partners") if is_mine else ""
        case _:
            if current.table:
                return _("{suit} was led").format(suit=words.SUIT_NAMES[current.table[0].suit.value])
            return _("you lead: any card") if is_mine else ""


def trick_number(state: PublicState) -> str:
    """How far the tricks of the round are, empty in the other phases."""
    current = state.current
    return "" if state.phase is not Phase.TRICKS or current is None else _trick_of(state, len(current.tricks) + 1)


def last_number(state: PublicState, last: TrickShown | None, done: FinishedRound | None) -> str:
    """The number of the last trick, for as long as it lies on the table still."""
    return "" if last is None else _trick_of(state, last.number, all=len(done.tricks) if done is not None else None)


def _trick_of(state: PublicState, number: int, all: int | None = None) -> str:
    bounds = state.tally_bounds
    all = bounds.tricks if all is None and bounds is not None else all
    return "" if all is None else _("trick {number} of {all}").format(number=number, all=all)


def _choosing(state: PublicState, viewer: int | None, players: Sequence[Player]) -> DueView:
    assert state.current is not None, "cards are chosen in a round"
    assert state.current.conditions is not None, "cards are chosen after the settled board"
    duty = words.choose_duty(state.current.conditions.discard, state.ruleset)
    if viewer in state.acting_seats:
        if state.phase is Phase.PASSING:
            duty = _pass_to(state, viewer, players)
        return DueView(players[viewer], words.plain(duty), _("everybody at once, face down"), is_mine=True)
    names = words.listing([players[seat].name for seat in state.acting_seats])
    return DueView(None, _("Waiting for {names}").format(names=names), duty, is_mine=False)


def _pass_to(state: PublicState, seat: int, players: Sequence[Player]) -> str:
    """To whom a seat passes its cards: the right neighbour, by name and side."""
    right = (seat - 1) % len(players)
    _relation_word, is_ours = _relation(state.current, seat, right)
    text = _("pass 2 cards to {name}, your partner") if is_ours else _("pass 2 cards to {name}, your opponent")
    return text.format(name=players[right].name)


# --- for screen readers ---


def announcement(ledger: Ledger, view: PlayerView) -> str:
    """What happened last and whose turn it is: one text that changes with every event."""
    parts = [happened(ledger), _due_sentence(ledger.state, player_of(ledger, view))]
    return " ".join(part for part in parts if part)


def title(ledger: Ledger, view: PlayerView) -> str:
    """Whose turn it is, for the title of the page.

    It names no card: a browser keeps titles in its history, and several players may share a phone.
    """
    text = _due_sentence(ledger.state, player_of(ledger, view))
    return text.removesuffix(".")


def happened(ledger: Ledger) -> str:
    """The latest event in a sentence."""
    entries = [each for each in ledger.entries if not _is_deal(each)]
    if not entries:
        return _("The cards are dealt.")
    text = event(ledger, entries[-1])
    if isinstance(entries[-1], HintEntry):
        text = describe_hint(entries[-1], ledger.current_setup) or text
    if isinstance(entries[-1], ActionEntry) and isinstance(entries[-1].action, Play):
        text = " ".join(part for part in (text, _after_play(ledger)) if part)
    return text


def _is_deal(entry: object) -> bool:
    return isinstance(entry, ActionEntry) and isinstance(entry.action, Deal)


def _after_play(ledger: Ledger) -> str:
    """What ended with the card that was played."""
    state, names = ledger.state, ledger.current_setup.names
    current = state.current
    if current is None or not current.conditions:
        number = state.finished[-1].number if state.finished else 1
        return _("Round {number} is over.").format(number=number)
    if current.table or not current.tricks:
        return ""
    return _("{name} wins the trick.").format(name=names[current.tricks[-1].winner])


def _due_sentence(state: PublicState, viewer: int | None) -> str:
    if state.current is None:
        return victory(state)
    due = due_view(state, viewer, players_of(state.setup))
    if due is None:
        return ""
    if due.is_mine and due.headline != _("Your turn"):
        return _("Your turn: {duty}.").format(duty=due.headline)
    return _("{headline}.").format(headline=due.headline)


# --- proposals ---


def proposal_views(ledger: Ledger, view: PlayerView) -> list[ProposalView]:
    """The open proposals, the oldest first."""
    return [_proposal_view(ledger, view, each) for each in ledger.counting.proposals]


def _proposal_view(ledger: Ledger, view: PlayerView, asked: OpenProposal) -> ProposalView:
    names = ledger.current_setup.names
    waiting = asked.waiting(ledger.state.players)
    is_claim = isinstance(asked.proposal, ClaimRest)
    text = describe_proposal(ledger, asked.proposal, asked.seat)
    if is_claim:
        text = _("{name} claims all remaining tricks and shows these cards:").format(name=names[asked.seat])
    return ProposalView(
        seq=asked.seq,
        text=text,
        cards=card_views(asked.proposal.cards) if isinstance(asked.proposal, ClaimRest) else [],
        is_mine=view.seat == asked.seat,
        may_answer=view.seat in waiting,
        lapses=isinstance(asked.proposal, Takeback | ClaimRest),
        waiting=_("Still to answer: {names}").format(names=words.listing([names[seat] for seat in waiting])),
    )


def refusal_of(ledger: Ledger, view: PlayerView) -> str:
    """Who refused what the seat asked for last, in a sentence; empty once it has acted or asked again."""
    for entry in reversed(ledger.entries):
        if isinstance(entry, AnswerEntry) and not entry.agrees and entry.seat != view.seat:
            asked = ledger.entry(entry.about)
            if isinstance(asked, ProposalEntry) and asked.seat == view.seat:
                return _("{name} does not agree.").format(name=ledger.current_setup.names[entry.seat])
        step = ledger.step(Key(entry.seq)) if isinstance(entry, ActionEntry) else None
        if (step is not None and step.seat in (view.seat, None)) or (
            isinstance(entry, ProposalEntry) and entry.seat == view.seat
        ):
            return ""
    return ""


def takeback_offer(ledger: Ledger, view: PlayerView, *, of_others: bool = False) -> TakebackOffer | None:
    """The latest action of the seat, which it may ask to take back; None if there is none, or it has asked already.

    What bots did since is undone with it.  `of_others`: also what other people did; otherwise there is no offer then.
    """
    if player_of(ledger, view) is None or ledger.state.current is None:
        return None
    if any(each.seat == view.seat and isinstance(each.proposal, Takeback) for each in ledger.counting.proposals):
        return None
    others = any(bot is None and seat != view.seat for seat, bot in enumerate(ledger.bots))
    later = 0
    for seq in reversed(ledger.counting.undoable):
        step = ledger.step(Key(seq))
        if step is None or step.seat is None:
            continue
        if step.seat == view.seat:
            return TakebackOffer(_asks_back(step.action, ledger.current_setup, later, others=others), seq - 1)
        if ledger.bots[step.seat] is None and not of_others:
            return None
        later += 1
    return None


def _asks_back(action: Action, setup: Setup, later: int, *, others: bool) -> str:
    """The sentence on the button.  `others`: other people are asked, and not only bots."""
    match action:
        case Play(card):
            what = _("my {card}").format(card=words.card_name(card))
        case Place(row, space):
            what = _("my marker on {space}").format(space=words.covered(row, space, setup.ruleset, setup.names))
        case Discard():
            what = _("my discard")
        case Pass():
            what = _("my pass")
        case _:
            what = _("my choice of teams")
    if not later:
        text = _("Ask to take back {what}") if others else _("Take back {what}")
    elif others:
        text = ngettext(
            "Ask to take back {what} and {count} later move", "Ask to take back {what} and {count} later moves", later
        )
    else:
        text = ngettext("Take back {what} and {count} later move", "Take back {what} and {count} later moves", later)
    return text.format(what=what, count=later)
