"""The page of what the markers of a game say: tables with a column for each player, and the sentences beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.groups.statistics.facts import rounds_of
from games.groups.statistics.placements import Block, GamePlacements, MonsterEffect
from games.pages.parts.players import Player, players_of
from games.rules import RowKey, Setup
from games.rules.replay import Replay
from games.rules.scoring import signed
from games.texts import words
from games.texts.statistics import NOTHING

MOST_SENTENCES = 3
"""Of one kind: more would hide what stands out."""


@dataclass(frozen=True)
class Line:
    """A line of a table: what it is about (perhaps a player), a figure for each player, and one more."""

    label: str
    cells: list[str]
    more: str
    player: Player | None = None


@dataclass(frozen=True)
class Figures:
    """A table with a column for each player.  `sentences`: what stands out; `rounds`: each marker, round by round."""

    lines: list[Line]
    sentences: list[str]
    rounds: list[tuple[int, list[str]]] = field(default_factory=list)


@dataclass(frozen=True)
class MonsterView:
    """What scoring double contributed.  `rounds`: those in which a player did, with that player."""

    rounds: list[tuple[Player, MonsterEffect]]
    sentences: list[str]
    is_card: bool
    has_partner: bool


@dataclass(frozen=True)
class PlacementsPage:
    """What the markers of a game say; None where they say nothing."""

    lead: list[str]
    players: Sequence[Player]
    tokens: Figures | None
    blocks: Figures | None
    decided: Figures | None
    stakes: Figures | None
    monster: MonsterView | None


def placements_page(replay: Replay) -> PlacementsPage:
    """The page of a game, with the rounds that are complete."""
    setup = replay.state.setup
    found = GamePlacements.of(setup.ruleset, rounds_of(replay))
    return PlacementsPage(
        lead=_lead(found),
        players=players_of(setup),
        tokens=_tokens(setup, found),
        blocks=_blocks(setup, found.blocks),
        decided=_decided(setup, found),
        stakes=_stakes(setup, found),
        monster=_monster(setup, found),
    )


def _lead(found: GamePlacements) -> list[str]:
    if not found.rounds:
        return [_("No round is complete yet: this page begins with the first one.")]
    if not found.markers:
        return [_("The boards of this game were entered in one go, so nothing is known of its markers.")]
    lines = [
        ngettext(
            "{placed} of {count} round was placed marker by marker.",
            "{placed} of {count} rounds were placed marker by marker.",
            found.rounds,
        ).format(placed=found.placed, count=found.rounds)
    ]
    if found.placed < found.rounds:
        lines.append(_("Markers that were not recorded one by one are not counted here."))
    return lines


# --- who covered whose token, who blocked whom ---


def _tokens(setup: Setup, found: GamePlacements) -> Figures | None:
    counts = {
        (seat, owner): count for seat, line in enumerate(found.tokens) for owner, count in enumerate(line) if count
    }

    def sentence(seat: int, owner: int, count: int) -> str:
        names = setup.names
        if seat == owner:
            text = ngettext(
                "{name} covered their own token {count} time.", "{name} covered their own token {count} times.", count
            )
        else:
            text = ngettext(
                "{name} covered {other}’s token {count} time.", "{name} covered {other}’s token {count} times.", count
            )
        return text.format(name=names[seat], other=names[owner], count=count)

    return Figures(_by_pair(setup, counts), _most(counts, sentence)) if counts else None


def _blocks(setup: Setup, blocks: Sequence[Block]) -> Figures | None:
    counts = Counter((block.seat, block.against) for block in blocks)
    names = setup.names

    def sentence(seat: int, against: int, count: int) -> str:
        return ngettext("{name} blocked {other} {count} time.", "{name} blocked {other} {count} times.", count).format(
            name=names[seat], other=names[against], count=count
        )

    rounds: dict[int, list[str]] = {}
    for block in blocks:
        space = words.covered(RowKey(block.row), block.space, setup.ruleset, names)
        line = _("{name} covered {space}, against {other}.").format(
            name=names[block.seat], space=space, other=names[block.against]
        )
        rounds.setdefault(block.number, []).append(line)
    return Figures(_by_pair(setup, counts), _most(counts, sentence), list(rounds.items())) if blocks else None


def _by_pair(setup: Setup, counts: Mapping[tuple[int, int], int]) -> list[Line]:
    players = players_of(setup)
    lines = []
    for one in players:
        row = [counts.get((one.seat, other.seat), 0) for other in players]
        lines.append(Line(one.name, [_count(each) for each in row], _count(sum(row)), one))
    return lines


def _most(counts: Mapping[tuple[int, int], int], sentence: Callable[[int, int, int], str]) -> list[str]:
    """The pairs with the most markers, if that is more than one."""
    most = max(counts.values())
    pairs = sorted(pair for pair, count in counts.items() if count == most > 1)
    return [sentence(*pair, most) for pair in pairs[:MOST_SENTENCES]]


def _count(number: int) -> str:
    return str(number) if number else NOTHING


# --- who decided the rows, and the stakes ---


def _decided(setup: Setup, found: GamePlacements) -> Figures | None:
    ruleset, names = setup.ruleset, setup.names
    counts = Counter((marker.row, marker.seat) for marker in found.last_markers)
    lines = [
        Line(
            label=str(words.ROW_NAMES[row]),
            cells=[_count(counts[row.value, seat]) for seat in range(ruleset.players)],
            more=_count(found.ends.get(row.value, 0)),
        )
        for row in ruleset.rows
    ]
    rounds: dict[int, list[str]] = {}
    for marker in found.last_markers:
        covered, left = (
            _("their own token")
            if marker.row == RowKey.START.value and int(space) == marker.seat
            else words.covered(RowKey(marker.row), space, ruleset, names)
            for space in (marker.covered, marker.left)
        )
        line = _("{name} covered {space} and left {left} open.").format(
            name=names[marker.seat], space=covered, left=left
        )
        rounds.setdefault(marker.number, []).append(line)
    return Figures(lines, [], list(rounds.items())) if found.last_markers else None


def _stakes(setup: Setup, found: GamePlacements) -> Figures | None:
    lines = [
        Line(signed(stake.points), [signed(points) for points in stake.scored], str(stake.rounds))
        for stake in found.stakes
    ]
    sentences = [
        _("Round {number} was played at {points}: {name} covered the last other stake.").format(
            number=number, points=signed(stake.points), name=setup.names[seat]
        )
        for stake in found.stakes
        if stake.points < 0
        for number, seat in stake.left_by
    ]
    return Figures(lines, sentences) if lines else None


# --- the monster ---


def _monster(setup: Setup, found: GamePlacements) -> MonsterView | None:
    if not found.monster_effects:
        return None
    players = players_of(setup)
    total: Counter[int] = Counter()
    for effect in found.monster_effects:
        total[effect.holder] += effect.contributed
    best, most = total.most_common(1)[0]
    held = sum(effect.holder == best for effect in found.monster_effects)
    sentences = [
        ngettext(
            "It brought the most for {name}: {points} in {count} round.",
            "It brought the most for {name}: {points} in {count} rounds.",
            held,
        ).format(name=players[best].name, points=words.change(most), count=held)
    ]
    turned = [str(effect.number) for effect in found.monster_effects if effect.turned]
    if turned:
        sentences.append(
            ngettext(
                "Without it round {rounds} would have ended otherwise.",
                "Without it rounds {rounds} would have ended otherwise.",
                len(turned),
            ).format(rounds=words.listing(turned))
        )
    return MonsterView(
        rounds=[(players[effect.holder], effect) for effect in found.monster_effects],
        sentences=sentences,
        is_card=not words.plays_without_monster(setup.ruleset),
        has_partner=any(effect.partner is not None for effect in found.monster_effects),
    )
