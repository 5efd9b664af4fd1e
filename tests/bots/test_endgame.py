"""The solved end of a round against every way to play it by `TrickRules`."""

from __future__ import annotations

from random import Random

import pytest

from games.bots.endgame import Endgame
from games.bots.playout import sides_of
from games.fast_tricks.tables import Tables, tables_of
from games.rules.cards import Card
from games.rules.scoring import Won, score_round
from games.rules.teams import Teams, choices
from games.rules.tricks import TrickRules
from tests.bots.positions import rulesets
from tests.bots.test_playout import random_conditions, random_hands


def best_by_the_rules(
    rules: TrickRules,
    teams: Teams,
    points: int,
    hands: list[list[Card]],
    leader: int,
    table: list[Card],
    won: list[Won],
) -> int:
    """The lead of the start player's team if both teams play as well as can be."""
    if len(table) == teams.players:
        winner = (leader + rules.winner(table)) % teams.players
        after = list(won)
        after[winner] = won[winner].plus(tricks=1, captured=rules.captured(table, leader=leader, teams=teams))
        return best_by_the_rules(rules, teams, points, hands, winner, [], after)
    seat = (leader + len(table)) % teams.players
    if not hands[seat]:
        score = score_round(teams=teams, points_per_trick=points, won=won)
        return score.own.total - score.other.total
    values = []
    for card in set(rules.legal_cards(hands[seat], table[0] if table else None)):
        left = [list(hand) for hand in hands]
        left[seat].remove(card)
        values.append(best_by_the_rules(rules, teams, points, left, leader, [*table, card], won))
    return max(values) if seat in teams.own else min(values)


def opened(tables: Tables, hands: list[int]) -> list[list[Card]]:
    return [list(tables.hand_of(hand)) for hand in hands]


@pytest.mark.slow
def test_the_end_is_worth_what_the_best_play_of_both_teams_brings() -> None:
    rng = Random(1)
    for ruleset in rulesets():
        conditions = random_conditions(ruleset, rng)
        rules = TrickRules.of(ruleset, conditions)
        tables = tables_of(ruleset, conditions.trump, conditions.supertrump)
        teams = rng.choice(choices(players=ruleset.players, start=conditions.start))
        # Three cards are often neighbours in a suit; five hands of them would take the rules too long.
        hands = random_hands(tables, ruleset.players, 3 if ruleset.players < 5 else 2, rng)
        led = hands[conditions.start] & -hands[conditions.start]
        endgame, won = Endgame(tables, sides_of(teams, conditions.points)), [Won()] * ruleset.players

        begun = opened(tables, hands)
        begun[conditions.start].remove(tables.card_of(led))

        assert endgame.value(hands, conditions.start) == best_by_the_rules(
            rules, teams, conditions.points, opened(tables, hands), conditions.start, [], won
        )
        assert endgame.value(hands, conditions.start, (led,)) == best_by_the_rules(
            rules, teams, conditions.points, begun, conditions.start, [tables.card_of(led)], won
        )
