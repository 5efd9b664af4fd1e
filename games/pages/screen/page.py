"""The big board, for a television or a tablet in the middle of the table: who is due, what is agreed, who leads."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext

from games.log.ledger import Ledger
from games.pages.digital.cards import TrickShown, last_trick, open_trick
from games.pages.digital.seats import side_views
from games.pages.parts.announcement import announcement, discard_duty, victory
from games.pages.parts.board import SpaceView, TurnView, space_of, turn_view
from games.pages.parts.counting import CountView, count_view
from games.pages.parts.players import Player, players_of, team_views
from games.pages.parts.race import Chart, race_chart
from games.pages.parts.round import RoundView, round_view
from games.pages.parts.shape import Shape
from games.pages.parts.sheet import SheetCell
from games.pages.parts.sheet import sheet as sheet_of
from games.pages.parts.standings import round_result
from games.rules import FinishedRound, Phase, PublicState
from games.rules.scoring import Won, signed
from games.texts import words

PLACING, COUNT, RESULT, FINISHED = "placing", "count", "result", "finished"

# The letters are larger than on the sheet, and a line ends with a token and a total instead of a name.
BESIDE_THE_BOARD = Shape(width=360, height=245, left=60, right=272, top=12, bottom=215, gap=22)
AT_THE_END = Shape(width=360, height=430, left=60, right=272, top=12, bottom=400, gap=22)

# How many of the latest lines of the sheet stand beside the board, and alone at the end.
LATEST, LATEST_AT_THE_END = 1, 6

# Maximum text length for each font size.
SIZES = {"short": 12, "medium": 20, "long": 40}


NAME = "{name}"


@dataclass(frozen=True)
class Headline:
    """The largest text: who is due or has won.

    `sentence`: what they do, with `{name}` where their names, in larger letters, stand.
    """

    players: list[Player]
    name: str
    sentence: str
    detail: str = ""

    @property
    def before(self) -> str:
        """The words before the name."""
        return self.sentence.partition(NAME)[0]

    @property
    def after(self) -> str:
        """The words after the name."""
        return self.sentence.partition(NAME)[2]

    @property
    def size(self) -> str:
        """The font size of the name; no single name is longer than “long”, a list of winners may be."""
        return next((size for size, letters in SIZES.items() if len(self.name) <= letters), "listed")


@dataclass(frozen=True)
class ScoreColumn:
    """A line of the sheet, here a column: its symbol, and its name for screen readers."""

    sign: str
    name: str
    is_latest: bool


@dataclass(frozen=True)
class ScoreLine:
    """A player's line.  `rank` is empty while nothing is on the sheet."""

    player: Player
    rank: str
    cells: list[SheetCell]
    total: str
    is_leader: bool


@dataclass(frozen=True)
class Scores:
    """The score table: the players from the first place on, the latest rounds, the totals."""

    columns: list[ScoreColumn]
    lines: list[ScoreLine]


@dataclass(frozen=True)
class SideLine:
    """A player with their team.

    `figures`: their tricks and captured cards, None as long as `points` of their team are empty; `won`: in words.
    """

    player: Player
    won: str
    leads: bool
    has_monster: bool
    figures: Won | None


@dataclass(frozen=True)
class Side:
    """A team: its players and points.

    `points`: what the round brought each of them; while it is played what the team would score if it ended now, empty
    before the first trick, or before the tricks where cards are recorded.  `so_far`: the latter, in words; `formula`:
    how the former came about.  `is_better`: no other team made more in the round.
    """

    lines: list[SideLine]
    points: str = ""
    so_far: str = ""
    formula: str = ""
    is_better: bool = False


@dataclass(frozen=True)
class ScreenPage:
    """Everything that the big board shows in any phase.

    `sides`: the two teams while tricks are counted, and with the result and at the end; `own`: the seats of the start
    player's team, whose sign is a 1; `progress`: which trick is played, where cards are recorded; `trick`: the cards on
    the table, the last trick until the next is led, None where cards are not recorded and at the end; `latest`: the
    space that was covered last.
    """

    version: int
    view: str
    digital: bool
    round: RoundView
    latest: SpaceView | None
    headline: Headline
    announcement: str
    sides: list[Side]
    own: Collection[int]
    progress: str
    trick: TrickShown | None
    scores: Scores
    chart: Chart | None

    @property
    def is_over(self) -> bool:
        """Whether the game is."""
        return self.view == FINISHED


