"""Parts of the statistics pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.groups.statistics.start_lead import START_LEAD, usual_rate
from games.groups.statistics.summary import Cover, GroupSummary, PairSummary, PlayerSummary, Rounds, boxes_of
from games.groups.statistics_queries import Person
from games.pages.statistics import charts
from games.pages.statistics.charts import Bar, Bars, Board, width_of
from games.texts import statistics as said
from games.texts import words

FIRST_SPACES = 5
"""How many spaces are listed for the first marker of a round."""


@dataclass(frozen=True)
class Tile:
    """A large figure, its label and a note."""

    figure: str
    label: str
    note: str = ""


@dataclass(frozen=True)
class Covered:
    """The spaces that markers cover, and the first one of a round."""

    board: Board
    firsts: Bars
    note: str


def line_of(label: str, kind: Rounds, person: Person | None = None, pair: tuple[str, ...] = ()) -> Bar:
    """Rounds of one kind: the share that was won, their points and their number; half, or what is usual, is marked."""
    usual = kind.usual_rate
    return Bar(
        label,
        width_of(kind.win_rate),
        said.share(kind.win_rate),
        [said.mean(kind.points_per_round), said.whole(kind.rounds)],
        few=kind.few,
        person=person,
        pair=pair,
        note="" if usual is None else _("usual: {share}").format(share=said.share(usual)),
        mark=width_of(0.5 if usual is None else usual),
    )


def start_lead() -> str:
    """How often the start player's team wins between equals."""
    two, three, four, five = (said.share(usual_rate(players, names_teams=True)) for players in sorted(START_LEAD))
    return _(
        "In games between strong bots the start player’s team wins {three} of the rounds with three players, "
        "{four} with four and {five} with five; with two it is {two}."
    ).format(two=two, three=three, four=four, five=five)


def mixed(summary: GroupSummary | PlayerSummary | PairSummary) -> str:
    """That figures are means over several boxes or numbers of players, and over which; empty if they are not."""
    boxes = [words.box_of_cards(edition) for edition in boxes_of(summary.by_preset)]
    of_boxes = _("Averages here are over different boxes: {boxes}.").format(boxes=words.listing(boxes))
    of_counts = _("Averages here are over different numbers of players: {counts}.").format(
        counts=words.listing(list(summary.by_players))
    )
    return said.sentences([of_boxes if len(boxes) > 1 else "", of_counts if len(summary.by_players) > 1 else ""])


def conditions_board(presets: Sequence[str], counts: charts.Counts, rounds: int) -> Board | None:
    """The conditions of these rounds on a board."""
    return charts.board(
        charts.spaces_of(presets),
        counts,
        dict.fromkeys(counts, rounds),
        heads=[_("Space"), _("Rounds"), pgettext("part of all", "Share")],
    )


def covered(drawn: Board | None, covers: Sequence[Cover], placed: int, *, few: bool) -> Covered | None:
    """The spaces that markers cover, over `placed` rounds with a recorded marker."""
    if drawn is None:
        return None
    first = sorted((cover for cover in covers if cover.first_count), key=lambda cover: -cover.first_count)
    firsts = [
        Bar(
            said.space_anywhere(cover.row, cover.space),
            width_of(cover.first_count, first[0].first_count),
            said.share(cover.first_count / placed),
            [said.whole(cover.first_count)],
        )
        for cover in first[:FIRST_SPACES]
    ]
    return Covered(
        board=drawn,
        firsts=Bars([_("First marker"), pgettext("part of all", "Share"), _("Rounds")], firsts),
        note=said.only_rounds(placed) if few else "",
    )


def by_space(covers: Iterable[Cover], field: str) -> dict[str, dict[str, int]]:
    """One of the numbers of each space (a field of `Cover`), by row and space."""
    counts: dict[str, dict[str, int]] = {}
    for cover in covers:
        counts.setdefault(cover.row, {})[cover.space] = getattr(cover, field) or 0
    return counts
