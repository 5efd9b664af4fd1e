"""A round whose board is settled, as three blocks: what their page shows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from games.pages.correct.blocks_form import BlocksForm
from games.pages.parts.board import RowView, board_rows
from games.pages.parts.players import Player, players_of
from games.pages.parts.teams import PartnerChoice, partner_choices
from games.rules import RowKey
from games.rules.scoring import TallyBounds
from games.rules.teams import PLAYERS_WITH_MONSTER, Teams
from games.texts import words


@dataclass(frozen=True)
class CountedLine:
    """The figures of a player, as typed.  `per_trick`: the most captured cards that one trick can bring them."""

    player: Player
    typed_tricks: str
    typed_captured: str
    per_trick: int | None


@dataclass(frozen=True)
class Figures:
    """The figures of a round, and what they can be.

    `tricks`, `captured_least`, `captured_most`: of all players together; `rounds`: the first two by the open space in
    the row of discards.
    """

    lines: list[CountedLine]
    tricks: int
    captured_least: int
    captured_most: int
    rounds: str
    capturable: str
    capturable_plural: str


@dataclass(frozen=True)
class ChoiceLine:
    """A choice of partners.  `per_trick`: the most captured cards that one trick can bring each player then."""

    choice: PartnerChoice
    is_chosen: bool
    per_trick: str


@dataclass(frozen=True)
class Blocks:
    """The blocks as the page shows them.

    `start`: the start player; `starts`: the players that the table may have agreed on instead; `monsters`: who may hold
    the monster card.
    """

    rows: list[RowView]
    start: Player
    starts: Sequence[Player]
    choices: list[ChoiceLine]
    monsters: list[tuple[Player, bool]]
    figures: Figures | None
    was: str


def blocks_of(form: BlocksForm) -> Blocks:
    """The blocks with what was typed so far."""
    state, done = form.ledger.state, form.done
    players = players_of(state.setup)
    has_teams = "partners" in form.fields
    return Blocks(
        rows=[_row(form, row) for row in board_rows(state, done, with_outcomes=True)],
        start=players[form.start],
        starts=players if has_teams and not state.ruleset.options.start_row else (),
        choices=[
            ChoiceLine(choice, choice == form.partners, " ".join(map(str, _per_trick(form, choice))))
            for choice in partner_choices(state, form.start)
        ]
        if has_teams
        else [],
        monsters=[(player, form.typed("monster") == str(player.seat)) for player in players]
        if has_teams and state.players in PLAYERS_WITH_MONSTER
        else [],
        figures=_figures_of(form, players) if "tricks-0" in form.fields else None,
        was=urlencode(form.stands),
    )


def _figures_of(form: BlocksForm, players: Sequence[Player]) -> Figures:
    ruleset, teams = form.ledger.state.ruleset, form.done.teams
    assert teams is not None, "figures follow the teams"
    bounds = {space: TallyBounds.of(ruleset, teams, discard=space) for space in ruleset.spaces(RowKey.DISCARD)}
    now = bounds.get(form.typed("discard"), next(iter(bounds.values())))
    # While the partners are open, so is what a trick can bring.
    per_trick: Sequence[int | None] = now.captured_per_trick
    if "partners" in form.fields:
        per_trick = [None] * len(players) if form.partners is None else _per_trick(form, form.partners)
    return Figures(
        lines=[
            CountedLine(player, form.typed(f"tricks-{player.seat}"), form.typed(f"captured-{player.seat}"), most)
            for player, most in zip(players, per_trick, strict=True)
        ],
        tricks=now.tricks,
        captured_least=now.captured_least,
        captured_most=now.captured_most,
        rounds=json.dumps({space: (each.tricks, each.captured_least) for space, each in bounds.items()}),
        capturable=words.capturable(ruleset),
        capturable_plural=words.capturable_plural(ruleset),
    )


def _per_trick(form: BlocksForm, choice: PartnerChoice) -> tuple[int, ...]:
    """The most captured cards that one trick can bring each player, with these partners."""
    assert form.done.conditions is not None, "the board is settled"
    own, other = (tuple(player.seat for player in side) for side in (choice.partners, choice.rest))
    teams = Teams((form.start, *own), other, None)
    # The same with any number of discards.
    return TallyBounds.of(form.ledger.state.ruleset, teams, discard=form.done.conditions.discard).captured_per_trick


def _row(form: BlocksForm, row: RowView) -> RowView:
    """A row in which each space can be chosen; the tokens of absent players stay covered."""
    typed = form.typed(row.key)
    spaces = [
        replace(space, by=None, is_covered=not space.space, is_last=bool(space.space) and space.space == typed)
        for space in row.spaces
    ]
    return replace(row, spaces=spaces, settled=next((space.outcome for space in spaces if space.is_last), ""))