def screen_page(ledger: Ledger) -> ScreenPage:
    """The big board of a game."""
    state = ledger.state
    view = _view_of(state)
    count = count_view(state) if view == COUNT else None
    ended = view == FINISHED
    # A game of which the points alone are known has no rounds.
    done = state.finished[-1] if state.finished and (ended or view == RESULT) else None
    played = done or state.current
    round = round_view(
        state, shows_board=view == PLACING, duty=discard_duty(state), count=count, of=None if ended else done
    )
    trick = last_trick(state, done) if view == RESULT else _trick(state)
    actions = ledger.counting.actions
    return ScreenPage(
        version=ledger.version,
        view=view,
        digital=state.setup.digital,
        round=round,
        latest=space_of(actions[-1].action, round.rows) if actions else None,
        headline=_leads(state) if view == RESULT else _headline(state, count),
        announcement=announcement(state),
        sides=_sides(state, count) if count is not None else _result(state, done) if done is not None else [],
        own=() if played is None or played.teams is None else played.teams.own,
        progress=_progress(count, trick),
        trick=trick,
        scores=_scores(state, latest=LATEST_AT_THE_END if ended else LATEST),
        chart=race_chart(state, AT_THE_END if ended else BESIDE_THE_BOARD),
    )


def _view_of(state: PublicState) -> str:
    # Cards on the phones lead on from one round to the next: the board shows what the last one brought until the first
    # marker lies.  At a physical table somebody lays the next board then, and it stands here at once.
    if state.current is None:
        return FINISHED
    if state.setup.digital and state.finished and state.current.board.is_untouched:
        return RESULT
    # Until the teams are known there is nothing to count: the board stays, settled or not.
    return PLACING if state.current.teams is None else COUNT


def _headline(state: PublicState, count: CountView | None) -> Headline:
    players = players_of(state.setup)
    if state.phase is Phase.FINISHED:
        return _victory(state, players)
    if state.phase in (Phase.DISCARDING, Phase.PASSING):
        return _choosing(state, players)
    if count is not None:
        current = state.current
        if current is not None and current.table:
            due = players[state.acting_seats[0]]
            sentence = _("{name} plays to trick {number}").format(name=NAME, number=count.recorded + 1)
            return Headline([due], due.name, sentence)
        return _leader(state, count)
    due = players[state.acting_seats[0]]
    turn = turn_view(state)
    if turn is None:
        return Headline([due], due.name, _("{name} names the teams"))
    return Headline([due], due.name, _("{name} covers"), _left(turn))


def _choosing(state: PublicState, players: Sequence[Player]) -> Headline:
    """In a digital game everybody chooses at once: names are said once somebody has chosen."""
    due = [players[seat] for seat in state.acting_seats]
    discards = state.phase is Phase.DISCARDING
    if len(due) == state.players:
        everybody = _("Everybody still has to discard") if discards else _("Everybody still has to pass cards")
        return Headline([], everybody, NAME)
    if discards:
        sentence = ngettext("{name} still has to discard", "{name} still have to discard", len(due))
    else:
        sentence = ngettext("{name} still has to pass cards", "{name} still have to pass cards", len(due))
    return Headline(due, words.listing([player.name for player in due]), sentence)


def _left(turn: TurnView) -> str:
    if turn.following is None:
        return _("{count} left").format(count=turn.left)
    return _("{count} left, then {name}").format(count=turn.left, name=turn.following.name)


def _leader(state: PublicState, count: CountView) -> Headline:
    """Who leads the next trick, and how the last one was won where its cards are known."""
    last = last_trick(state, state.current)
    line = next(each for each in count.lines if each.leads)
    # A table that counts whole rounds records no tricks: “trick 1” would not stay true.
    if count.recorded:
        leads = _("{name} leads trick {number}").format(name=NAME, number=count.recorded + 1)
    else:
        leads = _("{name} leads first")
    return Headline([line.player], line.player.name, leads, "" if last is None else last.sentence)


