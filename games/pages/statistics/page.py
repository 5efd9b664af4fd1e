"""The page of a group's statistics, section by section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.groups.history import Standing
from games.groups.statistics.summary import GroupSummary, Monster
from games.groups.statistics_queries import CountedPlayer, Person, players_of
from games.models import Group
from games.pages.statistics import charts
from games.pages.statistics.charts import Bar, Bars, Board, width_of
from games.pages.statistics.parts import Covered, Tile, by_space, conditions_board, covered, mixed, start_lead
from games.texts import statistics as said


@dataclass(frozen=True)
class Ranked:
    """A player in the ranking.  `place`: empty while the rating is settling; `width`: of the bar of the rating."""

    place: str
    person: Person
    rating: str
    width: str
    won: str
    points: str
    notes: list[str]


@dataclass(frozen=True)
class GroupPage:
    """The statistics of a group.  `standings`: of some of its games, which have no ranking by rating."""

    is_empty: bool
    waiting: str
    note: str
    mixed: str
    tiles: list[Tile]
    standings: Sequence[Standing]
    ranked: list[Ranked]
    settling: list[Ranked]
    conditions: Board | None
    conditions_note: str
    minus2: str
    covered: Covered | None
    monster: Bars | None
    has_monster_card: bool
    monster_lead: str
    monster_note: str
    rounds: list[Tile]
    super_rank: str | None
    start_lead: str


def group_page(
    summary: GroupSummary,
    players: Sequence[CountedPlayer] = (),
    *,
    standings: Sequence[Standing] = (),
    waiting: str = "",
) -> GroupPage:
    """The page of a group, or with `standings` of some of its games.

    `players`: those with a counted game; `waiting`: the games that are not rated yet.
    """
    presets = list(summary.by_preset)
    ranked, settling = _ranking(players)
    has_card = charts.has_monster_card(presets)
    return GroupPage(
        is_empty=not summary.games,
        waiting=waiting,
        note=said.only_games(summary.games) if summary.few else "",
        mixed=mixed(summary),
        standings=standings,
        tiles=[
            Tile(said.whole(summary.games), ngettext("game", "games", summary.games), _shared(summary.shared)),
            Tile(said.whole(summary.rounds), ngettext("round", "rounds", summary.rounds)),
            Tile(said.mean(summary.points_per_round), _("points a round")),
            *_minutes(summary),
        ],
        ranked=ranked,
        settling=settling,
        conditions=conditions_board(presets, summary.conditions, summary.rounds),
        conditions_note=said.only_rounds(summary.rounds) if summary.few_rounds else "",
        minus2=_minus2(summary),
        covered=_covered_by_all(presets, summary),
        monster=_monster_bars(summary.monster, has_card=has_card) if summary.monster.rounds else None,
        has_monster_card=has_card,
        monster_lead=_monster_lead(summary.monster, has_card=has_card),
        monster_note=said.only_rounds(summary.monster.rounds) if summary.monster.few else "",
        rounds=_round_tiles(summary),
        super_rank=charts.capturable_of(presets),
        start_lead=start_lead(),
    )


def _minutes(summary: GroupSummary) -> list[Tile]:
    """How long a game takes; nothing while that is not known of any."""
    if summary.minutes_per_game is None:
        return []
    each = summary.minutes_per_round
    note = "" if each is None else _("{minutes} a round").format(minutes=said.mean(each, digits=0))
    return [Tile(said.mean(summary.minutes_per_game, digits=0), _("minutes a game"), note)]


def _shared(number: int) -> str:
    return ngettext("{count} shared victory", "{count} shared victories", number).format(count=number) if number else ""


def best_of(group: Group, *, most: int) -> list[Ranked]:
    """The players with the best ratings; none while all ratings are settling."""
    return _ranking(players_of(group))[0][:most]


def _ranking(players: Sequence[CountedPlayer]) -> tuple[list[Ranked], list[Ranked]]:
    """The rated players, the best first, equals in one place; then players with too few games, without a place."""

    def rating(player: CountedPlayer) -> int:
        return player.shown.rating if player.shown is not None else -(10**6)

    ordered = sorted(players, key=lambda each: (-rating(each), each.name, each.id))
    rated = [each for each in ordered if each.shown is not None and not each.shown.settling]
    highest = max(map(rating, rated), default=0)
    # A rating says little yet: the share of games won does.
    others = sorted(
        (each for each in ordered if each.shown is None or each.shown.settling),
        key=lambda each: -(each.summary.win_rate or 0),
    )
    ranked, place = [], 1
    for _rating, equals in groupby(rated, key=rating):
        together = [_ranked(player, highest, str(place)) for player in equals]
        ranked += together
        place += len(together)
    return ranked, [_ranked(player, highest, "") for player in others]


def _ranked(player: CountedPlayer, highest: int, place: str) -> Ranked:
    """A line of the ranking.  Without a place the rating is not certain yet, and not shown."""
    shown, summary = player.shown if place else None, player.summary
    return Ranked(
        place=place,
        person=player,
        rating=said.NOTHING if shown is None else said.whole(shown.rating),
        width=width_of(None if shown is None else shown.rating, highest),
        won=said.share(summary.win_rate),
        points=said.mean(summary.points_per_round),
        notes=[
            said.games(summary.games),
            *([] if player.form is None or player.form.streak < 2 else [said.wins_in_a_row(player.form.streak)]),
        ],
    )


def _minus2(summary: GroupSummary) -> str:
    number = summary.rounds_at_minus2
    if not number:
        return ""
    return said.sentences(
        [
            ngettext(
                "{count} round at −2 ({share}): {points} points each on average.",
                "{count} rounds at −2 ({share}): {points} points each on average.",
                number,
            ).format(
                count=said.whole(number),
                share=said.share(number / summary.rounds),
                points=said.mean(summary.points_per_round_at_minus2),
            ),
            said.only_rounds(number) if summary.few_at_minus2 and not summary.few_rounds else "",
        ]
    )


def _covered_by_all(presets: Sequence[str], summary: GroupSummary) -> Covered | None:
    firsts_of_row = by_space(summary.covers, "row_first_count")
    drawn = charts.board(
        charts.spaces_of(presets),
        firsts_of_row,
        {row: sum(counts.values()) for row, counts in firsts_of_row.items()},
        heads=[_("Space"), _("First in its row"), pgettext("part of all", "Share"), _("Covered"), _("First of all")],
        columns=(by_space(summary.covers, "count"), by_space(summary.covers, "first_count")),
    )
    return covered(drawn, summary.covers, summary.placed_rounds, few=summary.few_covers)


def _monster_bars(monster: Monster, *, has_card: bool) -> Bars:
    means = (monster.points_per_round, monster.others_points_per_round)
    full = max((value for value in means if value is not None), default=0)
    labels = (_("The holder") if has_card else _("Alone"), _("Everybody else"))
    lines = [Bar(label, width_of(value, full), said.mean(value)) for label, value in zip(labels, means, strict=True)]
    head = _("In rounds with a monster") if has_card else _("In rounds with somebody alone")
    return Bars([head, _("Points a round")], lines)


def _monster_lead(monster: Monster, *, has_card: bool) -> str:
    if not monster.rounds:
        return ""
    sentence = (
        _("The monster brings {points} points a round. Its team wins {share} of {rounds}.")
        if has_card
        else _("Playing alone brings {points} points a round and wins {share} of {rounds}.")
    )
    return sentence.format(
        points=said.more_or_less(monster.brings),
        share=said.share(monster.win_rate),
        rounds=said.rounds(monster.rounds),
    )


def _round_tiles(summary: GroupSummary) -> list[Tile]:
    scores = (summary.largest_team_score, summary.smallest_team_score)
    highest, lowest = (said.NOTHING if score is None else said.whole(score) for score in scores)
    return [
        Tile(said.share(summary.start_win_rate), _("of rounds won by the start player’s team")),
        Tile(said.mean(summary.captures_per_trick, digits=2), _("captured cards a trick")),
        Tile(highest, _("highest team score")),
        Tile(lowest, _("lowest team score")),
    ]
