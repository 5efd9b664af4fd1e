"""The statistics pages of a player and of a pair, section by section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.groups.selections import PlayerSelection
from games.groups.statistics.summary import GroupSummary, PairSummary, PlayerSummary
from games.groups.statistics_queries import Companion, CountedPair, CountedPlayer, Person, RatedGame
from games.pages.statistics import charts
from games.pages.statistics.charts import Bars, Board, Curve
from games.pages.statistics.parts import Covered, Tile, by_space, conditions_board, covered, line_of, mixed, start_lead
from games.texts import statistics as said

# --- a player ---


@dataclass(frozen=True)
class PlayerPage:
    """The statistics of a player.  `curve`: None for some of the games, which have no rating of their own."""

    person: Person
    is_empty: bool
    waiting: str
    note: str
    mixed: str
    tiles: list[Tile]
    curve: Curve | None
    roles: Bars | None
    has_monster_card: bool
    partners: Bars | None
    strangers: Bars | None
    covered: Covered | None
    conditions: Board | None
    conditions_note: str
    tricks: list[Tile]
    super_rank: str | None
    start_lead: str


def player_page(selection: PlayerSelection, latest: Sequence[RatedGame] = (), *, waiting: str = "") -> PlayerPage:
    """The page of a player.  `latest`: the player's last games, unless only some games are meant."""
    player, group, companions = selection.player, selection.group, selection.companions
    summary, presets = player.summary, list(group.by_preset)
    has_card = charts.has_monster_card(presets)
    tried, strangers = _partners(companions, of=player.id)
    return PlayerPage(
        person=player,
        is_empty=not summary.games,
        waiting=waiting,
        note=said.only_games(summary.games) if summary.few else "",
        mixed=mixed(summary),
        tiles=_headline(player),
        curve=charts.curve(player.name, latest),
        roles=_roles(summary, has_monster_card=has_card),
        has_monster_card=has_card,
        partners=tried,
        strangers=strangers,
        covered=_covered_by_player(presets, summary),
        conditions=conditions_board(presets, summary.conditions, summary.start.rounds),
        conditions_note=said.only_rounds(summary.start.rounds) if summary.start.few else "",
        tricks=_trick_tiles(summary, group),
        super_rank=charts.capturable_of(presets),
        start_lead=start_lead(),
    )


def _headline(player: CountedPlayer) -> list[Tile]:
    summary, shown, form = player.summary, player.shown, player.form
    won = (_("{wins} of {games}, {shared} shared") if summary.shared else _("{wins} of {games}")).format(
        wins=said.whole(summary.wins), games=said.games(summary.games), shared=said.whole(summary.shared)
    )
    doubt = ""
    if shown is not None:
        doubt = _("not certain yet") if shown.settling else _("give or take {points}").format(points=shown.uncertainty)
    tiles = [
        Tile(said.share(summary.win_rate), _("games won"), won),
        Tile(said.mean(summary.points_per_round), _("points a round"), said.rounds(summary.rounds)),
    ]
    if form is not None:
        now = said.wins_in_a_row(form.streak)
        tiles.append(
            Tile(
                said.whole(form.longest),
                _("longest streak of won games"),
                _("now {streak}").format(streak=now) if now else "",
            )
        )
    if player.is_selection:
        return tiles
    # The last: of all figures it says the least after few games.
    is_certain = shown is not None and not shown.settling
    return [*tiles, Tile(said.whole(shown.rating) if shown and is_certain else said.NOTHING, _("rating"), doubt)]


def _roles(summary: PlayerSummary, *, has_monster_card: bool) -> Bars | None:
    labelled = (
        (_("Every round"), summary.every_round),
        (_("Start player"), summary.start),
        (_("Alone against two"), summary.alone),
        (_("Partner"), summary.partner),
        (_("Opponent"), summary.opponent),
        # Without the card these are the rounds alone.
        *([(_("With the monster"), summary.monster)] if has_monster_card else []),
    )
    lines = [line_of(label, role) for label, role in labelled if role.rounds]
    return Bars([_("Role"), _("Won"), _("Points"), _("Rounds")], lines) if lines else None


def _partners(companions: Sequence[Companion], *, of: str) -> tuple[Bars | None, Bars | None]:
    """The partners with whom a player wins, the best first: those with enough rounds, then those with few."""

    def rate(companion: Companion) -> tuple[float, int, str, str]:
        together = companion.summary.partners
        return -(together.win_rate or 0), -together.rounds, companion.name, companion.id

    together = sorted((each for each in companions if each.summary.partners.rounds), key=rate)
    tried = [each for each in together if not each.summary.partners.few]
    return _partner_bars(tried, of), _partner_bars([each for each in together if each not in tried], of)


