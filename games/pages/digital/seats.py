"""The seats around a digital table and its two sides: public facts, for the page and for screen readers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.pages.digital.cards import TableCard, TrickShown
from games.pages.digital.seen import Seen
from games.pages.parts.players import AROUND, Player
from games.rules import (
    FinishedRound,
    Phase,
    Round,
)
from games.rules.scoring import Won, score_round, signed
from games.rules.teams import Teams
from games.services.bot_speed import Phones
from games.texts import words


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


def seat_views(
    seen: Seen,
    phones: Phones,
    *,
    trick: TrickShown | None,
    last: TrickShown | None,
    side: int | None = None,
) -> list[SeatView]:
    """The seats clockwise from the reader's left neighbour; the reader's own is the last.

    `trick`, `last`: the open and the last trick; `side`: the seat from whose side a reader without a seat looks.
    """
    count, from_seat = seen.state.players, side if seen.seat is None else seen.seat
    first = 0 if from_seat is None else from_seat + 1
    order = [(first + step) % count for step in range(count)]
    lying, lay = ({place.player.seat: place for place in each.places} if each else {} for each in (trick, last))
    return [
        _seat_view(seen, seat, phones.get(seat, ()), at=at, card=lying.get(seat), last=lay.get(seat), side=side)
        for seat, at in zip(order, AROUND[count], strict=True)
    ]


def _seat_view(
    seen: Seen,
    seat: int,
    phones: Sequence[int],
    *,
    at: str,
    card: TableCard | None,
    last: TableCard | None,
    side: int | None,
) -> SeatView:
    state, player, bot = seen.state, seen.players[seat], seen.ledger.bots[seat]
    facts = _facts_of(seen, seat)
    tag, is_ours = relation(seen.played, seen.seat, seat, side=side)
    return SeatView(
        player=player,
        at=at,
        is_me=seat == seen.seat,
        is_due=seen.done is None and seat in state.acting_seats,
        is_ours=is_ours,
        # There is little room, and a seat that is no partner is an opponent.
        tag=tag if is_ours or seen.seat is None else "",
        bot="" if bot is None else words.bot_name(bot),
        total=signed(state.totals[seat]),
        facts=facts,
        words=", ".join(_words_of(seen, player, bot, tag, facts)),
        phones=" ".join(map(str, phones)),
        card=card,
        last=last,
    )


def side_views(
    played: Round | FinishedRound | None, viewer: int | None, names: Sequence[str], *, side: int | None = None
) -> list[SideView]:
    """The reader's team and the other one in a round; none before the teams are named.

    `side`: the seat from whose side a reader without a seat looks.
    """
    if played is None or played.teams is None or played.conditions is None:
        return []
    won = played.won if isinstance(played, FinishedRound) else played.won(played.teams.players)
    score = score_round(teams=played.teams, points_per_trick=played.conditions.points, won=won)
    views = []
    for team, scored in ((played.teams.own, score.own), (played.teams.other, score.other)):
        ours = _looks_from(viewer, side, played.teams) in team
        counted = Won(sum(won[seat].tricks for seat in team), sum(won[seat].captured for seat in team))
        members = words.listing([names[seat] for seat in team])
        name = _side_name(viewer, is_ours=ours if viewer is not None else team == played.teams.own)
        if len(names) == 2 and viewer is not None:
            name = _("You") if ours else members
        sentence = _("{side}: {count}; {points} points so far").format(
            side=name, count=words.tricks_and_captured(counted.tricks, counted.captured), points=signed(scored.total)
        )
        views.append(SideView(name, members, ours, counted, signed(scored.total), sentence))
    return sorted(views, key=lambda side: not side.is_ours)


def _side_name(viewer: int | None, *, is_ours: bool) -> str:
    if viewer is None:
        return _("Team 1") if is_ours else _("Team 2")
    return words.side(is_ours=is_ours)


def _facts_of(seen: Seen, seat: int) -> SeatFacts:
    state, current, done = seen.state, seen.state.current, seen.done
    if done is not None:
        return SeatFacts(None, None, done.won[seat], has_monster=done.teams.monster == seat, has_chosen=False)
    markers = state.markers_left[seat] if state.phase is Phase.PLACING else None
    if current is None:
        return SeatFacts(None, markers, None, has_monster=False, has_chosen=False)
    return SeatFacts(
        cards=current.hand_sizes[seat] if current.hand_sizes else None,
        markers=markers,
        won=current.won(state.players)[seat] if current.teams is not None else None,
        has_monster=current.teams is not None and current.teams.monster == seat,
        has_chosen=seat in current.chosen,
    )


def _words_of(seen: Seen, player: Player, bot: str | None, relation: str, facts: SeatFacts) -> list[str]:
    """Everything that is shown of a seat, for a screen reader."""
    total = seen.state.totals[player.seat]
    return [
        text
        for text in (
            _("You") if player.seat == seen.seat else player.name,
            words.plain(words.bot_name(bot)) if bot is not None else "",
            relation,
            words.monster_word(seen.state.ruleset) if facts.has_monster else "",
            facts.left,
            words.tricks_and_captured(facts.won.tricks, facts.won.captured) if facts.won is not None else "",
            _("has chosen") if facts.has_chosen else "",
            ngettext("{total} point", "{total} points", abs(total)).format(total=signed(total)),
        )
        if text
    ]


def _looks_from(viewer: int | None, side: int | None, teams: Teams) -> int:
    """The seat whose team is “ours”: of readers without a side the start player."""
    return next(seat for seat in (viewer, side, teams.own[0]) if seat is not None)


def relation(
    played: Round | FinishedRound | None, viewer: int | None, seat: int, *, side: int | None = None
) -> tuple[str, bool]:
    """The relation of a seat to the reader in words in a round, and whether they are in one team.

    `side`: as for `side_views`.
    """
    teams = None if played is None else played.teams
    if teams is None:
        return "", False
    ours = seat in teams.team_of(_looks_from(viewer, side, teams))
    if viewer is None:
        return (_("team 1") if seat in teams.own else _("team 2")), ours
    if seat == viewer:
        return "", True
    return (_("partner") if ours else _("opponent")), ours