def _victory(state: PublicState, players: Sequence[Player]) -> Headline:
    winners = [players[seat] for seat in state.winners]
    return Headline(
        players=winners,
        name=words.listing([winner.name for winner in winners]),
        sentence=victory(state, with_total=True, names=NAME),
        detail=words.finished_early(state),
    )


def _leads(state: PublicState) -> Headline:
    """Who leads after a round, and who covers the first space of the next one."""
    players = players_of(state.setup)
    leaders = [players[seat] for seat in state.leaders]
    assert state.current is not None, "after the last round somebody has won"
    first = players[state.ruleset.first_placer(state.current.dealer)]
    return Headline(
        players=leaders,
        name=words.listing([leader.name for leader in leaders]),
        sentence=npgettext("standings", "{name} leads", "{name} lead", len(leaders)),
        detail=_("Round {number}: {name} covers").format(number=state.current.number, name=first.name),
    )


def _sides(state: PublicState, count: CountView) -> list[Side]:
    assert state.current is not None, "tricks are counted while a round is played"
    so_far = side_views(state.current, None, state.setup.names)
    # The cards of a trick have the same room from the first one on.
    shows_won = bool(count.recorded) or (state.setup.digital and state.phase is Phase.TRICKS)
    sides = []
    for team, counted in zip(team_views(state, state.current), so_far, strict=True):
        lines = [count.lines[player.seat] for player in team.players]
        sides.append(
            Side(
                lines=[
                    SideLine(
                        player=line.player,
                        won=line.words if shows_won else "",
                        leads=line.leads,
                        has_monster=line.has_monster,
                        figures=Won(line.tricks, line.captured) if shows_won else None,
                    )
                    for line in lines
                ],
                points=counted.points if shows_won else "",
                so_far=counted.words if shows_won else "",
            )
        )
    return sides


def _result(state: PublicState, done: FinishedRound) -> list[Side]:
    """What a round brought each team."""
    result = round_result(state, done)
    return [
        Side(
            lines=[
                SideLine(
                    player=player,
                    won=words.count_line(member.won.tricks, member.won.captured),
                    leads=False,
                    has_monster=member.weight > 1,
                    figures=member.won,
                )
                for player, member, _words in team.members
            ],
            points=team.points,
            formula=" · ".join(filter(None, [team.formula, result.difference if team.is_marked else ""])),
            is_better=team.is_marked,
        )
        for team in result.teams
    ]


def _progress(count: CountView | None, trick: TrickShown | None) -> str:
    """Which trick of the round is played with cards that are recorded, else empty."""
    if count is None or trick is None:
        return ""
    return _("trick {number} of {all}").format(number=count.recorded + 1, all=count.tricks)


def _trick(state: PublicState) -> TrickShown | None:
    """The open trick, or the last one until the next is led; None at a physical table."""
    trick = open_trick(state) if state.setup.digital else None
    if trick is None or state.current is None or state.current.table:
        return trick
    return last_trick(state, state.current) or trick


def _scores(state: PublicState, *, latest: int) -> Scores:
    pad = sheet_of(state, in_detail=False)
    written = [line for line in pad.lines if line.number is None or line.number <= len(state.finished)][-latest:]
    columns = [
        ScoreColumn(
            # A penalty has no number, and its word is too long for a column.
            sign="±" if line.number is None else line.label,
            name=line.label if line.number is None else _("Round {number}").format(number=line.number),
            is_latest=line is written[-1],
        )
        for line in written
    ]
    lines = [
        ScoreLine(
            player=player,
            rank=str(pad.ranks[player.seat]) if pad.leaders else "",
            cells=[line.cells[player.seat] for line in written],
            total=signed(state.totals[player.seat]),
            is_leader=player.seat in pad.leaders,
        )
        for player in pad.players
    ]
    return Scores(columns, sorted(lines, key=lambda line: (pad.ranks[line.player.seat], line.player.seat)))
