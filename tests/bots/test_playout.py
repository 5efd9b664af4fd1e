"""The fused playout against `TrickRules`: it scores every round as the rules do."""

from __future__ import annotations

from random import Random

import pytest

from games.bots.playout import Sides, play_out, play_trick, sides_of
from games.bots.policy import follow, lead
from games.fast_tricks.tables import Tables, bits, tables_of
from games.rules.board import Conditions
from games.rules.cards import SUITS
from games.rules.ruleset import Ruleset
from games.rules.scoring import Won, score_round
from games.rules.teams import Teams, choices
from games.rules.tricks import TrickRules
from tests.bots.positions import rulesets


def random_conditions(ruleset: Ruleset, rng: Random) -> Conditions:
    suits = (*ruleset.edition.suits, None)
    return Conditions(
        start=rng.randrange(ruleset.players),
        discard="njet",
        trump=rng.choice(suits),
        supertrump=rng.choice(suits),
        points=rng.choice((1, 2, 3, 4, -2)),
    )


def random_hands(tables: Tables, players: int, each: int, rng: Random) -> list[int]:
    cards = bits(tables.everything)
    rng.shuffle(cards)
    return [sum(cards[seat * each : (seat + 1) * each]) for seat in range(players)]


def played_by_the_rules(
    rules: TrickRules,
    tables: Tables,
    teams: Teams,
    points: int,
    hands: list[int],
    leader: int,
    noise: bytes,
    chance: int,
) -> int:
    """What `play_out` answers, every rule asked of the rules module."""
    sides, hands, draws = sides_of(teams, points), list(hands), iter(noise)
    won = [Won()] * teams.players
    while any(hands):
        masks: list[int] = []
        for seat, side, threatened in sides.orders[leader]:
            cards = [tables.card_of(mask) for mask in masks]
            allowed = rules.legal_cards(tables.hand_of(hands[seat]), cards[0] if cards else None)
            legal = [bit for bit in bits(hands[seat]) if tables.card_of(bit) in allowed]
            rest = sum(hands) & ~hands[seat]
            if len(legal) == 1:
                card = legal[0]
            elif (draw := next(draws)) < chance:
                above = [bit for bit in legal if bit >= 1 << draw * len(tables.cards) // chance]
                card = min(above or legal)
            elif not masks:
                card = lead(tables, hands[seat], rest, points > 0)
            else:
                place = rules.winner(cards)
                winning = sides.side[(leader + place) % teams.players]
                beats = tables.beats[masks[place]]
                card = follow(tables, sum(legal), beats, side == winning, threatened, rest, points > 0)
            masks.append(card)
            hands[seat] ^= card
        cards = [tables.card_of(mask) for mask in masks]
        winner = (leader + rules.winner(cards)) % teams.players
        won[winner] = won[winner].plus(tricks=1, captured=rules.captured(cards, leader=leader, teams=teams))
        leader = winner
    score = score_round(teams=teams, points_per_trick=points, won=won)
    return score.own.total - score.other.total


@pytest.mark.parametrize("chance", [0, 64, 256])
def test_the_fused_playout_scores_like_the_rules(chance: int) -> None:
    rng = Random(chance)
    for ruleset in rulesets():
        conditions = random_conditions(ruleset, rng)
        rules = TrickRules.of(ruleset, conditions)
        tables = tables_of(ruleset, conditions.trump, conditions.supertrump)
        teams = rng.choice(choices(players=ruleset.players, start=conditions.start))
        hands = random_hands(tables, ruleset.players, rng.randrange(1, ruleset.dealt + 1), rng)
        noise = rng.randbytes(64)

        value = play_out(tables, sides_of(teams, conditions.points), hands[:], conditions.start, (), noise, chance)

        assert value == played_by_the_rules(
            rules, tables, teams, conditions.points, hands, conditions.start, noise, chance
        )


def test_a_trick_and_those_after_it_score_as_the_whole_round() -> None:
    rng, surely = Random(3), bytes(64)
    for ruleset in rulesets():
        conditions = random_conditions(ruleset, rng)
        tables = tables_of(ruleset, conditions.trump, conditions.supertrump)
        teams = rng.choice(choices(players=ruleset.players, start=conditions.start))
        sides, leader = sides_of(teams, conditions.points), rng.randrange(ruleset.players)
        hands = random_hands(tables, ruleset.players, rng.randrange(1, ruleset.dealt + 1), rng)
        led = rng.choice(bits(hands[leader]))
        whole = play_out(tables, sides, hands[:], leader, (led,), surely, 0)

        value, winner = play_trick(tables, sides, hands, leader, (led,))

        assert value + play_out(tables, sides, hands, winner, (), surely, 0) == whole


def test_a_playout_takes_up_a_trick_that_has_begun() -> None:
    tables = tables_of(Ruleset.of("njet-english", 2), SUITS[0], None)
    sides: Sides = sides_of(Teams((0,), (1,), None), 3)
    led, answer = tables.mask_of([tables.cards[-20]]), tables.mask_of([tables.cards[-1]])

    value = play_out(tables, sides, [led, answer], 0, (led, answer), b"", 0)

    assert value == -3