def _partner_bars(companions: Sequence[Companion], of: str) -> Bars | None:
    if not companions:
        return None
    lines = [
        line_of(each.name, each.summary.partners, person=each, pair=tuple(sorted((of, each.id)))) for each in companions
    ]
    return Bars([_("Partner"), _("Won"), _("Points"), _("Rounds")], lines)


def _covered_by_player(presets: Sequence[str], summary: PlayerSummary) -> Covered | None:
    counts = by_space(summary.covers, "count")
    drawn = charts.board(
        charts.spaces_of(presets),
        counts,
        dict.fromkeys(counts, summary.placed_rounds),
        heads=[_("Space"), _("Covered"), _("In 100 rounds"), _("First marker")],
        columns=(by_space(summary.covers, "first_count"),),
        percent=False,
    )
    return covered(drawn, summary.covers, summary.placed_rounds, few=summary.few_covers)


def _trick_tiles(summary: PlayerSummary, group: GroupSummary) -> list[Tile]:
    captures = said.mean(group.captures_per_trick, digits=2)
    tiles = [
        Tile(
            said.mean(summary.captures_per_trick, digits=2),
            _("captured cards a trick"),
            _("the group: {figure}").format(figure=captures),
        )
    ]
    if summary.rounds_at_minus2:
        number = said.rounds(summary.rounds_at_minus2)
        if summary.few_at_minus2:
            number = _("only {rounds}").format(rounds=number)
        everybody = said.mean(group.points_per_round_at_minus2)
        tiles.append(
            Tile(
                said.mean(summary.points_per_round_at_minus2),
                _("points a round at −2"),
                _("{rounds}; the group: {figure}").format(rounds=number, figure=everybody),
            )
        )
    scores = (summary.best_round, _("best round of the team")), (summary.worst_round, _("worst round of the team"))
    return [*tiles, *(Tile(said.whole(score), label) for score, label in scores if score is not None)]


# --- a pair ---


@dataclass(frozen=True)
class PairPage:
    """The statistics of two players."""

    one: Person
    other: Person
    is_empty: bool
    note: str
    mixed: str
    tiles: list[Tile]
    together: Bars | None
    together_note: str
    chosen: str
    sides: str

    @property
    def people(self) -> list[Person]:
        """Both of them."""
        return [self.one, self.other]


def pair_page(counted: CountedPair) -> PairPage:
    """The page of two players."""
    summary = counted.summary
    shared, drawn = summary.shared, summary.opponents_drawn
    won_by_both = ngettext("{count} won by both", "{count} won by both", shared).format(count=shared)
    drawn_rounds = ngettext("{count} drawn", "{count} drawn", drawn).format(count=drawn)
    return PairPage(
        one=counted.one,
        other=counted.other,
        is_empty=not summary.games,
        note=said.only_games(summary.games) if summary.few else "",
        mixed=mixed(summary),
        tiles=[
            Tile(said.whole(summary.games), _("games at one table"), won_by_both if shared else ""),
            Tile(said.whole(summary.partners.rounds), _("rounds as partners")),
            Tile(said.whole(summary.opponents), _("rounds against each other"), drawn_rounds if drawn else ""),
        ],
        together=_together(counted),
        together_note=said.only_rounds(summary.partners.rounds) if summary.partners.few else "",
        chosen=_chosen(counted),
        sides=_sides(summary),
    )


def _together(counted: CountedPair) -> Bars | None:
    """The rounds in one team, compared with all rounds of each of them."""
    if not counted.summary.partners.rounds:
        return None
    usually = [
        line_of(_("{name} overall").format(name=player.name), player.summary.every_round)
        for player in (counted.one, counted.other)
    ]
    lines = [line_of(_("Together"), counted.summary.partners), *usually]
    return Bars([_("In one team"), _("Won"), _("Points"), _("Rounds")], lines)


def _chosen(counted: CountedPair) -> str:
    summary = counted.summary
    if not summary.chosen:
        return ""
    return ngettext(
        "In {count} of these rounds one of them was start player and chose the other: {share} won.",
        "In {count} of these rounds one of them was start player and chose the other: {share} won.",
        summary.chosen,
    ).format(count=said.whole(summary.chosen), share=said.share(summary.chosen_win_rate))


def _sides(summary: PairSummary) -> str:
    rounds = summary.partners.rounds + summary.opponents
    if not rounds:
        return ""
    return _("Of {rounds} at one table they spent {share} on the same side.").format(
        rounds=said.rounds(rounds), share=said.share(summary.partners.rounds / rounds)
    )
