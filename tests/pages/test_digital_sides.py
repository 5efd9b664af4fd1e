"""The two teams of a round so far, the places around the table, the candidates and the duty of a hand."""

from __future__ import annotations

from random import Random

import pytest

from games.pages.digital.cards import hand_of
from games.pages.parts.players import AROUND
from games.rules import Phase, Setup
from games.rules.redaction import view_for
from games.rules.scoring import score_round, signed
from tests.builders import dealt_by_chance, dutch, english, french, in_tricks, italian
from tests.laws import rest_slow
from tests.pages.test_digital import Game, tricks


def test_us_and_them_have_what_was_won_and_the_points_if_the_round_ended_now() -> None:
    game = tricks(setup=french()).act(16)
    current = game.state.current
    won = current.won(4)
    score = score_round(teams=current.teams, points_per_trick=current.conditions.points, won=won)

    for seat in range(4):
        us, them = game.page(seat).sides
        ours, theirs = current.teams.team_of(seat), set(range(4)) - set(current.teams.team_of(seat))
        own = set(ours) == set(current.teams.own)
        assert (us.name, them.name, us.is_ours, them.is_ours) == ("Us", "Them", True, False)
        assert us.won.tricks == sum(won[each].tricks for each in ours)
        assert them.won.captured == sum(won[each].captured for each in theirs)
        assert us.points == signed((score.own if own else score.other).total)
        assert them.points == signed((score.other if own else score.own).total)
        assert us.words.startswith("Us: ")


def test_a_spectator_sees_both_teams_by_number_and_that_of_the_start_player_first() -> None:
    first, second = tricks().act(4).page(None).sides

    assert (first.name, second.name) == ("Team 1", "Team 2")


@pytest.mark.parametrize("side", range(4))
def test_between_two_seats_of_one_phone_seats_and_counts_are_marked_alike(side: int) -> None:
    game = tricks().act(16)
    page, teams = game.page(None, side=side), game.state.current.teams

    first, second = page.sides
    # As the player has seen them who has just given the phone away.
    assert [seat.player.seat for seat in page.seats if seat.is_ours] == sorted(
        teams.team_of(side), key=[seat.player.seat for seat in page.seats].index
    )
    for team in (first, second):
        won = [seat.facts.won.tricks for seat in page.seats if seat.is_ours == team.is_ours]
        assert sum(won) == team.won.tricks
    assert (first.name, second.name) == (("Team 1", "Team 2") if side in teams.own else ("Team 2", "Team 1"))


def test_with_two_players_the_sides_are_called_by_whom_they_are() -> None:
    game = Game(english(2)).settle("0 njet red blue 3")

    assert [side.name for side in game.page(0).sides] == ["You", "Ben"]
    assert [side.name for side in game.page(1).sides] == ["You", "Ana"]
    assert [side.name for side in game.page(None).sides] == ["Team 1", "Team 2"]


def test_before_the_teams_are_named_there_are_no_sides() -> None:
    assert Game(italian()).page(0).sides == []


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_seats_go_clockwise_and_the_reader_sits_at_the_bottom(players: int) -> None:
    game = Game(english(players))

    for seat in range(players):
        seats = game.page(seat).seats
        assert [each.player.seat for each in seats] == [(seat + 1 + step) % players for step in range(players)]
        assert [each.at for each in seats] == list(AROUND[players])
        assert [each.is_me for each in seats] == [False] * (players - 1) + [True]


def test_candidates_are_shown_with_their_points_from_the_second_round_on() -> None:
    game = Game(english(5)).settle("0 njet red blue 3")
    for has_points in (False, True):
        if has_points:
            while not game.state.finished:
                game.act()
            game.add(dealt_by_chance(game.setup.ruleset, Random(8))).settle("0 njet red blue 3")
        (start,) = game.state.acting_seats

        candidates = game.page(start).teams.candidates

        assert candidates
        assert {bool(each.totals) for each in candidates if each.choice.partners} == {has_points}
        assert game.page((start + 1) % 5).teams.candidates == []


def test_a_single_candidate_has_every_space_they_covered() -> None:
    game = Game(dutch(3)).settle("0 njet red blue 3")
    start = game.state.acting_seats[0]

    page = game.page(start)
    singles = [each for each in page.teams.candidates if len(each.choice.partners) == 1]
    assert singles
    for each in singles:
        spaces = [space for row in page.round.rows for space in row.spaces if space.by == each.choice.partners[0]]
        assert spaces
        assert [space for _row, space in each.covered] == spaces


def test_the_latest_space_is_the_one_that_was_covered_last() -> None:
    game = Game(italian())
    assert game.page(0).latest is None

    action = game.ledger.replay.full.legal_actions(game.state.acting_seats[0])[0]
    latest = game.add(action).page(0).latest

    assert (latest.space, latest.is_covered) == (action.space, True)


def test_a_hand_that_may_play_anything_has_no_duty() -> None:
    full = in_tricks(italian(), "0 njet red blue 3", "team 1", "R9", "R1", "K5", "G5")

    assert hand_of(view_for(full, 0)).duty == ""


@pytest.mark.parametrize("setup", rest_slow([english(3), french(4), italian(), english(5), dutch(4)], quick=3))
def test_the_duty_is_what_the_rules_let_the_hand_play(setup: Setup) -> None:
    game = Game(setup).settle("0 njet red blue 3").act()
    seen = set()
    while game.state.phase is Phase.TRICKS and not game.state.finished:
        (seat,) = game.state.acting_seats
        hand, led = game.page(seat).cards.hand, game.state.current.table[:1]
        playable = [card for card in hand.cards if card.is_playable]
        seen.add(hand.duty)
        if not hand.duty:
            assert not led or len(playable) == len(hand.cards)
        elif hand.duty == "play a trump":
            assert all(card.rise for card in playable)
        else:
            assert hand.duty == f"follow {led[0].suit.value}"
            assert {card.card.suit for card in playable} == {led[0].suit.value}
        game.act()

    assert any(duty.startswith("follow") for duty in seen)


def test_the_result_is_read_under_the_number_of_its_own_round() -> None:
    game = Game(dutch(3, rounds=2))
    while not game.state.finished:
        game.act()
    game.add(dealt_by_chance(game.setup.ruleset, Random(8)))

    assert (game.page(0).view, game.page(0).round.number) == ("result", 1)
    assert game.page(0, reads=2).round.number == 2
